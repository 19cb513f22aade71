"""Questions about vectors, and what an answer to one is worth."""

from wireproof.verdict.answers import Answer, BadAnswer, parse_answer
from wireproof.verdict.judge import Judge, Judgement
from wireproof.verdict.questions import MODES, Question, Request, questions
from wireproof.verdict.statuses import BROKEN, EXECUTED, STATUSES

__all__ = [
    "BROKEN",
    "EXECUTED",
    "MODES",
    "STATUSES",
    "Answer",
    "BadAnswer",
    "Judge",
    "Judgement",
    "Question",
    "Request",
    "parse_answer",
    "questions",
]

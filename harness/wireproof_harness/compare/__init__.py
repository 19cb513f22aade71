"""Several implementations, the same questions: who disagrees with whom, and who understands what another writes."""

from wireproof_harness.compare.answers import Answer, kind_of_difference
from wireproof_harness.compare.camps import Camp
from wireproof_harness.compare.differential import Comparison, Difference, Pair, Standing, compare
from wireproof_harness.compare.exchange import Cell, Counterexample, Exchange, exchange
from wireproof_harness.compare.voices import Implementation, Reference, Voice, implementation, operations

__all__ = [
    "Answer",
    "Camp",
    "Cell",
    "Comparison",
    "Counterexample",
    "Difference",
    "Exchange",
    "Implementation",
    "Pair",
    "Reference",
    "Standing",
    "Voice",
    "compare",
    "exchange",
    "implementation",
    "kind_of_difference",
    "operations",
]

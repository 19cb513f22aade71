"""The golden vectors: reading them strictly, proving them, and keeping them as they are.

>>> from wireproof.suite import load_suite
>>> suite = load_suite()
>>> suite["COMET-SUBSCRIBE-001"].data  # doctest: +SKIP
"""

from wireproof.suite.load import load_suite
from wireproof.suite.model import Expect, Suite, Vector
from wireproof.suite.problems import Problem, SuiteError

__all__ = ["Expect", "Problem", "Suite", "SuiteError", "Vector", "load_suite"]

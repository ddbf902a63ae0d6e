"""Can a model judge be gamed, and does it favour some runs or documents?"""

from agreement.trust.gaming.report import GamingTests, gaming_tests

__all__ = ["GamingTests", "gaming_tests"]

"""When a sentence may compare golds: thresholds on common topics and on judged documents.

A few judgements can give any ranking of the systems. A sentence therefore compares two golds only if

- they have at least `min_topics` topics in common (10 by default) for which some system retrieved a document, and
- each of them judges at least the share `min_judged` of the first 10 documents (0.5 by default), counted over all
  systems and over the topics of the comparison. If nothing was retrieved, this is not met.

Summaries list all other golds below the sentence as "too early to say", with their numbers. The tables contain all
golds.
"""

from dataclasses import dataclass
from numbers import Integral, Real

from agreement.choices import MIN_JUDGED, MIN_TOPICS
from agreement.effectiveness.judge_scores import TOP
from pooling.words import count, percent

__all__ = ["MIN_JUDGED", "MIN_TOPICS", "TOP", "UNKNOWN", "Thresholds", "TopicThreshold", "lower_share", "share_of"]

UNKNOWN = "from scores; how much is judged is unknown"


@dataclass(frozen=True)
class Thresholds:
    """How much data a sentence that compares golds needs.

    Parameters
    ----------
    min_topics : int
        Smallest number of common topics, 1 or more.
    min_judged : float
        Smallest share of the first 10 documents that each gold judges, from 0 to 1.

    Raises
    ------
    ValueError
        A threshold is out of range.
    """

    min_topics: int = MIN_TOPICS
    min_judged: float = MIN_JUDGED

    def __post_init__(self) -> None:
        n, share = self.min_topics, self.min_judged
        if not isinstance(n, Integral) or isinstance(n, bool) or n < 1:
            raise ValueError(f"min_topics must be a whole number of at least 1, not {n!r}.")
        if not isinstance(share, Real) or isinstance(share, bool) or not 0 <= share <= 1:
            raise ValueError(f"min_judged must be a share from 0 to 1, not {share!r}.")

    def met(self, n_topics: int, *shares: float | None) -> bool:
        """Return whether there is enough data; a share of None means that nothing was retrieved."""
        return n_topics >= self.min_topics and all(share is not None and share >= self.min_judged for share in shares)

    def needed(self) -> str:
        """Return the sentence that states the thresholds."""
        topics = f"at least {count(self.min_topics, 'topic')} in common"
        judged = f"{percent(self.min_judged)} of the first {TOP} documents judged"
        return f"A comparison needs {topics}, and {judged} under each gold."

    def shown(self, share: float | None) -> str:
        """Return a share in percent. A share below the threshold is never rounded up to it."""
        if share is None:
            return "none"
        if share < self.min_judged <= round(share, 2):
            return f"less than {percent(self.min_judged)}"
        return f"{share:.0%}"


@dataclass(frozen=True)
class TopicThreshold(Thresholds):
    """How much data a sentence needs if only scores are known: enough common topics.

    Parameters
    ----------
    min_topics : int
        Smallest number of common topics, 1 or more.

    Raises
    ------
    ValueError
        The threshold is out of range.
    """

    min_judged: float = 0.0

    def met(self, n_topics: int, *shares: float | None) -> bool:  # noqa: ARG002, as in the base class
        """Return whether there are enough topics."""
        return n_topics >= self.min_topics

    def needed(self) -> str:
        """Return the sentence that states the threshold."""
        topics = f"at least {count(self.min_topics, 'topic')} in common"
        return f"A comparison from scores needs {topics}; how much is judged is unknown."


def lower_share(*shares: float | None) -> float | None:
    """Return the lowest share; None if one of them is None."""
    known = [share for share in shares if share is not None]
    return min(known) if len(known) == len(shares) else None


def share_of(judged: int, retrieved: int) -> float | None:
    """Return judged / retrieved; None if nothing was retrieved."""
    return judged / retrieved if retrieved else None

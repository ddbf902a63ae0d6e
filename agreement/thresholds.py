"""How much data an answer needs, and the words for an answer that is based on less.

A few judgements can give any ranking of the systems, and any agreement. An answer therefore needs

- of two golds: at least `min_topics` topics in common (10 by default) for which some system retrieved a document, and
  each gold judges at least the share `min_judged` of the first 10 documents (0.5 by default), counted over all systems
  and over the topics of the comparison. If nothing was retrieved, this is not met;
- of two judges: at least `min_topics` topics and `min_documents` documents (50 by default) that both judged.

With less data, figures and intervals are shown all the same, after a sentence that begins with "Preliminary:" and says
what there is and what an answer needs.
"""

from dataclasses import dataclass
from numbers import Integral, Real

from agreement.choices import MIN_DOCUMENTS, MIN_JUDGED, MIN_TOPICS, TOP
from pooling.words import count, percent

__all__ = [
    "MIN_DOCUMENTS",
    "MIN_JUDGED",
    "MIN_TOPICS",
    "TOP",
    "UNKNOWN",
    "Thresholds",
    "TopicThreshold",
    "lower_share",
    "preliminary",
    "share_of",
]

UNKNOWN = "from scores; how much is judged is unknown"


@dataclass(frozen=True)
class Thresholds:
    """How much data an answer needs.

    Parameters
    ----------
    min_topics : int
        Smallest number of common topics of two golds or two judges, 1 or more.
    min_judged : float
        Smallest share of the first 10 documents that each gold judges, from 0 to 1.
    min_documents : int
        Smallest number of documents that both judges judged, 1 or more.

    Raises
    ------
    ValueError
        A threshold is out of range.

    Examples
    --------
    >>> from agreement.thresholds import Thresholds
    >>> Thresholds().met(10, 0.5), Thresholds().met(9, 1.0), Thresholds(min_topics=3).met(9, 1.0)
    (True, False, True)
    >>> Thresholds().tag()
    'answers need 10 topics, half of the top ten judged'
    """

    min_topics: int = MIN_TOPICS
    min_judged: float = MIN_JUDGED
    min_documents: int = MIN_DOCUMENTS

    def __post_init__(self) -> None:
        for name in ("min_topics", "min_documents"):
            number = getattr(self, name)
            if not isinstance(number, Integral) or isinstance(number, bool) or number < 1:
                raise ValueError(f"{name} must be a whole number of at least 1, not {number!r}.")
        share = self.min_judged
        if not isinstance(share, Real) or isinstance(share, bool) or not 0 <= share <= 1:
            raise ValueError(f"min_judged must be a share from 0 to 1, not {share!r}.")

    def met(self, n_topics: int, *shares: float | None) -> bool:
        """Return whether two golds have enough data; a share of None means that nothing was retrieved."""
        return n_topics >= self.min_topics and all(share is not None and share >= self.min_judged for share in shares)

    def met_by_judges(self, n_topics: int, n_documents: int) -> bool:
        """Return whether two judges have enough data in common."""
        return n_topics >= self.min_topics and n_documents >= self.min_documents

    def needed(self) -> str:
        """Return the sentence on what two golds need."""
        topics = f"at least {count(self.min_topics, 'topic')} in common"
        judged = f"{percent(self.min_judged)} of the first {TOP} documents judged"
        return f"A comparison needs {topics}, and {judged} under each gold."

    def needed_by_judges(self) -> str:
        """Return the sentence on what two judges need."""
        topics, documents = count(self.min_topics, "topic"), count(self.min_documents, "document")
        return f"An answer needs at least {topics} and {documents} that both judged."

    def tag(self) -> str:
        """Return what two golds need in a few words, to be printed with every answer."""
        judged = "half" if self.min_judged == 0.5 else percent(self.min_judged)
        return f"answers need {count(self.min_topics, 'topic')}, {judged} of the top ten judged"

    def tag_of_judges(self) -> str:
        """Return what two judges need in a few words, to be printed with every answer."""
        return f"answers need {count(self.min_topics, 'topic')}, {count(self.min_documents, 'document')} in common"

    def tag_of_topics(self) -> str:
        """Return what an answer needs that depends on nothing but topics."""
        return f"answers need {count(self.min_topics, 'topic')}"

    def shown(self, share: float | None) -> str:
        """Return a share in percent. A share below the threshold is never rounded up to it."""
        if share is None:
            return "none"
        if share < self.min_judged <= round(share, 2):
            return f"less than {percent(self.min_judged)}"
        return f"{share:.0%}"


@dataclass(frozen=True)
class TopicThreshold(Thresholds):
    """How much data an answer needs if only scores are known: enough common topics.

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

    def tag(self) -> str:
        """Return the threshold in a few words."""
        return self.tag_of_topics()


def preliminary(sentence: str, there_is: str, needed: str) -> str:
    """Return an answer that is based on too little data, after one sentence that says so.

    Parameters
    ----------
    sentence : str
        The answer with its figures.
    there_is, needed : str
        What there is and what an answer needs, in a few words.

    Examples
    --------
    >>> from agreement.thresholds import Thresholds, preliminary
    >>> preliminary("No. tau_b is 1.000.", "3 topics", Thresholds().tag_of_topics())
    'Preliminary: 3 topics; answers need 10 topics. No. tau_b is 1.000.'
    """
    return f"Preliminary: {there_is}; {needed}. {sentence}"


def lower_share(*shares: float | None) -> float | None:
    """Return the lowest share; None if one of them is None."""
    known = [share for share in shares if share is not None]
    return min(known) if len(known) == len(shares) else None


def share_of(judged: int, retrieved: int) -> float | None:
    """Return judged / retrieved; None if nothing was retrieved."""
    return judged / retrieved if retrieved else None

"""Synthetic collections with any number of topics, whose judges all grade every document, as arrays.

A document has a topicality, which depends on the topic too, and a style that has nothing to do with relevance (think of
its length). A system observes the topicality with some skill, the style with some taste, and noise, and ranks its best
ten documents. A judge observes them with noise, taste and strictness, and grades 0 to 3. Noise of a judge averages out
over topics; taste does not, and changes the ranking of the systems however many topics there are.
"""

from dataclasses import dataclass

import numpy as np

DEPTH, N_DOCUMENTS = 10, 40
CLOSE, FAR_APART = (0.6, 1.1), (0.3, 1.5)  # skill of the worst and the best system
TASTE_OF_SYSTEMS = 0.25  # standard deviation
TOPIC_SPREAD = 0.6  # standard deviation of the mean topicality of a topic; that of its documents is 1
GRADE_FROM = (0.5, 1.1, 1.7)  # topicality from which a document has grade 1, 2, 3
HIGHEST = len(GRADE_FROM)


@dataclass(frozen=True, eq=False)
class Topics:
    """Documents and rankings.

    Attributes
    ----------
    topicality, style : ndarray of float, shape (n_topics, N_DOCUMENTS)
        What judges and systems observe.
    ranked : ndarray of int, shape (n_systems, n_topics, DEPTH)
        The documents of each ranking, best first.
    """

    topicality: np.ndarray
    style: np.ndarray
    ranked: np.ndarray

    def grades(self, rng: np.random.Generator, noise: float, taste: float = 0.0, strictness: float = 0.0) -> np.ndarray:
        """The grades of a judge, shape (n_topics, N_DOCUMENTS)."""
        observed = self.topicality + taste * self.style - strictness + rng.normal(0, noise, self.style.shape)
        return np.searchsorted(GRADE_FROM, observed, side="right")

    def ndcg(self, grades: np.ndarray) -> np.ndarray:
        """nDCG@10 of each system and topic, shape (n_systems, n_topics); 0 for a topic without a relevant document."""
        discounts = 1 / np.log2(np.arange(2, DEPTH + 2))
        ideal = np.sort(grades, axis=1)[:, : -DEPTH - 1 : -1] @ discounts
        found = np.take_along_axis(grades[None], self.ranked, axis=2) @ discounts
        return np.divide(found, ideal, out=np.zeros_like(found), where=ideal > 0)


def topics(n_topics: int, n_systems: int, seed: int, skills: tuple[float, float] = FAR_APART) -> Topics:
    """Topics that are determined by the seed; the systems are of rising skill."""
    rng = np.random.default_rng(seed)
    shape = (n_topics, N_DOCUMENTS)
    topicality = rng.normal(0, TOPIC_SPREAD, (n_topics, 1)) + rng.normal(size=shape)
    style = rng.normal(size=shape)
    tastes = rng.normal(0, TASTE_OF_SYSTEMS, n_systems)
    ranked = np.empty((n_systems, n_topics, DEPTH), dtype=np.int64)
    for number, (skill, taste) in enumerate(zip(np.linspace(*skills, n_systems), tastes, strict=True)):
        score = skill * topicality + taste * style + rng.normal(size=shape)
        ranked[number] = np.argsort(-score, axis=1)[:, :DEPTH]
    return Topics(topicality, style, ranked)

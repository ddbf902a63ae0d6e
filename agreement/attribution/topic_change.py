"""One topic under two golds: which of its documents change their grade, and how much each contributes.

The change of a topic is the change of the difference between two systems' scores. The players of the game
(`agreement.attribution.shapley`) are the documents whose grade differs. The value of a set of documents is the
difference if these have their grade from the second gold, and all others their grade from the first.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.attribution.rescoring import Rescoring
from agreement.attribution.shapley import MOST_PLAYERS, Value, exact_values, n_states, sampled_values

PERMUTATIONS = 100
EXACT_LIMIT, MOST_EXACT = 12, 20


@dataclass(frozen=True)
class Effort:
    """When Shapley values are exact, and how many orders are drawn otherwise.

    Attributes
    ----------
    exact_limit : int
        Values are exact up to 2**exact_limit distinct coalitions in a topic; 0 to 20.
    permutations : int
        Number of orders to draw otherwise; an even number of at least 4.
    seed : int or None
        Seed of the drawn orders; None if nothing is drawn.

    Raises
    ------
    ValueError
        A number is out of range.
    """

    exact_limit: int = EXACT_LIMIT
    permutations: int = PERMUTATIONS
    seed: int | None = None

    def __post_init__(self) -> None:
        if not (isinstance(self.exact_limit, int) and 0 <= self.exact_limit <= MOST_EXACT):
            raise ValueError(f"exact_limit must be a whole number from 0 to {MOST_EXACT}, not {self.exact_limit!r}.")
        if not (isinstance(self.permutations, int) and self.permutations >= 4 and self.permutations % 2 == 0):
            raise ValueError(f"permutations must be an even number of at least 4, not {self.permutations!r}.")
        if not (self.seed is None or (isinstance(self.seed, int) and self.seed >= 0)):
            raise ValueError(f"seed must be a whole number of at least 0, not {self.seed!r}.")

    def is_exact(self, classes: np.ndarray) -> bool:
        """Return whether documents of these classes have few enough distinct coalitions for exact values."""
        return len(classes) <= MOST_PLAYERS and n_states(classes) <= 2**self.exact_limit

    def method(self, classes: np.ndarray) -> str:
        """Return how the values are computed: "exact", or the number of orders drawn."""
        return "exact" if self.is_exact(classes) else f"{self.permutations} orders"

    def generators(self, n_topics: int) -> list[np.random.Generator | None]:
        """Return a random generator for each topic, so that topics do not depend on each other; None without a seed."""
        if self.seed is None:
            return [None] * n_topics
        return [np.random.default_rng(stream) for stream in np.random.SeedSequence(self.seed).spawn(n_topics)]


@dataclass(frozen=True, eq=False)
class TopicChange:
    """A topic with its grades under two golds; nan marks a document that is not in a gold.

    Attributes
    ----------
    query_id : str
        The topic.
    doc_ids : Index of str, length n_docs
        The documents of both golds, ascending.
    before, after : ndarray of float, shape (n_docs,)
        Grades under the first and the second gold; nan if the document is not in the gold.
    changed : ndarray of bool, shape (n_docs,)
        Whether the grade differs, or only one of the golds has the document.
    ranks : ndarray of int, shape (2, n_docs)
        Rank in the rankings of the two systems; 0 if the document was not retrieved.
    players : ndarray of bool, shape (n_docs,)
        Changed documents whose two grades the measure distinguishes. The others contribute nothing.
    classes : ndarray of int, shape (n_players,)
        Interchangeable players have the same number. These are players with the same change of grade that are at no
        rank that the measure sees.
    """

    query_id: str
    doc_ids: pd.Index
    before: np.ndarray
    after: np.ndarray
    changed: np.ndarray
    ranks: np.ndarray
    players: np.ndarray
    classes: np.ndarray

    @classmethod
    def between(cls, query_id: str, gold_1: pd.Series, gold_2: pd.Series, rescoring: Rescoring) -> "TopicChange":
        """Compare the grades of a topic under two golds, both series of float by doc_id."""
        doc_ids = gold_1.index.union(gold_2.index)
        before, after = gold_1.reindex(doc_ids).to_numpy(), gold_2.reindex(doc_ids).to_numpy()
        ranks = rescoring.ranks(query_id, doc_ids)
        depth = rescoring.measure.depth or int(ranks.max(initial=0))
        within_depth = np.logical_or.reduce((ranks > 0) & (ranks <= depth), axis=0)
        effective = rescoring.effective_grades(np.stack([before, after]))
        players = _differ(effective[0], effective[1])
        classes = _classes(effective[:, players], within_depth[players])
        return cls(query_id, doc_ids, before, after, _differ(before, after), ranks, players, classes)

    def documents(self, rescoring: Rescoring, effort: Effort, rng: np.random.Generator | None) -> pd.DataFrame:
        """Return the changed documents by doc_id."""
        values, errors = self._shapley_values(rescoring, effort, rng)
        changes, all_errors = np.zeros((2, len(self.doc_ids)))
        changes[self.players], all_errors[self.players] = values, errors
        ranks = self.ranks[:, self.changed]
        return pd.DataFrame(
            {
                "query_id": np.full(self.changed.sum(), self.query_id, dtype=object),
                "doc_id": self.doc_ids[self.changed].astype(object),
                "grade_1": self.before[self.changed],
                "grade_2": self.after[self.changed],
                "rank_a": pd.Series(ranks[0], dtype="Int64").mask(ranks[0] == 0),
                "rank_b": pd.Series(ranks[1], dtype="Int64").mask(ranks[1] == 0),
                "change": changes[self.changed],
                "error": all_errors[self.changed],
                "method": effort.method(self.classes),
            }
        )

    def _shapley_values(
        self, rescoring: Rescoring, effort: Effort, rng: np.random.Generator | None
    ) -> tuple[np.ndarray, np.ndarray]:
        if effort.is_exact(self.classes):
            values = exact_values(self._game(rescoring), self.classes)
            return values, np.zeros(len(values))
        if rng is None:
            raise ValueError(f"The Shapley values of topic {self.query_id} need random orders: set a seed.")
        return sampled_values(self._game(rescoring), self.classes, rng, effort.permutations)

    def _game(self, rescoring: Rescoring) -> Value:
        """Return the difference between the systems as a function of the documents that have their new grade."""

        def difference(coalitions: np.ndarray) -> np.ndarray:
            grades = np.repeat(self.before[None], len(coalitions), axis=0)
            grades[:, self.players] = np.where(coalitions, self.after[self.players], self.before[self.players])
            first, second = rescoring.scores(self.query_id, self.doc_ids, grades)
            return np.asarray(first - second)

        return difference


def _differ(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    different: np.ndarray = (before != after) & ~(np.isnan(before) & np.isnan(after))
    return different


def _classes(effective: np.ndarray, within_depth: np.ndarray) -> np.ndarray:
    """Return a number for each document; the same for documents with the same change that no rank shows."""
    own_class = np.where(within_depth, np.arange(len(within_depth)), -1)
    keys = np.vstack([np.where(np.isnan(effective), -np.inf, effective), own_class])
    return np.unique(keys, axis=1, return_inverse=True)[1].reshape(-1)

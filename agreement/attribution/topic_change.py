"""One topic under two golds: which of its documents have another grade, and what each adds to the change.

The change of a topic is that of the difference between two systems' scores; the players of the game
(`regrades.shapley`) are the documents whose grade differs, and the value of a set of them is the difference with
these at their grade in the second gold, and all others at theirs in the first.
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
    """How far values are exact, and what is drawn beyond.

    Attributes
    ----------
    exact_limit : int
        Exact up to 2**exact_limit regradings of a topic; 0 to 20.
    permutations : int
        Orders to draw beyond; an even number from 4.
    seed : int or None
        None where nothing is to be drawn.

    Raises
    ------
    ValueError
        A number out of its range.
    """

    exact_limit: int = EXACT_LIMIT
    permutations: int = PERMUTATIONS
    seed: int | None = None

    def __post_init__(self):
        if not (isinstance(self.exact_limit, int) and 0 <= self.exact_limit <= MOST_EXACT):
            raise ValueError(f"exact_limit is a whole number from 0 to {MOST_EXACT}; got {self.exact_limit!r}")
        if not (isinstance(self.permutations, int) and self.permutations >= 4 and self.permutations % 2 == 0):
            raise ValueError(f"permutations is an even number from 4; got {self.permutations!r}")
        if not (self.seed is None or (isinstance(self.seed, int) and self.seed >= 0)):
            raise ValueError(f"seed is a whole number from 0; got {self.seed!r}")

    def is_exact(self, classes: np.ndarray) -> bool:
        """Whether the documents, of these classes, can be regraded in no more ways than the limit."""
        return len(classes) <= MOST_PLAYERS and n_states(classes) <= 2**self.exact_limit

    def method(self, classes: np.ndarray) -> str:
        """How the values are found: "exact", or the number of orders drawn."""
        return "exact" if self.is_exact(classes) else f"{self.permutations} orders"

    def generators(self, n_topics: int) -> list[np.random.Generator | None]:
        """A source of chance for each topic, so that none depends on what another draws."""
        if self.seed is None:
            return [None] * n_topics
        return [np.random.default_rng(stream) for stream in np.random.SeedSequence(self.seed).spawn(n_topics)]


@dataclass(frozen=True, eq=False)
class TopicChange:
    """A topic with its grades under two golds.

    Attributes
    ----------
    query_id : str
    doc_ids : Index of str, length n_docs
        The documents that either gold has, ascending.
    before, after : ndarray of float, shape (n_docs,)
        Grades under the first gold and the second; nan where the gold does not have the document.
    changed : ndarray of bool, shape (n_docs,)
        Whether the grade differs, or only one of the golds has the document.
    ranks : ndarray of int, shape (2, n_docs)
        Rank in the rankings of the two systems, 0 where it was not retrieved.
    players : ndarray of bool, shape (n_docs,)
        The changed documents whose two grades the measure can tell apart; the others add nothing.
    classes : ndarray of int, shape (n_players,)
        The players that can stand for each other have the same number: those regraded alike, at no rank that the
        measure looks at.
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
    def of(cls, query_id: str, gold_1: pd.Series, gold_2: pd.Series, rescoring: Rescoring) -> "TopicChange":
        """Compare the grades of a topic; both as series of float by doc_id."""
        doc_ids = gold_1.index.union(gold_2.index)
        before, after = gold_1.reindex(doc_ids).to_numpy(), gold_2.reindex(doc_ids).to_numpy()
        ranks = rescoring.ranks(query_id, doc_ids)
        seen = ((ranks > 0) & (ranks <= (rescoring.measure.depth or ranks.max(initial=0)))).any(axis=0)
        told = rescoring.told_apart(np.stack([before, after]))
        players = _differ(*told)
        classes = _classes(told[:, players], seen[players])
        return cls(query_id, doc_ids, before, after, _differ(before, after), ranks, players, classes)

    def documents(self, rescoring: Rescoring, effort: Effort, rng: np.random.Generator | None) -> pd.DataFrame:
        """The changed documents by doc_id; `change` and its standard error `error` are in the topic's units."""
        if effort.is_exact(self.classes):
            values = exact_values(self._game(rescoring), self.classes)
            errors = np.zeros(len(values))
        else:
            values, errors = sampled_values(self._game(rescoring), self.classes, rng, effort.permutations)
        changes, spread = np.zeros((2, len(self.doc_ids)))
        changes[self.players], spread[self.players] = values, errors
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
                "error": spread[self.changed],
                "method": effort.method(self.classes),
            }
        )

    def _game(self, rescoring: Rescoring) -> Value:
        """The difference between the systems for sets of documents that have their new grade."""

        def difference(coalitions: np.ndarray) -> np.ndarray:
            grades = np.repeat(self.before[None], len(coalitions), axis=0)
            grades[:, self.players] = np.where(coalitions, self.after[self.players], self.before[self.players])
            first, second = rescoring.scores(self.query_id, self.doc_ids, grades)
            return first - second

        return difference


def _differ(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    return (before != after) & ~(np.isnan(before) & np.isnan(after))


def _classes(told: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """A number for each document; the same where they are not seen and regraded alike."""
    itself = np.where(seen, np.arange(len(seen)), -1)
    alike = np.vstack([np.where(np.isnan(told), -np.inf, told), itself])
    return np.unique(alike, axis=1, return_inverse=True)[1].reshape(-1)

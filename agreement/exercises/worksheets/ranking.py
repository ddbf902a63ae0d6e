"""A ranking in an exercise: how it is displayed, and its measures.

Measures are computed by `agreement.effectiveness` from a run and a gold that represent the exercise. The precisions at
the relevant documents are also available as fractions, for solutions and for typical mistakes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pandas as pd

from agreement.effectiveness import evaluate
from agreement.effectiveness.bounds import ap_bounds
from agreement.effectiveness.curves import pr_curve
from agreement.exercises.worksheets.worksheet import Exhibit

SYSTEM, TOPIC = "system", "topic"


@dataclass(frozen=True)
class Ranking:
    """A ranking whose relevant documents are known.

    Attributes
    ----------
    ranks : tuple of int
        The ranks of the relevant documents, from 1, ascending.
    relevant : int
        Number of relevant documents, retrieved or not.
    retrieved : int
        Number of documents in the ranking.
    """

    ranks: tuple[int, ...]
    relevant: int
    retrieved: int

    @property
    def precisions(self) -> tuple[Fraction, ...]:
        """Precision at the rank of each relevant document, first rank first."""
        return tuple(Fraction(count, rank) for count, rank in enumerate(self.ranks, 1))

    @property
    def terms(self) -> str:
        """The sum of these precisions as a solution writes it, such as "1/1 + 2/3"."""
        return " + ".join(f"{count}/{rank}" for count, rank in enumerate(self.ranks, 1))

    def relevant_up_to(self, rank: int) -> int:
        """Return the number of relevant documents at this rank or above."""
        return sum(position <= rank for position in self.ranks)

    def score(self, measure: str) -> float:
        """Return a measure of the ranking, by its name in `agreement.effectiveness`."""
        return float(evaluate(self._run(), self._gold(), measure)["value"].item())

    def bounds(self, collection_size: int) -> tuple[float, float]:
        """Return the smallest and the largest AP if the ranking continues over a collection of this size."""
        bounds = ap_bounds(self._run(), self._gold(), collection_size=collection_size)
        return float(bounds["low"].item()), float(bounds["high"].item())

    def precisions_at(self, recall: Fraction) -> list[float]:
        """Return the precision after every rank at which the ranking has this recall."""
        curve = pr_curve(self._run(), self._gold())
        is_at_recall = (curve["recall"] - float(recall)).abs() < 0.5 / self.relevant
        return [float(value) for value in curve.loc[is_at_recall, "precision"]]

    def exhibit(self, caption: str = "The ranking: R is a relevant document, N a nonrelevant one") -> Exhibit:
        """Return the ranking, rank by rank, for display."""
        return rankings_exhibit(caption, {"document": self})

    def letters(self) -> tuple[str, ...]:
        """Return R (relevant) or N (nonrelevant) for every rank."""
        return tuple("R" if rank in self.ranks else "N" for rank in range(1, self.retrieved + 1))

    def _run(self) -> pd.DataFrame:
        return run_frame([_doc_id(rank) for rank in range(1, self.retrieved + 1)])

    def _gold(self) -> pd.DataFrame:
        missing = range(self.retrieved + 1, self.retrieved + 1 + self.relevant - len(self.ranks))
        return gold_frame({_doc_id(number): 1 for number in (*self.ranks, *missing)})


def rankings_exhibit(caption: str, rankings: Mapping[str, Ranking]) -> Exhibit:
    """Return rankings of the same length for display, one in each row."""
    deepest = max(ranking.retrieved for ranking in rankings.values())
    columns = tuple(str(rank) for rank in range(1, deepest + 1))
    return Exhibit("ranking", caption, columns, tuple((name, ranking.letters()) for name, ranking in rankings.items()))


def facts_exhibit(caption: str, numbers: Mapping[str, int | str]) -> Exhibit:
    """Return single numbers for display."""
    return Exhibit("facts", caption, ("number",), tuple((name, (value,)) for name, value in numbers.items()))


def run_frame(doc_ids: Sequence[str]) -> pd.DataFrame:
    """Return a run of one system on one topic; `doc_ids` has the best document first."""
    scores = [float(-position) for position in range(len(doc_ids))]
    return pd.DataFrame({"system": SYSTEM, "query_id": TOPIC, "doc_id": list(doc_ids), "score": scores})


def gold_frame(grades: Mapping[str, int]) -> pd.DataFrame:
    """Return a gold of one topic, from grades by doc_id."""
    return pd.DataFrame({"query_id": TOPIC, "doc_id": list(grades), "relevance": list(grades.values())})


def graded_score(grades: Sequence[int], measure: str) -> float:
    """Return a measure of a ranking whose documents have these grades, first rank first."""
    doc_ids = [_doc_id(rank) for rank in range(1, len(grades) + 1)]
    gold = gold_frame(dict(zip(doc_ids, grades, strict=True)))
    return float(evaluate(run_frame(doc_ids), gold, measure)["value"].item())


def _doc_id(number: int) -> str:
    return f"d{number:05}"

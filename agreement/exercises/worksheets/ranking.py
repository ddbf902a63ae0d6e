"""One ranking of an exercise: what it shows, and what its measures are.

Measures are those of `agreement.effectiveness`, on a run and a gold that say what the exercise says. The precisions
at the relevant documents are fractions too, for solutions that fill them in and for slips that put them together
wrongly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import pandas as pd

from agreement.effectiveness import evaluate
from agreement.effectiveness.bounds import ap_bounds
from agreement.effectiveness.curves import pr_curve
from agreement.exercises.worksheets.worksheet import Exhibit

SYSTEM, TOPIC = "system", "topic"


@dataclass(frozen=True)
class Ranked:
    """A ranking whose relevant documents are known.

    Attributes
    ----------
    ranks : tuple of int
        Where the relevant documents stand, from 1.
    relevant : int
        How many there are, retrieved or not.
    retrieved : int
    """

    ranks: tuple[int, ...]
    relevant: int
    retrieved: int

    @property
    def precisions(self) -> tuple[Fraction, ...]:
        """Precision at the rank of each relevant document, best first."""
        return tuple(Fraction(found, rank) for found, rank in enumerate(self.ranks, 1))

    @property
    def terms(self) -> str:
        """The precisions as a solution adds them up."""
        return " + ".join(f"{found}/{rank}" for found, rank in enumerate(self.ranks, 1))

    def found(self, rank: int) -> int:
        """How many relevant documents stand there or above."""
        return sum(place <= rank for place in self.ranks)

    def score(self, measure: str) -> float:
        """A measure of the ranking."""
        return evaluate(self._run(), self._gold(), measure)["value"].item()

    def bounds(self, collection_size: int) -> tuple[float, float]:
        """The smallest and the largest AP if the ranking goes on over the collection."""
        bounds = ap_bounds(self._run(), self._gold(), collection_size=collection_size)
        return bounds["low"].item(), bounds["high"].item()

    def precisions_at(self, recall: Fraction) -> list[float]:
        """The precision after every rank at which recall is this one."""
        curve = pr_curve(self._run(), self._gold())
        at_it = (curve["recall"] - float(recall)).abs() < 0.5 / self.relevant
        return curve.loc[at_it, "precision"].tolist()

    def shown(self, caption: str = "The ranking: R is a relevant document, N another") -> Exhibit:
        """The ranking, rank by rank."""
        return rankings_shown(caption, {"document": self})

    def marks(self) -> tuple[str, ...]:
        """R or N for every rank."""
        return tuple("R" if rank in self.ranks else "N" for rank in range(1, self.retrieved + 1))

    def _run(self) -> pd.DataFrame:
        return run_of([_name(rank) for rank in range(1, self.retrieved + 1)])

    def _gold(self) -> pd.DataFrame:
        lacking = range(self.retrieved + 1, self.retrieved + 1 + self.relevant - len(self.ranks))
        return gold_of({_name(place): 1 for place in (*self.ranks, *lacking)})


def rankings_shown(caption: str, rankings: dict[str, Ranked]) -> Exhibit:
    """Rankings of one length, one a row."""
    deepest = max(ranking.retrieved for ranking in rankings.values())
    columns = tuple(str(rank) for rank in range(1, deepest + 1))
    return Exhibit("ranking", caption, columns, tuple((name, ranking.marks()) for name, ranking in rankings.items()))


def facts(caption: str, numbers: dict[str, int | str]) -> Exhibit:
    """Single numbers, each with its name."""
    return Exhibit("facts", caption, ("number",), tuple((name, (value,)) for name, value in numbers.items()))


def run_of(doc_ids: Sequence[str]) -> pd.DataFrame:
    """A run of one system and topic, best first."""
    scores = [float(-place) for place in range(len(doc_ids))]
    return pd.DataFrame({"system": SYSTEM, "query_id": TOPIC, "doc_id": list(doc_ids), "score": scores})


def gold_of(grades: dict[str, int]) -> pd.DataFrame:
    """A gold of one topic."""
    return pd.DataFrame({"query_id": TOPIC, "doc_id": list(grades), "relevance": list(grades.values())})


def graded_score(grades: Sequence[int], measure: str) -> float:
    """A measure of a ranking whose documents have these grades, from the first rank on."""
    doc_ids = [_name(rank) for rank in range(1, len(grades) + 1)]
    gold = gold_of(dict(zip(doc_ids, grades, strict=True)))
    return evaluate(run_of(doc_ids), gold, measure)["value"].item()


def _name(place: int) -> str:
    return f"d{place:05}"

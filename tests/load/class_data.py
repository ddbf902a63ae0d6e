"""What the instructor of a lesson has: the exported judgements, the order of joining, the runs and the predictions.

`tests.load.class_figures` and `tests.load.own_figures` compute from it what the pages must show. They use only the
public functions of the library, so that no figure is compared with itself.
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from statistics import fmean

import pandas as pd

import agreement
from tests.load.lesson_material import RUNS

SCALE = (0, 1)
MEASURE = "AP(rel=1)"
CROWD = 24  # from this number of students on, small cells have no zero before the point

Pair = tuple[str, str]


@dataclass(frozen=True)
class ClassData:
    """`names` are the students in the order of joining."""

    frame: pd.DataFrame
    names: list[str]
    predictions: list[float]

    @classmethod
    def from_files(cls, judgements: str, marks: str, predictions: dict[str, float]) -> "ClassData":
        """Read the instructor's downloads. The rows of the marks are in the order of joining."""
        text = {"assessor": str, "query_id": str, "doc_id": str}
        frame = pd.read_csv(io.StringIO(judgements), dtype=text)[[*text, "relevance"]]
        names = list(dict.fromkeys(row["seat"] for row in csv.DictReader(io.StringIO(marks))))
        return cls(frame, names, list(predictions.values()))

    @cached_property
    def ratings(self) -> agreement.Ratings:
        return agreement.Ratings.from_judgements(self.frame, SCALE)

    @cached_property
    def shared(self) -> pd.DataFrame:
        """The judgements of documents that two or more students judged."""
        return self.frame[self.frame.duplicated(["query_id", "doc_id"], keep=False)]

    @cached_property
    def wide(self) -> pd.DataFrame:
        """One row for each document, and one column for each student."""
        return self.frame.pivot_table(index=["query_id", "doc_id"], columns="assessor", values="relevance")

    @cached_property
    def pairs(self) -> dict[Pair, dict]:
        """The rows of the library for each pair, in both directions."""
        rows = agreement.pairwise(self.ratings, ("pooled_kappa",)).to_dict("records")
        both = {(row["assessor_a"], row["assessor_b"]): row for row in rows}
        return both | {(b, a): row for (a, b), row in both.items()}

    def kappa(self, a: str, b: str) -> float:
        return float(self.pairs[a, b]["pooled_kappa"])

    def mean_kappa(self, name: str) -> float:
        """The mean kappa of a student with all others."""
        return fmean(self.kappa(name, other) for other in self.names if other != name)

    def partner_of(self, name: str) -> str:
        """The student who joined next; the first one for the last."""
        return self.names[(self.names.index(name) + 1) % len(self.names)]

    @cached_property
    def majorities(self) -> list[dict]:
        """Each student compared with the majority of the others."""
        return agreement.leave_one_assessor_out(self.ratings, coefficient="pooled_kappa").to_dict("records")

    # ---- systems

    @cached_property
    def runs(self) -> pd.DataFrame:
        rows = [
            (system, query_id, doc_id, -place)
            for system, topics in RUNS.items()
            for query_id, doc_ids in topics.items()
            for place, doc_id in enumerate(doc_ids)
        ]
        return pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])

    @cached_property
    def golds(self) -> pd.DataFrame:
        """The judgements with the names that golds of students have."""
        return self.frame.assign(assessor="judge:" + self.frame["assessor"])

    def gold_of(self, name: str) -> pd.DataFrame:
        return self.frame[self.frame["assessor"] == name].drop(columns="assessor")

    @cached_property
    def scores(self) -> dict[str, pd.Series]:
        """The mean score of each system under the judgements of each student. Scores closer than 1e-12 are tied."""
        tables = {name: agreement.score_table(self.runs, self.gold_of(name), MEASURE) for name in self.names}
        return {name: table.mean(axis=1).round(12) for name, table in tables.items()}

    @cached_property
    def ranks(self) -> dict[str, pd.Series]:
        return {name: scores.rank(method="min", ascending=False).astype(int) for name, scores in self.scores.items()}

    @cached_property
    def tops(self) -> dict[str, tuple[str, ...]]:
        """The systems at rank 1 under each student's judgements."""
        return {name: tuple(sorted(ranks[ranks == 1].index)) for name, ranks in self.ranks.items()}

    @cached_property
    def taus(self) -> dict[Pair, float | None]:
        """tau_b of each pair of students in the order of joining; None if a student ties all systems."""
        return {(a, b): agreement.tau_b(self.scores[a], self.scores[b]).value for a, b in combinations(self.names, 2)}


# ---- texts


def number(value: float, digits: int = 2) -> str:
    return f"{value:z.{digits}f}".replace("-", "−")


def with_band(estimate: agreement.Estimate) -> str:
    return f"{number(estimate.value)} ({estimate.band})"


def joined(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def best_systems(systems: Sequence[str]) -> str:
    return f"{joined(systems)} {'is' if len(systems) == 1 else 'are tied for'} the best"


def ordinal(n: int) -> str:
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"

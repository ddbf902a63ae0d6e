"""Scores of the rankings of one topic under many golds, for `why_swapped` and `leverage`.

A gold of a topic is a row of grades, one for each document; nan marks a document that is not in the gold. The golds are
scored in blocks, so that memory stays bounded. A measure with a cutoff does not see the ranks below it.

Some measures do not distinguish all grades. AP, P and similar measures only use whether a grade is `rel` or more. In
nDCG, ERR and similar measures a grade of 0, a negative grade and an unjudged document all have the gain 0. A change
between two such grades changes nothing, whatever else is changed. No such assumption is made for a measure that is not
listed here, or that drops the unjudged documents from the rankings.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from agreement.checks import checked_frame
from agreement.effectiveness.measure import Measure
from agreement.effectiveness.ranked_runs import GradeMatrix, RankedRuns
from agreement.effectiveness.registry import MEASURES

CELLS = 1_000_000  # ranks and grades that are scored at the same time, some tens of bytes each
# Measures that only use which documents are relevant, and measures that only use positive grades.
BINARY = {"AP", "P", "R", "RR", "Rprec", "Success", "BreakEven", "IPrec", "IPrec11", "IPrec3", "F", "E", "SetR"}
BINARY_WITH_REL = {"RBP"}
GAINED = {"nDCG", "DCG", "ERR", "QMeasure", "RBP"}


@dataclass(frozen=True, eq=False)
class Rescoring:
    """Runs and a measure, prepared to score any gold of one topic.

    Attributes
    ----------
    runs : RankedRuns
        The rankings of all systems.
    measure : Measure
        The measure to compute.
    like : GradeMatrix
        The runs under a complete gold. Its declared scale and its collection size are used.
    systems : tuple of str
        The systems to score, in this order; all systems if empty.
    """

    runs: RankedRuns
    measure: Measure
    like: GradeMatrix
    systems: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if "known" in self.measure.needs:
            raise ValueError(
                f"{self.measure.name} needs the documents that the reader knew, which are not available here."
            )

    def effective_grades(self, grades: np.ndarray) -> np.ndarray:
        """Return the grades as the measure sees them; two grades become equal if the measure does not distinguish them.

        `grades` are floats, nan for a document that is not in the gold.
        """
        family, parameters = self.measure.name.split("(")[0].split("@")[0], self.measure.parameters
        computed_here = family in MEASURES and self.measure.function is MEASURES[family].function
        if not computed_here or self.measure.judged_only:
            return grades
        if family in BINARY or (family in BINARY_WITH_REL and "rel" in parameters):
            relevant: np.ndarray = grades >= parameters.get("rel", 1)
            return relevant.astype(np.float64)
        return np.fmax(grades, 0) if family in GAINED else grades

    def scores(self, query_id: str, doc_ids: Sequence[str] | np.ndarray | pd.Index, grades: np.ndarray) -> np.ndarray:
        """Return the scores of the systems on a topic under each gold.

        Shapes: `grades` (n_golds, n_docs); the result (n_systems, n_golds).
        """
        n_systems = len(self.systems) or len(self.runs.systems)
        top = self._top(query_id)
        step = max(CELLS // (n_systems * top.items.shape[-1] + len(doc_ids)), 1)
        dtype = _smallest_dtype(grades)
        scored = []
        for start in range(0, len(grades), step):
            block = grades[start : start + step]
            judged = ~np.isnan(block)
            known = np.where(judged, block, 0).astype(dtype)
            matrix = top.regraded(query_id, doc_ids, known, judged, self.systems)
            matrix = replace(matrix, highest=self.like.highest, collection_size=self.like.collection_size)
            scored.append(self.measure(matrix))
        return np.concatenate(scored, axis=1) if scored else np.zeros((n_systems, 0))

    def _top(self, query_id: str) -> RankedRuns:
        """Return the runs down to the depth of the measure; the topic is added if no run has it."""
        query_ids = self.runs.query_ids
        if query_id not in query_ids:
            query_ids = query_ids.append(pd.Index([query_id]))  # the last row of the items is an empty topic
        return replace(self.runs, query_ids=query_ids, items=self.runs.items[..., : self.measure.depth])

    def ranks(self, query_id: str, doc_ids: pd.Index) -> np.ndarray:
        """Return the rank of each document in each system's ranking, from 1; 0 if it was not retrieved.

        Shapes: the result (n_systems, n_docs).
        """
        runs = self.runs
        systems = runs.systems.get_indexer(pd.Index(self.systems)) if self.systems else np.arange(len(runs.systems))
        ranks = np.zeros((len(systems), len(doc_ids)), np.int64)
        topic, document = runs.query_ids.get_indexer(pd.Index([query_id]))[0], runs.documents.get_indexer(doc_ids)
        if topic < 0:
            return ranks
        items = runs.keys.get_indexer(pd.Index(np.where(document < 0, -1, topic * len(runs.documents) + document)))
        column = np.full(len(runs.keys) + 1, -1)
        column[items[items >= 0]] = np.flatnonzero(items >= 0)
        system, rank = np.nonzero(column[runs.items[systems, topic]] >= 0)
        ranks[system, column[runs.items[systems[system], topic, rank]]] = rank + 1
        return ranks


def grades_of(gold: pd.DataFrame) -> dict[str, pd.Series]:
    """Return the grades of each topic of a gold by query_id: series of float by doc_id."""
    gold = checked_frame(gold, ["query_id", "doc_id"], "relevance", "a gold")
    return {
        str(query_id): pd.Series(rows["relevance"].to_numpy(np.float64), index=pd.Index(rows["doc_id"], dtype="str"))
        for query_id, rows in gold.groupby("query_id", sort=True)
    }


def as_grades(values: np.ndarray) -> pd.Series:
    """Return grades for a table: NA instead of nan, and integers unless a grade is a fraction."""
    known = ~np.isnan(values)
    whole = (values[known] == np.rint(values[known])).all()
    return pd.Series(pd.arrays.FloatingArray(np.where(known, values, 0), ~known)).astype(
        "Int64" if whole else "Float64"
    )


def _smallest_dtype(grades: np.ndarray) -> type[np.int8] | type[np.float64]:
    """Return the smallest type of `GradeMatrix.grades` that holds the grades: a byte for integers, or floats."""
    known = grades[~np.isnan(grades)]
    whole = bool((known == np.rint(known)).all() and (np.abs(known) < np.iinfo(np.int8).max).all())
    return np.int8 if whole else np.float64

"""The rankings of one topic under many golds: what `agreement.attribution.why_swapped` and `agreement.attribution.leverage` try out.

A gold of a topic is a row of grades, one for each of some documents; nan stands for a document that the gold does
not have. All golds of a topic are scored in blocks, so that memory stays bounded, and a measure with a cutoff sees
no rank below it.

Some measures cannot tell all grades apart. AP, P and their like only ask whether a grade is `rel` or more; nDCG,
ERR and their like gain nothing from a grade of 0, a negative one and an unjudged document alike. A document
regraded between two such grades changes nothing, whatever else is regraded. Of a measure that is not listed here,
or sees the rankings without unjudged documents, nothing of the kind is assumed.
"""

import re
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from agreement.effectiveness.measure import Measure
from agreement.effectiveness.ranked_runs import GradeMatrix, RankedRuns
from agreement.effectiveness.registry import MEASURES
from agreement.frames import checked_frame

CELLS = 1_000_000  # places of rankings and grades of golds that are scored at once, some tens of bytes each
# By which documents are relevant only; by positive grades only.
BINARY = {"AP", "P", "R", "RR", "Rprec", "Success", "BreakEven", "IPrec", "IPrec11", "IPrec3", "F", "E", "SetR"}
BINARY_WITH_REL = {"RBP"}
GAINED = {"nDCG", "DCG", "ERR", "QMeasure", "RBP"}


@dataclass(frozen=True, eq=False)
class Rescoring:
    """Runs and a measure, ready to score any gold of one topic.

    Attributes
    ----------
    runs : RankedRuns
    measure : Measure
    like : GradeMatrix
        Runs under a whole gold: what was declared there (scale, size of the collection) holds here.
    systems : tuple of str
        The systems to score, in this order; all of them where none is named.
    """

    runs: RankedRuns
    measure: Measure
    like: GradeMatrix
    systems: tuple[str, ...] = ()

    def __post_init__(self):
        if "known" in self.measure.needs:
            raise ValueError(f"{self.measure.name} goes by what the reader knew, which is not asked for here")

    def told_apart(self, grades: np.ndarray) -> np.ndarray:
        """Grades (float, nan for a document that is not in the gold) as the measure sees them.

        Two grades that the measure cannot tell apart become the same number, those it can do not.
        """
        family, parameters = re.match(r"\w*", self.measure.name).group(), self.measure.parameters
        ours = family in MEASURES and self.measure.function is MEASURES[family].function
        if not ours or self.measure.judged_only:
            return grades
        if family in BINARY or (family in BINARY_WITH_REL and "rel" in parameters):
            return (grades >= parameters.get("rel", 1)).astype(np.float64)
        return np.fmax(grades, 0) if family in GAINED else grades

    def scores(self, query_id: str, doc_ids: np.ndarray, grades: np.ndarray) -> np.ndarray:
        """Scores of the systems under each gold.

        Parameters
        ----------
        query_id : str
        doc_ids : sequence of str, length n_docs
        grades : ndarray of float, shape (n_golds, n_docs)
            nan where the gold does not have the document.

        Returns
        -------
        ndarray of float, shape (n_systems, n_golds)
        """
        n_systems = len(self.systems) or len(self.runs.systems)
        top = self._top(query_id)
        step = max(CELLS // (n_systems * top.items.shape[-1] + len(doc_ids)), 1)
        kind = _kind(grades)
        scored = []
        for start in range(0, len(grades), step):
            block = grades[start : start + step]
            judged = ~np.isnan(block)
            known = np.where(judged, block, 0).astype(kind)
            matrix = top.regraded(query_id, doc_ids, known, judged, self.systems)
            declared = {"highest": self.like.highest, "collection_size": self.like.collection_size}
            scored.append(self.measure(replace(matrix, **declared)))
        return np.concatenate(scored, axis=1) if scored else np.zeros((n_systems, 0))

    def _top(self, query_id: str) -> RankedRuns:
        """The runs, no deeper than the measure looks, with the topic, be it one that no run has."""
        query_ids = self.runs.query_ids
        if query_id not in query_ids:
            query_ids = query_ids.append(pd.Index([query_id]))  # the last of the items is such a topic
        return replace(self.runs, query_ids=query_ids, items=self.runs.items[..., : self.measure.depth])

    def ranks(self, query_id: str, doc_ids: np.ndarray) -> np.ndarray:
        """Rank of each document in each system's ranking, from 1; 0 where it was not retrieved.

        Returns
        -------
        ndarray of int, shape (n_systems, n_docs)
        """
        runs = self.runs
        systems = runs.systems.get_indexer(list(self.systems)) if self.systems else np.arange(len(runs.systems))
        found = np.zeros((len(systems), len(doc_ids)), np.int64)
        topic, document = runs.query_ids.get_indexer([query_id])[0], runs.documents.get_indexer(doc_ids)
        if topic < 0:
            return found
        items = runs.keys.get_indexer(np.where(document < 0, -1, topic * len(runs.documents) + document))
        column = np.full(len(runs.keys) + 1, -1)
        column[items[items >= 0]] = np.flatnonzero(items >= 0)
        system, rank = np.nonzero(column[runs.items[systems, topic]] >= 0)
        found[system, column[runs.items[systems[system], topic, rank]]] = rank + 1
        return found


def grades_of(gold: pd.DataFrame) -> dict[str, pd.Series]:
    """The grades of each topic of a gold, by query_id: float, with doc_id as index."""
    gold = checked_frame(gold, ["query_id", "doc_id"], "relevance", "a gold")
    return {
        query_id: pd.Series(rows["relevance"].to_numpy(np.float64), index=pd.Index(rows["doc_id"], dtype="str"))
        for query_id, rows in gold.groupby("query_id", sort=True)
    }


def as_grades(values: np.ndarray) -> pd.Series:
    """Grades of a table: NA for nan; whole numbers, unless one is a fraction."""
    known = ~np.isnan(values)
    whole = (values[known] == np.rint(values[known])).all()
    return pd.Series(pd.array(np.where(known, values, None), dtype="Float64")).astype("Int64" if whole else "Float64")


def _kind(grades: np.ndarray) -> type:
    """The smallest type of `GradeMatrix.grades` that holds the grades: whole numbers in a byte, or floats."""
    known = grades[~np.isnan(grades)]
    whole = bool((known == np.rint(known)).all() and (np.abs(known) < np.iinfo(np.int8).max).all())
    return np.int8 if whole else np.float64

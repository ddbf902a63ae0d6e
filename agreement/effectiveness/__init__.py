"""Effectiveness of systems under a gold. Every measure has its own module in `agreement.measures`.

A measure works on a ranks-by-grade matrix. `docs/measures.md` lists all measures. `MEASURES` has an entry for each
measure that is computed here, by name.
"""

from agreement.effectiveness.evaluation import evaluate, judged_share
from agreement.effectiveness.measure import Measure, parse_measure
from agreement.effectiveness.ranked_runs import GradeMatrix, RankedRuns, prepare
from agreement.effectiveness.registry import MEASURES
from agreement.effectiveness.scores import score_table

__all__ = [
    "MEASURES",
    "GradeMatrix",
    "Measure",
    "RankedRuns",
    "evaluate",
    "judged_share",
    "parse_measure",
    "prepare",
    "score_table",
]

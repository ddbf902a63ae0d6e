"""How well systems rank under a gold: one measure, one file, all on a ranks-by-grade matrix.

`docs/measures.md` has the table of all measures.
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

"""Build pools from runs, assign the pooled documents to assessors, and evaluate pooling strategies.

The public interface is the list `__all__`. Each name is imported on first access, so that importing this package does
not load pandas.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # type checkers and editors see every name
    from pooling._io.streams import open_input
    from pooling.adaptive import ADAPTIVE, next_task
    from pooling.assignment import (
        POLICIES,
        Assignment,
        Assignments,
        assign,
        by_topic,
        everyone,
        overlap,
        overlap_sample,
        policy_from,
        repeats,
    )
    from pooling.documents import read_documents
    from pooling.duplicates import NearDuplicates, inconsistent_groups, jaccard, near_duplicates, shingles
    from pooling.errors import FormatError, OpenQuestionError, TrecFormatError
    from pooling.evaluation.coverage import contributions, judged_at, pool_sizes, run_overlap
    from pooling.evaluation.holes import hole_documents, holes_at
    from pooling.evaluation.leave_one_out import LeaveOneOut, leave_one_out
    from pooling.evaluation.replay import replay
    from pooling.evaluation.replay_result import Replay
    from pooling.evaluation.undiscovered import undiscovered
    from pooling.formats.document import Document
    from pooling.formats.file_kinds import FileKind
    from pooling.formats.problems import problems
    from pooling.formats.recognise import recognise
    from pooling.formats.smart.numbering import match_topics
    from pooling.ids import ALLOWED_ID, id_problem
    from pooling.planning.plan import expected_width, plan, plan_hours, plan_overlap
    from pooling.planning.pool_size import largest_pool
    from pooling.pools.files import read_pool, write_pool
    from pooling.pools.pool import Pool, checksums, pool
    from pooling.ranking import RankedRuns, order, prepare, ranked
    from pooling.run_cache import CachedRuns, cache_runs
    from pooling.run_warnings import CommentLinesWarning, RankOrderWarning, RunWarning, ScoresFromRanksWarning
    from pooling.stopping import (
        CaptureRecapture,
        GainCurve,
        RecallEstimate,
        StoppingRule,
        capture_recapture,
        elusion_recall,
        gain_curve,
        quantile_bound,
        quantile_number,
        sampled_recall,
        target_method,
    )
    from pooling.strategies import STRATEGIES
    from pooling.topics import read_topics
    from pooling.trec import read_qrels, read_run, read_runs
    from pooling.writing import write_qrels, write_run

_MODULES = {
    "ADAPTIVE": "adaptive",
    "ALLOWED_ID": "ids",
    "Assignment": "assignment",
    "Assignments": "assignment",
    "CachedRuns": "run_cache",
    "CaptureRecapture": "stopping",
    "CommentLinesWarning": "run_warnings",
    "Document": "formats.document",
    "FileKind": "formats.file_kinds",
    "FormatError": "errors",
    "GainCurve": "stopping",
    "LeaveOneOut": "evaluation.leave_one_out",
    "NearDuplicates": "duplicates",
    "OpenQuestionError": "errors",
    "POLICIES": "assignment",
    "Pool": "pools.pool",
    "RankOrderWarning": "run_warnings",
    "RankedRuns": "ranking",
    "RecallEstimate": "stopping",
    "Replay": "evaluation.replay_result",
    "RunWarning": "run_warnings",
    "STRATEGIES": "strategies",
    "ScoresFromRanksWarning": "run_warnings",
    "StoppingRule": "stopping",
    "TrecFormatError": "errors",
    "assign": "assignment",
    "by_topic": "assignment",
    "cache_runs": "run_cache",
    "capture_recapture": "stopping",
    "checksums": "pools.pool",
    "contributions": "evaluation.coverage",
    "elusion_recall": "stopping",
    "everyone": "assignment",
    "expected_width": "planning.plan",
    "gain_curve": "stopping",
    "id_problem": "ids",
    "inconsistent_groups": "duplicates",
    "hole_documents": "evaluation.holes",
    "holes_at": "evaluation.holes",
    "jaccard": "duplicates",
    "judged_at": "evaluation.coverage",
    "largest_pool": "planning.pool_size",
    "leave_one_out": "evaluation.leave_one_out",
    "match_topics": "formats.smart.numbering",
    "near_duplicates": "duplicates",
    "next_task": "adaptive",
    "open_input": "_io.streams",
    "order": "ranking",
    "overlap": "assignment",
    "overlap_sample": "assignment",
    "plan": "planning.plan",
    "plan_hours": "planning.plan",
    "plan_overlap": "planning.plan",
    "policy_from": "assignment",
    "pool": "pools.pool",
    "pool_sizes": "evaluation.coverage",
    "prepare": "ranking",
    "problems": "formats.problems",
    "quantile_bound": "stopping",
    "quantile_number": "stopping",
    "ranked": "ranking",
    "read_documents": "documents",
    "read_pool": "pools.files",
    "read_qrels": "trec",
    "read_run": "trec",
    "read_runs": "trec",
    "read_topics": "topics",
    "recognise": "formats.recognise",
    "repeats": "assignment",
    "replay": "evaluation.replay",
    "run_overlap": "evaluation.coverage",
    "shingles": "duplicates",
    "sampled_recall": "stopping",
    "target_method": "stopping",
    "undiscovered": "evaluation.undiscovered",
    "write_pool": "pools.files",
    "write_qrels": "writing",
    "write_run": "writing",
}

__all__ = [
    "ADAPTIVE",
    "ALLOWED_ID",
    "POLICIES",
    "STRATEGIES",
    "Assignment",
    "Assignments",
    "CachedRuns",
    "CaptureRecapture",
    "CommentLinesWarning",
    "Document",
    "FileKind",
    "FormatError",
    "GainCurve",
    "LeaveOneOut",
    "NearDuplicates",
    "OpenQuestionError",
    "Pool",
    "RankOrderWarning",
    "RankedRuns",
    "RecallEstimate",
    "Replay",
    "RunWarning",
    "ScoresFromRanksWarning",
    "StoppingRule",
    "TrecFormatError",
    "assign",
    "by_topic",
    "cache_runs",
    "capture_recapture",
    "checksums",
    "contributions",
    "elusion_recall",
    "everyone",
    "expected_width",
    "gain_curve",
    "hole_documents",
    "holes_at",
    "id_problem",
    "inconsistent_groups",
    "jaccard",
    "judged_at",
    "largest_pool",
    "leave_one_out",
    "match_topics",
    "near_duplicates",
    "next_task",
    "open_input",
    "order",
    "overlap",
    "overlap_sample",
    "plan",
    "plan_hours",
    "plan_overlap",
    "policy_from",
    "pool",
    "pool_sizes",
    "prepare",
    "problems",
    "quantile_bound",
    "quantile_number",
    "ranked",
    "read_documents",
    "read_pool",
    "read_qrels",
    "read_run",
    "read_runs",
    "read_topics",
    "recognise",
    "repeats",
    "replay",
    "run_overlap",
    "sampled_recall",
    "shingles",
    "target_method",
    "undiscovered",
    "write_pool",
    "write_qrels",
    "write_run",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})

"""Runs to pools to who judges what: the library that chooses what is judged.

The names below are the whole public interface. They are looked up when first asked for: importing this
package alone does not load pandas.
"""

from importlib import import_module

_HOMES = {
    "ADAPTIVE": "adaptive",
    "ALLOWED_ID": "ids",
    "POLICIES": "assignment",
    "STRATEGIES": "strategies",
    "Assignment": "assignment",
    "Assignments": "assignment",
    "Document": "documents",
    "FormatError": "errors",
    "LeaveOneOut": "evaluation.leave_one_out",
    "Pool": "pools.pool",
    "RankedRuns": "ranking",
    "Replay": "evaluation.replay",
    "TrecFormatError": "errors",
    "assign": "assignment",
    "by_topic": "assignment",
    "checksums": "pools.pool",
    "contributions": "evaluation.coverage",
    "everyone": "assignment",
    "expected_width": "planning.plan",
    "id_problem": "ids",
    "judged_at": "evaluation.coverage",
    "leave_one_out": "evaluation.leave_one_out",
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
    "ranked": "ranking",
    "read_documents": "documents",
    "read_pool": "pools.files",
    "read_qrels": "trec",
    "read_run": "trec",
    "read_runs": "trec",
    "read_topics": "topics",
    "repeats": "assignment",
    "replay": "evaluation.replay",
    "run_overlap": "evaluation.coverage",
    "undiscovered": "evaluation.undiscovered",
    "write_pool": "pools.files",
    "write_qrels": "trec",
    "write_run": "trec",
}

__all__ = sorted(_HOMES)


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__():
    return sorted({*globals(), *_HOMES})

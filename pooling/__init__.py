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
    "LeaveOneOut": "leaving_out",
    "Pool": "pools",
    "RankedRuns": "ranking",
    "Replay": "replays",
    "TrecFormatError": "errors",
    "assign": "assignment",
    "by_topic": "assignment",
    "checksums": "pools",
    "contributions": "coverage",
    "everyone": "assignment",
    "expected_width": "planning",
    "id_problem": "ids",
    "judged_at": "coverage",
    "leave_one_out": "leaving_out",
    "open_input": "streams",
    "order": "ranking",
    "overlap": "assignment",
    "overlap_sample": "assignment",
    "plan": "planning",
    "plan_hours": "planning",
    "plan_overlap": "planning",
    "policy_from": "assignment",
    "pool": "pools",
    "pool_sizes": "coverage",
    "prepare": "ranking",
    "ranked": "ranking",
    "read_documents": "documents",
    "read_pool": "pool_files",
    "read_qrels": "trec",
    "read_run": "trec",
    "read_runs": "trec",
    "read_topics": "topics",
    "repeats": "assignment",
    "replay": "replays",
    "run_overlap": "coverage",
    "undiscovered": "missed",
    "write_pool": "pool_files",
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

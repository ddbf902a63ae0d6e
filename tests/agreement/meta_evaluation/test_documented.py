"""The docs list every statistic that compares systems, and no other name."""

import re
from pathlib import Path

import agreement
from agreement import meta_evaluation

DOCS = Path(__file__).resolve().parents[3] / "docs" / "measures.md"


def documented() -> set[str]:
    """The names in the first column and the definitions of the second table of docs/measures.md."""
    rows = DOCS.read_text(encoding="utf-8").split("## Comparisons of systems")[1].splitlines()
    return {name for row in rows if row.startswith("| `") for name in re.findall(r"`([\w.]+)`", row)}


def test_each_documented_name_exists():
    packages = (agreement, agreement.meta_evaluation, agreement.rank_correlation, agreement.significance)
    for name in documented():
        assert any(hasattr(package, name.rpartition(".")[2]) for package in packages), name


def test_every_function_of_meta_evaluation_is_documented():
    functions = {name for name in meta_evaluation.__all__ if name[0].islower()}
    assert functions <= {name.rpartition(".")[2] for name in documented()}

"""The page docs/pooling.md lists every strategy, and the study of docs/studies/pooling.md is complete."""

import re
from pathlib import Path

import pytest

from pooling.adaptive import ADAPTIVE
from pooling.strategies import STRATEGIES

DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGE, STUDY = DOCS / "pooling.md", DOCS / "studies" / "pooling.md"
TEXT = PAGE.read_text(encoding="utf-8")
LISTED = [line.split(" | ")[0] for line in TEXT.splitlines() if line.startswith("| `")]


@pytest.mark.parametrize("name", sorted(STRATEGIES | ADAPTIVE))
def test_every_strategy_is_in_the_list_of_strategies(name):
    assert sum(f"`{name}`" in names for names in LISTED) == 1


def test_every_figure_of_the_study_exists():
    figures = re.findall(r"!\[[^]]*]\(([^)]+)\)", STUDY.read_text(encoding="utf-8"))

    assert figures
    assert [figure for figure in figures if not (STUDY.parent / figure).is_file()] == []


def test_no_generated_table_is_empty():
    text = STUDY.read_text(encoding="utf-8") + TEXT
    tables = re.findall(r"<!-- (?!end)([^>]+) -->\n(.*?)<!-- end -->", text, re.DOTALL)

    assert len(tables) >= 5
    assert [name for name, table in tables if not table.strip()] == []

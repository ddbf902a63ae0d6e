"""The notebook of the docs runs, is short, and the page shows its results."""

import pytest

from tests.notebook import code_lines, rendered

pytestmark = pytest.mark.slow


def test_the_page_shows_what_the_notebook_computes(monkeypatch):
    for path, content in rendered(monkeypatch).items():
        assert path.read_bytes() == content, f"{path.name} is outdated: run `make notebook`"


def test_the_notebook_is_short():
    assert len(code_lines()) < 30

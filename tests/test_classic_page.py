"""The commands and the Python code of docs/classic-collections.md print what the page says."""

import re
import shutil
import sys
from pathlib import Path

import pytest

from pooling import read_qrels
from tests.classic import SMART
from tests.tutorial import BLOCK, make_shell
from tests.wheel.installed import PROJECT, Shell

PAGE = (PROJECT / "docs" / "classic-collections.md").read_text(encoding="utf-8")
RUNS = {"first": {"001": "12", "004": "32"}, "second": {"001": "21", "004": "32"}}
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def lay_out(folder: Path) -> None:
    """Write the files that the page names."""
    for name in ("cran.all", "cran.qry", "cran.rel"):
        shutil.copy(SMART / name, folder)
    (folder / "runs").mkdir()
    for system, topics in RUNS.items():
        lines = [
            f"{query_id} Q0 {doc_id} 0 {-place} {system}\n"
            for query_id, doc_ids in topics.items()
            for place, doc_id in enumerate(doc_ids)
        ]
        (folder / "runs" / f"{system}.run").write_text("".join(lines))


@pytest.fixture
def shell(tmp_path) -> Shell:
    lay_out(tmp_path)
    return make_shell(tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for bash")
def test_the_commands_print_what_the_page_says(shell):
    blocks = BLOCK.findall(PAGE)
    assert len(blocks) == 3
    for commands, expected in blocks:
        assert expected
        lines = shell.run(commands).splitlines()
        assert [line for line in expected.splitlines() if line not in lines] == [], "\n".join(lines)


def test_the_python_code_runs(tmp_path, monkeypatch, capsys):
    lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    (code,) = PYTHON.findall(PAGE)
    exec(compile(code, "classic-collections.md", "exec"), {})
    assert "cran.rel is read by order: 2 of 2 queries" in capsys.readouterr().out
    assert read_qrels(tmp_path / "cranfield.qrels").values.tolist() == [
        ["001", "1", 3],
        ["001", "2", 1],
        ["004", "2", 4],
        ["004", "3", 0],
    ]

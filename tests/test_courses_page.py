"""The commands of docs/courses.md print what the page says. What the students do in doccano is simulated."""

import json
import sys
from pathlib import Path

import pytest

from tests.tutorial import BLOCK, make_shell
from tests.wheel.installed import PROJECT, Shell

PAGE = (PROJECT / "docs" / "courses.md").read_text(encoding="utf-8")
GRADES = {"ada": {"d1": 2, "d2": 0, "d3": 1}, "bob": {"d1": 2, "d2": 1, "d3": 1}}


def lay_out(folder: Path) -> None:
    """Write the files that the page names."""
    (folder / "topics.tsv").write_text("1\tgreen tea\n")
    (folder / "runs").mkdir()
    lines = [f"1 Q0 {doc_id} 0 {-place} bm25\n" for place, doc_id in enumerate(GRADES["ada"])]
    (folder / "runs" / "bm25.run").write_text("".join(lines))
    documents = [json.dumps({"doc_id": doc_id, "text": f"Text of {doc_id}."}) for doc_id in GRADES["ada"]]
    (folder / "documents.jsonl").write_text("\n".join(documents))


def judge(folder: Path) -> None:
    """Label the exported records as doccano does."""
    labels = {label["suffixKey"]: label["text"] for label in json.loads((folder / "label_config.json").read_text())}
    (folder / "judged").mkdir()
    for name, grades in GRADES.items():
        records = map(json.loads, (folder / f"{name}.jsonl").read_text().splitlines())
        rows = [{"id": n, **row, "label": [labels[f"{grades[row['doc_id']]}"]]} for n, row in enumerate(records, 1)]
        (folder / "judged" / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def shell(tmp_path) -> Shell:
    lay_out(tmp_path)
    return make_shell(tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for bash")
def test_the_commands_print_what_the_page_says(shell, tmp_path):
    blocks = BLOCK.findall(PAGE)
    assert len(blocks) == 4
    for number, (commands, expected) in enumerate(blocks):
        if number == 1:
            judge(tmp_path)
        assert expected
        lines = shell.run(commands).splitlines()
        assert [line for line in expected.splitlines() if line not in lines] == [], "\n".join(lines)

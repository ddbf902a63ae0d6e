"""The tutorial of the docs: its commands, and the study's data in the layout of the study's repository."""

import gzip
import json
import re
import shutil
import sys
from pathlib import Path

from tests.realdata import PROJECT, real_data
from tests.wheel.installed import Shell

PAGE = PROJECT / "docs" / "tutorial-shelf-life.md"
BLOCK = re.compile(r"^```bash\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"^<!-- published: (\w+) -->\n\n((?:\|.*\n)+)", re.MULTILINE)


def blocks() -> list[tuple[str, list[str]]]:
    """The commands of each step that needs no network, and the lines that the page says they print."""
    text = PAGE.read_text(encoding="utf-8")
    return [(match[1], (match[2] or "").splitlines()) for match in BLOCK.finditer(text)]


def sections() -> list[str]:
    """The number of the section of each of the blocks."""
    text = PAGE.read_text(encoding="utf-8")
    return [re.findall(r"^## (\d+)", text[: match.start()], re.MULTILINE)[-1] for match in BLOCK.finditer(text)]


def tables() -> dict[str, list[list[str]]]:
    """The rows of published figures, by the name of the table, with the header first."""
    found = TABLE.findall(PAGE.read_text(encoding="utf-8"))
    split = {
        name: [[cell.strip() for cell in row.strip("|").split("|")] for row in rows.splitlines()]
        for name, rows in found
    }
    return {name: [rows[0], *rows[2:]] for name, rows in split.items()}


def make_shell(folder: Path) -> Shell:
    """A shell in the folder, in which `assay` is the command of the checkout."""
    command = folder / "venv" / "bin" / "assay"
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{PROJECT}" exec "{sys.executable}" -m assay "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return Shell(folder / "venv", folder)


def lay_out(folder: Path) -> None:
    """Write what the tutorial downloads: the study's repository, NIST's qrels, and more topics than needed."""
    study, data = folder / "study", real_data("dl19")
    for name in ("judgments/main/qrels", "judgments/main/doccano", "runs/trec-dl-2019"):
        (study / name).mkdir(parents=True)
    shutil.copy(data / "judges" / "nist.qrels", folder)
    topics = (data / "topics.tsv").read_text(encoding="utf-8")
    (folder / "queries.tsv").write_text(f"1\tnobody judged this topic\n{topics}", encoding="utf-8")
    _judges(study / "judgments" / "main", dict(line.split("\t") for line in topics.splitlines()))
    _runs(study / "runs" / "trec-dl-2019")


def _judges(folder: Path, titles: dict[str, str]) -> None:
    with gzip.open(real_data("dl19", "documents.jsonl.gz"), "rt", encoding="utf-8") as lines:
        texts = {row["doc_id"]: row["text"] for row in map(json.loads, lines)}
    for number in range(1, 9):
        path = real_data("dl19", "judges", f"judge{number}.qrels")
        shutil.copy(path, folder / "qrels" / f"judge-{number}-qrels.txt")
        rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
        exported = [
            _export(n, texts[doc_id], titles[query_id], doc_id, query_id, grade)
            for n, (query_id, _, doc_id, grade) in enumerate(rows)
            if doc_id in texts
        ]
        (folder / "doccano" / f"judge-{number}.jsonl").write_text("".join(exported), encoding="utf-8")


def _export(number: int, text: str, query: str, doc_id: str, query_id: str, grade: str) -> str:
    row = {"id": number, "text": text, "query": query, "doc_id": doc_id, "comments": [], "query_id": query_id}
    row |= {"label": [f"Grade ({grade})"], "Comments": []}
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


def _runs(folder: Path) -> None:
    for path in real_data("dl19", "runs").glob("*.run.gz"):
        shutil.copy(path, folder / f"dl-19-official-input.{path.name.removesuffix('.run.gz')}.gz")
    for path in real_data("dl19", "runs_later").glob("*.run.gz"):
        system = path.name.removesuffix(".run.gz")
        tag = "my-system-name" if system.startswith("added-") else "rank_gpt"
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            text = "".join(f"{line.rsplit(maxsplit=1)[0]} {tag}\n" for line in lines)
        (folder / _published_name(system)).write_text(text, encoding="utf-8")


def _published_name(system: str) -> str:
    if system.startswith("added-"):
        return f"first-last-{system.removeprefix('added-')}-run.txt"
    return f"{system}_msmarco-passage-trec-dl-2019-judged.run"

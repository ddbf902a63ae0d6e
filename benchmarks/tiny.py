"""Tiny sizes and data, with which every benchmark runs in seconds and shows only that it still runs.

`python -m benchmarks --tiny` runs all of them. For one of them, set `BENCHMARKS_TINY` to a folder:
`BENCHMARKS_TINY=/tmp/tiny python -m benchmarks.pool_speed`. The folder receives generated data in the layout of the
real data (`tests/realdata.py`), a copy of docs/, in which benchmarks write their tables and figures, and what they keep
between calls. Without the variable, benchmarks have their full sizes and write to docs/.
"""

import gzip
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

PROJECT = Path(__file__).resolve().parent.parent
FOLDER = Path(os.environ["BENCHMARKS_TINY"]) if os.environ.get("BENCHMARKS_TINY") else None
DOCS = FOLDER / "docs" if FOLDER else PROJECT / "docs"
KEPT = FOLDER / "bench" if FOLDER else PROJECT / "var" / "bench"

SEED = 1
TOPICS = ("19335", "87181", "87452", "131843", "168216", "1115776", "1121402", "1124210", "1129237", "1133167")
OF_ALL_JUDGES = "168216"  # which all eight judges share, each with documents of their own
OFFICIAL = ("bm25base_p", "bm25tuned_p", "idst_bert_p1", "p_bert", "runid2", "ms_duet_passage")
ADDED = ("colbert", "mono-t5-3b", "mono-t5-base", "rank-zephyr", "sparse-cross-encoder", "splade")
RERANKERS = ("monoelectra-base", "monoelectra-large", "rankgpt4-turbo", "rankgpt4", "rankgpt4o-full", "rankgpt4o")
RERANKERS += ("rankzephyr", "set-encoder-base", "set-encoder-large")
LATER = (
    *(f"added-{name}" for name in ADDED),
    *(f"{first}_{name}" for first in ("colbert", "tirex") for name in RERANKERS),
)
PASSAGES, RANKS, WORDS = 40, 30, 30  # of each topic, of each run and topic, of each passage
MODELS, MODEL_TOPICS, MODEL_PASSAGES = 5, 10, 6


def size(full: T, tiny: T) -> T:
    """Return the size of a benchmark: `full`, or `tiny` if only its code is to be tried."""
    return full if FOLDER is None else tiny


def set_up() -> None:
    """Fill the folder unless that is done, and let everything read its data. Without a folder, do nothing.

    Servers copy the migrated database (`tests.load.server`), because migrations take longer than most benchmarks.
    """
    if FOLDER is None:
        return
    os.environ |= {"ASSAY_TEST_DATA": str(FOLDER / "data"), "MIGRATED_DATABASE": str(FOLDER / "assay.sqlite3")}
    import fcntl  # not for Windows, where the tests of the libraries import this package

    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (FOLDER / "complete").exists():
            _fill(FOLDER)
            (FOLDER / "complete").touch()


def _fill(folder: Path) -> None:
    shutil.copytree(PROJECT / "docs", folder / "docs")
    _write_dl19(folder / "data" / "dl19")
    _write_llmjudge(folder / "data" / "llmjudge")
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=PROJECT, env=environment | {"ASSAY_DATA": str(folder)}, check=True)


def lay_database(folder: Path) -> None:
    """Put a copy of the migrated database into a folder of data. With full sizes, do nothing: `migrate` creates it."""
    if FOLDER is not None:
        shutil.copy(FOLDER / "assay.sqlite3", folder)


def _write_dl19(folder: Path) -> None:
    """Write topics, passages, runs, and the judgements of NIST and of eight judges, two for each topic."""
    for name in ("judges", "model_judges", "runs", "runs_later"):
        (folder / name).mkdir(parents=True)
    draw = random.Random(SEED)
    passages = {topic: [f"{topic}{number:02}" for number in range(PASSAGES)] for topic in TOPICS}
    grades = {doc_id: draw.choice((0, 0, 0, 1, 2, 3)) for doc_ids in passages.values() for doc_id in doc_ids}
    _write(folder / "topics.tsv", (f"{topic}\tneed number {n}" for n, topic in enumerate(TOPICS)))
    _write(folder / "documents.jsonl.gz", _passage_lines(passages, grades, draw))
    for name, systems in (("runs", OFFICIAL), ("runs_later", LATER)):
        for system in systems:
            _write(folder / name / f"{system}.run.gz", _run_lines(system, passages, grades, draw))
    nist = [(topic, doc_id, grades[doc_id]) for topic, doc_ids in passages.items() for doc_id in doc_ids]
    _write(folder / "judges" / "nist.qrels", (f"{topic} Q0 {doc_id} {grade}" for topic, doc_id, grade in nist))
    for judge in range(8):
        lines = (
            f"{topic} 0 {doc_id} {max(0, min(3, grade + draw.choice((-1, 0, 0, 1))))}"
            for n, (topic, doc_id, grade) in enumerate(nist)
            if (n // 2 if topic == OF_ALL_JUDGES else TOPICS.index(topic)) % 4 == judge // 2
        )
        _write(folder / "judges" / f"judge{judge + 1}.qrels", lines)
    for model in ("gpt-4o.umbrela", "llama3.2.umbrela"):
        lines = (f"{topic} 0 {doc_id} {draw.choice((grade, draw.randrange(4)))}" for topic, doc_id, grade in nist)
        _write(folder / "model_judges" / f"{model}.txt", lines)


def _passage_lines(passages: dict[str, list[str]], grades: dict[str, int], draw: random.Random) -> Iterable[str]:
    """Yield the passages; those that are relevant to a topic have its words, and every fifth repeats the last one."""
    for n, doc_ids in enumerate(passages.values()):
        text = ""
        for number, doc_id in enumerate(doc_ids):
            words = [f"word{draw.randrange(500)}" for _ in range(WORDS)] + ["need", "number", f"{n}"] * grades[doc_id]
            text = text if number % 5 == 4 else " ".join(words)
            yield json.dumps({"doc_id": doc_id, "text": text})


def _run_lines(
    system: str, passages: dict[str, list[str]], grades: dict[str, int], draw: random.Random
) -> Iterable[str]:
    for topic, doc_ids in passages.items():
        scores = {doc_id: round(draw.gauss(grades[doc_id], 2), 6) for doc_id in doc_ids}
        for rank, doc_id in enumerate(sorted(doc_ids, key=lambda each: -scores[each])[:RANKS], start=1):
            yield f"{topic} Q0 {doc_id} {rank} {scores[doc_id]} {system}"


def _write_llmjudge(folder: Path) -> None:
    """Write the judgements of NIST and of some models."""
    (folder / "scores").mkdir(parents=True)
    draw = random.Random(SEED)
    pairs = [(f"q{topic}", f"p{topic}{number}") for topic in range(MODEL_TOPICS) for number in range(MODEL_PASSAGES)]
    grades = {pair: draw.randrange(4) for pair in pairs}
    _write(folder / "queries.tsv", (f"q{topic}\tneed number {topic}" for topic in range(MODEL_TOPICS)))
    _write(
        folder / "nist_test.qrels", (f"{query_id} 0 {doc_id} {grades[query_id, doc_id]}" for query_id, doc_id in pairs)
    )
    for model in range(MODELS):
        lines = (
            f"{query_id} 0 {doc_id} {draw.choice((grades[query_id, doc_id], draw.randrange(4)))}"
            for query_id, doc_id in pairs
        )
        _write(folder / "scores" / f"model-{model}.txt.gz", lines)


def _write(path: Path, lines: Iterable[str]) -> None:
    content = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)

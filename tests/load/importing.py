"""Assessors who judge while files are imported into the same database."""

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.load.assessors import AssessorProcesses
from tests.load.server import PROJECT, Server

# 60 kB each: unfinished tags, and paragraphs that each repeat all open elements.
HOSTILE = [
    "<a " * 20_000,
    "<!--" * 15_000,
    "<p>" + "<font color=1>" * 3_000 + "</p>" + "<p>x</p>" * 2_000,
    "-" * 60_000,
]
PAGE = "<h1>The mill</h1><p>The brook that gave the <b>mill</b> its name had run dry by then.</p>" * 20


def write_documents(path: Path, count: int) -> Path:
    """Write HTML documents of about 2 kB, and the hostile ones in between."""
    with path.open("w", encoding="utf-8") as stream:
        for number in range(count):
            text = HOSTILE[number % 997] if number % 997 < len(HOSTILE) else f"{PAGE}{number}"
            stream.write(f"{json.dumps({'doc_id': f'i{number}', 'text': text})}\n")
    return path


def write_judgements(folder: Path, judges: int, documents: int) -> list[str]:
    """Write one qrels file for each judge, all on the same documents of topic 1."""
    paths = [folder / f"judge-{number}" for number in range(judges)]
    lines = "".join(f"1 0 i{number} {number % 2}\n" for number in range(documents))
    for path in paths:
        path.write_text(lines)
    return list(map(str, paths))


@dataclass
class JudgedDuring:
    """What happened: the assessors' waiting times in seconds, their judgements, and what the commands printed."""

    waits: list[float]
    lines: list[dict]
    outputs: list[str]
    problems: list[str]
    seconds: float


def judge_during(server: Server, folder: Path, commands: Sequence[Sequence[str]], tasks: int = 20_000) -> JudgedDuring:
    """Run commands at the same time while two assessors judge some of these tasks."""
    size = {"tasks": tasks, "topics": 5, "assessors": 2, "k": 2}
    words = (word for name, number in size.items() for word in (f"--{name}", str(number)))
    collection = server.run_json("-m", "tests.load.load_collection", "make", *words, "--calibration")
    return judge_in(server, folder, collection, commands)


def judge_in(
    server: Server, folder: Path, collection: dict, commands: Sequence[Sequence[str]], is_tolerant: bool = False
) -> JudgedDuring:
    """Run commands at the same time while the assessors of a collection judge, if need be with tolerance."""
    stop = folder / "stop"
    stop.unlink(missing_ok=True)
    judging = AssessorProcesses(server, collection, folder, think=0.05, stop=str(stop), is_tolerant=is_tolerant)
    try:
        started = time.perf_counter()
        running = [_start(server, command) for command in commands]
        outputs = [process.communicate() for process in running]
        seconds = time.perf_counter() - started
        stop.touch()
        reports = judging.end()
    finally:
        judging.kill()
    problems = [problem for process, (_, problem) in zip(running, outputs, strict=True) if process.returncode]
    waits = [wait for report in reports for wait in (*report["posts"], *report["gets"])]
    return JudgedDuring(waits, judging.lines(), [output for output, _ in outputs], problems, seconds)


def _start(server: Server, words: Sequence[str]) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "manage.py", *words],
        cwd=PROJECT,
        env=server.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )

"""The command `assay shift` computes the new measure, and the pages offer it."""

import csv
import subprocess
import sys

from tests.realdata import PROJECT

RUN = "1 Q0 a 1 3.0 one\n1 Q0 b 2 2.0 one\n1 Q0 c 3 1.0 one\n"
OTHER = "1 Q0 c 1 3.0 two\n1 Q0 b 2 2.0 two\n"
GOLD = "1 0 a 3\n1 0 b 1\n1 0 c 2\n"


def test_command_scores_runs(tmp_path):
    for name, text in (("one.run", RUN), ("two.run", OTHER), ("nist.qrels", GOLD)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    words = ["--run", "one.run", "two.run", "--gold", "nist=nist.qrels", "--measure", "CG@2", "--csv"]
    done = subprocess.run(
        [sys.executable, "-m", "assay", "shift", *words],
        cwd=tmp_path,
        env={"PYTHONPATH": str(PROJECT), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    scores = {row["system"]: float(row["score"]) for row in csv.DictReader(done.stdout.splitlines())}
    assert scores == {"one": 4.0, "two": 3.0}

"""Installs a wheel with its dependencies into an empty environment and tries it: `python -m tests.wheel.smoke FILE`.

Unlike the test of the README, this downloads the dependencies from the package index.
"""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from tests.wheel.installed import Shell

MAX_BYTES = 7_000_000
PARTS = ("assay/", "assess/", "pooling/", "agreement/", "ir_assay-")
NEEDED = ("assess/templates/base.html", "assess/static/assess/assay.css", "assess/demo/topics.jsonl", "assay/py.typed")
SITE = ("assay/documentation/index.html", "assay/documentation/reference/coefficients/cohen_kappa.html")
RUNS = {
    "bm25": "1 Q0 d1 1 3.0 bm25\n1 Q0 d2 2 2.0 bm25\n1 Q0 d3 3 1.0 bm25\n",
    "dense": "1 Q0 d3 1 0.9 dense\n1 Q0 d2 2 0.8 dense\n1 Q0 d1 3 0.7 dense\n",
}
QRELS = {"ada": "1 0 d1 1\n1 0 d2 0\n1 0 d3 0\n", "bob": "1 0 d1 0\n1 0 d2 0\n1 0 d3 1\n"}


def check_content(wheel: Path) -> None:
    """The wheel is small and holds our packages with templates and static files, and nothing else."""
    if (size := wheel.stat().st_size) > MAX_BYTES:
        raise AssertionError(f"{wheel.name} has {size:,} bytes; at most {MAX_BYTES:,} are allowed.")
    names = zipfile.ZipFile(wheel).namelist()
    if foreign := [name for name in names if not name.startswith(PARTS)]:
        raise AssertionError(f"{wheel.name} holds {foreign[:3]}, which is not part of our packages.")
    if missing := {*NEEDED, *SITE} - set(names):
        raise AssertionError(f"{wheel.name} lacks {sorted(missing)}.")


def try_commands(shell: Shell) -> None:
    """Run the commands that a new user tries first."""
    print(shell.run("assay --version").strip())
    for name, text in (RUNS | QRELS).items():
        (shell.folder / name).write_text(text, encoding="utf-8")
    golds = "--gold ada=ada --gold bob=bob"
    report = shell.run(f"assay shift --run bm25 dense {golds} --measure AP --out shift")
    if "1 of 1" not in report and "swap" not in report:
        raise AssertionError(f"assay shift printed:\n{report}")
    with shell.serving("assay demo") as address, urlopen(f"{address}static/assess/assay.css", timeout=30) as answer:
        print(f"assay demo answers at {address}, its style sheet has {len(answer.read()):,} bytes")
    print(shell.run("assay doctor"), end="")
    print(f"assay docs opens {shell.run('assay docs --print').strip()}")


def main(wheel: Path) -> None:
    check_content(wheel)
    with TemporaryDirectory() as folder:
        environment, work = Path(folder, "venv"), Path(folder, "work")
        work.mkdir()
        venv.create(environment, with_pip=True)
        # Most modules of the dependencies are never imported. Python compiles the others when they are.
        install = [environment / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-compile", wheel.resolve()]
        subprocess.run(install, cwd=work, check=True)
        try_commands(Shell(environment, work))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

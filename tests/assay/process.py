"""Running the command in a new process."""

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def assay(*arguments, cwd=None, program=("-m", "assay"), **environment):
    """Run the command in a new process, with nothing but a home directory."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    done = subprocess.run(
        [sys.executable, *program, *map(str, arguments)],
        cwd=cwd or PROJECT,
        env=kept | {"PYTHONPATH": str(PROJECT)} | {name: str(value) for name, value in environment.items()},
        capture_output=True,
        text=True,
    )
    done.stdout, done.stderr = _without_own_database(done.stdout), _without_own_database(done.stderr)
    return done


def _without_own_database(text: str) -> str:
    """Remove the notes on the database in var/, which a developer may have or not."""
    own = str(PROJECT / "var")
    lines = [line.replace(f" and {own};", ";") for line in text.splitlines(keepends=True)]
    return "".join(line for line in lines if f"There is another database in {own};" not in line)

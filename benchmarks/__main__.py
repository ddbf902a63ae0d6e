"""Run all benchmarks, one after the other, each in a separate process: `python -m benchmarks`.

`python -m benchmarks --tiny` runs every module that is a program, on tiny data, to see whether it still runs; the
figures mean nothing then, and docs/ stays as it is. On Linux a new process inherits the peak memory of its parent, so
no benchmark may be started by a large process.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

NAMES = (
    *("mixed_golds", "import_runs", "import_judgements", "read_many", "evaluate_speed", "scale", "shift_speed"),
    *("agreement_speed", "trust_speed", "pool_speed", "adaptive_speed", "adaptive_web", "live_learning"),
    *(
        "judging_scale",
        "judging_load",
        "api_judging",
        "api_import",
        "ask_model",
        "large_pages",
        "import_wait",
        "change_wait",
        "campaign",
        "class_load",
    ),
    "class_lesson",
    *("wrong_codes", "key_to_next", "research_pages", "desk_pages", "judge_comparison", "search_speed"),
    *("paint", "paths"),
    *("start", "structure"),
)


def programs() -> list[str]:
    """Return the names of all modules that can be run, also those that write pages of docs/."""
    modules = sorted(Path(__file__).parent.glob("[!_]*.py"))
    return [path.stem for path in modules if '\nif __name__ == "__main__":' in path.read_text(encoding="utf-8")]


def run(name: str) -> None:
    print(f"\n=== {name} ===\n", flush=True)
    subprocess.run([sys.executable, "-W", "ignore", "-m", f"benchmarks.{name}"], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--tiny", action="store_true", help="run every module on tiny data")
    is_tiny = parser.parse_args().tiny
    with TemporaryDirectory() as folder:
        if is_tiny:
            os.environ["BENCHMARKS_TINY"] = folder
        for name in programs() if is_tiny else NAMES:
            run(name)


if __name__ == "__main__":
    main()

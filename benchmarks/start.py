"""The CPU time until Assay does something: the first demo, the help of each command, and `import assay`.

The first demo is `assay demo` in an empty folder until the site answers; its database, its collection and its logins
are made in this time. Each help is the command `assay COMMAND --help` in a new process. The times are user and system
time of all processes of a command: medians of several rounds, with minimum and maximum. One round before them is not
counted, because it may have to compile modules.

Run: python -m benchmarks.start
"""

import os
import subprocess
import sys
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from assay.command_list import DJANGO_COMMANDS, GROUPS
from benchmarks.server_usage import ServerUsage
from benchmarks.tiny import PROJECT, size
from tests.load.server import Server

ROUNDS, ROUNDS_OF_DEMO, SHOWN = size((5, 3, 5), (1, 1, 1))
COMMANDS = size(1_000, 2)  # at most so many
# Runs a command as the program `assay` does, and says on the standard error whether it loaded pandas.
COMMAND = """
import atexit, sys
atexit.register(lambda: print("pandas" in sys.modules, file=sys.stderr))
from assay.cli import main
sys.exit(main(sys.argv[1:], prog="assay"))
"""


class Help(NamedTuple):
    """The CPU seconds of the rounds of a command's help, and whether it loads pandas."""

    command: str
    seconds: list[float]
    loads_pandas: bool


class Demo(Server):
    """`assay demo` on a free port of this machine."""

    def words(self) -> tuple[str, ...]:
        return ("manage.py", "demo", "--port", str(self.port))


def main() -> None:
    print(f"{'CPU seconds':44} {'median (min-max)':>24}")
    _print("first demo, until the site answers", _rounds(_first_demo, ROUNDS_OF_DEMO))
    _print("import assay", _rounds(lambda: _cpu_seconds("-c", "import assay"), ROUNDS))
    _print("python without a module", _rounds(lambda: _cpu_seconds("-c", ""), ROUNDS))
    helps = sorted(map(_help, _commands()), key=lambda each: -median(each.seconds))
    print(f"\nHelp of {len(helps)} commands, the slowest first")
    for help_text in helps[:SHOWN]:
        _print(f"assay {help_text.command} --help", help_text.seconds)
    _print("median of the commands", [median(each.seconds) for each in helps])
    print("load pandas:", ", ".join(each.command for each in helps if each.loads_pandas) or "none")


def _print(name: str, seconds: list[float]) -> None:
    print(f"{name:44} {f'{median(seconds):.2f} ({min(seconds):.2f}-{max(seconds):.2f})':>24}", flush=True)


def _rounds(measure, rounds: int) -> list[float]:
    """Measure once to warm the disk cache, and then several times."""
    return [measure() for _ in range(rounds + 1)][1:]


def _first_demo() -> float:
    with TemporaryDirectory() as folder:
        demo = Demo(Path(folder), None)
        try:
            demo.start()
            return ServerUsage(demo.process.pid).cpu_seconds()
        finally:
            demo.stop()


def _commands() -> list[str]:
    names = (name for group in (*GROUPS.values(), DJANGO_COMMANDS) for name in group)
    return sorted(islice(names, COMMANDS))


def _help(command: str) -> Help:
    words = ("-c", COMMAND, command, "--help")
    done = subprocess.run([sys.executable, *words], cwd=PROJECT, capture_output=True, text=True, check=True)
    loads_pandas = done.stderr.splitlines()[-1] == "True"
    return Help(command, [_cpu_seconds(*words) for _ in range(ROUNDS)], loads_pandas)


def _cpu_seconds(*words: str) -> float:
    """Return the user and system time of a Python process and of the processes that it waited for."""
    process = subprocess.Popen(
        [sys.executable, *words], cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(words)} ended with {process.returncode}.")
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()

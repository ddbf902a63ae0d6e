"""Time each step of docs/tutorial-shelf-life.md on the study's data, and write the table into the page.

Every command runs in a new process, as in the tutorial. CPU time is that of all its processes; other work on the
machine makes wall times longer, CPU times hardly.
"""

import os
import re
import resource
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import median

from benchmarks.tiny import DOCS, size
from tests.load.researcher import Researcher
from tests.test_tutorial import ADDRESS, PASSWORD
from tests.tutorial import PAGE, blocks, lay_out, make_shell, sections
from tests.wheel.installed import Shell

ROUNDS = size(3, 1)
STEP = re.compile(r"(?m)^(?=assay )")
TIMES = re.compile(r"(<!-- times -->\n).*?(<!-- end -->)", re.DOTALL)
Times = dict[str, list[tuple[float, float]]]


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(times: Times, name: str, function, *arguments):
    """Call a function, note its CPU and wall seconds, and return its result."""
    before, start = cpu(), time.perf_counter()
    result = function(*arguments)
    times[name].append((cpu() - before, time.perf_counter() - start))
    return result


def name_of(section: str, step: str, seen: set[str]) -> str:
    """The section and the command of a step, numbered from its second occurrence in the section on."""
    words = step.split()
    name = f"{section}. `{words[0]} {words[1]}`" if step.startswith("assay ") else f"{section}. copying files"
    number = 1 + sum(other == name or other.startswith(f"{name} (") for other in seen)
    name = name if number == 1 else f"{name} ({number})"
    seen.add(name)
    return name


def one_round(shell: Shell, times: Times) -> None:
    seen: set[str] = set()
    printed = ""
    for section, (commands, _) in zip(sections(), blocks(), strict=True):
        for step in filter(None, STEP.split(commands)):
            printed += timed(times, name_of(section, step, seen), shell.run, step)
    timed(times, "6. `assay serve` and its pages", visit, shell, PASSWORD.search(printed)[1], times)


def visit(shell: Shell, password: str, times: Times) -> None:
    with shell.serving("assay serve"):
        rita = Researcher(shell.port, "dl19")
        rita.sign_in("rita", password)
        for address in ADDRESS.findall(PAGE.read_text(encoding="utf-8")):
            start = time.perf_counter()
            rita.open(address.removeprefix("/c/dl19/"))
            times[f"6. page `{address.partition('?')[0]}`"].append((float("nan"), time.perf_counter() - start))


def table(times: Times) -> str:
    lines = ["| step | CPU s | wall s |", "|---|---:|---:|"]
    for name, runs in times.items():
        lines.append(f"| {name} | {_spread([run[0] for run in runs])} | {_spread([run[1] for run in runs])} |")
    return "\n".join(lines)


def _spread(values: list[float]) -> str:
    if values[0] != values[0]:  # the server's CPU time is counted once it has ended
        return ""
    return f"{median(values):.1f} ({min(values):.1f}-{max(values):.1f})"


def main() -> None:
    times: Times = defaultdict(list)
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            lay_out(Path(folder))
            one_round(make_shell(Path(folder)), times)
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}\n\n{table(times)}")
    written = DOCS / PAGE.name
    page = written.read_text(encoding="utf-8")
    written.write_text(TIMES.sub(lambda found: f"{found[1]}\n{table(times)}\n\n{found[2]}", page), encoding="utf-8")


if __name__ == "__main__":
    main()

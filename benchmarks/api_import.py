"""The CPU time of uploading and importing 128,796 qrels lines by the API: target 1.5 times that of the command.

The lines are those of `benchmarks.import_judgements`. By the API, the client sends the files to `assay serve`, which
imports them in a job; counted are the client, the web server and the worker, from the first request to the end of the
job. The command is `import_judgements` on the same files, with its start. Both write to a new SQLite database.
"""

import resource
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.import_judgements import DATA, GRADES, LINES, ROUNDS, write_files
from benchmarks.server_usage import ServerUsage
from tests.load.server import AssayServe, Server, prepared, serving

TOKEN = """
import django; django.setup()
import json
from assess.models import User
from assess.people.tokens import create_token
print(json.dumps(create_token(User.objects.get(username="bench"), "bench", "manage")[1]))
"""
CLIENT = """
import sys
from assay import Site
collection = Site().collection("bench")
collection.upload_judgements(sys.argv[1:], progress=False, off_scale="clip").wait(progress=False)
"""
COUNT = """
import django; django.setup()
from assess.models import Judgement, JudgementEvent
print([Judgement.objects.count(), JudgementEvent.objects.count()])
"""


def by_command(folder: Path, paths: list[str]) -> tuple[dict[str, float], list[int]]:
    """Return the CPU seconds of the command, and the numbers of judgements and events."""
    with prepared(folder, None, AssayServe) as server:
        _create(server)
        before = _of_children()
        server.run("manage.py", "import_judgements", "--collection", "bench", "--off-scale", "clip", *paths)
        return {"command": _of_children() - before}, server.run_json("-c", COUNT)


def by_api(folder: Path, paths: list[str]) -> tuple[dict[str, float], list[int]]:
    """Return the CPU seconds of the client and of the server with its worker, and the same numbers."""
    with serving(folder, None, AssayServe) as server:
        _create(server)
        token = server.run_json("-c", TOKEN)
        server.environment |= {"ASSAY_URL": f"http://127.0.0.1:{server.port}", "ASSAY_TOKEN": token}
        with ServerUsage(server.process.pid) as usage:
            idle, before = usage.cpu_seconds(), _of_children()
            server.run("-c", CLIENT, *paths)
            used = {"client": _of_children() - before, "server and worker": usage.cpu_seconds() - idle}
        return used, server.run_json("-c", COUNT)


def _create(server: Server) -> None:
    grades = [word for grade in GRADES for word in ("--grade", grade)]
    server.run("manage.py", "create_collection", "bench", "--owner", "bench", *grades)
    server.run("manage.py", "import_topics", "--collection", "bench", str(DATA / "queries.tsv"))


def _of_children() -> float:
    """The CPU seconds of all processes that this one has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(paths: list[str]) -> dict[str, float]:
    """Import the files in both ways, and return the CPU seconds of each part."""
    found, stored = {}, []
    for way in (by_command, by_api):
        with TemporaryDirectory() as folder:
            used, numbers = way(Path(folder), paths)
        found |= used
        stored.append(numbers)
    if stored[0] != stored[1]:
        raise RuntimeError(f"The command has stored {stored[0]} judgements and events, the API {stored[1]}.")
    found["API, all parts"] = found["client"] + found["server and worker"]
    return found | {"ratio": found["API, all parts"] / found["command"]}


def main() -> None:
    if not DATA.exists():
        print(f"No judges at {DATA}; set ASSAY_TEST_DATA to measure importing them.")
        return
    with TemporaryDirectory() as folder:
        paths = write_files(Path(folder))
        rounds = [measure(paths) for _ in range(ROUNDS)]
    print(f"{LINES:,} qrels lines of {len(paths)} judges, CPU seconds, median (least to most) of {ROUNDS}")
    for name in rounds[0]:
        values = [each[name] for each in rounds]
        print(f"{name:20} {median(values):>7.2f} ({min(values):.2f} to {max(values):.2f})")


if __name__ == "__main__":
    sys.exit(main())

"""The times of a whole lesson on two topics, with `assay serve` and its worker.

Each student joins with the code, grades the practice document, judges 24 documents, predicts kappa, looks at six steps
of own results and works on a worksheet. Most students are threads that use HTTP; some have a browser. All of them run
on the same machine as the server.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import databases
from benchmarks.tiny import size
from tests.load.lesson import run_lesson
from tests.load.server import AssayServe, prepared

STUDENTS, BROWSERS, DOCUMENTS, THINK = size((40, 3, 24, 1.0), (2, 1, 6, 0.1))


def main() -> None:
    print(f"{STUDENTS} students over HTTP and {BROWSERS} in browsers, {DOCUMENTS} documents each, one every {THINK} s")
    for name, url in databases.urls():
        with TemporaryDirectory() as folder, prepared(Path(folder), url, AssayServe) as server:
            _measure(name, server)


def _measure(name: str, server: AssayServe) -> None:
    exercise = server.run_json("-m", "tests.load.load_exercise", "make", "--documents", str(DOCUMENTS), "--lesson")
    server.start()
    try:
        lesson = run_lesson(server.port, exercise, STUDENTS, THINK, BROWSERS)
    finally:
        server.stop()
    print(f"\n{name}: {len(lesson.results.errors)} errors")
    for part, seconds in lesson.seconds.items():
        print(f"  {part:<24} {seconds:6.2f} s")
    for number, seconds in enumerate(lesson.step_seconds, start=1):
        print(f"  open step {number:<14} {seconds:6.2f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())

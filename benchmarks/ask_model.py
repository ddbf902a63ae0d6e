"""Asking a model for 10,000 documents: target 1.2 times the time of the server alone, with flat memory.

A server in a process of its own answers each request after 50 ms, as chat completions do. `ask_model` asks it with four
requests at a time, and saves each answer with its judgement to a new SQLite database. The server alone would take the
number of documents times 50 ms, divided by four. The peak of the command's memory is compared with that for a tenth of
the documents.
"""

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.tiny import size
from tests.load.server import AssayServe, Server, prepared

DOCUMENTS = size(10_000, 40)
SECONDS, CONCURRENCY = 0.05, 4
TOPICS = 10
SERVER = f"""
import time
from tests.pooling.live.servers import Server
from tests.pooling.models.servers import completion
def answer(_):
    time.sleep({SECONDS})
    return completion('{{"grade": 1}}')
with Server(answer) as server:
    print(server.url, flush=True)
    while True:
        server.asked.clear()
        time.sleep(1)
"""
PEAK = """
import resource, sys
from django.core.management import execute_from_command_line
execute_from_command_line(["manage.py", *sys.argv[1:]])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def write_files(folder: Path, documents: int) -> None:
    """Write topics, one run that retrieves all documents, and texts of 1,000 characters."""
    names = [f"d{number}" for number in range(documents // TOPICS)]
    (folder / "topics.tsv").write_text("".join(f"{topic}\tneed number {topic}\n" for topic in range(TOPICS)))
    lines = (
        f"{topic} Q0 {name} {rank} {documents - rank} all\n"
        for topic in range(TOPICS)
        for rank, name in enumerate(names, start=1)
    )
    (folder / "all.run").write_text("".join(lines))
    texts = (json.dumps({"doc_id": name, "text": f"{name} " + "word " * 200}) + "\n" for name in names)
    (folder / "documents.jsonl").write_text("".join(texts))


def set_up(server: Server, folder: Path, documents: int, host: str) -> None:
    write_files(folder, documents)
    here = ("--collection", "bench")
    server.run("manage.py", "create_collection", "bench", "--owner", "bench", "--grade", "0=No", "--grade", "1=Yes")
    server.run("manage.py", "import_topics", *here, str(folder / "topics.tsv"))
    server.run("manage.py", "import_runs", *here, str(folder / "all.run"))
    server.run("manage.py", "build_pool", *here, "--depth", str(documents))
    server.run("manage.py", "import_documents", *here, str(folder / "documents.jsonl"))
    server.run("manage.py", "allow_host", host)


def ask(documents: int, url: str) -> tuple[float, float, int]:
    """Return the seconds and the CPU seconds of the command, and the peak of its memory in megabytes."""
    with TemporaryDirectory() as folder, prepared(Path(folder), None, AssayServe) as server:
        set_up(server, Path(folder), documents, url.removeprefix("http://"))
        judge = ("--judge", "gpt", "--address", f"{url}/v1", "--model", "m", "--confirm")
        used, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        pace = ("--concurrency", str(CONCURRENCY))
        output = server.run("-c", PEAK, "ask_model", "--collection", "bench", *judge, *pace)
        seconds = time.perf_counter() - started
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        peak = int(str(output).split()[-1]) // 1024
        return seconds, after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime, peak


def main() -> None:
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)
    try:
        url = server.stdout.readline().strip() if server.stdout else ""
        _, _, small = ask(max(DOCUMENTS // 10, TOPICS), url)
        seconds, cpu, peak = ask(DOCUMENTS, url)
    finally:
        server.kill()
    alone = DOCUMENTS * SECONDS / CONCURRENCY
    print(f"{DOCUMENTS:,} documents, {CONCURRENCY} requests at a time, {SECONDS * 1000:.0f} ms each")
    print(f"server alone {alone:.1f} s, ask_model {seconds:.1f} s ({cpu:.1f} s of CPU): ratio {seconds / alone:.2f}")
    print(f"memory {peak} MB, and {small} MB for a tenth of the documents")


if __name__ == "__main__":
    sys.exit(main())

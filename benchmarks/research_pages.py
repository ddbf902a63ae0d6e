"""The time of the pages of documents, of the shift with 37 golds, and of releases, on real data.

The collection `dl19` is TREC 2019 Deep Learning: 37 runs with 1.4 million lines, and NIST with eight judges. The
collection `llmjudge` has 33 models and NIST, which with three rules make 37 golds, and 16 runs that rank its documents
at random. Everything runs in one process with SQLite: pages through all of Django, releases as the command makes them.
The pages compute at once what a background job computes otherwise. "First" is with an empty cache of results.

Run: python -m benchmarks.research_pages
"""

import random
import sys
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import databases
from benchmarks.tiny import size
from tests.realdata import DATA

DL19 = DATA / "dl19"
GRADES = ("0=Irrelevant", "1=Related", "2=Highly relevant", "3=Perfectly relevant")
OWNER, SEED = "rita", 2026
SYSTEMS, ROUNDS, ROUNDS_OF_RELEASES = size((16, 5, 3), (3, 1, 1))
BY_EFFECT = {"order": "leverage", "measure": "nDCG@10", "gold": "judge:nist"}


def main() -> None:
    if not DL19.is_dir():
        print(f"No data at {DATA}; set ASSAY_TEST_DATA to measure the pages.")
        return
    with databases.server_with_database(None) as (server, _):
        server.environment["ASSAY_TEST_DATA"] = str(DATA)
        _load_dl19(lambda *words: server.run("manage.py", *map(str, words)))
        server.run("-m", "benchmarks.research_pages", "load")
        print(server.run("-m", "benchmarks.research_pages", "measure"), flush=True)


def _load_dl19(run) -> None:
    of = ("--collection", "dl19")
    run("create_collection", "dl19", "--owner", OWNER, *(word for grade in GRADES for word in ("--grade", grade)))
    run("import_topics", *of, DL19 / "topics.tsv")
    run("import_runs", *of, *sorted((DL19 / "runs").glob("*.run.gz")))
    run("build_pool", *of, "--depth", 10)
    run("import_documents", *of, DL19 / "documents.jsonl.gz")
    for judge in ("nist", *(f"judge{number}" for number in range(1, 9))):
        run("import_judgements", *of, DL19 / "judges" / f"{judge}.qrels", "--assessor", judge)


def load() -> None:
    """Create the collection with 34 judges, and its runs."""
    import django

    django.setup()
    from assess.models import Member, Role, User
    from assess.transfer.runs import import_runs
    from tests.llmjudge import llmjudge_collection

    collection, user = llmjudge_collection(every=1), User.objects.get(username=OWNER)
    Member.objects.create(collection=collection, user=user, role=Role.OWNER, name=OWNER)
    pairs = list(collection.topics.values_list("query_id", "tasks__document__doc_id").order_by("pk", "tasks"))
    with TemporaryDirectory() as folder:
        for number in range(SYSTEMS):
            (Path(folder) / f"system{number}").write_text(_run(pairs, number), encoding="utf-8")
        import_runs(collection, sorted(Path(folder).iterdir()))


def _run(pairs: list[tuple[str, str]], number: int) -> str:
    draw = random.Random(SEED + number)
    return "".join(f"{query_id} Q0 {doc_id} 0 {draw.random()} system{number}\n" for query_id, doc_id in pairs)


def measure() -> None:
    """Measure everything, in a process with the server's settings."""
    import django

    django.setup()
    from assess.analysis import pending
    from assess.analysis.documents import pending as documents_pending

    pending.RUN_LINES_AT_ONCE = pending.JUDGEMENTS_AT_ONCE = pending.RATINGS_OF_PAIRS_AT_ONCE = 10**9
    pending.JUDGEMENTS_OF_GOLDS_AT_ONCE = pending.GOLDS_AT_ONCE = 10**9
    documents_pending.JUDGEMENTS_OF_SYSTEMS_AT_ONCE = 10**9
    page, first = _visitor()
    some_document = _some_document()
    _print(
        "Documents of DL 2019",
        {
            "list by disagreement, first": lambda: first("dl19/documents/"),
            "list by disagreement, cached": lambda: page("dl19/documents/"),
            "list by effect on the ranking, first": lambda: first("dl19/documents/", BY_EFFECT),
            "list by effect on the ranking, cached": lambda: page("dl19/documents/", BY_EFFECT),
            "one document, runs prepared": lambda: page(f"dl19/documents/{some_document}/"),
        },
    )
    _print(
        "Shift with 37 golds",
        {
            f"{name}, {state}": lambda path=path, get=get: get(path)
            for name, path in (("ranking", "llmjudge/shift/"), ("all golds", "llmjudge/shift/golds/"))
            for state, get in (("first", first), ("cached", page))
        },
    )
    _print("Releases of DL 2019", _releases(), ROUNDS_OF_RELEASES)


def _print(title: str, calls: dict, rounds: int = ROUNDS) -> None:
    from benchmarks.measuring import compare_calls, table

    print(table(title, compare_calls(calls, rounds)), flush=True)


def _some_document() -> int:
    """Return a task with the grades of several judges."""
    from django.db.models import Count

    from assess.models import Task

    judged = Task.objects.filter(topic__collection__slug="dl19", document__content__isnull=False)
    return judged.annotate(judges=Count("judgements")).order_by("-judges", "pk").first().pk


def _visitor():
    """Return a function that requests a page as the owner, and one that empties the cache of results before."""
    from django.test import Client

    from assess.jobs import results
    from assess.models import User

    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.get(username=OWNER), backend="assess.people.backend.AccountBackend")

    def page(path: str, values: dict | None = None) -> None:
        response = client.get(f"/c/{path}", values or {})
        if response.status_code != 200:
            raise RuntimeError(f"{response.status_code} for {path}: {response.content[-2000:]!r}")
        if b'id="job"' in response.content:
            raise RuntimeError(f"{path} waits for a job.")

    def first(path: str, values: dict | None = None) -> None:
        results.forget_all()
        page(path, values)

    return page, first


def _releases() -> dict:
    """Return functions that create a release, each with a name of its own, and verify the last one."""
    from assess.models import Collection, Release
    from assess.releases.choices import ReleaseChoices
    from assess.releases.freeze import create_release
    from assess.releases.verify import verify_stored

    collection, numbers = Collection.objects.get(slug="dl19"), count()

    def verify() -> None:
        if problems := verify_stored(Release.objects.latest("pk")).problems:
            raise RuntimeError(problems[0])

    return {
        "create": lambda: create_release(collection, ReleaseChoices(f"main{next(numbers)}", "majority")),
        "verify": verify,
    }


if __name__ == "__main__":
    {"load": load, "measure": measure}.get(sys.argv[-1], main)()

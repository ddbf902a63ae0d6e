"""The functions that three ways through the program call, by file: a command, a page, and a judgement.

Each way is called twice, and the second call counts: the first one imports modules and fills what is computed once.
Lambdas count as functions, comprehensions do not.
"""

import sys
import threading
from collections import defaultdict
from collections.abc import Callable
from contextlib import redirect_stdout
from inspect import CO_OPTIMIZED
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from uuid import uuid4

from benchmarks.tiny import PROJECT

PACKAGES = ("assay", "assess", "pooling", "agreement")
COMPREHENSIONS = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
JUDGES = PROJECT / "tests" / "data" / "tables" / "other_header_names.csv"
RUN = PROJECT / "assess" / "demo" / "runs" / "bm25.run.gz"


def kappa() -> dict[str, list[str]]:
    """Print the agreement of two judges from a CSV file, with the command `assay kappa`."""
    from assay.cli import main

    def print_agreement() -> None:
        if main(["kappa", str(JUDGES)], prog="assay"):
            raise RuntimeError("assay kappa failed.")

    return _second_call(print_agreement)


def shift() -> dict[str, list[str]]:
    """Import one more run of the demo with the command, and open the page of the ranking shift."""
    slug, page, _ = _demo("researcher")
    from django.core.management import call_command

    from assess.models import Run

    with TemporaryDirectory() as folder:

        def import_and_open() -> None:
            system = f"system{Run.objects.count()}"
            path = Path(folder) / f"{system}.run.gz"
            path.write_bytes(RUN.read_bytes())
            call_command("import_runs", "--collection", slug, "--name-by-file", str(path))
            if system.encode() not in page(f"/c/{slug}/shift/").content:
                raise RuntimeError(f"The page of the shift lacks {system}.")

        return _second_call(import_and_open)


def judgement() -> dict[str, list[str]]:
    """Send the grade of a document of the demo, as the page of the assessor does."""
    slug, page, client = _demo("assessor")
    from assess.models import Member, Topic

    topic = Topic.objects.filter(collection__slug=slug).earliest("pk")
    member = Member.objects.get(collection__slug=slug, user__username="assessor")
    cards = iter(page(f"/c/{slug}/judge/{topic.pk}/next/").json()["cards"])

    def judge() -> None:
        card = next(cards)
        fields = {"client_id": uuid4(), "member": member.pk, "seen_version": card["version"], "relevance": 1}
        times = {"active_ms": 900, "away_ms": 0, "input": "key", "highlights": "true", "guidelines_version": 1}
        response = client.post(
            f"/c/{slug}/judge/task/{card['task']}/", fields | times, headers={"accept": "application/json"}
        )
        if response.status_code != 200:
            raise RuntimeError(f"{response.status_code} for a judgement: {response.content[:500]!r}")

    return _second_call(judge)


def _demo(user: str):
    """Return the slug of the demo collection, a function that opens a page as this user, and the user's client."""
    import django

    django.setup()
    from django.test import Client

    from assess.demo import loading
    from assess.models import User

    loading.load()
    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.get(username=user), backend="assess.people.backend.AccountBackend")

    def page(path: str):
        response = client.get(path)
        if response.status_code != 200 or b'id="job"' in response.content:
            raise RuntimeError(f"{response.status_code} for {path}: {response.content[-2000:]!r}")
        return response

    return loading.SLUG, page, client


def _second_call(way: Callable[[], object]) -> dict[str, list[str]]:
    """Return the functions of the packages that are called, in any thread that starts meanwhile."""
    codes: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    with redirect_stdout(StringIO()):
        way()
        threading.setprofile(note)
        sys.setprofile(note)
        try:
            way()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    return _by_file(codes)


def _by_file(codes: set[CodeType]) -> dict[str, list[str]]:
    """Sort functions by file. Bodies of classes and modules lack the flag of functions."""
    roots, files = [PROJECT / package for package in PACKAGES], defaultdict(set)
    for code in codes:
        path = Path(code.co_filename)
        is_function = code.co_flags & CO_OPTIMIZED and code.co_name not in COMPREHENSIONS
        if is_function and any(path.is_relative_to(root) for root in roots):
            files[str(path.relative_to(PROJECT))].add(f"{code.co_qualname}:{code.co_firstlineno}")
    return {path: sorted(names) for path, names in sorted(files.items())}

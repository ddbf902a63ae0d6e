"""Imports that are killed, run at the same time, wait for a locked database, or fill the disk: all or nothing."""

import io
import os
import resource
import signal

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from assess.judging import record_imported
from assess.judging.ledger import ledger_problems
from assess.models import Document, Judgement, JudgementEvent, Run
from assess.transfer import judgement_plan
from assess.transfer import judgements as judgement_import
from tests.assess.command_output import tables
from tests.factories import SMALL_RUNS, small_collection, write_documents
from tests.outages import impatient_connections, locked_database
from tests.processes import run_in_processes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.alone]

LINES = 2_000
MOST_BYTES = 200_000  # of each file in the tests with a full disk; the imports need more


@pytest.fixture
def graded(isolated_storage):
    return small_collection(SMALL_RUNS, slug="graded", grades=("0=No", "1=Some"))


@pytest.fixture
def qrels(tmp_path):
    """A function that writes a file of judgements."""

    def qrels(judge: str):
        path = tmp_path / judge
        path.write_text("".join(f"1 0 {judge}{number} {number % 2}\n" for number in range(LINES)))
        return path

    return qrels


def run(command: str, *words: object) -> None:
    call_command(command, "--collection", "graded", *map(str, words), stdout=io.StringIO())


def counts() -> tuple[int, int]:
    return Judgement.objects.count(), JudgementEvent.objects.count()


# ---- killed


def kill_self(*_):
    os.kill(os.getpid(), signal.SIGKILL)


def kill_after(action):
    def act_and_die(*words):
        action(*words)
        kill_self()

    return act_and_die


MOMENTS = {
    "before staging": (judgement_plan, "stage_imported", lambda _: kill_self),
    "after staging": (judgement_plan, "stage_imported", kill_after),
    "after the first table": (judgement_import.ImportPlan, "save_tasks_and_members", kill_after),
    "between judgements and events": (record_imported, "_copy", kill_after),
    "before the descriptions": (judgement_import, "describe_judges", lambda _: kill_self),
    "before the commit": (judgement_import, "describe_judges", kill_after),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_import_changes_nothing_and_can_be_repeated(graded, qrels, monkeypatch, moment):
    target, name, change = MOMENTS[moment]
    path, before = qrels("ada"), tables()

    def import_until_killed():
        monkeypatch.setattr(target, name, change(getattr(target, name)))
        run("import_judgements", path)

    (ended,) = run_in_processes(import_until_killed)
    assert ended == (signal.SIGKILL, "")
    assert tables() == before
    run("import_judgements", path)
    assert counts() == (LINES, LINES)
    assert list(ledger_problems()) == []


# ---- at the same time


def test_two_imports_at_the_same_time(graded, qrels):
    files = [qrels("ada"), qrels("bob"), qrels("ada")]
    ends = run_in_processes(*(lambda path=path: run("import_judgements", path) for path in files))
    assert [end.error for end in ends] == ["", "", ""]
    assert counts() == (2 * LINES, 2 * LINES)
    assert list(ledger_problems()) == []


def test_import_into_a_locked_database_is_refused_in_one_sentence(graded, qrels):
    path, before = qrels("ada"), tables()
    with impatient_connections(), locked_database(), pytest.raises(CommandError) as refused:
        run("import_judgements", path)
    reason = "database is locked" if connection.vendor == "sqlite" else "canceling statement due to lock timeout"
    assert str(refused.value).startswith(f"The database is busy or cannot be written ({reason}")
    assert str(refused.value).endswith("); nothing was imported. Run the import again.")
    assert tables() == before


def test_every_command_reports_a_locked_database_in_one_sentence(graded):
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL has no lock that every command needs")
    with impatient_connections(), locked_database(), pytest.raises(CommandError) as refused:
        run("build_pool", "--depth", 2)
    assert str(refused.value) == (
        "The database is busy or cannot be written (database is locked); the command did not finish. Run it again."
    )


# ---- a full disk


def judgements(path) -> tuple:
    lines = "".join(f"1 0 new{number} {number % 2}\n" for number in range(LINES))
    (path / "ada").write_text(lines)
    return "import_judgements", path / "ada"


def documents(path) -> tuple:
    return "import_documents", "--all", write_documents(path, [f"{number}-{'x' * 100}" for number in range(9_000)])


def a_run(path) -> tuple:
    lines = "".join(f"1 Q0 {os.urandom(20).hex()} 1 {number / 7} s\n" for number in range(9_000))
    (path / "run").write_text(lines)
    return "import_runs", path / "run"


@pytest.mark.parametrize("make", [judgements, documents, a_run])
def test_import_on_a_full_disk_changes_nothing(graded, tmp_path, make):
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL writes in processes of its own")
    words = make(tmp_path)

    def state():
        visible = Document.objects.order_by("pk").values_list("doc_id", "content")
        return counts(), list(visible), list(Run.objects.values_list("system")), list((tmp_path / "runs").iterdir())

    def import_with_limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES, MOST_BYTES))
        run(*words)

    before = state()
    (ended,) = run_in_processes(import_with_limit)
    assert ended.signal is None
    assert ended.error.count("\n") == 0
    assert ended.error.startswith(("The database is busy or cannot be written (", "A file: "))
    assert state() == before
    run(*words)
    assert state() != before

"""`assay backup` and `assay restore` are killed: afterwards there is the old state or the new one, and nothing between.

The programs run in processes of their own, on a database of their own, and kill themselves with SIGKILL at a moment of
their work, or are killed after a random time.
"""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assess.backups import drafts
from tests.load.server import PROJECT, Server, prepared

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=False), pytest.mark.site, pytest.mark.alone]

KILLER = """
import importlib, os, signal, sys
import django
django.setup()
module, _, path = sys.argv[1].partition(":")
owner = importlib.import_module(module)
*classes, name = path.split(".")
for each in classes:
    owner = getattr(owner, each)
original = getattr(owner, name)
def kill(*arguments, **options):
    if sys.argv[2] == "after":
        original(*arguments, **options)
    os.kill(os.getpid(), signal.SIGKILL)
setattr(owner, name, kill)
from django.core.management import call_command
call_command(*sys.argv[3:])
"""
JUDGE = """
import uuid
import django
django.setup()
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Member, Topic
from assess.judging import worklist
member = Member.objects.select_related("collection").first()
for card in worklist.upcoming(member, Topic.objects.first(), limit=5):
    record_judgement(member, uuid.UUID(str(card.task)), JudgementInput("judged", relevance=1), uuid.uuid4())
"""
STATE = """
import django, json
django.setup()
from assess.judging.ledger import ledger_problems
from assess.models import JudgementEvent, User
from assess.lib import tables
print(json.dumps([tables.state().value, User.objects.count(), JudgementEvent.objects.count(), list(ledger_problems())]))
"""
OLD, NEW = ["current", 2, 10, []], ["current", 2, 5, []]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site with ten judgements, and an archive in which there are five."""
    folder = tmp_path_factory.mktemp("site")
    with prepared(folder, os.environ.get("DATABASE_URL")) as server:
        words = ("--tasks", "20", "--topics", "1", "--assessors", "2", "--k", "1")
        server.run("-m", "tests.load.load_collection", "make", *words)
        server.run("-c", JUDGE)
        server.run("manage.py", "backup", str(folder / "five.zip"))
        server.run("-c", JUDGE)
        server.run("manage.py", "backup", str(folder / "ten.zip"))
        yield server


@pytest.fixture
def old(site):
    """The site in its old state, whatever the last test left."""
    if state(site) != OLD:
        site.run("manage.py", "restore", str(site.data / "ten.zip"), "--yes")
    assert state(site) == OLD
    return site


def state(site: Server) -> list:
    return site.run_json("-c", STATE)


def killed(site: Server, moment: str, when: str, *words: str) -> None:
    command = [sys.executable, "-c", KILLER, moment, when, *words]
    done = subprocess.run(command, cwd=PROJECT, env=site.environment, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith(drafts.PREFIX))


# ---- backup


@pytest.mark.parametrize(
    "moment",
    [
        "assess.backups.create:_create_checkpoints",
        "assess.backups.archive:chunks_of",
        "assess.backups.create:_add_runs",
        "assess.backups.stores:publish",
        "os:replace",
    ],
)
def test_killed_backup_leaves_no_archive_and_deletes_none(site, tmp_path, moment):
    older = tmp_path / "assay-20250101T000000Z.zip"
    older.touch()
    killed(site, moment, "before", "backup", str(tmp_path), "--keep=1")
    assert files_in(tmp_path) == [older.name]
    site.run("manage.py", "backup", str(tmp_path), "--keep=1")
    assert len(files_in(tmp_path)) == 1
    assert not older.exists()


def test_archive_is_complete_as_soon_as_it_has_its_name(site, tmp_path):
    killed(site, "assess.backups.stores:publish", "after", "backup", str(tmp_path / "a.zip"))
    assert files_in(tmp_path) == ["a.zip"]
    site.run("manage.py", "restore", str(tmp_path / "a.zip"), "--yes")


def test_full_disk(site, tmp_path):
    """A limit of the file size makes writing fail, as a full disk does."""
    command = [sys.executable, "manage.py", "backup", str(tmp_path)]
    for size in (0, 10_000, 30_000):
        done = subprocess.run(
            command,
            cwd=PROJECT,
            env=site.environment,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda size=size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
        )
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert list(tmp_path.iterdir()) == []


# ---- restore


def files_of_restore(site: Server) -> list[str]:
    return [str(site.data / "five.zip"), "--yes"]


@pytest.mark.parametrize(
    ("moment", "when", "expected"),
    [
        ("assess.backups.restore:prepare", "before", OLD),
        ("assess.backups.restore:erase_again", "before", OLD),
        ("assess.backups.restore:prepare", "after", OLD),
        ("assess.backups.restore:Restore._write_runs", "after", OLD),
        ("assess.backups.restore:Restore._write_secret_key", "before", NEW),
    ],
)
def test_killed_restore(old, moment, when, expected):
    killed(old, moment, when, "restore", *files_of_restore(old))
    assert state(old) == expected


@pytest.mark.soak
def test_restore_killed_at_random_moments(old):
    """The restore takes about a second, of which the start of Python is the largest part."""
    generator, seen = random.Random(15), []
    for _ in range(20):
        words = [sys.executable, "manage.py", "restore", *files_of_restore(old)]
        with subprocess.Popen(
            words, cwd=PROJECT, env=old.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            time.sleep(generator.uniform(0.3, 3))
            process.kill()
        seen.append(state(old))
        assert seen[-1] in (OLD, NEW)
        if seen[-1] == NEW:
            old.run("manage.py", "restore", str(old.data / "ten.zip"), "--yes")
    print(json.dumps([seen.count(OLD), seen.count(NEW)]))

"""Workers are killed at random moments of imports of uploaded files: all files of a kind are imported once, or none."""

import json
from datetime import timedelta
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings

from assess import deletion as run_files
from assess.collections.create import create_collection
from assess.collections.members import add_member
from assess.documents import contents
from assess.jobs.run import run
from assess.models import (
    Collection,
    Document,
    DocumentContent,
    ImportRecord,
    Job,
    JobState,
    Judgement,
    JudgementEvent,
    Member,
    Role,
    Run,
    Topic,
    Upload,
)
from assess.transfer.uploads import storage
from assess.transfer.uploads.importing import start_import
from tests.assess.jobs.killing import KILLS, Work, killed_and_continued
from tests.assess.transfer.uploads.uploaded import upload
from tests.factories import run_text

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), pytest.mark.alone, pytest.mark.database]

TOPICS, RUNS, RETRIEVED, DOCUMENTS, JUDGES, JUDGED = 8_000, 3, 10_000, 500, 2, 3_000
PAGE = "<h1>The mill</h1><p>The brook that gave the <b>mill</b> its name had run dry by then.</p>" * 10


@cache
def contents_of(kind: str) -> dict[str, bytes]:
    """The files of a kind, by name: their import takes from 0.3 to 1 s."""
    return {name: text.encode() for name, text in _TEXTS[kind]().items()}


def _topics() -> dict[str, str]:
    return {"topics.tsv": "".join(f"{number}\tthe need of user {number}\n" for number in range(TOPICS))}


def _runs() -> dict[str, str]:
    retrieved = [f"d{number}" for number in range(RETRIEVED)]
    return {f"s{n}.run": run_text(f"s{n}", dict.fromkeys("12", retrieved[n:])) for n in range(RUNS)}


def _documents() -> dict[str, str]:
    rows = ({"doc_id": f"d{number}", "text": f"{PAGE}{number}"} for number in range(DOCUMENTS))
    return {"pages.jsonl": "".join(f"{json.dumps(row)}\n" for row in rows)}


def _judgements() -> dict[str, str]:
    return {
        f"judge{n}.qrels": "".join(f"1 0 d{number} {(number + n) % 2}\n" for number in range(JUDGED))
        for n in range(JUDGES)
    }


_TEXTS = {"topics": _topics, "runs": _runs, "documents": _documents, "judgements": _judgements}
SMALL = {
    "runs": ("last.run", b"1 Q0 d1 1 9 last\n"),
    "documents": ("last.jsonl", b'{"doc_id": "last", "text": "The last one."}\n'),
    "judgements": ("last.qrels", b"1 0 d1 1\n"),
}
NEXT = {"topics": "runs", "runs": "documents", "documents": "judgements", "judgements": None}


def start(kind: str, slug: str) -> Job:
    """Upload the files of a kind and a small one of the next kind, and start their import."""
    collection = create_collection(slug, slug.title())
    owner, _ = add_member(collection, "olga", Role.OWNER)
    if kind != "topics":
        Topic.objects.bulk_create(Topic(collection=collection, query_id=name, title="need") for name in "12")
    uploads = [upload(owner, name, content).pk for name, content in contents_of(kind).items()]
    if following := NEXT[kind]:
        uploads.append(upload(owner, *SMALL[following]).pk)
    return start_import(collection, owner.user, uploads, {"keep_all": True, "text_format": "html"})


def saved(collection: Collection) -> dict[str, object]:
    """What pages show of a collection, its uploads, and its jobs."""
    return {
        "topics": collection.topics.count(),
        "runs": collection.runs.count(),
        "documents": collection.documents.filter(content__isnull=False).count(),
        "judgements": Judgement.objects.filter(member__collection=collection).count(),
        "events": JudgementEvent.objects.filter(judgement__member__collection=collection).count(),
        "members": Member.objects.filter(collection=collection).count(),
        "imports": sorted(ImportRecord.objects.filter(collection=collection).values_list("kind", flat=True)),
        "uploads": sorted(collection.uploads.values_list("name", flat=True)),
        "jobs": sorted(collection.jobs.values_list("kind", flat=True)),
    }


WORK = [Work(f"import_{kind}", lambda slug, kind=kind: start(kind, slug), saved) for kind in _TEXTS]


@pytest.mark.parametrize("work", WORK, ids=lambda work: work.kind)
def test_duration_of_the_import_that_nobody_kills(work):
    seconds, saved = work.unharmed()
    kind = work.kind.removeprefix("import_")
    assert seconds > 0.05
    assert saved[kind] > 1
    assert saved["imports"] == [kind]
    assert len(saved["uploads"]) == len(saved["jobs"]) - 1 == (NEXT[kind] is not None)


@pytest.mark.parametrize("kill", range(KILLS))
@pytest.mark.parametrize("work", WORK, ids=lambda work: work.kind)
def test_killed_import_saves_everything_or_nothing_and_is_continued(work, kill, monkeypatch):
    job = killed_and_continued(work, kill)
    finish_next_job(job)
    purge_at_once(monkeypatch)
    assert not Upload.objects.exists()
    assert files(settings.UPLOADS_DIR) == set()
    assert files(settings.RUNS_DIR) == {
        f"{name}.parquet" for name in Run.objects.values_list("file_checksum", flat=True)
    }
    assert DocumentContent.objects.count() == Document.objects.filter(content__isnull=False).count()


def finish_next_job(job: Job) -> None:
    """Run the job of the next kind, which there is once."""
    for following in job.collection.jobs.exclude(pk=job.pk):
        run(following.pk, 1)
        following.refresh_from_db()
        assert (following.state, following.error) == (JobState.DONE, "")


def purge_at_once(monkeypatch) -> None:
    """Delete what interrupted imports left, without waiting for a day."""
    for module, name in ((contents, "UNUSED_AFTER"), (run_files, "UNUSED_AFTER"), (storage, "KEPT_FOR")):
        monkeypatch.setattr(module, name, timedelta(seconds=-10))
    contents.delete_unused_contents()
    run_files.delete_unused_run_files()
    storage.delete_abandoned()


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} if folder.is_dir() else set()

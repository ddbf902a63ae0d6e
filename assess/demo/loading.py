"""The demo collection: made once, through the same doors as any other."""

import json
import secrets
from pathlib import Path

from django.conf import settings
from django.db import transaction

import pooling
from assess.collections.create import create_collection
from assess.collections.members import add_member
from assess.demo.documents import documents
from assess.errors import Refused
from assess.models import Collection, Role, User
from assess.pools.assign import assign
from assess.pools.build import build_pool, leave_out, missing_documents
from assess.pools.tasks import pooled_tasks
from assess.transfer.imports import import_documents, import_runs, import_topics
from assess.transfer.judgement_import import import_judgements

FOLDER = Path(__file__).resolve().parent
SLUG = "python-help"
GRADES = (
    "0=Not relevant:does not help with the need",
    "1=Marginal:on the subject, little help",
    "2=Relevant:a substantial part of the answer",
    "3=Highly relevant:answers the need completely",
)
LOGINS = {"assessor": Role.ASSESSOR, "researcher": Role.RESEARCHER, "instructor": Role.INSTRUCTOR}
DEPTH = 10


def load() -> list[str]:
    """Make the demo collection if it is not there; returns what is worth telling."""
    if Collection.objects.filter(slug=SLUG).exists():
        return []
    if taken := User.objects.filter(username__in=LOGINS).values_list("username", flat=True).first():
        raise Refused(f"There is already a user {taken!r} here; the demo takes a database of its own (ASSAY_DATA).")
    with transaction.atomic():
        collection = create_collection(
            SLUG,
            "Python help texts",
            GRADES,
            description="Which of Python's own help texts answer a programmer's question? Five systems, three judges.",
            guidelines=(FOLDER / "guidelines.md").read_text(encoding="utf-8"),
        )
        for name, role in LOGINS.items():
            add_member(collection, name, role)
        _kept_logins().unlink(missing_ok=True)  # of a demo that was thrown away, and of other people
        return _fill(collection)


def _fill(collection: Collection) -> list[str]:
    topics = import_topics(collection, FOLDER / "topics.jsonl")
    import_runs(collection, sorted((FOLDER / "runs").glob("*.run.gz")))
    build_pool(collection, DEPTH)
    found = (pooling.Document(doc_id, title, text, {}, 0) for doc_id, title, text in documents())
    read = import_documents(collection, found)
    lacking = missing_documents(collection)
    leave_out(collection, lacking)
    for path in sorted((FOLDER / "judgements").glob("*.qrels")):
        import_judgements(collection, _without(path, lacking), assessor=path.stem)
    assign(collection, judges=1)
    pooled = pooled_tasks(collection).count()
    told = [f"Pooled {pooled} documents for {topics.read} topics out of {read.read:,} help texts of this Python."]
    return told + ([f"This Python lacks {', '.join(lacking)}; left out."] if lacking else [])


def _without(path: Path, doc_ids: list[str]) -> bytes:
    """A qrels file's lines but those of documents that this Python does not have."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if line.split()[2] not in doc_ids).encode()


def logins() -> dict[str, str]:
    """Names and passwords of the demo's people: random, made at the first start and kept beside the database."""
    kept = _kept_logins()
    if kept.exists():
        return json.loads(kept.read_text(encoding="utf-8"))
    made = {name: secrets.token_urlsafe(9) for name in LOGINS}
    for name, password in made.items():
        user = User.objects.get(username=name)
        user.set_password(password)
        user.save()
    kept.touch(mode=0o600)
    kept.write_text(json.dumps(made), encoding="utf-8")
    return made


def _kept_logins() -> Path:
    return settings.DATA_DIR / "demo_logins.json"

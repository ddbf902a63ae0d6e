"""Creates the demo collection with the same functions as any other collection."""

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
from assess.pools.building.build import build_pool
from assess.pools.pooled_documents import missing_documents, remove_from_pool
from assess.pools.tasks import pooled_tasks
from assess.transfer.documents import import_documents
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements
from assess.transfer.runs import import_runs
from assess.transfer.topics import import_topics

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
# As the page on model judges compares a model with people. README.md says who judged.
ROLES = JudgementOptions(judge_kind="human", description="the role of a person, played by a language model")
WORDS = JudgementOptions(
    judge_kind="model",
    description="words in common, made by make_words.py; no language model",
    model="BM25 of topic and document (offline judge)",
    parameters="seed 1, 5 folds, isotonic regression on the majority of other topics",
)


def load() -> list[str]:
    """Create the demo collection if it does not exist. Returns messages for the user."""
    if Collection.objects.filter(slug=SLUG).exists():
        return []
    if taken := User.objects.filter(username__in=LOGINS).values_list("username", flat=True).first():
        raise Refused(f"The user {taken!r} already exists. Give the demo its own database by setting ASSAY_DATA.")
    with transaction.atomic():
        collection = create_collection(
            SLUG,
            "Python help texts",
            GRADES,
            description="Python's own help texts, retrieved by five systems, judged by three judges and a model.",
            assessor_description="Which of Python's own help texts answer a programmer's question?",
            guidelines=(FOLDER / "guidelines.md").read_text(encoding="utf-8"),
        )
        passwords = {name: add_member(collection, name, role)[1] or "" for name, role in LOGINS.items()}
        _logins_file().unlink(missing_ok=True)  # may remain from an earlier demo with other users
        messages = _import_content(collection)
    _save_logins(passwords)  # if this fails, `logins` gives the users new passwords
    return messages


def _import_content(collection: Collection) -> list[str]:
    topics = import_topics(collection, FOLDER / "topics.jsonl")
    import_runs(collection, sorted((FOLDER / "runs").glob("*.run.gz")))
    build_pool(collection, depth=DEPTH)
    help_texts = (pooling.Document(doc_id, title, text, {}, 0) for doc_id, title, text in documents())
    imported = import_documents(collection, help_texts)
    missing = missing_documents(collection)
    remove_from_pool(collection, missing)
    for path in sorted((FOLDER / "judgements").glob("*.qrels")):
        import_judgements(collection, _lines_without(path, missing, " "), assessor=path.stem, options=ROLES)
    import_judgements(collection, _lines_without(FOLDER / "judgements" / "words.csv", missing), options=WORDS)
    assign(collection, judges=1)
    pooled = pooled_tasks(collection).count()
    messages = [f"Pooled {pooled} documents for {topics.read} topics, out of {imported.read:,} Python help texts."]
    if missing:
        messages.append(f"This Python version has no {', '.join(missing)}; these documents were left out.")
    return messages


def _lines_without(path: Path, doc_ids: list[str], separator: str = ",") -> bytes:
    """Return the lines of a file of judgements, without those of the given documents."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    column = 2 if separator == " " else 1
    return "".join(line for line in lines if line.split(separator)[column] not in doc_ids).encode()


def logins() -> dict[str, str]:
    """Return the names and passwords of the demo users. Passwords are random, and saved next to the database."""
    file = _logins_file()
    if file.exists():
        saved: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
        return saved
    passwords = {name: secrets.token_urlsafe(9) for name in LOGINS}
    for name, password in passwords.items():
        user = User.objects.get(username=name)
        user.set_password(password)
        user.save()
    _save_logins(passwords)
    return passwords


def _save_logins(passwords: dict[str, str]) -> None:
    file = _logins_file()
    file.touch(mode=0o600)
    file.write_text(json.dumps(passwords), encoding="utf-8")


def _logins_file() -> Path:
    return Path(settings.DATA_DIR) / "demo_logins.json"

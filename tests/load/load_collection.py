"""The collection of the load tests: `python -m tests.load.load_collection make ...` creates it, `look` reads it.

It prints JSON. It creates the assessors' sessions directly, because password hashes are slow by design.
"""

import argparse
import json

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.db.models import Count  # noqa: E402

from assess.calibration.known_grades import KnownGradeRow, add_known_grades  # noqa: E402
from assess.calibration.overview import change_calibration  # noqa: E402
from assess.collections.create import create_collection  # noqa: E402
from assess.documents.contents import new_content  # noqa: E402
from assess.judging.ledger import ledger_problems  # noqa: E402
from assess.models import (  # noqa: E402
    Assignment,
    Collection,
    Document,
    DocumentContent,
    JudgementEvent,
    KnownGrade,
    Member,
    Provenance,
    Role,
    Scope,
    Task,
    Topic,
    User,
)
from assess.people.sessions import SessionStore  # noqa: E402
from assess.people.tokens import create_token  # noqa: E402
from assess.pools.claims import open_to_claims  # noqa: E402

SLUG = "load"
GRADES = ("0=Not relevant", "1=Somewhat relevant", "2=Relevant", "3=Highly relevant")
KNOWN_IN_EACH_TOPIC = 2  # practice documents, and as many hidden checks
TEXT = "This document is judged by the first assessor who claims it, and then by others. " * 20


def make(tasks: int, topics: int, assessors: int, k: int, calibration: bool) -> dict:
    """Create a collection that is open to claims; return its assessors with their cookies and tokens."""
    collection = create_collection(SLUG, "Load", GRADES, guidelines="Read it all.")
    own_topics = Topic.objects.bulk_create(
        Topic(collection=collection, query_id=str(number), title=f"what number {number} needs")
        for number in range(topics)
    )
    contents = DocumentContent.objects.bulk_create(
        new_content(TEXT, title=f"Document {number}") for number in range(tasks)
    )
    documents = Document.objects.bulk_create(
        Document(collection=collection, doc_id=f"d{number}", content=content) for number, content in enumerate(contents)
    )
    pooled = Task.objects.bulk_create(
        Task(topic=own_topics[number % topics], document=document, draw=number * 7919 % 10_007)
        for number, document in enumerate(documents)
    )
    Provenance.objects.bulk_create(Provenance(task=task, systems=["alpha"], best_rank=1) for task in pooled)
    if calibration:
        _calibrate(collection, own_topics)
    open_to_claims(collection, k)
    return {
        "slug": SLUG,
        "session_cookie": settings.SESSION_COOKIE_NAME,
        "topics": [topic.pk for topic in own_topics],
        "assessors": [_assessor(collection, f"assessor-{number}") for number in range(1, assessors + 1)],
    }


def _calibrate(collection: Collection, topics: list[Topic]) -> None:
    """Add practice documents and hidden checks to every topic."""
    for use in KnownGrade.Use.values:
        for topic in topics:
            for number in range(KNOWN_IN_EACH_TOPIC):
                document = Document.objects.create(collection=collection, doc_id=f"{use}-{topic.query_id}-{number}")
                content = new_content(TEXT, title=document.doc_id)
                content.save()
                Document.objects.filter(pk=document.pk).update(content=content)
    for use in KnownGrade.Use.values:
        rows = [
            KnownGradeRow(topic.query_id, f"{use}-{topic.query_id}-{number}", str(number), "This is why.")
            for topic in topics
            for number in range(KNOWN_IN_EACH_TOPIC)
        ]
        add_known_grades(collection, rows, use)
    change_calibration(collection, practice="notify", practice_threshold=1.0, hidden_checks=True)


def _assessor(collection: Collection, name: str) -> dict:
    user = User(username=name)
    user.set_unusable_password()
    user.save()
    member = Member.objects.create(collection=collection, user=user, role=Role.ASSESSOR, name=name)
    token = create_token(user, SLUG, Scope.JUDGE)[1]
    return {"member": member.pk, "session": session_of(user), "token": token}


def session_of(user: User) -> str:
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "assess.people.backend.AccountBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return session.session_key


def look() -> dict:
    """Return the ledger of the pages in the order of its judgements, and the assignments of the tasks."""
    addresses = {
        (task, member, repeat): str(public_id)
        for task, member, repeat, public_id in Assignment.objects.values_list("task", "member", "repeat", "public_id")
    }
    of_pages = JudgementEvent.objects.filter(source=JudgementEvent.Source.PAGE)
    events = of_pages.select_related("judgement").order_by("judgement", "version")
    return {
        "tasks": list(Task.objects.filter(provenance__isnull=False).order_by("pk").values("pk", "wanted", "taken")),
        "known": dict(KnownGrade.objects.values_list("use").annotate(Count("pk")).order_by()),
        "assignments": list(Assignment.objects.values("task", "member", "repeat", "state", "holds_place")),
        "events": [_line(event, addresses) for event in events],
        "differences": list(ledger_problems()),
    }


def _line(event: JudgementEvent, addresses: dict) -> dict:
    judgement = event.judgement
    names = ("version", "state", "relevance", "before_state", "before_relevance")
    return {name: getattr(event, name) for name in names} | {
        "task": addresses[judgement.task_id, judgement.member_id, judgement.repeat],
        "client_id": str(event.client_id),
        "member": event.member_id,
        "now": [judgement.version, judgement.state, judgement.relevance],
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    actions = parser.add_subparsers(dest="action", required=True)
    make_parser = actions.add_parser("make")
    for name in ("tasks", "topics", "assessors", "k"):
        make_parser.add_argument(f"--{name}", type=int, required=True)
    make_parser.add_argument("--calibration", action="store_true", help="also practice documents and hidden checks")
    actions.add_parser("look")
    options = vars(parser.parse_args())
    print(json.dumps(make(**options) if options.pop("action") == "make" else look()))

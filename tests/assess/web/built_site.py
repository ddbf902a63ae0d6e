"""A collection with one member of each role, and something for every address."""

import uuid
import zlib
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from assess.collections.members import add_member
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.judging.worklist import topics_with_progress
from assess.models import ROLES_OF_PEOPLE, Assignment, JudgementKind, KnownGrade, Member, Role, Task, User
from assess.pools.assign import assign
from assess.search.find import search
from assess.search.index import index_documents
from assess.search.permission import permit_search
from assess.teaching import clock
from tests.assess.classroom import add_instructor, create_exercise, join_exercise
from tests.assess.releases.stored import small_release
from tests.factories import SMALL_RUNS, small_collection

SHEET = "dcg"


@dataclass
class Site:
    """One member of each role, with documents assigned to the assessor, a user without a role, an ended exercise with
    open worksheets (its instructor, a student, and values for URL parameters), and values for all other addresses."""

    people: dict[Role, Member]
    outsider: User
    exercise: tuple[User, User, dict[str, Any]]
    values: dict[str, Any]


def build_site() -> Site:
    collection = small_collection(SMALL_RUNS)
    people = {role: add_member(collection, role.value, role)[0] for role in ROLES_OF_PEOPLE}
    outsider = User.objects.create_user("outsider")
    assign(collection, judges=1)
    exercise = build_exercise(collection)
    return Site(people, outsider, exercise, values_of(collection, people) | exercise[-1])


def build_exercise(collection) -> tuple[User, User, dict[str, Any]]:
    prof = add_instructor(collection)
    exercise = create_exercise(collection, prof, worksheets=[SHEET])
    _, seat = join_exercise(exercise, "Ada")
    clock.start(exercise)
    clock.end(exercise)
    clock.open_worksheets(exercise, True)
    values = {"code": exercise.code, "kind": "csv", "action": "close-worksheets", "key": SHEET, "seat_id": seat.pk}
    task = Task.objects.filter(topic__collection=exercise.collection).earliest("pk")
    return prof.user, seat.member.user, values | {"task_id": task.pk}


def values_of(collection, people) -> dict[str, Any]:
    """Existing objects for the parameters of addresses."""
    topic, _ = topics_with_progress(people[Role.ASSESSOR])[0]
    collection.adjudications.create(number=1, selection="all")
    collection.norming_rounds.create(number=1, phase="ended")
    practice = judged_practice(people[Role.ASSESSOR], topic)
    imported = collection.members.create(name="imported", role=Role.ASSESSOR)
    return {
        "slug": collection.slug,
        "practice": practice.public_id,
        "known": practice.task.known_grade.pk,
        "topic_id": topic.pk,
        "task": uuid.UUID(worklist.upcoming(people[Role.ASSESSOR], topic)[0].task),
        "file_type": "csv",
        "task_pk": topic.tasks.earliest("pk").pk,
        "a": people[Role.ASSESSOR].pk,
        "b": imported.pk,
        "judge_id": imported.pk,
        "job_id": collection.jobs.create(kind="build_pool").public_id,
        **owned_by(people[Role.OWNER]),
        "record_id": collection.imports.create(kind="judgements").pk,
        "member_id": collection.members.create(name="zoe", role=Role.ASSESSOR, user=User.objects.create_user("zoe")).pk,
        "user_id": User.objects.create_user("yan", is_active=False).pk,
        "invitation_id": collection.invitations.create(role=Role.ASSESSOR, expires_at=timezone.now()).pk,
        "file_id": collection.imported_files.create(name="a.txt", size=0, content=zlib.compress(b"")).pk,
        **asked(collection),
        **searched(people[Role.ASSESSOR], topic),
        "release_id": small_release(collection).pk,
        "file": "qrels.txt",
        "number": judged_pilot(people[Role.ASSESSOR], topic).number,
    }


def judged_practice(assessor, topic):
    """A practice document that the assessor has judged."""
    task = topic.tasks.latest("pk")
    KnownGrade.objects.create(task=task, use="practice", relevance=1, explanation="It says so.")
    practice = Assignment.objects.create(
        task=task, topic=topic, member=assessor, repeat=JudgementKind.PRACTICE, position=0
    )
    record_judgement(assessor, practice.public_id, JudgementInput("judged", 1), uuid.uuid4())
    return practice


def asked(collection) -> dict[str, Any]:
    """A search engine that was asked for a run, and a model that was asked for grades."""
    settings = {"kind": "solr", "address": "https://search.example.org/solr/a", "scores": "engine"}
    engine = collection.engines.create(name="bm25", settings=settings)
    run = collection.engine_runs.create(engine=engine, system="bm25", depth=10, settings=settings)
    prompt = collection.prompts.create(name="own", user="{title} {document}", form="json", hash="0")
    endpoint = {"address": "https://models.example.org/v1", "model": "m"}
    model = collection.model_judges.create(name="asked", kind="chat", settings=endpoint, prompt=prompt)
    return {"engine_id": engine.pk, "run_id": run.public_id, "model_id": model.pk}


def searched(assessor, topic) -> dict[str, Any]:
    """A search of the assessor, which found documents."""
    permit_search(assessor.collection, [assessor.name])
    index_documents(assessor.collection)
    return {"search_id": search(assessor, topic, "te* OR alert").public_id, "rank": 1}


def judged_pilot(assessor, topic):
    """A pilot that nobody can undo, because one of its documents is judged."""
    *_, last = worklist.upcoming(assessor, topic)
    record_judgement(assessor, uuid.UUID(last.task), JudgementInput("judged", 1), uuid.uuid4())
    pilot = assessor.collection.pilots.create(number=1)
    pilot.tasks.add(assessor.assignments.get(public_id=last.task).task)
    return pilot


def owned_by(owner) -> dict:
    """Values for the pages of one user: an upload and a check."""
    collection, user = owner.collection, owner.user
    upload = collection.uploads.create(user=user, name="a.run", size=3)
    result = {"sentences": [], "problems": [["a.run", 1, "a.run, line 1: =x"]], "problem_count": 1}
    check = collection.jobs.create(
        kind="check_files", user=user, state="done", ended_at=timezone.now(), result=result, input={"uploads": []}
    )
    return {"upload_id": upload.public_id, "check_id": check.public_id}

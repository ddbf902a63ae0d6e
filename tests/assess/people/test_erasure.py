"""Erasure removes a person from every table. The data of others stay, and the ledger matches what is left."""

import threading
import uuid

import pytest
from django.apps import apps
from django.conf import settings
from django.db import IntegrityError, connection
from django.test import Client

from assess.errors import Refused
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.ledger import ledger_problems
from assess.judging.record import record_judgement
from assess.models import (
    AdaptiveOrder,
    Assignment,
    AttemptCount,
    Collection,
    ErasurePermit,
    Exercise,
    Judgement,
    JudgementEvent,
    Member,
    Role,
    Run,
    Seat,
    Session,
    Task,
    Tombstone,
    TopicFeedback,
    User,
    WorksheetAnswer,
)
from assess.people import erasure
from assess.people.sign_in import throttle
from assess.people.sign_in.throttle import Attempt, Visitor
from assess.pools.adaptive_order import begin_adaptive_order, next_documents
from assess.pools.assign import assign
from assess.pools.claims import open_to_claims
from assess.teaching import clock, exercises
from assess.teaching.exercises import ExerciseSpec
from assess.teaching.seats import seat_for
from tests.assess.exercise_factories import (
    assignments_of,
    join_all,
    judge_all,
    judged_collection,
    make_instructor,
    pasted_exercise,
    record_grade,
)

NICKNAMES = ("Annabella", "Bartholomew")
COMMENT = "a private comment"
BACKEND = "assess.people.backend.AccountBackend"

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def everything() -> str:
    """Return every cell of every table, and the decoded sessions."""
    rows = [str(list(model.objects.values_list())) for model in apps.get_models(include_auto_created=True)]
    return "\n".join([*rows, *(str(session.get_decoded()) for session in Session.objects.all())])


def tables_of_the_database() -> dict[str, int]:
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        counts = {}
        for name in names:
            cursor.execute(f'SELECT COUNT(*) FROM "{name}"')
            counts[name] = cursor.fetchone()[0]
    return counts


def sign_in(user: User, nickname: str) -> None:
    """Create a session, and the throttle's count of a wrong password."""
    client = Client(headers={"user-agent": f"browser of {nickname}"}, REMOTE_ADDR="10.1.2.3")
    client.force_login(user, backend=BACKEND)
    session = client.session
    session["nickname"] = nickname
    session.save()
    throttle.begin(Attempt(user, user.username, Visitor("10.1.2.3", "10.1.2.3", {})))


@pytest.fixture
def exercise(db):
    return pasted_exercise(make_instructor(), shared=6)


@pytest.fixture
def judged_exercise(exercise):
    """Two students who judged, changed a judgement, commented, answered and signed in."""
    clock.start(exercise)
    for seat in join_all(exercise, *NICKNAMES):
        judge_all(seat)
        first = assignments_of(seat)[0]
        record_grade(seat, first, 0, comment=f"{COMMENT}, by {seat.nickname}")
        TopicFeedback.objects.create(member=seat.member, topic=first.topic, difficulty=3, comment=COMMENT)
        WorksheetAnswer.objects.create(seat=seat, worksheet="kappa", field="pa", text=f"{COMMENT} 0,9")
        sign_in(seat.member.user, seat.nickname)
    return exercise


def member_named(nickname: str) -> Member:
    return Member.objects.get(name=nickname)


# ---- one person


def test_erased_member_is_in_no_table(judged_exercise):
    ann = member_named("Annabella")
    username, code = ann.user.username, ann.seat.reentry_code
    before = everything()
    assert all(word in before for word in ("Annabella", COMMENT, username, code))
    tombstone = erasure.erase([ann], "asked for")
    after = everything()
    assert not [word for word in ("Annabella", "annabella", username, code) if word in after]
    assert f"{COMMENT}, by Bartholomew" in after
    assert (tombstone.collection_slug, tombstone.members, tombstone.judgements, tombstone.events, tombstone.reason) == (
        judged_exercise.collection.slug,
        1,
        6,
        7,
        "asked for",
    )
    assert str(tombstone).startswith(f"1 of {judged_exercise.collection.slug}, ")


def test_data_of_others_stay(judged_exercise):
    bob = member_named("Bartholomew")

    def data_of_bob() -> list:
        models = (Judgement, JudgementEvent, Assignment, TopicFeedback)
        rows = [list(model.objects.filter(member=bob).order_by("pk").values()) for model in models]
        return [*rows, list(bob.seat.answers.values()), list(User.objects.filter(pk=bob.user_id).values())]

    before = data_of_bob()
    assert all(before)
    erasure.erase([member_named("Annabella")], "asked for")
    assert data_of_bob() == before
    assert AttemptCount.objects.get().user == bob.user
    assert [session.get_decoded()["nickname"] for session in Session.objects.all()] == ["Bartholomew"]
    assert list(ledger_problems()) == []
    assert not ErasurePermit.objects.exists()


def test_ledger_is_append_only_again_after_erasure(judged_exercise):
    erasure.erase([member_named("Annabella")], "asked for")
    with pytest.raises(IntegrityError, match="append-only ledger"):
        JudgementEvent.objects.all().delete()


def test_nickname_can_be_used_again(judged_exercise):
    erasure.erase([member_named("Annabella")], "asked for")
    (again,) = join_all(judged_exercise, "Annabella")
    assert not Judgement.objects.filter(member=again.member).exists()


def test_member_with_an_account_keeps_it(judged_exercise, join):
    """The member has an account, and is a member of another collection too."""
    member = join(judged_exercise.collection, "dora")
    other = join(pasted_exercise(make_instructor()).collection, "dora", Role.RESEARCHER)
    erasure.erase([member], "asked for")
    assert list(Member.objects.filter(user=member.user)) == [other]


def test_imported_judge_can_be_erased():
    source = judged_collection()
    tombstone = erasure.erase([source.members.get(name="ada")], "asked for")
    assert (tombstone.members, tombstone.judgements, tombstone.events) == (1, 24, 24)
    assert sorted(source.members.values_list("name", flat=True)) == ["bob", "cyd"]
    assert Judgement.objects.count() == 48
    assert list(ledger_problems()) == []


def test_members_of_several_collections_and_invalid_reasons_are_refused(judged_exercise):
    elsewhere = pasted_exercise(make_instructor()).collection
    both = [member_named("Annabella"), elsewhere.members.get()]
    for members, reason, collection, words in (
        (both, "asked for", None, "must belong to one collection, not 2"),
        ([], "asked for", None, "must belong to one collection, not 0"),
        ([both[0]], "asked for", elsewhere, "must belong to one collection, not 2"),
        ([both[0]], "", None, "The reason must have 1 to 40 characters, not 0"),
        ([both[0]], "x" * 41, None, "The reason must have 1 to 40 characters, not 41"),
    ):
        with pytest.raises(Refused, match=words):
            erasure.erase(members, reason, collection)
    assert not Tombstone.objects.exists()


def test_failed_erasure_changes_nothing(judged_exercise, monkeypatch):
    before = everything()
    monkeypatch.setattr(erasure, "_erase_users", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        erasure.erase([member_named("Annabella")], "asked for")
    assert everything() == before


@pytest.mark.slow
def test_number_of_queries_for_a_whole_class(exercise, django_assert_max_num_queries):
    clock.start(exercise)
    for seat in join_all(exercise, *"abcdefghij"):
        judge_all(seat)
    # One for each table that refers to a member, an event or a user, with or without rows. Ten are of model judges,
    # suggestions and changed texts.
    with django_assert_max_num_queries(97):
        erasure.erase(exercise.collection.members.filter(role=Role.ASSESSOR), "asked for")
    assert not Seat.objects.exists()


# ---- slots and adaptive orders


def test_erasure_releases_claims(collection, join):
    ann, bob = join(collection, "ann"), join(collection, "bob")
    open_to_claims(collection, 1)
    collection.refresh_from_db()
    for member in (ann, bob):
        member.collection.refresh_from_db()
    topic = collection.topics.get(query_id="1")
    card, *_ = worklist.upcoming(ann, topic)
    record_judgement(ann, uuid.UUID(card.task), JudgementInput("judged", 1), uuid.uuid4(), actor=ann.user)
    assert worklist.upcoming(bob, topic) == []
    taken = Task.objects.filter(taken=1).count()
    erasure.erase([ann], "asked for")
    assert Task.objects.filter(taken=1).count() == 0 < taken
    assert list(ledger_problems()) == []
    assert card.doc_id in [each.doc_id for each in worklist.upcoming(bob, topic)]


def test_erasure_resets_the_adaptive_order(collection, join):
    ann = join(collection, "ann")
    assign(collection)
    begin_adaptive_order(collection, "move_to_front")
    ann.collection.refresh_from_db()
    topic = collection.topics.get(query_id="1")

    def order() -> list[str]:
        pooled = [task.document.doc_id for task in topic.tasks.select_related("document").order_by("document__doc_id")]
        return next_documents(topic, pooled, 10)

    at_first = order()
    for doc_id in at_first[:2]:
        address = Assignment.objects.get(member=ann, topic=topic, task__document__doc_id=doc_id).public_id
        record_judgement(ann, address, JudgementInput("judged", 0), uuid.uuid4(), actor=ann.user)
    assert order() != at_first
    erasure.erase([ann], "asked for")
    assert order() == at_first
    assert AdaptiveOrder.objects.get(topic=topic).caught_up == 0


# ---- a whole exercise


def test_erased_exercise_leaves_only_a_tombstone(judged_exercise):
    """Only the tombstone and the instructor remain."""
    title, code, slug = judged_exercise.title, judged_exercise.code, judged_exercise.collection.slug
    tombstone = exercises.erase(judged_exercise)
    left = everything()
    for word in (*NICKNAMES, "annabella", COMMENT, title, code, "Tea is a drink", "seat-"):
        assert word not in left
    assert (tombstone.members, tombstone.judgements, tombstone.events) == (2, 12, 14)
    assert tombstone.collection_slug == slug
    filled = {name for name, rows in tables_of_the_database().items() if rows}
    bookkeeping = {"django_migrations", "django_content_type", "auth_permission", "sqlite_sequence"}
    assert filled - bookkeeping == {"assess_user", "assess_tombstone", "assess_auditevent"}
    assert list(User.objects.values_list("username", flat=True)) == ["iris"]


@pytest.mark.slow
def test_source_and_other_exercises_stay():
    source = judged_collection()
    iris = make_instructor(source)
    spec = ExerciseSpec("Class", "source", shared=8, more_each=2)
    one, other = exercises.make(iris, spec), exercises.make(iris, spec)
    for exercise in (one, other):
        clock.start(exercise)
        judge_all(join_all(exercise, "ann")[0])
    models = (Judgement, JudgementEvent)

    def rest() -> list:
        rows = [model.objects.exclude(member__collection=one.collection_id) for model in models]
        rows += [model.objects.exclude(collection=one.collection_id) for model in (Run, Member)]
        return [list(each.order_by("pk").values()) for each in rows]

    before = rest()
    exercises.erase(one)
    assert rest() == before
    assert set(Collection.objects.all()) == {source, other.collection}
    files = [path.stem for path in settings.RUNS_DIR.iterdir()]
    assert set(files) == set(source.runs.values_list("file_checksum", flat=True))
    assert list(ledger_problems()) == []


def test_exercise_that_nobody_joined(exercise):
    tombstone = exercises.erase(exercise)
    assert (tombstone.members, tombstone.judgements) == (0, 0)
    assert not Exercise.objects.exists()


def test_exercise_is_erased_only_once(exercise):
    second = Exercise.objects.get()
    exercises.erase(exercise)
    with pytest.raises(Refused, match="already erased"):
        exercises.erase(second)
    with pytest.raises(Refused, match="This exercise no longer exists"):
        clock.start(second)
    assert Tombstone.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_students_judge_while_the_exercise_is_erased():
    """Each simultaneous judgement is either recorded and erased, or refused. None remains."""
    exercise = pasted_exercise(make_instructor(), shared=6)
    clock.start(exercise)
    people = join_all(exercise, *"abcdef")
    work = {seat.pk: assignments_of(seat) for seat in people}
    unexpected = []

    def student(seat: Seat) -> None:
        try:
            for assignment in work[seat.pk]:
                record_grade(seat, assignment, 1)
        except (Refused, Assignment.DoesNotExist, Seat.DoesNotExist):
            pass
        except BaseException as error:
            unexpected.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=student, args=(seat,)) for seat in people]
    for thread in threads:
        thread.start()
    exercises.erase(exercise)
    for thread in threads:
        thread.join()
    assert unexpected == []
    assert not Judgement.objects.exists()
    assert not Seat.objects.exists()
    assert seat_for(User.objects.get()) is None

"""An erased person leaves no name, account or session behind. The owner decides whether the grades stay."""

import threading
import uuid

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core.cache import cache
from django.db import connection
from django.test import Client

from assess.analysis.reference import set_reference
from assess.errors import Refused
from assess.judging.judgement_input import JudgementInput
from assess.judging.ledger import ledger_problems
from assess.judging.record import record_judgement
from assess.models import (
    Assignment,
    AuditEvent,
    ImportedFile,
    Judgement,
    JudgementEvent,
    JudgementImport,
    Member,
    ResetLink,
    Role,
    Session,
    Task,
    Tombstone,
    TopicFeedback,
    User,
)
from assess.people import person_erasure
from assess.people.accounts import find_user
from assess.people.audit import audit_page
from assess.people.person_erasure import Grades, erase_person, plan_erasure
from assess.people.sign_in import throttle
from assess.people.sign_in.reset_links import create_reset_link
from assess.people.sign_in.throttle import Attempt, Visitor
from assess.pools.assign import assign
from tests.assess.claiming import fresh, judge, open_pool, upcoming
from tests.assess.command_output import everything
from tests.assess.exercise_factories import join_all, make_instructor, pasted_exercise
from tests.assess.judging.filled import fill

PASSWORD = "right and long"
NAME, PSEUDONYM, EMAIL = "zelda", "zelda-the-judge", "zelda@example.org"

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def browser_of_zelda() -> Client:
    client = Client()
    client.post("/account/sign-in/", {"username": NAME, "password": "wrong"})
    client.post("/account/sign-in/", {"username": NAME, "password": PASSWORD})
    return client


@pytest.fixture
def zelda(collection, join):
    """A person with an account, judgements, feedback and settings, next to another assessor."""
    user = User.objects.create_user(NAME, email=EMAIL, password=PASSWORD, first_name="Zelda", last_name="Ziegler")
    user.text_size, user.keymap = 150, {"undo": "z"}
    user.save()
    member = Member.objects.create(collection=collection, user=user, role=Role.ASSESSOR, name=PSEUDONYM)
    bob = join(collection, "bob")
    assign(collection, judges=2)
    for each in (member, bob):
        first, second, *_ = upcoming(each)
        judge(each, first)
        judge(each, second, "later")
    record_judgement(fresh(bob), uuid.UUID(upcoming(bob)[0]), JudgementInput("judged", 1), uuid.uuid4(), actor=bob.user)
    topic = collection.topics.first()
    TopicFeedback.objects.create(member=member, topic=topic, difficulty=4, comment="Zelda found this hard")
    throttle.begin(Attempt(user, NAME, Visitor("10.1.2.3", "10.1.2.3", {})))
    return user


def add_ways_to_sign_in(user: User) -> None:
    EmailAddress.objects.create(user=user, email=EMAIL)
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "ziegler's secret"})
    SocialAccount.objects.create(user=user, provider="openid", uid="17", extra_data={"name": "Zelda Ziegler"})
    create_reset_link(user)


def judge_as(user: User) -> None:
    """Record a judgement of zelda with her account as the actor, as the judging page does."""
    member = fresh(user.memberships.get(collection__slug="small"))
    task = uuid.UUID(upcoming(member)[0])
    record_judgement(member, task, JudgementInput("judged", 1), uuid.uuid4(), actor=user)


def grades_of(member: Member) -> list[dict]:
    columns = ("task", "state", "relevance", "repeat", "judged_at")
    return list(Judgement.objects.filter(member=member).order_by("pk").values(*columns))


# ---- grades stay


def test_grades_stay_under_a_neutral_pseudonym(zelda, collection):
    judge_as(zelda)
    member = zelda.memberships.get()
    before, events = grades_of(member), JudgementEvent.objects.count()
    browser = browser_of_zelda()
    (done,) = erase_person(zelda, Grades.KEEP)
    assert (done.grades, done.judgements) == ("keep", 3)
    kept = Member.objects.get(pk=member.pk)
    assert (kept.name, kept.user, kept.role) == ("erased-1", None, Role.ASSESSOR)
    assert grades_of(kept) == before
    assert JudgementEvent.objects.count() == events
    assert not Tombstone.objects.exists()
    assert list(ledger_problems()) == []
    assert browser.get("/").status_code == 302


def test_chosen_reference_follows_the_neutral_pseudonym(zelda, collection):
    judge_as(zelda)
    set_reference(collection, f"judge:{PSEUDONYM}")
    erase_person(zelda, Grades.KEEP)
    collection.refresh_from_db()
    assert collection.reference == "judge:erased-1"


def test_nothing_names_the_person_afterwards(zelda):
    judge_as(zelda)
    browser_of_zelda()
    add_ways_to_sign_in(zelda)
    before = everything().lower()
    assert all(word in before for word in (NAME, "ziegler", EMAIL, "found this hard"))
    erase_person(zelda, Grades.KEEP)
    after = everything().lower()
    assert [word for word in (NAME, "ziegler", EMAIL, "found this hard", "10.1.2.3") if word in after] == []
    for model in (Session, EmailAddress, Authenticator, SocialAccount, ResetLink):
        assert not model.objects.exists()


def test_account_stays_as_an_empty_row_only_if_the_ledger_refers_to_it(zelda, collection):
    judge_as(zelda)
    erase_person(zelda, Grades.KEEP)
    row = User.objects.get(pk=zelda.pk)
    assert row.erased_at is not None
    assert (row.is_active, row.email, row.first_name, row.last_login) == (False, "", "", None)
    assert (row.text_size, row.keymap, row.has_usable_password()) == (100, {}, False)
    with pytest.raises(Refused, match="There is no user"):
        find_user(row.username)


def test_account_without_events_is_deleted(db):
    user = User.objects.create_user(NAME, password=PASSWORD)
    assert erase_person(user, Grades.KEEP) == []
    assert not User.objects.exists()


def test_feedback_stays_without_its_comment(zelda):
    erase_person(zelda, Grades.KEEP)
    (feedback,) = TopicFeedback.objects.all()
    assert (feedback.difficulty, feedback.comment) == (4, "")


def test_original_files_of_the_person_are_deleted(zelda, collection):
    file = ImportedFile.objects.create(
        collection=collection, name="zelda.csv", size=1, content=b"x", judges=[PSEUDONYM], sha256="1"
    )
    member = zelda.memberships.get()
    JudgementImport.objects.create(member=member, file=file, file_name="zelda.csv", sha256="1", added=1)
    files = [{"name": "zelda.csv", "size": 1, "sha256": "1"}, {"name": "bob.csv", "size": 1, "sha256": "2"}]
    collection.imports.create(kind="judgements", files=files)
    erase_person(zelda, Grades.KEEP)
    assert not ImportedFile.objects.exists()
    assert [file["name"] for file in collection.imports.get(kind="judgements").files] == ["", "bob.csv"]
    (record,) = JudgementImport.objects.all()
    assert (record.file, record.file_name) == (None, "")


def test_open_work_is_returned_and_others_keep_everything(zelda, collection):
    bob = collection.members.get(user__username="bob")
    before = [list(model.objects.filter(member=bob).order_by("pk").values()) for model in (Judgement, Assignment)]
    member = zelda.memberships.get()
    erase_person(zelda, Grades.KEEP)
    assert set(Assignment.objects.filter(member=member).values_list("state", flat=True)) == {"judged"}
    assert before == [
        list(model.objects.filter(member=bob).order_by("pk").values()) for model in (Judgement, Assignment)
    ]


def test_pseudonyms_are_numbered(zelda, collection, join):
    bob = collection.members.get(user__username="bob")
    erase_person(zelda, Grades.KEEP)
    erase_person(bob.user, Grades.KEEP)
    assert sorted(collection.members.values_list("name", flat=True)) == ["erased-1", "erased-2"]


def test_comments_of_the_ledger_are_erased_and_its_chain_stays_valid(zelda):
    """The hashes stay, without the salt that somebody would need to try out short comments."""
    member = zelda.memberships.get()
    task = member.assignments.order_by("pk").last()
    record_judgement(member, task.public_id, JudgementInput("judged", 1, comment="Zelda says no"), uuid.uuid4())
    erase_person(zelda, Grades.KEEP)
    events = JudgementEvent.objects.filter(comment_hash__isnull=False)
    assert list(events.values_list("comment", "comment_salt")) == [("", None)] * events.count() != []
    assert not Judgement.objects.exclude(comment="").exists()
    assert Tombstone.objects.get().comments == events.count()
    assert list(ledger_problems()) == []
    assert "Zelda says no" not in everything()


# ---- grades go


def test_grades_are_deleted_with_a_tombstone(zelda, collection):
    judge_as(zelda)
    member = zelda.memberships.get()
    erase_person(zelda, Grades.DELETE)
    assert not Member.objects.filter(pk=member.pk).exists()
    assert not Judgement.objects.filter(member=member.pk).exists()
    (stone,) = Tombstone.objects.all()
    assert (stone.collection_slug, stone.judgements, stone.reason) == ("small", 3, "requested by the person")
    assert not User.objects.filter(pk=zelda.pk).exists()
    assert NAME not in everything().lower()
    assert list(ledger_problems()) == []


def test_decision_differs_between_collections(zelda):
    other = open_pool(1, slug="other")
    member = Member.objects.create(collection=other, user=zelda, role=Role.ASSESSOR, name=PSEUDONYM)
    judge(member, upcoming(member)[0])
    plan = plan_erasure(zelda, Grades.KEEP, {"other": Grades.DELETE})
    assert [(each.member.collection.slug, each.grades, each.judgements) for each in plan] == [
        ("small", "keep", 2),
        ("other", "delete", 1),
    ]
    erase_person(zelda, Grades.KEEP, {"other": Grades.DELETE})
    assert list(Member.objects.values_list("collection__slug", "name").exclude(user__isnull=False)) == [
        ("small", "erased-1")
    ]
    assert Tombstone.objects.get().collection_slug == "other"
    assert Task.objects.filter(topic__collection=other, taken=1).count() == 0
    assert list(ledger_problems()) == []


# ---- the audit log, refusals, failures


def test_audit_log_shows_a_number_and_what_was_done(zelda, collection):
    judge_as(zelda)
    browser_of_zelda()
    root = User.objects.create_superuser("root")
    entries = AuditEvent.objects.count()
    erase_person(zelda, Grades.KEEP, actor=root)
    assert AuditEvent.objects.count() == entries + 2
    for_owner, for_site = AuditEvent.objects.order_by("pk").values("action", "collection_slug", "details")[entries:]
    assert for_owner == {
        "action": "person_erased",
        "collection_slug": "small",
        "details": {"grades": "keep", "judgements": 3},
    }
    assert for_site == {"action": "person_erased", "collection_slug": "", "details": {"collections": 1}}
    rows = audit_page(AuditEvent.objects.all()).rows
    assert {row.person for row in rows if row.event.person_id == zelda.pk} == {f"erased person {zelda.pk}"}
    assert f"erased person {zelda.pk}" in {row.actor for row in rows}  # the sign-in


def test_person_whom_others_need_is_refused(zelda, collection):
    before = everything()
    iris = make_instructor()
    exercise = pasted_exercise(iris)
    (seat,) = join_all(exercise, "Ann")
    owner = User.objects.create_user("olga")
    Member.objects.create(collection=collection, user=owner, role=Role.OWNER, name="olga")
    for user, words in (
        (owner, "olga is the last owner of small who can sign in"),
        (iris, f"iris is the instructor of the exercises {exercise.code}. Erase these exercises first"),
        (seat.member.user, "is a student's seat. The instructor of the exercise removes it"),
    ):
        before = everything()
        with pytest.raises(Refused, match=words):
            erase_person(user, Grades.KEEP)
        assert everything() == before


def test_unknown_collection_is_refused(zelda):
    with pytest.raises(Refused, match="zelda is not a member of other"):
        plan_erasure(zelda, Grades.KEEP, {"other": Grades.DELETE})


def test_person_is_erased_only_once(zelda):
    judge_as(zelda)
    second = User.objects.get(pk=zelda.pk)
    erase_person(zelda, Grades.KEEP)
    with pytest.raises(Refused, match="already been erased"):
        erase_person(second, Grades.KEEP)


def test_failed_erasure_changes_nothing(zelda, monkeypatch):
    before = everything()
    monkeypatch.setattr(person_erasure, "_erase_account", lambda _: 1 / 0)
    for grades in Grades:
        with pytest.raises(ZeroDivisionError):
            erase_person(zelda, grades)
    assert everything() == before


def test_cached_figures_are_cleared(zelda, django_capture_on_commit_callbacks):
    cache.set("figure", "of zelda")
    with django_capture_on_commit_callbacks(execute=True):
        erase_person(zelda, Grades.KEEP)
    assert cache.get("figure") is None


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("grades", list(Grades))
def test_person_judges_while_being_erased(grades):
    """Each judgement is either recorded before the erasure, or refused."""
    collections = [open_pool(2, sizes=(20,), slug=slug) for slug in ("one", "two")]
    zelda = User.objects.create_user(NAME)
    members = [
        Member.objects.create(collection=each, user=zelda, role=Role.ASSESSOR, name=PSEUDONYM) for each in collections
    ]
    acknowledged, unexpected, started = [], [], threading.Barrier(len(members) + 1)
    work = {member.pk: upcoming(member, limit=12) for member in members}

    def judge_until_refused(member: Member) -> None:
        as_read = fresh(member)
        try:
            started.wait()
            for task in work[member.pk]:
                event = record_judgement(as_read, uuid.UUID(task), JudgementInput("judged", 1), uuid.uuid4(), zelda)
                acknowledged.append(event.pk)
        except (Assignment.DoesNotExist, Refused):
            pass
        except BaseException as error:
            unexpected.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=judge_until_refused, args=(member,)) for member in members]
    for thread in threads:
        thread.start()
    started.wait()
    erase_person(zelda, grades)
    for thread in threads:
        thread.join()
    assert unexpected == []
    stored = sorted(JudgementEvent.objects.values_list("pk", flat=True))
    assert stored == ([] if grades == Grades.DELETE else sorted(acknowledged))
    assert not Member.objects.filter(user__isnull=False).exists()
    assert not User.objects.filter(username=NAME).exists()
    assert list(ledger_problems()) == []


@pytest.mark.slow
@pytest.mark.parametrize("grades", list(Grades))
def test_everybody_can_be_erased_whatever_they_did(collection, join, grades):
    """Each table that refers to a person protects them, so a forgotten one would refuse the erasure."""
    fill(collection, join)
    for member in collection.members.filter(user__isnull=False).order_by("-pk"):
        erase_person(member.user, grades)
    assert not collection.members.filter(user__isnull=False).exists()
    assert list(ledger_problems()) == []

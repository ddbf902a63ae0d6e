"""The practice of new assessors, their admission, and that it is left out of all figures."""

import uuid
from threading import Thread

import pytest
from django.db import connection

from assess.calibration.known_grades import KnownGradeRow, add_known_grades
from assess.calibration.overview import below_threshold, change_calibration, people_frame
from assess.calibration.practice import admit, kappa_of, next_document, prepare, result_of
from assess.errors import Closed, Refused
from assess.judging import worklist
from assess.judging.history import JudgementFilter
from assess.judging.history import page as own_judgements
from assess.judging.judgement_input import JudgementInput
from assess.judging.progress import progress_for
from assess.judging.record import record_judgement
from assess.models import Admission, Assignment, AuditEvent, Job, Judgement, Member, Role, User
from assess.pools.assign import assign
from assess.pools.claims import open_to_claims
from tests.assess.calibration.conftest import KNOWN, judge

pytestmark = pytest.mark.database


def begin(collection, member, practice="admit", measure="hits", threshold=0.6) -> Member:
    change_calibration(collection, practice=practice, practice_measure=measure, practice_threshold=threshold)
    return Member.objects.select_related("collection").get(pk=member.pk)


def practise(member, grades):
    prepare(member)
    for grade in grades:
        judge(member, next_document(member).public_id, grade)
    return prepare(member)


def test_practice_needs_documents(graded):
    with pytest.raises(Refused, match="no documents for practice yet"):
        change_calibration(graded, practice="admit")


def test_practice_comes_before_all_other_documents(practice, ada):
    topic = practice.topics.get(query_id="1")
    regular = worklist.upcoming(ada, topic)[0].task
    ada = begin(practice, ada)
    assert not prepare(ada)
    assert worklist.upcoming(ada, topic) == []
    with pytest.raises(Closed, match="practice documents come first"):
        judge(ada, uuid.UUID(regular), 1)
    assert practise(ada, KNOWN.values())
    assert worklist.upcoming(ada, topic)[0].task == regular
    judge(ada, uuid.UUID(regular), 1)


@pytest.mark.parametrize(
    ("grades", "is_admitted"), [([2, 0, 0], True), ([2, 1, 0], False), ([None, None, None], False)]
)
def test_share_of_hits_admits(practice, ada, grades, is_admitted):
    ada = begin(practice, ada)
    assert practise(ada, grades) == is_admitted
    result = result_of(ada)
    assert (result.documents, result.done, result.left) == (3, 3, 0)
    assert result.hits == sum(given == known for given, known in zip(grades, KNOWN.values(), strict=True))
    assert below_threshold(practice) == ([] if is_admitted else ["assessor-1"])


def test_kappa_admits(practice, ada):
    """P(A) = 2/3. Shares of both together: 0 3/6, 1 1/6, 2 2/6, so P(E) = (9 + 1 + 4) / 36 = 7/18; kappa = 5/11."""
    ada = begin(practice, ada, measure="kappa", threshold=0.45)
    assert practise(ada, [2, 0, 0])
    assert kappa_of(ada).value == pytest.approx(5 / 11)


def test_below_kappa_waits_until_a_researcher_admits(practice, ada, django_user_model):
    ada = begin(practice, ada, measure="kappa", threshold=0.46)
    assert not practise(ada, [2, 0, 0])
    rita = django_user_model.objects.create_user("rita")
    admit(practice, "assessor-1", rita)
    assert prepare(ada)
    assert people_frame(practice)["state"].tolist() == ["admitted"]
    with pytest.raises(Refused, match="may judge already"):
        admit(practice, "assessor-1", rita)


def test_notice_lets_everyone_continue(practice, ada):
    ada = begin(practice, ada, practice="notify")
    assert practise(ada, [0, 1, 0])
    assert below_threshold(practice) == ["assessor-1"]


def test_researchers_are_informed_by_email(practice, ada, join, settings):
    settings.MAIL_CONFIGURED = True
    rita = join(practice, "rita", Role.RESEARCHER)
    User.objects.filter(pk=rita.user_id).update(email="rita@example.org")
    practise(begin(practice, ada, practice="notify"), [0, 1, 0])
    prepare(ada)
    (job,) = Job.objects.filter(kind="send_mail")
    assert job.input["recipient"] == "rita@example.org"
    assert "assessor-1 gave 0 of 3 practice documents the known grade" in job.input["body"]


def test_people_who_judged_before_are_admitted(practice, ada):
    card = worklist.upcoming(ada, practice.topics.first())[0]
    judge(ada, uuid.UUID(card.task), 1)
    assert prepare(begin(practice, ada))


def test_first_judgement_counts(practice, ada):
    ada = begin(practice, ada)
    prepare(ada)
    first = next_document(ada)
    judge(ada, first.public_id, 0)
    for state in ("undone", "judged", "later"):
        again = JudgementInput(state, 2 if state == "judged" else None)
        with pytest.raises(Refused, match="has been shown"):
            record_judgement(ada, first.public_id, again, uuid.uuid4(), actor=ada.user)
    assert result_of(ada).hits == 0


def test_practice_enters_no_figure_and_no_list(practice, ada, join):
    from assess.analysis.data import collection_judgements

    before = progress_for(ada), collection_judgements(practice)
    practise(begin(practice, ada), KNOWN.values())
    assert Judgement.objects.filter(member=ada, repeat=5).count() == 3
    assert progress_for(ada) == before[0]
    assert collection_judgements(practice).equals(before[1])
    assert own_judgements(ada, JudgementFilter()).rows == []


def test_pooled_practice_documents_are_not_given_to_those_who_practised(graded, ada, join):

    bob = join(graded, "bob")
    add_known_grades(graded, [KnownGradeRow("1", "a", "1", "Why.")], "practice")
    bob = begin(graded, bob)
    practise(bob, [1])
    assign(graded, judges=2)
    kinds = Assignment.objects.filter(member=bob, task__document__doc_id="a", topic__query_id="1")
    assert list(kinds.values_list("repeat", flat=True)) == [5]
    open_to_claims(graded, 3)
    assert not any(card.doc_id == "a" for card in worklist.upcoming(bob, graded.topics.get(query_id="1"), limit=50))


@pytest.mark.django_db(transaction=True)
def test_two_pages_at_once_assign_and_admit_once(practice, ada):
    ada = begin(practice, ada)

    def open_page():
        prepare(Member.objects.select_related("collection").get(pk=ada.pk))
        connection.close()

    for grades in ([], KNOWN.values()):
        for grade in grades:
            judge(ada, next_document(ada).public_id, grade)
        threads = [Thread(target=open_page) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert Assignment.objects.filter(member=ada, repeat=5).count() == 3
    assert Admission.objects.filter(member=ada).count() == 1


def test_researchers_are_informed_once_of_each_result_with_which_somebody_waits(practice, ada, join, settings):
    join(practice, "rita", Role.RESEARCHER)
    ada = begin(practice, ada)
    practise(ada, [0, 1, 0])
    assert not Job.objects.filter(kind="send_mail").exists()
    settings.MAIL_CONFIGURED = True
    prepare(ada)  # nobody has an address
    User.objects.filter(username="rita").update(email="rita@example.org")
    for _ in range(3):
        prepare(ada)
    (job,) = Job.objects.filter(kind="send_mail")
    assert job.input["recipient"] == "rita@example.org"
    assert "threshold of Small, and waits for your admission." in job.input["body"]
    add_known_grades(practice, [KnownGradeRow("1", "c1", "2", "Why.")], "practice")
    practise(ada, [0])
    prepare(ada)
    assert Job.objects.filter(kind="send_mail").count() == 2
    assert list(AuditEvent.objects.filter(action="practice_below").values_list("details__done", flat=True)) == [3, 4]


def test_practice_needs_no_passage(practice, ada):
    """Its page cannot mark one."""
    practice.passages = "required"
    practice.save()
    card = worklist.upcoming(ada, practice.topics.first())[0]
    with pytest.raises(Refused, match="Mark the passage"):
        judge(ada, uuid.UUID(card.task), 2)
    assert practise(begin(practice, ada), KNOWN.values())
    assert result_of(ada).hits == 3

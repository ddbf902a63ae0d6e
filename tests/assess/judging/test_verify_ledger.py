"""verify_ledger compares the judgements with their ledger and reports every difference."""

import uuid
from threading import Thread

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from assess.collections.guidelines import guidelines_hash
from assess.judging.judgement_input import LONGEST_MS, JudgementInput
from assess.judging.ledger import ledger_problems, ledger_size, snapshot
from assess.judging.record import record_judgement
from assess.models import Action, Assignment, AuditEvent, ErasurePermit, Judgement, JudgementEvent, Member, Task
from assess.pools.assign import assign
from assess.pools.claims import open_to_claims
from assess.transfer.judgements import import_judgements
from tests.assess.command_output import failure, output_of, refusal, tables
from tests.factories import SMALL_RUNS, small_collection

HISTORY = [
    JudgementInput("judged", 0, comment="at first", active_ms=5, away_ms=LONGEST_MS, highlights=True, input="key"),
    JudgementInput("undone", active_ms=LONGEST_MS),
    JudgementInput(
        "judged", 1, confidence=2, passages=[[0, 4], [5, 9]], away_ms=7, input="pointer", guidelines_version=1
    ),
]


@pytest.fixture
def ada(collection, join):
    """An assessor with a revised judgement, a postponed one, and a document that could not be judged."""
    ada = join(collection, "ada")
    assign(collection, judges=1)
    collection.guidelines.create(version=1, text="Read it all.", sha256=guidelines_hash("Read it all."))
    first, second, third, *_ = addresses(ada)
    for task, inputs in {
        first: HISTORY,
        second: [JudgementInput("later"), JudgementInput("later")],
        third: [JudgementInput("cannot_judge", reason="broken")],
    }.items():
        for judgement_input in inputs:
            record_judgement(ada, task, judgement_input, uuid.uuid4(), actor=ada.user)
    return ada


@pytest.fixture
def judgement(ada):
    """The judgement with three events."""
    return Judgement.objects.get(version=3)


def addresses(member: Member) -> list[uuid.UUID]:
    return list(member.assignments.order_by("pk").values_list("public_id", flat=True))


def name(judgement: Judgement) -> str:
    task = judgement.task
    return (
        f"Judgement {judgement.pk} ('{judgement.member.name}' on document '{task.document.doc_id}' "
        f"of topic '{task.topic.query_id}')"
    )


def differences(collection=None) -> list[str]:
    """Return the problems of judgements and assignments; test_tampering.py tests the chains."""
    return [each for each in ledger_problems(collection) if not each.startswith(("Event ", "The chain of "))]


def forge(judgement: Judgement, version: int, **fields) -> None:
    """Replace a recorded event, with a permit that only an erasure has."""
    permit = ErasurePermit.objects.create(member=judgement.member)
    event = judgement.events.get(version=version)
    JudgementEvent.objects.filter(pk=event.pk).delete()
    permit.delete()
    for column, value in fields.items():
        setattr(event, column, value)
    event.save(force_insert=True)


def test_recorded_judgements_match_the_ledger(ada):
    import_judgements(ada.collection, b"assessor,query_id,doc_id,relevance\nbob,1,a,1\nbob,1,new,0\n")
    assert differences() == differences(ada.collection) == []
    assert output_of("verify_ledger") == ["Checked 5 judgements and 8 ledger events: no differences."]


def test_empty_collection_has_no_differences(collection):
    assert output_of("verify_ledger", "--collection", "small") == [
        "Checked 0 judgements and 0 ledger events: no differences."
    ]


@pytest.mark.parametrize(
    ("column", "value", "problem"),
    [
        ("relevance", 0, "relevance is 0, but according to the ledger it is 1"),
        ("comment", "changed", "comment is 'changed', but according to the ledger it is ''"),
        ("confidence", None, "confidence is None, but according to the ledger it is 2"),
        ("passages", [[0, 4]], "passages is [[0, 4]], but according to the ledger it is [[0, 4], [5, 9]]"),
        ("highlights", False, "highlights is False, but according to the ledger it is None"),
        ("input", "key", "input is 'key', but according to the ledger it is 'pointer'"),
        ("guidelines_version", 2, "guidelines_version is 2, but according to the ledger it is 1"),
        ("active_ms", 5, "active_ms is 5, but according to the ledger it is 86400000"),
        ("away_ms", 7, "away_ms is 7, but according to the ledger it is 86400000"),
        ("version", 4, "version is 4, but according to the ledger it is 3"),
    ],
)
def test_differing_column_is_reported(ada, judgement, column, value, problem):
    Judgement.objects.filter(pk=judgement.pk).update(**{column: value})
    assert differences() == [f"{name(judgement)}: {problem}."]


def test_differing_state_is_reported_for_judgement_and_assignment(ada, judgement):
    Judgement.objects.filter(pk=judgement.pk).update(state="cannot_judge", relevance=None, reason="other")
    address = ada.assignments.get(task=judgement.task).public_id
    assert differences() == [
        f"{name(judgement)}: state is 'cannot_judge', but according to the ledger it is 'judged'.",
        f"{name(judgement)}: relevance is None, but according to the ledger it is 1.",
        f"{name(judgement)}: reason is 'other', but according to the ledger it is ''.",
        f"Assignment {address}: its state is judged, but its judgement is cannot_judge.",
    ]


def test_differing_time_is_reported(judgement):
    at = judgement.judged_at
    Judgement.objects.filter(pk=judgement.pk).update(judged_at=at.replace(microsecond=1))
    assert differences() == [
        f"{name(judgement)}: judged_at is {at.replace(microsecond=1)}, but according to the ledger it is {at}."
    ]


def test_judgement_of_another_judge_is_reported(judgement):
    bob = Member.objects.create(collection=judgement.member.collection, role="assessor", name="bob")
    Judgement.objects.filter(pk=judgement.pk).update(member=bob)
    problems = differences()
    assert f"member_id is {bob.pk}, but according to the ledger it is {judgement.member_id}." in problems[0]
    assert "its state is judged, but its judgement does not exist." in problems[1]


def test_judgement_without_an_event_is_reported(ada):
    task = Task.objects.exclude(judgements__member=ada).first()
    alone = Judgement.objects.create(task=task, member=ada, state="judged", relevance=1, judged_at=timezone.now())
    address = ada.assignments.get(task=task).public_id
    assert differences() == [
        f"{name(alone)}: the ledger has no event for it.",
        f"Assignment {address}: its state is open, but its judgement is judged.",
    ]


def test_gap_in_the_versions_is_reported(judgement):
    ErasurePermit.objects.create(member=judgement.member)
    judgement.events.filter(version=2).delete()
    ErasurePermit.objects.all().delete()
    assert differences() == [
        f"{name(judgement)}: its events have the versions 1, 3; they must be 1, 2, 3, ... without a gap.",
        f"{name(judgement)}: event 3 records undone as the state before it, but that was judged 0.",
        f"{name(judgement)}: active_ms is 86400000, but according to the ledger it is 5.",
        f"{name(judgement)}: version is 3, but according to the ledger it is 2.",
    ]


def test_event_with_a_wrong_earlier_grade_is_reported(judgement):
    forge(judgement, 2, before_relevance=1)
    assert differences() == [
        f"{name(judgement)}: event 2 records judged 1 as the state before it, but that was judged 0."
    ]


def test_first_event_with_an_earlier_state_is_reported(judgement):
    forge(judgement, 1, before_state="later")
    assert differences() == [f"{name(judgement)}: event 1 records later as the state before it, but that was nothing."]


def test_event_of_another_judge_is_reported(judgement):
    bob = Member.objects.create(collection=judgement.member.collection, role="assessor", name="bob")
    forge(judgement, 2, member=bob)
    assert differences() == [f"{name(judgement)}: its events belong to more than one assessor."]


def test_hidden_repeat_is_named_as_one(ada):
    postponed = Judgement.objects.filter(version=2)
    Assignment.objects.filter(task=postponed.get().task).update(repeat=1)
    postponed.update(repeat=1)
    assert differences() == []
    postponed.update(comment="changed")
    assert differences()[0].endswith(", hidden repeat): comment is 'changed', but according to the ledger it is ''.")


def test_differing_state_of_an_assignment_is_reported(ada):
    untouched = ada.assignments.filter(state="").first()
    Assignment.objects.filter(pk=untouched.pk).update(state="judged")
    assert differences() == [
        f"Assignment {untouched.public_id}: its state is judged, but its judgement does not exist."
    ]


def test_lapsed_claim_without_judgement_is_no_difference(ada):
    untouched = ada.assignments.filter(state="").first()
    Assignment.objects.filter(pk=untouched.pk).update(state="lapsed")
    assert differences() == []


def test_differing_slots_are_reported(ada):
    open_to_claims(ada.collection, 2)
    task = ada.assignments.filter(state="").first().task
    Task.objects.filter(pk=task.pk).update(taken=2)
    (problem,) = differences()
    assert problem.endswith(": 2 slots are recorded as taken, but 1 are actually taken.")
    Task.objects.filter(pk=task.pk).update(taken=1)
    assert differences() == []


def test_remaining_erasure_permit_is_reported(ada):
    one, all_ = ErasurePermit.objects.create(member=ada), ErasurePermit.objects.create()
    assert differences() == [
        f"The ledger of 'assessor-1' is unprotected: an erasure was not finished (assess_erasing {one.pk}).",
        f"The ledger of everyone is unprotected: an erasure was not finished (assess_erasing {all_.pk}).",
    ]


@pytest.mark.slow
def test_every_judgement_is_compared_with_its_own_events(ada):
    """There are more judgements than one chunk, and the first and the last differ."""
    rows = "".join(f"{judge},1,doc{n},{n % 2}\n" for judge in ("bob", "cy") for n in range(3_000))
    import_judgements(ada.collection, f"assessor,query_id,doc_id,relevance\n{rows}".encode())
    ends = [Judgement.objects.order_by("pk").first(), Judgement.objects.order_by("pk").last()]
    Judgement.objects.filter(pk__in=[end.pk for end in ends]).update(comment="changed")
    assert [problem.split(":")[0] for problem in differences()] == [name(end) for end in ends]
    steps = []
    list(ledger_problems(progress=steps.append))
    assert sum(steps) == ledger_size().judgements == 6_003


@pytest.mark.in_ci
def test_number_of_queries_does_not_grow(ada):
    few = queries(ada.collection)
    rows = "".join(f"bob,1,doc{n},{n % 2}\n" for n in range(500))
    import_judgements(ada.collection, f"assessor,query_id,doc_id,relevance\n{rows}".encode())
    assert queries(ada.collection) == few


def queries(collection) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert differences(collection) == []
    return len(captured)


@pytest.mark.in_ci
def test_command_prints_every_difference_and_fails(judgement):
    Judgement.objects.filter(pk=judgement.pk).update(relevance=0)
    sentence = "Checked 3 judgements and 6 ledger events: 1 difference."
    assert failure("verify_ledger") == failure("verify_ledger", "--collection", "small") == sentence
    Judgement.objects.filter(pk=judgement.pk).update(comment="changed")
    assert failure("verify_ledger").endswith(": 2 differences.")


@pytest.mark.in_ci
def test_audit_log_has_the_result(ada, judgement):
    output_of("verify_ledger")
    Judgement.objects.filter(pk=judgement.pk).update(relevance=0)
    failure("verify_ledger", "--collection", "small")
    whole, one = AuditEvent.objects.filter(action=Action.LEDGER_VERIFIED).order_by("pk")
    assert (whole.collection, whole.details) == (None, {"chains": 1, "events": 6, "differences": 0})
    assert (one.collection, one.details) == (ada.collection, {"chains": 1, "events": 6, "differences": 1})


def test_database_that_cannot_be_written_is_verified_all_the_same(ada, monkeypatch):
    def refuse(*_, **__):
        raise OperationalError("attempt to write a readonly database")

    monkeypatch.setattr("assess.audit.record", refuse)
    first, last = output_of("verify_ledger")
    assert first.endswith("because it cannot be written: attempt to write a readonly database.")
    assert last.endswith("no differences.")


def test_each_collection_is_checked_alone(ada, judgement):
    other = small_collection(SMALL_RUNS, slug="other")
    import_judgements(other, b"1 0 a 1\n", assessor="ada")
    Judgement.objects.filter(pk=judgement.pk).update(relevance=0)
    assert output_of("verify_ledger", "--collection", "other") == [
        "Checked 1 judgement and 1 ledger event: no differences."
    ]
    assert differences(other) == []
    assert len(differences(ada.collection)) == len(differences()) == 1


def test_unknown_collection_is_refused(collection):
    assert "'nowhere'" in refusal("verify_ledger", "--collection", "nowhere")


@pytest.mark.django_db(transaction=True)
def test_snapshot_reads_one_point_in_time(ada):
    with snapshot():
        before = ledger_size()
        assert differences() == []
        judge_from_another_connection(ada)
        assert ledger_size() == before
    assert ledger_size() == (before.judgements + 1, before.events + 1)
    Judgement.objects.update(comment="")  # the snapshot is over: writing is possible again
    assert tables()["Judgement"]


def judge_from_another_connection(ada: Member) -> None:
    """Record a judgement through another connection, as another process would."""

    def judge():
        record_judgement(ada, addresses(ada)[4], JudgementInput("judged", 1), uuid.uuid4())
        connection.close()

    thread = Thread(target=judge)
    thread.start()
    thread.join()

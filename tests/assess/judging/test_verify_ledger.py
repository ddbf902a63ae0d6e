"""The judgements are held against their ledger: what was recorded is found right, and every difference is told."""

import uuid
from threading import Thread

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from assess.judging.judgement_input import LONGEST_MS, JudgementInput
from assess.judging.ledger import ledger_problems, ledger_size, snapshot
from assess.judging.record import record_judgement
from assess.models import Assignment, ErasurePermit, Judgement, JudgementEvent, Member, Task
from assess.pools.assign import assign
from assess.transfer.judgement_import import import_judgements
from tests.assess.command_output import output_of, refusal, tables
from tests.factories import SMALL_RUNS, small_collection

STORY = [
    JudgementInput("judged", 0, comment="at first", active_ms=5, away_ms=LONGEST_MS, highlights=True, input="key"),
    JudgementInput("undone", active_ms=LONGEST_MS),
    JudgementInput(
        "judged", 1, confidence=2, passages=[[0, 4], [5, 9]], away_ms=7, input="pointer", guidelines_version=1
    ),
]


@pytest.fixture
def ada(collection, join):
    """An assessor who judged a document, took it back and judged it again, put one off, and could not judge one."""
    ada = join(collection, "ada")
    assign(collection, judges=1)
    collection.guidelines.create(version=1, text="Read it all.")
    first, second, third, *_ = addresses(ada)
    for task, sayings in {
        first: STORY,
        second: [JudgementInput("later"), JudgementInput("later")],
        third: [JudgementInput("cannot_judge", reason="broken")],
    }.items():
        for saying in sayings:
            record_judgement(ada, task, saying, uuid.uuid4(), actor=ada.user)
    return ada


@pytest.fixture
def judgement(ada):
    """The one with three lines."""
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
    return list(ledger_problems(collection))


def forge(judgement: Judgement, version: int, **fields) -> None:
    """Another line in the place of one that was recorded, through the door that only an erasure has."""
    door = ErasurePermit.objects.create(member=judgement.member)
    line = judgement.events.get(version=version)
    JudgementEvent.objects.filter(pk=line.pk).delete()
    door.delete()
    for column, value in fields.items():
        setattr(line, column, value)
    line.save(force_insert=True)


def test_what_was_recorded_is_as_the_ledger_says(ada):
    import_judgements(ada.collection, b"assessor,query_id,doc_id,relevance\nbob,1,a,1\nbob,1,new,0\n")
    assert differences() == differences(ada.collection) == []
    assert output_of("verify_ledger") == ["Checked 5 judgements and 8 ledger events: no differences."]


def test_nothing_judged_is_nothing_different(collection):
    assert output_of("verify_ledger", "--collection", "small") == [
        "Checked 0 judgements and 0 ledger events: no differences."
    ]


@pytest.mark.parametrize(
    ("column", "value", "words"),
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
def test_a_column_that_differs_is_told(ada, judgement, column, value, words):
    Judgement.objects.filter(pk=judgement.pk).update(**{column: value})
    assert differences() == [f"{name(judgement)}: {words}."]


def test_a_state_that_differs_is_told_of_judgement_and_assignment(ada, judgement):
    Judgement.objects.filter(pk=judgement.pk).update(state="cannot_judge", relevance=None, reason="other")
    address = ada.assignments.get(task=judgement.task).public_id
    assert differences() == [
        f"{name(judgement)}: state is 'cannot_judge', but according to the ledger it is 'judged'.",
        f"{name(judgement)}: relevance is None, but according to the ledger it is 1.",
        f"{name(judgement)}: reason is 'other', but according to the ledger it is ''.",
        f"Assignment {address}: its state is judged, but its judgement is cannot_judge.",
    ]


def test_a_time_that_differs_is_told(judgement):
    at = judgement.judged_at
    Judgement.objects.filter(pk=judgement.pk).update(judged_at=at.replace(microsecond=1))
    assert differences() == [
        f"{name(judgement)}: judged_at is {at.replace(microsecond=1)}, but according to the ledger it is {at}."
    ]


def test_a_judgement_of_another_judge_is_told(judgement):
    bob = Member.objects.create(collection=judgement.member.collection, role="assessor", name="bob")
    Judgement.objects.filter(pk=judgement.pk).update(member=bob)
    found = differences()
    assert f"member_id is {bob.pk}, but according to the ledger it is {judgement.member_id}." in found[0]
    assert "its state is judged, but its judgement does not exist." in found[1]


def test_a_judgement_without_a_line_is_told(ada):
    task = Task.objects.exclude(judgements__member=ada).first()
    alone = Judgement.objects.create(task=task, member=ada, state="judged", relevance=1, judged_at=timezone.now())
    address = ada.assignments.get(task=task).public_id
    assert differences() == [
        f"{name(alone)}: the ledger has no event for it.",
        f"Assignment {address}: its state is open, but its judgement is judged.",
    ]


def test_a_gap_in_the_lines_is_told(judgement):
    ErasurePermit.objects.create(member=judgement.member)
    judgement.events.filter(version=2).delete()
    ErasurePermit.objects.all().delete()
    assert differences() == [
        f"{name(judgement)}: its events have the versions 1, 3; they must be 1, 2, 3, ... without a gap.",
        f"{name(judgement)}: event 3 records undone as the state before it, but that was judged 0.",
        f"{name(judgement)}: active_ms is 86400000, but according to the ledger it is 5.",
        f"{name(judgement)}: version is 3, but according to the ledger it is 2.",
    ]


def test_a_line_that_tells_another_past_is_told(judgement):
    forge(judgement, 2, before_relevance=1)
    assert differences() == [
        f"{name(judgement)}: event 2 records judged 1 as the state before it, but that was judged 0."
    ]


def test_a_first_line_that_has_a_past_is_told(judgement):
    forge(judgement, 1, before_state="later")
    assert differences() == [f"{name(judgement)}: event 1 records later as the state before it, but that was nothing."]


def test_a_line_of_another_judge_is_told(judgement):
    bob = Member.objects.create(collection=judgement.member.collection, role="assessor", name="bob")
    forge(judgement, 2, member=bob)
    assert differences() == [f"{name(judgement)}: its events belong to more than one assessor."]


def test_a_hidden_repeat_is_named_so(ada):
    put_off = Judgement.objects.filter(version=2)
    Assignment.objects.filter(task=put_off.get().task).update(repeat=1)
    put_off.update(repeat=1)
    assert differences() == []
    put_off.update(comment="changed")
    assert differences()[0].endswith(", repeat): comment is 'changed', but according to the ledger it is ''.")


def test_the_state_of_an_assignment_that_differs_is_told(ada):
    untouched = ada.assignments.filter(state="").first()
    Assignment.objects.filter(pk=untouched.pk).update(state="judged")
    assert differences() == [
        f"Assignment {untouched.public_id}: its state is judged, but its judgement does not exist."
    ]


def test_a_claim_that_lapsed_has_no_judgement(ada):
    untouched = ada.assignments.filter(state="").first()
    Assignment.objects.filter(pk=untouched.pk).update(state="lapsed")
    assert differences() == []


def test_places_that_differ_are_told(ada):
    task = ada.assignments.filter(state="").first().task
    Task.objects.filter(pk=task.pk).update(wanted=2, taken=2)
    ada.assignments.filter(task=task).update(holds_place=True, claimed_until=timezone.now())
    (words,) = differences()
    assert words.endswith(": 2 slots are recorded as taken, but 1 are actually taken.")
    Task.objects.filter(pk=task.pk).update(taken=1)
    assert differences() == []


def test_a_door_that_was_left_open_is_told(ada):
    mine, all_ = ErasurePermit.objects.create(member=ada), ErasurePermit.objects.create()
    assert differences() == [
        f"The ledger of 'assessor-1' is unprotected: an erasure was not finished (assess_erasing {mine.pk}).",
        f"The ledger of everyone is unprotected: an erasure was not finished (assess_erasing {all_.pk}).",
    ]


def test_every_judgement_is_held_against_its_own_lines(ada):
    """More judgements than are read at once, the differing ones at the ends."""
    rows = "".join(f"{judge},1,doc{n},{n % 2}\n" for judge in ("bob", "cy") for n in range(3_000))
    import_judgements(ada.collection, f"assessor,query_id,doc_id,relevance\n{rows}".encode())
    ends = [Judgement.objects.order_by("pk").first(), Judgement.objects.order_by("pk").last()]
    Judgement.objects.filter(pk__in=[end.pk for end in ends]).update(comment="changed")
    assert [words.split(":")[0] for words in differences()] == [name(end) for end in ends]
    told_of = []
    list(ledger_problems(progress=told_of.append))
    assert sum(told_of) == ledger_size().judgements == 6_003


def test_the_number_of_queries_does_not_grow(ada):
    few = queries(ada.collection)
    rows = "".join(f"bob,1,doc{n},{n % 2}\n" for n in range(500))
    import_judgements(ada.collection, f"assessor,query_id,doc_id,relevance\n{rows}".encode())
    assert queries(ada.collection) == few


def queries(collection) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert differences(collection) == []
    return len(captured)


def test_the_command_tells_every_difference_and_fails(judgement):
    Judgement.objects.filter(pk=judgement.pk).update(relevance=0)
    sentence = "Checked 3 judgements and 6 ledger events: 1 difference."
    assert refusal("verify_ledger") == refusal("verify_ledger", "--collection", "small") == sentence
    Judgement.objects.filter(pk=judgement.pk).update(comment="changed")
    assert refusal("verify_ledger").endswith(": 2 differences.")


def test_each_collection_is_looked_at_alone(ada, judgement):
    other = small_collection(SMALL_RUNS, slug="other")
    import_judgements(other, b"1 0 a 1\n", assessor="ada")
    Judgement.objects.filter(pk=judgement.pk).update(relevance=0)
    assert output_of("verify_ledger", "--collection", "other") == [
        "Checked 1 judgements and 1 ledger events: no differences."
    ]
    assert differences(other) == []
    assert len(differences(ada.collection)) == len(differences()) == 1


def test_a_collection_that_is_not_there(collection):
    assert "'nowhere'" in refusal("verify_ledger", "--collection", "nowhere")


@pytest.mark.django_db(transaction=True)
def test_what_is_read_is_of_one_moment(ada):
    with snapshot():
        before = ledger_size()
        assert differences() == []
        from_elsewhere(ada)
        assert ledger_size() == before
    assert ledger_size() == (before.judgements + 1, before.events + 1)
    Judgement.objects.update(comment="")  # the reading is over: there is writing again
    assert tables()["Judgement"]


def from_elsewhere(ada: Member) -> None:
    """A judgement by another connection, as another process has it."""

    def judge():
        record_judgement(ada, addresses(ada)[4], JudgementInput("judged", 1), uuid.uuid4())
        connection.close()

    thread = Thread(target=judge)
    thread.start()
    thread.join()

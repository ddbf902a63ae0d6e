"""The record of a model judge: import, change, refusals, audit log, listings and releases."""

import re
from datetime import date, timedelta

import pytest
from django.utils import timezone

from assess.analysis.imported_judges import import_rows
from assess.collections.archive import archive_collection
from assess.errors import Refused
from assess.models import Action, AuditEvent, ImportedJudge, Member
from assess.releases.spec import ReleasedMember
from assess.releases.state.facts import released_members
from assess.transfer.judge_record import MAX_PROMPT, ModelRecord, change_record, parse_date, record_of
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements
from tests.assess.command_output import output_of, refusal, tables

pytestmark = pytest.mark.django_db

WORDS = (
    *("--kind", "model", "--model", "gpt-4o-2024-08-06", "--prompt", "Is it relevant?\nAnswer 0 or 1."),
    *("--prompt-version", "2", "--parameters", "temperature=0", "--graded-on", "2024-08-31"),
)
RECORD = ModelRecord("gpt-4o-2024-08-06", "Is it relevant?\nAnswer 0 or 1.", "2", "temperature=0", date(2024, 8, 31))


@pytest.fixture
def qrels(tmp_path):
    path = tmp_path / "gpt.qrels"
    path.write_text("1 0 a 1\n1 0 b 0\n")
    return path


@pytest.fixture
def gpt(collection):
    import_judgements(collection, b"1 0 a 1\n1 0 b 0\n", "gpt", options=JudgementOptions(judge_kind="model"))
    return Member.objects.get(name="gpt")


def stored() -> ImportedJudge:
    return ImportedJudge.objects.get()


def test_import_stores_the_record(collection, qrels):
    output_of("import_judgements", "--collection", "small", *WORDS, qrels)
    assert (stored().kind, record_of(stored())) == ("model", RECORD)


def test_import_fills_in_what_was_not_stated_and_changes_nothing(collection, qrels):
    output_of("import_judgements", "--collection", "small", "--kind", "model", "--model", "gpt-4o", qrels)
    output_of("import_judgements", "--collection", "small", "--kind", "model", "--graded-on", "2024-08-31", qrels)
    assert record_of(stored()) == ModelRecord("gpt-4o", graded_on=date(2024, 8, 31))
    before = tables()
    for words, message in (
        (("--model", "gpt-5"), "The model of gpt is 'gpt-4o', not 'gpt-5'; nothing was changed."),
        (("--graded-on", "2024-09-01"), "The date of gpt is '2024-08-31', not '2024-09-01'; nothing was changed."),
    ):
        assert refusal("import_judgements", "--collection", "small", "--kind", "model", *words, qrels) == message
    assert tables() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--model", "gpt"), "Only a judge of the kind model has a model; the kind is not stated."),
        (
            ("--kind", "human", "--prompt-version", "2"),
            "Only a judge of the kind model has a prompt version; the kind is human.",
        ),
        (("--kind", "model", "--graded-on", "31.8.2024"), "The date must be written as 2024-08-31, not '31.8.2024'."),
    ],
)
def test_import_refuses_what_no_record_can_be(collection, qrels, words, message):
    before = tables()
    assert refusal("import_judgements", "--collection", "small", *words, qrels) == message
    assert tables() == before


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (ModelRecord(model="m" * 201), "The model can have at most 200 characters, not 201."),
        (ModelRecord(model="a\0b"), r"The model must be one line of printable characters, not 'a\x00b'."),
        (ModelRecord(prompt="a\0b"), "The prompt cannot contain a NUL character."),
        (ModelRecord(prompt="p" * (MAX_PROMPT + 1)), "The prompt can have at most 20,000 characters, not 20,001."),
        (ModelRecord(prompt_version="v" * 101), "The prompt version can have at most 100 characters, not 101."),
        (ModelRecord(parameters="v" * 501), "The parameters can have at most 500 characters, not 501."),
        (ModelRecord(graded_on=date(1989, 12, 31)), "The date must be between 1990-01-01 and today, not 1989-12-31."),
    ],
)
def test_invalid_values_are_refused(collection, gpt, record, message):
    before = tables()
    with pytest.raises(Refused, match=re.escape(message)):
        change_record(collection, "gpt", "model", "", record)
    assert tables() == before


def test_day_must_have_come(collection, gpt):
    today = timezone.localdate()
    change_record(collection, "gpt", "model", "", ModelRecord(graded_on=today))
    with pytest.raises(Refused, match="and today"):
        change_record(collection, "gpt", "model", "", ModelRecord(graded_on=today + timedelta(days=1)))


def test_longest_values_are_stored(collection, gpt):
    longest = ModelRecord("m" * 200, "p" * MAX_PROMPT, "v" * 100, "q" * 500)
    change_record(collection, "gpt", "model", "", longest)
    assert record_of(stored()) == longest


def test_date_is_written_in_one_way():
    assert parse_date("2024-08-31") == date(2024, 8, 31)
    for text in ("2024-13-01", "20240831", "", "x" * 1_000):
        with pytest.raises(ValueError, match=r"The date must be written as 2024-08-31, not '"):
            parse_date(text)


def test_change_is_in_the_audit_log_without_names_and_texts(collection, gpt):
    assert change_record(collection, "gpt", "model", "", RECORD) == [
        *("graded_on", "model", "parameters", "prompt", "prompt_version"),
    ]
    assert change_record(collection, "gpt", "model", "", RECORD) == []
    event = AuditEvent.objects.get(action=Action.JUDGE_CHANGED)
    assert event.details == {
        "judge": gpt.pk,
        "fields": ["graded_on", "model", "parameters", "prompt", "prompt_version"],
    }
    assert change_record(collection, "gpt", "human", "", ModelRecord()) == [
        *("graded_on", "kind", "model", "parameters", "prompt", "prompt_version"),
    ]
    assert AuditEvent.objects.filter(action=Action.JUDGE_CHANGED).latest("pk").details["kind"] == "human"


def test_only_known_judges_and_kinds_can_be_changed(collection, gpt, join):
    person = join(collection, "ada")
    with pytest.raises(Refused, match="no imported judge 'assessor-1'"):
        change_record(collection, person.name, "model", "", RECORD)
    with pytest.raises(Refused, match="must be one of human, crowd, model, derived, not 'robot'"):
        change_record(collection, "gpt", "robot", "", ModelRecord())


def test_archived_collection_does_not_change(collection, gpt):
    archive_collection(collection)
    before = tables()
    with pytest.raises(Refused, match="archive"):
        change_record(collection, "gpt", "model", "", RECORD)
    assert tables() == before


def test_listing_of_imports_has_the_record(collection, gpt):
    change_record(collection, "gpt", "model", "the first", RECORD)
    (row,) = import_rows(collection)
    assert row.description == "the first, gpt-4o-2024-08-06, prompt version 2, temperature=0, 2024-08-31"
    change_record(collection, "gpt", "model", "", ModelRecord(prompt="yes or no?"))
    (row,) = import_rows(collection)
    assert row.description == "prompt 'yes or no?'"


def test_released_members_have_the_record(collection, gpt):
    change_record(collection, "gpt", "model", "", ModelRecord("gpt-4o", graded_on=date(2024, 8, 31)))
    import_judgements(collection, b"1 0 a 1\n", "nist")
    judges = Member.objects.filter(name__in=["gpt", "nist"]).order_by("pk")
    members = released_members(collection, [[judge.pk, 1, ""] for judge in judges], [])
    assert [(member.name, member.kind, member.record) for member in members] == [
        ("gpt", "model", {"model": "gpt-4o", "graded_on": "2024-08-31"}),
        ("nist", "kind not stated", {}),
    ]


def test_members_without_a_record_are_written_as_before():
    assert ReleasedMember(1, "ada", "person", True).to_json() == {
        "pk": 1,
        "name": "ada",
        "kind": "person",
        "is_judge": True,
    }

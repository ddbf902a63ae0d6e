"""Norming rounds: judged blind, discussed, and judged again."""

import uuid

import pytest

from assess.analysis.data import collection_judgements
from assess.errors import Closed, Refused
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Assignment, Judgement, JudgementKind
from assess.norming.results import norming_result
from assess.norming.rounds import begin_norming, move_on, undo_norming
from assess.pools.assign import assign
from tests.assess.claiming import fresh
from tests.assess.command_output import tables


@pytest.fixture
def three(collection, add_assessors):
    return add_assessors(collection, "ada", "ben", "cleo")


def vote(member, kind: JudgementKind, grades: list[int]) -> None:
    """Judge the documents of this phase, in the order of the round."""
    assignments = Assignment.objects.filter(member=member, repeat=kind).order_by("position")
    for assignment, grade in zip(assignments, grades, strict=True):
        record_judgement(fresh(member), assignment.public_id, JudgementInput("judged", relevance=grade), uuid.uuid4())


def test_everybody_gets_documents_that_nobody_has(collection, three):
    norming = begin_norming(collection, 3, ["assessor-1", "assessor-2"])
    rows = Assignment.objects.filter(repeat=JudgementKind.NORMING_BEFORE)
    assert rows.count() == 6
    assert {row.member.name for row in rows.select_related("member")} == {"assessor-1", "assessor-2"}
    assert norming.tasks.count() == 3


def test_documents_of_one_topic(collection, three):
    norming = begin_norming(collection, 2, query_id="2")
    assert set(norming.tasks.values_list("topic__query_id", flat=True)) == {"2"}
    with pytest.raises(Refused, match="Documents of topic '1' with a text that nobody in the group has: 4"):
        begin_norming(collection, 9, query_id="1")


@pytest.mark.in_ci
def test_agreement_before_and_after_and_who_moved_towards_whom(collection, three):
    ada, ben, cleo = three
    begin_norming(collection, 4)
    vote(ada, JudgementKind.NORMING_BEFORE, [1, 1, 0, 0])
    vote(ben, JudgementKind.NORMING_BEFORE, [1, 0, 0, 1])
    vote(cleo, JudgementKind.NORMING_BEFORE, [1, 1, 0, 0])
    move_on(collection, 1, "before")
    norming = move_on(collection, 1, "discussion")
    vote(ada, JudgementKind.NORMING_AFTER, [1, 1, 0, 0])
    vote(ben, JudgementKind.NORMING_AFTER, [1, 1, 0, 0])  # ben adopts the grades of the two others
    vote(cleo, JudgementKind.NORMING_AFTER, [1, 1, 0, 0])
    result = norming_result(norming)
    # Before: ada and cleo 1; ada and ben, ben and cleo 0 (P(A) = P(E) = 0.5). Mean 1/3. After: 1.
    assert (round(result.before.value, 9), result.after.value) == (round(1 / 3, 9), 1)
    moves = {each.name: (each.changed, each.towards) for each in result.movements}
    assert moves["assessor-2"] == (2, {"assessor-1": 2, "assessor-3": 2})
    assert moves["assessor-1"] == (0, {"assessor-2": 0, "assessor-3": 0})
    assert collection_judgements(collection).empty  # no figure uses these judgements


def test_votes_cannot_be_changed_after_the_group_saw_them(collection, three):
    begin_norming(collection, 2)
    ada = three[0]
    vote(ada, JudgementKind.NORMING_BEFORE, [1, 0])
    move_on(collection, 1, "before")
    assignment = Assignment.objects.get(member=ada, position=0)
    with pytest.raises(Closed, match="This part of the norming round is over"):
        record_judgement(fresh(ada), assignment.public_id, JudgementInput("judged", relevance=0), uuid.uuid4())
    assert Judgement.objects.filter(relevance=1).count() == 1
    assert not Assignment.objects.filter(repeat=JudgementKind.NORMING_BEFORE, state="").exists()


def test_two_researchers_move_a_round_on_once(collection, three):
    begin_norming(collection, 2)
    move_on(collection, 1, "before")
    with pytest.raises(Refused, match="already moved norming round 1 on: it is discussing the votes"):
        move_on(collection, 1, "before")


def test_undo_until_somebody_judges(collection, three):
    before = tables()["Assignment"]
    begin_norming(collection, 2)
    undo_norming(collection, 1)
    assert tables()["Assignment"] == before
    begin_norming(collection, 2)
    vote(three[0], JudgementKind.NORMING_BEFORE, [1, 1])
    with pytest.raises(Refused, match="cannot be undone"):
        undo_norming(collection, 1)
    assert Assignment.objects.filter(state="").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"documents": 0}, "between 1 and 50 documents, not 0"),
        ({"documents": 51}, "between 1 and 50 documents, not 51"),
        ({"documents": 1, "people": ["assessor-1"]}, "at least 2 assessors who can sign in, not 1"),
        ({"documents": 1, "people": ["eve"]}, "has no assessor 'eve' who can sign in"),
    ],
)
def test_invalid_round_is_refused(collection, three, arguments, sentence):
    with pytest.raises(Refused, match=sentence):
        begin_norming(collection, **arguments)
    assert not Assignment.objects.exists()


def test_members_do_not_get_the_documents_to_judge_as_well(collection, three):
    norming = begin_norming(collection, 3)
    assign(collection, 1)
    regular = Assignment.objects.filter(repeat=JudgementKind.REGULAR)
    assert not regular.filter(task__in=norming.tasks.all()).exists()

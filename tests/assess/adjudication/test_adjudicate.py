"""Adjudications: documents are chosen, assigned to somebody who did not judge them, decided and taken back."""

import uuid

import pytest

from assess.adjudication.adjudicate import adjudications_of, create_adjudication, undo_adjudication
from assess.adjudication.choose import by_distance, by_documents, by_leverage
from assess.adjudication.decisions import agreement_with_decisions
from assess.analysis.data import collection_gold, collection_judgements
from assess.analysis.shift.ranking import shift_of
from assess.analysis.shift_query import ShiftInputs
from assess.errors import Conflict, Refused
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Action, Assignment, AuditEvent, Collection, Judgement, JudgementKind
from assess.pools.assign import assign
from assess.pools.claims import open_to_claims
from assess.transfer.exports import export_judgements
from assess.transfer.judgements import import_judgements
from tests.assess.adjudication.conftest import decide, task_of
from tests.assess.claiming import fresh, upcoming
from tests.assess.command_output import tables
from tests.factories import SMALL_RUNS, small_collection


def names(tasks) -> list[str]:
    return [f"{task.topic.query_id} {task.document.doc_id}" for task in tasks]


@pytest.fixture
def adjudication(disputed, people):
    return create_adjudication(
        disputed, by_distance(disputed, 1), ["cleo", "rita"], "distance 1", actor=people["olga"].user
    )


@pytest.mark.in_ci
def test_documents_by_distance(disputed):
    assert sorted(names(by_distance(disputed, 1))) == ["1 b", "2 x", "2 z"]
    assert names(by_distance(disputed, 1, topic=disputed.topics.get(query_id="1"))) == ["1 b"]
    with pytest.raises(Refused, match="must be between 1 and 1 on this scale, not 2"):
        by_distance(disputed, 2)


def test_documents_by_leverage_are_those_that_change_the_ranking_most(disputed):
    # Under ann, alpha ranks a and b (both relevant) first and x in topic 2.
    first = by_leverage(disputed, "P@1", "judge:ann", 1)
    assert len(first) == 1
    assert set(names(by_leverage(disputed, "P@1", "judge:ann", 20))) == {"1 b", "2 x", "2 z"}


def test_number_of_documents_is_limited(disputed):
    with pytest.raises(Refused, match="Choose between 1 and 1,000 documents, not 0"):
        by_leverage(disputed, "P@1", "judge:ann", 0)


def test_tasks_are_shared_out_among_the_adjudicators(adjudication, disputed):
    load = [
        Assignment.objects.filter(member__name=name, repeat=JudgementKind.DECISION).count() for name in ("cleo", "rita")
    ]
    assert sorted(load) == [1, 2]
    assert [(each.documents, each.decided) for each in adjudications_of(disputed)] == [(3, 0)]
    assert by_distance(disputed, 1) == []  # nothing is chosen twice


def test_nobody_decides_on_a_document_they_judged(disputed, people):
    assign(disputed, 1)
    holder = Assignment.objects.filter(task=task_of(disputed, "1", "b")).get().member
    with pytest.raises(Refused, match="has judged document 'b' of topic '1' or may judge it"):
        create_adjudication(disputed, [task_of(disputed, "1", "b")], [holder.name], "one document")


def test_the_same_document_is_not_adjudicated_twice(adjudication, disputed):
    with pytest.raises(Refused, match="in an adjudication already"):
        create_adjudication(disputed, [task_of(disputed, "1", "b")], ["dan"], "again")


def test_decision_is_no_vote_and_takes_precedence(adjudication, disputed, people):
    task = task_of(disputed, "1", "b")
    votes = len(collection_judgements(disputed))
    member = Assignment.objects.get(task=task, repeat=JudgementKind.DECISION).member
    decide(member, task, 0)
    assert len(collection_judgements(disputed)) == votes
    gold = collection_gold(disputed, "adjudicated").set_index(["query_id", "doc_id"])["relevance"]
    assert gold["1", "b"] == 0
    assert ("2", "x") not in gold.index  # disputed, not decided
    assert collection_gold(disputed, "union").set_index(["query_id", "doc_id"])["relevance"]["1", "b"] == 1


@pytest.mark.slow
def test_gold_of_the_decisions_is_compared_once_there_is_one(adjudication, disputed):
    before = shift_of(disputed, ShiftInputs("AP"))
    assert "adjudicated" not in before.golds
    first = adjudication.tasks.first()
    decide(first.adjudicator, first.task, 1)
    after = shift_of(disputed, ShiftInputs("AP"))
    assert after.golds == (*before.golds, "adjudicated")


def test_decision_is_marked_in_the_export(adjudication, disputed, people):
    task = task_of(disputed, "1", "b")
    member = Assignment.objects.get(task=task, repeat=JudgementKind.DECISION).member
    decide(member, task, 0)
    lines = [line for line in export_judgements(disputed).decode().splitlines() if line.startswith(f"{member.name},")]
    assert lines[0].startswith(f"{member.name},1,b,0,judged,0,")
    assert lines[0].endswith(",true,,")


@pytest.mark.in_ci
def test_import_of_an_export_skips_decisions_and_norming(adjudication, disputed, people, db):
    first, *_ = adjudication.tasks.select_related("task", "adjudicator").order_by("pk")
    decide(first.adjudicator, first.task, 1)
    task_of(disputed, "1", "a").judgements.filter(member__name="bob").update(repeat=JudgementKind.NORMING_BEFORE)
    content = export_judgements(disputed)
    copy = small_collection(SMALL_RUNS, slug="copy")
    result = import_judgements(copy, content)
    assert (result.read, result.added) == (13, 13)
    assert result.notes[0].endswith(
        "2 lines skipped, because only judgements of judges are imported: 1 with a decision of an adjudicator, 1 with "
        "a judgement of a norming round."
    )
    assert not copy.members.filter(name=first.adjudicator.name).exists()
    lines = content.decode().splitlines(keepends=True)
    kept = [line for line in lines if not line.endswith(",true,,\n") and not line.startswith("bob,1,a,")]
    assert export_judgements(copy).decode() == "".join(kept)


def test_decision_is_possible_after_judging_is_closed(adjudication, disputed, people):
    Collection.objects.filter(pk=disputed.pk).update(judging_open=False)
    task = task_of(disputed, "2", "x")
    member = Assignment.objects.get(task=task, repeat=JudgementKind.DECISION).member
    public_id = str(Assignment.objects.get(task=task, repeat=JudgementKind.DECISION).public_id)
    assert public_id in upcoming(member, query_id="2")
    decide(member, task, 1)
    assert Judgement.objects.get(repeat=JudgementKind.DECISION).relevance == 1


def test_decision_is_changed_and_undone_by_its_adjudicator(adjudication, disputed):
    task = task_of(disputed, "2", "x")
    assignment = Assignment.objects.get(task=task, repeat=JudgementKind.DECISION)
    decide(assignment.member, task, 1)
    decide(assignment.member, task, 0)
    assert Judgement.objects.get(repeat=JudgementKind.DECISION).relevance == 0
    undo = JudgementInput("undone")
    record_judgement(fresh(assignment.member), assignment.public_id, undo, uuid.uuid4())
    assert [each.decided for each in adjudications_of(disputed)] == [0]


def test_two_decisions_on_a_task_are_impossible(adjudication, disputed, people):
    task = task_of(disputed, "2", "x")
    first = Assignment.objects.get(task=task, repeat=JudgementKind.DECISION)
    decide(first.member, task, 1)
    other = people["dan"]
    Assignment.objects.create(task=task, topic=task.topic, member=other, repeat=JudgementKind.DECISION, position=0)
    with pytest.raises(Conflict):
        decide(other, task, 0)


def test_undo_takes_back_what_is_not_decided(adjudication, disputed):
    before = tables()["Judgement"]
    task = task_of(disputed, "2", "x")
    decide(Assignment.objects.get(task=task, repeat=JudgementKind.DECISION).member, task, 1)
    assert undo_adjudication(disputed, 1) == 2
    assert [(each.documents, each.decided) for each in adjudications_of(disputed)] == [(1, 1)]
    with pytest.raises(Refused, match="All documents of adjudication 1 are decided"):
        undo_adjudication(disputed, 1)
    assert len(tables()["Judgement"]) == len(before) + 1
    assert sorted(names(by_distance(disputed, 1))) == ["1 b", "2 z"]


def test_undo_without_decisions_deletes_the_adjudication(adjudication, disputed, people):
    assert undo_adjudication(disputed, 1, people["olga"].user) == 3
    assert adjudications_of(disputed) == []
    actions = AuditEvent.objects.filter(collection=disputed).values_list("action", flat=True)
    assert {Action.ADJUDICATION_CREATED, Action.ADJUDICATION_UNDONE} <= set(actions)


def test_adjudicator_does_not_get_the_document_to_judge(adjudication, disputed, people):
    assign(disputed, 2)
    decided = {(each.task_id, each.member_id) for each in Assignment.objects.filter(repeat=JudgementKind.DECISION)}
    regular = {(each.task_id, each.member_id) for each in Assignment.objects.filter(repeat=JudgementKind.REGULAR)}
    assert not decided & regular


def test_adjudicator_cannot_claim_the_document(adjudication, disputed, people):
    open_to_claims(disputed, 4)
    cleo = people["cleo"]
    upcoming(cleo, 20, "1"), upcoming(cleo, 20, "2")
    own = Assignment.objects.filter(member=cleo).values_list("task", "repeat")
    assert len({task for task, _ in own}) == len(own)


def test_agreement_of_each_judge_with_the_decisions(adjudication, disputed):
    for (query_id, doc_id), grade in {("1", "b"): 1, ("2", "x"): 1, ("2", "z"): 0}.items():
        task = task_of(disputed, query_id, doc_id)
        decide(Assignment.objects.get(task=task, repeat=JudgementKind.DECISION).member, task, grade)
    rows = agreement_with_decisions(disputed)
    # ann said 1, 1, 1 and bob 0, 0, 0; the decisions are 1, 1, 0.
    assert [(row.judge, row.n, row.same) for row in rows] == [("ann", 3, 2), ("bob", 3, 1)]


def test_unknown_or_no_adjudicator_is_refused(disputed, people):
    tasks = by_distance(disputed, 1)
    with pytest.raises(Refused, match="has no member with the pseudonym 'nobody' who can sign in"):
        create_adjudication(disputed, tasks, ["nobody"], "all")
    with pytest.raises(Refused, match="Choose who adjudicates"):
        create_adjudication(disputed, tasks, [], "all")
    with pytest.raises(Refused, match="between 1 and 1,000 documents, not 0"):
        create_adjudication(disputed, [], ["cleo"], "all")


def test_documents_of_another_collection_are_refused(disputed):
    with pytest.raises(Refused, match="has no document with the number 999999"):
        by_documents(disputed, [999_999])

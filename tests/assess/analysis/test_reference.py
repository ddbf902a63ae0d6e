"""The default reference of a collection: its order, the choice for a collection, and what it never takes as truth."""

import pandas as pd
import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from agreement import make_gold
from assess.analysis.data import collection_gold, collection_judgements, derived_gold
from assess.analysis.reference import (
    JUDGE,
    PEOPLE,
    Judges,
    default_gold,
    default_reference,
    judges_of,
    offered_rules,
    set_reference,
)
from assess.analysis.shift import collection_shift
from assess.collections.archive import archive_collection
from assess.collections.create import create_collection
from assess.errors import Refused
from assess.models import AuditEvent, Collection, ImportedJudge, Judgement, JudgementKind, Role
from assess.people.erasure import erase
from tests.assess.web.research.analysis.pages import judge

PAIRS = [("1", "a"), ("1", "b"), ("1", "d"), ("1", "e"), ("2", "x"), ("2", "y"), ("2", "z")]
KINDS = {"ann": "human", "ben": "human", "cas": "crowd", "dev": "derived", "gpt": "model", "who": "unstated"}


def judged(**counts: int) -> Judges:
    return Judges.counted(counts, KINDS, has_decisions=False)


def graded(collection, name: str, grades: str, kind: str | None = None):
    member = judge(collection, name, {pair: int(g) for pair, g in zip(PAIRS, grades, strict=True) if g != "."})
    if kind is not None:
        ImportedJudge.objects.create(member=member, kind=kind)
    return member


def sentence(collection, *rules: str) -> str:
    return default_reference(collection, judges_of(collection), rules).sentence


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"ann": 3, "ben": 5}, "Reference: majority, because 2 people judged."),
        ({"ann": 3, "ben": 5, "gpt": 9}, "Reference: people:majority, because 2 people judged."),
        ({"ann": 3, "gpt": 9}, "Reference: judge:ann, because ann is the only person who judged."),
        ({"ann": 3, "ben": 0}, "Reference: judge:ann, because ann is the only person who judged."),
        ({"gpt": 9, "dev": 8, "who": 7, "cas": 2}, "Reference: judge:cas, because no judge is known to be a person."),
        ({"gpt": 9, "dev": 8, "who": 7}, "Reference: judge:who, because no judge is known to be a person."),
        ({"gpt": 9, "dev": 8}, "Reference: judge:dev, because no judge is known to be a person."),
        ({"gpt": 9}, "Reference: judge:gpt, because no judge is known to be a person."),
    ],
)
def test_order_without_a_choice(counts, expected):
    assert default_reference(Collection(), judged(**counts)).sentence == expected


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (
            ("judge:gpt", "judge:ann", "judge:ben"),
            "judge:ben, because ben has the most judgements of the people compared",
        ),
        (("judge:gpt", "people:union", "judge:ben"), "people:union, because 2 people judged"),
        (("people:union", "people:majority"), "people:majority, because 2 people judged"),
        (("majority", "union", "judge:ann"), "judge:ann, because ann has the most judgements of the people compared"),
        (("majority", "judge:gpt"), "judge:gpt, because no gold of people is compared"),
        (("union", "majority"), "union, because it is the first of the compared golds"),
    ],
)
def test_order_among_named_golds(rules, expected):
    reference = default_reference(Collection(), judged(ann=3, ben=5, gpt=9), rules)
    assert reference.sentence == f"Reference: {expected}."


def test_nobody_has_judged():
    assert default_reference(Collection(), judged(ann=0)) is None


@given(counts=st.dictionaries(st.sampled_from(sorted(KINDS)), st.integers(0, 9), min_size=1), decisions=st.booleans())
def test_no_other_judge_is_taken_as_truth_before_a_person(counts, decisions):
    judges = Judges.counted(counts, KINDS, decisions)
    reference = default_reference(Collection(), judges)
    if reference is None:
        assert not judges.names
    elif judges.people or decisions:
        rule = reference.rule
        of_people = rule.startswith(PEOPLE) or rule.removeprefix(JUDGE) in judges.people
        assert of_people or not judges.has_others
    if decisions and reference and "gpt" in judges.names:
        assert reference.rule == "people:adjudicated"
    if len(judges.people) > 1:
        combined = [rule for rule in judges.golds() if not rule.startswith(JUDGE)]
        assert all(rule.startswith(PEOPLE) == judges.has_others for rule in combined)


@pytest.mark.slow
def test_model_whose_name_comes_first_is_not_the_reference(collection):
    graded(collection, "a-model", "1111111", "model")
    graded(collection, "zoe", "10101..")
    assert default_gold(collection) == "judge:zoe"
    shift = collection_shift(collection, "AP(rel=1)")
    assert (shift.reference, shift.golds[0]) == ("judge:zoe", "judge:a-model")
    graded(collection, "yan", "11001..")
    assert collection_shift(collection, "AP(rel=1)").reference == "people:majority"


def test_gold_of_people_is_that_without_the_other_judges(collection):
    graded(collection, "ann", "1100...")
    graded(collection, "ben", "1010...", "human")
    graded(collection, "gpt", "1111111", "model")
    gold = collection_gold(collection, "people:majority")
    people = collection_judgements(collection, ["ann", "ben"])
    columns = ["query_id", "doc_id", "relevance"]
    pd.testing.assert_frame_equal(gold[columns], make_gold(people, "majority")[columns], check_like=True)
    assert set(gold["gold"]) == {"people:majority"}
    assert len(collection_gold(collection, "majority")) == 7


def test_golds_of_people_are_offered_only_beside_others(collection):
    graded(collection, "ann", "1100...")
    assert not any(rule.startswith(PEOPLE) for rule, _ in offered_rules(judges_of(collection)))
    graded(collection, "gpt", "1111111", "model")
    offered = dict(offered_rules(judges_of(collection)))
    assert offered["people:majority"] == "the lower median"
    assert "people:adjudicated" not in offered
    assert "people:dawid_skene" not in offered  # needs two people


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("people:judge:ann", "people: stands before a rule that combines judges, such as majority, not 'judge:ann'."),
        ("people:union", "No person has judged, so there is no gold people:union."),
    ],
)
def test_gold_of_people_is_refused(rule, sentence):
    frame = pd.DataFrame([("gpt", "1", "a", 1)], columns=["assessor", "query_id", "doc_id", "relevance"])
    with pytest.raises(ValueError, match="people") as refused:
        derived_gold(frame, rule, {"gpt": "model"})
    assert str(refused.value) == sentence


def test_decisions_come_before_the_majority(collection, join):
    people = [graded(collection, name, grades) for name, grades in (("ann", "1100..."), ("ben", "1010..."))]
    task = people[0].judgements.get(task__document__doc_id="b").task
    adjudicator = join(collection, "dan", Role.RESEARCHER)
    decision = {"repeat": JudgementKind.DECISION, "state": "judged", "relevance": 1, "judged_at": timezone.now()}
    Judgement.objects.create(member=adjudicator, task=task, **decision)
    assert sentence(collection) == "Reference: adjudicated, because documents were adjudicated."
    graded(collection, "gpt", "1111111", "model")
    assert sentence(collection) == "Reference: people:adjudicated, because documents were adjudicated."
    gold = collection_gold(collection, "people:adjudicated").set_index("doc_id")["relevance"]
    assert gold.to_dict() == {"a": 1, "b": 1, "e": 0}  # d is disputed, and only the model judged x, y and z


@pytest.mark.slow
def test_choice_for_the_collection(collection):
    graded(collection, "ann", "1100...")
    graded(collection, "ben", "1010...")
    assert set_reference(collection, "union")
    assert not set_reference(collection, "union")
    assert AuditEvent.objects.get(action="collection_changed").details == {"fields": ["reference"]}
    assert sentence(collection) == "Reference: union, because it is chosen for this collection."
    assert collection_shift(collection, "AP(rel=1)").reference == "union"
    assert collection_shift(collection, "AP(rel=1)", reference="judge:ann").reference == "judge:ann"
    assert sentence(collection, "judge:ann", "judge:ben") == (
        "Reference: judge:ann, because ann has the most judgements of the people compared. The gold chosen for this "
        "collection, union, is not compared here."
    )
    set_reference(collection, "mean")  # not one of the usual golds
    shift = collection_shift(collection, "AP(rel=1)")
    assert (shift.reference, "majority" in shift.golds) == ("mean", True)
    set_reference(collection, "")
    assert sentence(collection) == "Reference: majority, because 2 people judged."


@pytest.mark.parametrize("rule", ["judge:zoe", "adjudicated", "people:union", "nonsense", "judge:" + "z" * 200])
def test_unknown_choice_is_refused(collection, rule):
    graded(collection, "ann", "1100...")
    with pytest.raises(Refused, match=r"The reference must be a gold of this collection \(judge:ann, union, max"):
        set_reference(collection, rule)


def test_archived_collection_keeps_its_reference(collection):
    graded(collection, "ann", "1100...")
    set_reference(collection, "union")
    archive_collection(collection)
    with pytest.raises(Refused, match="is archived"):
        set_reference(collection, "")
    collection.refresh_from_db()
    assert collection.reference == "union"


def test_erased_judge_leaves_a_sentence_without_the_name(collection):
    ann = graded(collection, "ann", "1100...")
    graded(collection, "ben", "1010...")
    set_reference(collection, "judge:ann")
    erase([ann], "on request")
    collection.refresh_from_db()
    assert "ann" not in collection.reference
    assert sentence(collection) == (
        "Reference: judge:ben, because ben is the only person who judged. The judge whose gold was chosen for this "
        "collection was erased."
    )
    assert collection_shift(collection, "AP(rel=1)").reference == "judge:ben"


def test_chosen_judge_without_grades_leaves_a_sentence(collection):
    graded(collection, "ann", "1100...")
    Collection.objects.filter(pk=collection.pk).update(reference="judge:zoe")
    collection.refresh_from_db()
    assert sentence(collection) == (
        "Reference: judge:ann, because ann is the only person who judged. The gold chosen for this collection, "
        "judge:zoe, has no grades here."
    )


@pytest.mark.parametrize(("chosen", "copied"), [("union", "union"), ("judge:ann", "")])
def test_copy_keeps_the_reference_but_no_judge(collection, chosen, copied):
    Collection.objects.filter(pk=collection.pk).update(reference=chosen)
    collection.refresh_from_db()
    assert create_collection("copy", "Copy", source=collection).reference == copied

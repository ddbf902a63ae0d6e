"""A pilot: everybody gets the same documents, drawn by seed; it can be undone until one is judged."""

import pytest

from assess.errors import Refused
from assess.models import Action, Assignment, AuditEvent, Pilot, Role, Task
from assess.pools.assign import assign
from assess.pools.claims import open_to_claims
from assess.work.pilot import create_pilot, pilots_of, undo_pilot
from tests.assess.claiming import judge, upcoming
from tests.assess.command_output import output_of, refusal, tables


@pytest.fixture
def three(collection, add_assessors):
    return add_assessors(collection, "ada", "ben", "cleo")


def documents_of(pilot: Pilot) -> list[str]:
    return sorted(pilot.tasks.values_list("document__doc_id", flat=True))


def test_everybody_gets_the_same_documents(collection, three):
    pilot = create_pilot(collection, 3)
    assert pilot.tasks.count() == 3
    assert Assignment.objects.count() == 9
    assert {tuple(sorted(member.assignments.values_list("task", flat=True))) for member in three} == {
        tuple(sorted(pilot.tasks.values_list("pk", flat=True)))
    }


def test_documents_of_each_topic(collection, three):
    pilot = create_pilot(collection, 2, topics=2)
    assert sorted(pilot.tasks.values_list("topic__query_id", flat=True)) == ["1", "1", "2", "2"]


def test_only_the_chosen_people(collection, three):
    create_pilot(collection, 2, people=["assessor-1", "assessor-3"])
    assert {each.member.name for each in Assignment.objects.select_related("member")} == {"assessor-1", "assessor-3"}


def test_same_seed_draws_the_same_documents_and_another_pilot_others(collection, three):
    first = documents_of(create_pilot(collection, 3))
    undo_pilot(collection, 1)
    assert documents_of(create_pilot(collection, 3)) == first
    assert not set(documents_of(create_pilot(collection, 3))) & set(first)


def test_main_round_assigns_the_rest(collection, three):
    create_pilot(collection, 3)
    assign(collection, 1)
    holders = [task.assignments.count() for task in Task.objects.all()]
    assert sorted(holders) == [1, 1, 1, 1, 3, 3, 3]


def test_undo_until_a_document_is_judged(collection, three):
    before = tables()["Assignment"]
    create_pilot(collection, 2)
    undo_pilot(collection, 1)
    assert tables()["Assignment"] == before
    create_pilot(collection, 4, topics=1)
    query_id = Task.objects.filter(pilots__number=1).first().topic.query_id
    judge(three[0], upcoming(three[0], query_id=query_id)[0], "later")
    before = tables()
    with pytest.raises(Refused, match="Pilot 1 cannot be undone: some of its documents are judged"):
        undo_pilot(collection, 1)
    assert tables() == before


def test_summary_counts(collection, three):
    create_pilot(collection, 4, topics=1)
    query_id = Task.objects.filter(pilots__number=1).first().topic.query_id
    judge(three[0], upcoming(three[0], query_id=query_id)[0])
    (summary,) = pilots_of(collection)
    numbers = (summary.documents, summary.topics, summary.people, summary.assigned, summary.done, summary.is_done)
    assert numbers == (4, 1, 3, 12, 1, False)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"documents": 8}, "small has 7 documents that nobody has yet, not 8."),
        ({"documents": 4, "topics": 2}, "1 topic with 4 documents that nobody has yet: fewer than 2."),
        ({"documents": 501}, "A pilot has 1 to 500 documents, not 501."),
        ({"documents": 0}, "A pilot has 1 to 500 documents, not 0."),
        ({"documents": 1, "people": ["eve"]}, "small has no assessor 'eve' who can sign in."),
        ({"documents": 1, "people": ["assessor-1"]}, "A pilot needs at least 2 assessors who can sign in, not 1."),
    ],
)
def test_impossible_pilots_are_refused(collection, three, options, problem):
    before = tables()
    with pytest.raises(Refused) as refused:
        create_pilot(collection, **options)
    assert str(refused.value) == problem
    assert tables() == before


def test_open_claims_and_unknown_numbers_are_refused(collection, three):
    with pytest.raises(Refused, match=r"small has no pilot 3\. Existing pilots: none"):
        undo_pilot(collection, 3)
    open_to_claims(collection, 2)
    with pytest.raises(Refused, match="is open to claims"):
        create_pilot(collection, 2)


def test_pilots_are_audited(collection, three, join):
    olga = join(collection, "olga", Role.OWNER)
    create_pilot(collection, 2, actor=olga.user)
    undo_pilot(collection, 1, actor=olga.user)
    events = AuditEvent.objects.filter(action__in=[Action.PILOT_CREATED, Action.PILOT_UNDONE], actor=olga.user)
    assert events.count() == 2


def test_command_creates_lists_and_undoes(collection, three):
    (line,) = output_of("pilot", "--collection", "small", "--documents", "3")
    assert line.startswith("Pilot 1: 3 documents of")
    assert line.endswith(f"3 assessors, 0 of 9 judgements made (seed {collection.seed}).")
    assert output_of("pilot", "--collection", "small") == [line]
    assert output_of("pilot", "--collection", "small", "--undo", "1") == [
        "Removed pilot 1. Its documents are not assigned any more."
    ]
    assert "has no pilot 1" in refusal("pilot", "--collection", "small", "--undo", "1")

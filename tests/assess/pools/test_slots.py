"""Slots of a task: taken and released one by one, and never more than the task wants."""

import pytest

from assess.models import Assignment, Task
from assess.pools import slots
from assess.pools.claims import close_to_claims, open_to_claims
from assess.pools.slots import release_slots, slot_problems, update_slot
from tests.assess.claiming import judge, open_pool, upcoming

pytestmark = pytest.mark.database


@pytest.fixture
def assigned(db, join):
    """A task with two slots, and an assignment without a slot for each of three assessors."""
    collection = open_pool(2, sizes=(1,))
    task = Task.objects.get()
    people = [join(collection, name) for name in ("ada", "bob", "cy")]
    assignments = [
        Assignment.objects.create(task=task, topic=task.topic, member=member, position=1) for member in people
    ]
    return collection, assignments


def slots_of_task() -> tuple[int, int]:
    return Task.objects.values_list("taken", "wanted").get()


def settle(assignment, state, collection) -> None:
    update_slot(assignment, state, collection)
    assignment.state = state
    assignment.save()


def test_judgement_holds_one_slot_for_good(assigned):
    collection, (ada, *_) = assigned
    for _ in range(2):
        settle(ada, "judged", collection)
        assert (slots_of_task(), ada.holds_place, ada.claimed_until) == ((1, 2), True, None)


def test_third_judgement_of_two_is_not_needed(assigned):
    collection, (ada, bob, cy) = assigned
    settle(ada, "judged", collection)
    settle(bob, "judged", collection)
    with pytest.raises(slots.NotNeeded):
        update_slot(cy, "judged", collection)
    assert slots_of_task() == (2, 2)
    assert not cy.holds_place


@pytest.mark.parametrize("state", ["later", "cannot_judge"])
def test_other_states_release_the_slot_once(assigned, state):
    collection, (ada, *_) = assigned
    settle(ada, "judged", collection)
    for _ in range(2):
        settle(ada, state, collection)
        assert (slots_of_task(), ada.holds_place) == ((0, 2), False)


def test_undo_holds_the_slot_as_long_as_a_claim(assigned):
    collection, (ada, *_) = assigned
    settle(ada, "judged", collection)
    settle(ada, "undone", collection)
    assert slots_of_task() == (1, 2)
    assert ada.claimed_until is not None
    settle(ada, "judged", collection)
    assert ada.claimed_until is None


def test_undo_without_a_free_slot_holds_none_and_is_no_error(assigned):
    collection, (ada, bob, cy) = assigned
    settle(ada, "judged", collection)
    settle(bob, "judged", collection)
    settle(cy, "cannot_judge", collection)
    settle(cy, "undone", collection)
    assert (slots_of_task(), cy.holds_place, cy.claimed_until) == ((2, 2), False, None)


def test_slot_beyond_k_disappears_when_released(assigned):
    collection, (ada, bob, _) = assigned
    settle(ada, "judged", collection)
    settle(bob, "judged", collection)
    open_to_claims(collection, 1)
    assert slots_of_task() == (2, 2)
    settle(bob, "later", collection)
    assert slots_of_task() == (1, 1)
    settle(ada, "later", collection)
    assert slots_of_task() == (0, 1)


def test_several_slots_of_one_task_are_released_together(assigned):
    collection, (ada, bob, _) = assigned
    settle(ada, "judged", collection)
    settle(bob, "judged", collection)
    release_slots([ada, bob])
    assert slots_of_task() == (0, 2)
    assert not Assignment.objects.filter(holds_place=True).exists()


def test_slots_that_do_not_match_the_assignments_are_reported(assigned):
    collection, (ada, bob, _) = assigned
    settle(ada, "judged", collection)
    assert list(slot_problems(collection)) == list(slot_problems()) == []
    Task.objects.update(taken=2)
    Assignment.objects.filter(pk=bob.pk).update(state="judged")
    task = Task.objects.get()
    name = f"Task {task.pk} (document 'd1-00' of topic '1')"
    assert list(slot_problems(collection)) == [
        f"{name}: 2 slots are recorded as taken, but 1 are actually taken.",
        f"{name}: {bob.member.name!r} judged it without a slot.",
    ]
    Assignment.objects.filter(pk=ada.pk).update(state="")
    assert f"{name}: {ada.member.name!r} holds a permanent slot without a judgement." in slot_problems(collection)


def test_assigned_judgement_takes_no_slot(db, join):
    collection = open_pool(1, sizes=(2,))
    ada = join(collection, "ada")
    upcoming(ada)
    close_to_claims(collection)
    judge(ada, upcoming(ada)[0])
    assert set(Task.objects.values_list("taken", "wanted")) == {(0, 0)}
    assert list(slot_problems(collection)) == []

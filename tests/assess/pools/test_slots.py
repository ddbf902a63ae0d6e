"""Places of a task: taken and given back one by one, and never more than the task wants."""

import pytest

from assess.models import Assignment, Task
from assess.pools import slots
from assess.pools.claims import close_to_claims, open_to_claims
from assess.pools.slots import release_slots, slot_problems, update_slot
from tests.assess.claiming import open_pool, say, upcoming


@pytest.fixture
def world(db, join):
    """A task that two assessors may have, three assessors, and an assignment of each that holds no place."""
    collection = open_pool(2, sizes=(1,))
    task = Task.objects.get()
    people = [join(collection, name) for name in ("ada", "bob", "cy")]
    given = [Assignment.objects.create(task=task, topic=task.topic, member=member, position=1) for member in people]
    return collection, given


def places_of_task() -> tuple[int, int]:
    return Task.objects.values_list("taken", "wanted").get()


def settle(assignment, state, collection) -> None:
    update_slot(assignment, state, collection)
    assignment.state = state
    assignment.save()


def test_a_judgement_holds_a_place_for_ever_and_only_once(world):
    collection, (ada, *_) = world
    for _ in range(2):
        settle(ada, "judged", collection)
        assert (places_of_task(), ada.holds_place, ada.claimed_until) == ((1, 2), True, None)


def test_the_third_of_two_is_not_needed(world):
    collection, (ada, bob, cy) = world
    settle(ada, "judged", collection)
    settle(bob, "judged", collection)
    with pytest.raises(slots.NotNeeded):
        update_slot(cy, "judged", collection)
    assert places_of_task() == (2, 2)
    assert not cy.holds_place


@pytest.mark.parametrize("state", ["later", "cannot_judge"])
def test_what_is_no_judgement_gives_the_place_back_once(world, state):
    collection, (ada, *_) = world
    settle(ada, "judged", collection)
    for _ in range(2):
        settle(ada, state, collection)
        assert (places_of_task(), ada.holds_place) == ((0, 2), False)


def test_undo_holds_the_place_for_the_time_of_a_claim(world):
    collection, (ada, *_) = world
    settle(ada, "judged", collection)
    settle(ada, "undone", collection)
    assert places_of_task() == (1, 2)
    assert ada.claimed_until is not None
    settle(ada, "judged", collection)
    assert ada.claimed_until is None


def test_undo_where_no_place_is_free_holds_none_and_is_no_error(world):
    collection, (ada, bob, cy) = world
    settle(ada, "judged", collection)
    settle(bob, "judged", collection)
    settle(cy, "cannot_judge", collection)
    settle(cy, "undone", collection)
    assert (places_of_task(), cy.holds_place, cy.claimed_until) == ((2, 2), False, None)


def test_a_place_above_k_is_gone_once_it_is_given_back(world):
    collection, (ada, bob, _) = world
    settle(ada, "judged", collection)
    settle(bob, "judged", collection)
    open_to_claims(collection, 1)
    assert places_of_task() == (2, 2)
    settle(bob, "later", collection)
    assert places_of_task() == (1, 1)
    settle(ada, "later", collection)
    assert places_of_task() == (0, 1)


def test_several_places_of_one_task_are_given_back_together(world):
    collection, (ada, bob, _) = world
    settle(ada, "judged", collection)
    settle(bob, "judged", collection)
    release_slots([ada, bob])
    assert places_of_task() == (0, 2)
    assert not Assignment.objects.filter(holds_place=True).exists()


def test_what_is_not_as_the_assignments_say_is_told(world):
    collection, (ada, bob, _) = world
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


def test_a_given_out_judgement_takes_no_place(db, join):
    collection = open_pool(1, sizes=(2,))
    ada = join(collection, "ada")
    upcoming(ada)
    close_to_claims(collection)
    say(ada, upcoming(ada)[0])
    assert set(Task.objects.values_list("taken", "wanted")) == {(0, 0)}
    assert list(slot_problems(collection)) == []

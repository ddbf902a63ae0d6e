"""Hidden repeats: some documents come a second time, later, and look like any other document."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest

from assess.analysis.data import collection_judgements
from assess.errors import Refused
from assess.judging import worklist
from assess.models import Assignment, Judgement, Order
from assess.pools.assign import assign
from assess.pools.claims import close_to_claims
from assess.pools.repeats import APART
from tests.assess.claiming import check, fresh, judge, judge_all, open_pool, pass_time, progress, topic_of, upcoming
from tests.assess.command_output import output_of


def closed_pool(size: int, share: float = 0.2, **rules):
    """Return a closed collection with one topic of this size, and the share of repeats."""
    collection = open_pool(1, sizes=(size,), **rules)
    close_to_claims(collection)
    return collection, share


def gaps(done: list[str]) -> list[int]:
    """Return the number of other judgements between the two of each repeated document."""
    return [
        len(done) - 1 - done[::-1].index(doc_id) - done.index(doc_id) - 1
        for doc_id in sorted(set(done))
        if done.count(doc_id) > 1
    ]


def check_apart(done: list[str]) -> None:
    """Assert at least APART other judgements between the two, unless only such repeats were left."""
    for at, doc_id in enumerate(done):
        first = done.index(doc_id)
        if first < at <= first + APART:
            assert all(done.index(other) < later for later, other in enumerate(done) if later >= at)


# ---- assigned beforehand


def test_share_of_the_assigned_tasks_is_repeated(db, add_assessors):
    collection, share = closed_pool(30)
    people = add_assessors(collection, "ada", "bob")
    done = assign(collection, 2, repeats=share)
    assert (done.added, done.repeats, done.shortfall) == (2 * 30 + 2 * 6, 12, "")
    for member in people:
        assert Assignment.objects.filter(member=member, repeat=1).count() == 6
        assert progress(member).total == 30


@pytest.mark.slow
@pytest.mark.parametrize("order", [Order.SHUFFLED, Order.FIXED])
@pytest.mark.parametrize("limit", [1, 12])
def test_repeat_comes_well_after_its_first_judgement(db, add_assessors, order, limit):
    collection, share = closed_pool(30, order=order)
    (ada,) = add_assessors(collection, "ada")
    assign(collection, 1, repeats=share)
    done = judge_all(ada, limit)
    assert (len(done), len(set(done))) == (36, 30)
    assert len(gaps(done)) == 6
    assert min(gaps(done)) >= 1
    check_apart(done)
    assert progress(ada).left == 0


def test_repeat_comes_last_in_a_small_topic(db, add_assessors):
    collection, _ = closed_pool(4)
    (ada,) = add_assessors(collection, "ada")
    assign(collection, 1, repeats=0.5)
    done = judge_all(ada)
    assert (len(done), len(set(done))) == (6, 4)
    assert min(gaps(done)) >= 1


def test_repeat_may_come_at_once_if_nothing_else_is_left(db, add_assessors):
    collection, _ = closed_pool(3)
    (ada,) = add_assessors(collection, "ada")
    assign(collection, 1)
    first = Assignment.objects.order_by("position").first()
    Assignment.objects.create(task=first.task, topic=first.topic, member=ada, repeat=1, position=first.position)
    for task in upcoming(ada)[1:]:
        judge(ada, task)
    (last,) = upcoming(ada)
    judge(ada, last)
    assert len(upcoming(ada)) == 1
    judge(ada, upcoming(ada)[0])
    assert progress(ada).left == 0


@pytest.mark.slow
def test_repeat_waits_until_its_first_judgement_is_settled(db, add_assessors):
    collection, share = closed_pool(30)
    (ada,) = add_assessors(collection, "ada")
    assign(collection, 1, repeats=share)
    again = {str(each.public_id) for each in Assignment.objects.filter(repeat=1)}
    assert not again & set(upcoming(ada, limit=100))
    for _ in range(29):
        judge(ada, upcoming(ada, limit=1)[0], "later")
    assert not again & set(upcoming(ada, limit=100))


def test_same_seed_repeats_the_same_documents(db, add_assessors):
    results = []
    for slug in ("one", "two"):
        collection, share = closed_pool(20, slug=slug)
        add_assessors(collection, "ada", "bob")
        assign(collection, 2, repeats=share)
        rows = Assignment.objects.filter(repeat=1, topic__collection=collection)
        results.append(sorted(rows.values_list("member__name", "task__document__doc_id", "position")))
    assert results[0] == results[1] != []


def test_assigning_again_adds_no_repeats(db, add_assessors):
    collection, share = closed_pool(20)
    add_assessors(collection, "ada", "bob")
    assign(collection, 2, repeats=share)
    assert assign(collection, 2, repeats=share).added == 0


def test_repeats_without_a_position_are_reported(db, add_assessors):
    collection, _ = closed_pool(2)
    add_assessors(collection, "ada")
    done = assign(collection, 1, repeats=1)
    assert done.repeats == 1
    assert output_of("assign", "--collection", "open", "--judges", 1, "--repeats", 1)[-1] == (
        "Not everything could be assigned: 1 of 1 assessors lacks 1 repeat."
    )


@pytest.mark.parametrize("share", [-0.1, 1.5])
def test_invalid_share_is_refused(db, add_assessors, share):
    collection, _ = closed_pool(2)
    add_assessors(collection, "ada")
    with pytest.raises(Refused, match=rf"^a share must be between 0 and 1, not {share}\.$"):
        assign(collection, 1, repeats=share)


# ---- the assessor cannot notice


def test_card_of_a_repeat_looks_like_any_other(db, add_assessors):
    collection, share = closed_pool(30, hide_doc_ids=True)
    (ada,) = add_assessors(collection, "ada")
    assign(collection, 1, repeats=share)
    row = Assignment.objects.filter(repeat=1).first()
    first = Assignment.objects.get(task=row.task, repeat=0)
    before = worklist.card(fresh(ada), first.public_id)
    judge(ada, str(first.public_id), comment="my own words")
    again = worklist.card(fresh(ada), row.public_id)
    assert replace(again, task=before.task) == before
    assert not {"repeat", "my own words"} & set(json.dumps(again.to_dict()).replace('"', " ").split())
    assert str(row.public_id) != str(first.public_id)


@pytest.mark.slow
def test_repeat_has_a_judgement_of_its_own_and_counts_nowhere(db, add_assessors):
    collection, _ = closed_pool(30)
    (ada,) = add_assessors(collection, "ada")
    assign(collection, 1, repeats=0.2)
    judge_all(ada)
    assert Judgement.objects.filter(repeat=1).count() == 6
    assert (progress(ada).judged, progress(ada).total) == (30, 30)
    assert len(collection_judgements(collection)) == 30


def shown_counts(member, answers) -> list[tuple[int, int, int]]:
    """Judge everything, and return what the page shows before each judgement and at the end: done, left, total."""
    shown = [progress(member)]
    for answer in answers:
        judge(member, upcoming(member, limit=1)[0], answer)
        shown.append(progress(member))
    return [(each.done, each.left, each.total) for each in shown]


@pytest.mark.slow
def test_count_of_documents_does_not_reveal_repeats(db, add_assessors):
    """25 documents and 2 repeats: the count ends at 25 of 25, and stands still twice, far from both ends."""
    collection, _ = closed_pool(25)
    (ada,) = add_assessors(collection, "ada")
    assign(collection, 1, repeats=0.08)
    assert Assignment.objects.filter(member=ada).count() == 27
    shown = shown_counts(ada, ["judged"] * 27)
    assert {total for *_, total in shown} == {25}
    assert all(done + left == total for done, left, total in shown)
    done = [each for each, *_ in shown]
    assert (done[0], done[1], done[-3:]) == (0, 1, [23, 24, 25])
    steps = [later - earlier for earlier, later in pairwise(done)]
    assert sorted(steps) == [0, 0] + [1] * 25
    assert not Assignment.objects.filter(member=ada, state="").exists()


@pytest.mark.parametrize("share", [0.1, 0.5, 1])
def test_count_ends_when_the_work_ends(db, add_assessors, share):
    collection, _ = closed_pool(10)
    (ada,) = add_assessors(collection, "ada")
    assign(collection, 1, repeats=share)
    answers = ["judged", "later", "cannot_judge"] + ["judged"] * (Assignment.objects.filter(member=ada).count() - 2)
    shown = shown_counts(ada, answers)
    assert all(0 < left <= 10 for _, left, _ in shown[:-1])
    assert shown[-1] == (10, 0, 10)
    assert (progress(ada).judged, progress(ada).cannot_judge) == (9, 1)
    assert [each for each, *_ in shown] == sorted(each for each, *_ in shown)


def test_pages_of_an_assessor_count_each_document_once(db, add_assessors, signed_in):
    collection, _ = closed_pool(25)
    (ada,) = add_assessors(collection, "ada")
    assign(collection, 1, repeats=0.08)
    client = signed_in(ada)
    topics = client.get(f"/c/{collection.slug}/judge/").content.decode()
    page = client.get(f"/c/{collection.slug}/judge/{topic_of(ada).pk}/").content.decode()
    assert '<td class="num">25</td>' in topics
    assert "0 of 25" in page
    assert "27" not in re.findall(r">\s*(\d+)\s*<", topics + page)
    assert '"total": 25' in page


# ---- with claims


@pytest.mark.slow
def test_share_of_the_claimed_tasks_is_repeated(db, add_assessors):
    collection = open_pool(2, sizes=(60,), repeat_share=0.2)
    ada, bob = add_assessors(collection, "ada", "bob")
    done = {member.name: judge_all(member) for member in (ada, bob)}
    for docs in done.values():
        assert len(set(docs)) == 60
        assert 60 + 4 <= len(docs) <= 60 + 22
        check_apart(docs)
    assert progress(ada).to_dict()["left"] == 0
    twice = {name: {doc for doc in docs if docs.count(doc) == 2} for name, docs in done.items()}
    assert twice[ada.name] != twice[bob.name]
    check(collection, 2)


@pytest.mark.soak
def test_some_repeats_come_before_the_end(db, add_assessors):
    collection = open_pool(1, sizes=(80,), repeat_share=0.1)
    (ada,) = add_assessors(collection, "ada")
    done = judge_all(ada, limit=3, at_once=1)
    check_apart(done)
    last_new = max(done.index(doc_id) for doc_id in done)
    assert sum(done.index(doc_id) < at < last_new for at, doc_id in enumerate(done)) >= 3


@pytest.mark.slow
@pytest.mark.parametrize(("share", "again"), [(0, 0), (1, 25)])
def test_share_of_zero_or_one_repeats_none_or_all(db, add_assessors, share, again):
    collection = open_pool(1, sizes=(25,), repeat_share=share)
    (ada,) = add_assessors(collection, "ada")
    judge_all(ada)
    assert Judgement.objects.filter(repeat=1).count() == again
    check(collection, 1)


def test_repeat_takes_no_slot_and_cannot_be_claimed(db, add_assessors):
    collection = open_pool(1, sizes=(10,), repeat_share=1)
    ada, bob = add_assessors(collection, "ada", "bob")
    judge_all(ada)
    assert upcoming(bob) == []
    assert not Assignment.objects.filter(repeat=1, holds_place=True).exists()


def test_lapsed_claim_loses_its_repeat(db, add_assessors):
    collection = open_pool(1, sizes=(10,), repeat_share=1)
    ada, bob = add_assessors(collection, "ada", "bob")
    tasks = upcoming(ada, limit=4)
    judge(ada, tasks[0])
    pass_time(31)
    assert len(upcoming(bob, limit=9)) == 9
    assert Assignment.objects.filter(member=ada, repeat=1).count() == 1
    assert (progress(ada).total, progress(ada).left) == (1, 1)  # the repeat is left
    pass_time(31)
    assert len(judge_all(ada)) == 1 + 2 * 9
    check(collection, 1)


def test_repeat_of_a_task_that_is_not_needed_is_not_left_to_do(db, add_assessors):
    collection = open_pool(1, sizes=(6,), repeat_share=1)
    ada, bob = add_assessors(collection, "ada", "bob")
    (postponed,) = upcoming(ada, limit=1)
    judge(ada, postponed, "later")
    judge_all(bob)
    assert upcoming(ada) == []
    after = progress(ada)
    assert (after.total, after.left, after.later, after.to_claim) == (0, 0, 0, 0)


def test_closing_keeps_the_repeats_of_kept_claims(db, add_assessors):
    collection = open_pool(1, sizes=(12,), repeat_share=1)
    (ada,) = add_assessors(collection, "ada")
    judge(ada, upcoming(ada, limit=12)[0])
    close_to_claims(collection)
    assert len(judge_all(ada)) == 11 + 12
    assert assign(collection, 1, repeats=1).added == 0


def test_changed_share_applies_to_later_claims_only(db, add_assessors):
    collection = open_pool(1, sizes=(24,), repeat_share=0)
    (ada,) = add_assessors(collection, "ada")
    upcoming(ada, limit=12)
    collection.repeat_share = 1
    collection.save()
    upcoming(ada, limit=24)
    assert Assignment.objects.filter(repeat=1).count() == 12

"""Draws for people: what is drawn, the record for an estimate, the grades of people, and when there is none."""

import pytest

from assess.errors import Refused
from assess.model_judges.draw import assign_drawn, draw_for_people, drawn_for_people
from assess.models import Action, Assignment, AuditEvent, Member, Provenance, SampledTask, TopicSample
from assess.pools.building.undo import undo_pool
from assess.pools.samples.draw import draw_sample
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements
from tests.assess.command_output import tables

pytestmark = pytest.mark.django_db

PEOPLE = JudgementOptions(judge_kind="human")


def pooled(query_id: str = "1") -> list[str]:
    rows = Provenance.objects.filter(task__topic__query_id=query_id)
    return sorted(rows.values_list("task__document__doc_id", flat=True))


def grade(collection, name, pairs, options=PEOPLE):
    lines = "".join(f"{query_id} 0 {doc_id} {relevance}\n" for query_id, doc_id, relevance in pairs)
    import_judgements(collection, lines.encode(), name, options=options)


def test_draw_is_recorded_with_equal_probabilities(collection):
    result, building = draw_for_people(collection, 2, seed=5)
    assert (building.strategy, result.seed) == ("pool_sample", 5)
    grade(collection, "ada", [("1", doc_id, 1) for doc_id in pooled()])
    drawn = drawn_for_people(collection, "judge:ada")
    frame = drawn.draw.frame
    for query_id, rows in frame.groupby("query_id"):
        assert list(rows["doc_id"]) == pooled(query_id)
        assert rows["drawn"].sum() == min(2, len(rows))
        assert rows["inclusion_probability"].eq(min(2, len(rows)) / len(rows)).all()
    assert (drawn.draw.seed, drawn.draw.is_fixed, drawn.draw.drawn_topics) == (5, True, None)
    assert result.drawn == len(drawn.draw)


def test_grades_are_those_of_drawn_pairs_and_of_people(collection):
    draw_for_people(collection, 2)
    grade(collection, "gpt", [("1", doc_id, 0) for doc_id in pooled()], JudgementOptions(judge_kind="model"))
    grade(collection, "ada", [("1", doc_id, 1) for doc_id in pooled()])
    drawn = drawn_for_people(collection, "judge:ada", ["1"])
    keys = set(zip(drawn.draw.drawn["query_id"], drawn.draw.drawn["doc_id"], strict=True))
    assert set(zip(drawn.grades["query_id"], drawn.grades["doc_id"], strict=True)) == keys
    assert set(drawn.grades["relevance"]) == {1}
    assert drawn.n_open == 0
    assert drawn.draw.graded(drawn.grades)["relevance"].notna().sum() == 2


def test_open_pairs_are_counted_and_refused_by_the_estimate(collection):
    draw_for_people(collection, 2)
    first = TopicSample.objects.get(topic__query_id="1").tasks.order_by("position").first()
    grade(collection, "ada", [("1", first.task.document.doc_id, 1)])
    drawn = drawn_for_people(collection, "judge:ada", ["1"])
    assert (len(drawn.grades), drawn.n_open) == (1, 1)
    with pytest.raises(ValueError, match="1 of 2 drawn pairs has no grade yet"):
        drawn.draw.graded(drawn.grades)


def test_same_seed_draws_the_same_and_a_larger_draw_contains_the_smaller(collection):
    draw_for_people(collection, 1, seed=3)
    grade(collection, "ada", [("1", doc_id, 1) for doc_id in pooled()])
    small = set(drawn_for_people(collection, "judge:ada").draw.drawn["doc_id"])
    assert not drawn_for_people(collection, "judge:ada").was_enlarged
    draw_for_people(collection, 2)
    large = drawn_for_people(collection, "judge:ada")
    assert small < set(large.draw.drawn["doc_id"])
    assert large.draw.seed == 3
    assert large.was_enlarged  # ada had judged the first ones


def test_everything_can_be_drawn(collection):
    draw_for_people(collection, 1_000)
    grade(collection, "ada", [("1", doc_id, 1) for doc_id in pooled()])
    frame = drawn_for_people(collection, "judge:ada").draw.frame
    assert frame["drawn"].all()
    assert frame["inclusion_probability"].eq(1).all()


def test_draw_is_in_the_audit_log_and_can_be_undone(collection, join):
    owner = join(collection, "olga", "owner")
    result, building = draw_for_people(collection, 2, actor=owner.user)
    event = AuditEvent.objects.get(action=Action.SAMPLE_DRAWN)
    assert (event.actor_id, event.details) == (
        owner.user_id,
        {"topics": result.topics, "drawn": result.drawn, "seed": result.seed},
    )
    assert set(TopicSample.objects.values_list("drawn_by", flat=True)) == {owner.user_id}
    before = pooled()
    undo_pool(collection, owner.user, building.pk)
    assert not TopicSample.objects.exists()
    assert pooled() == before
    with pytest.raises(Refused, match=r"^No documents were drawn from the pool for people yet\. Draw them first\.$"):
        drawn_for_people(collection, "judge:ada")


def test_changed_pool_is_refused(collection):
    draw_for_people(collection, 2)
    grade(collection, "ada", [("1", doc_id, 1) for doc_id in pooled()])
    Provenance.objects.filter(task__topic__query_id="1").first().delete()
    with pytest.raises(Refused, match="The pool of topic 1 has changed since its documents were drawn"):
        drawn_for_people(collection, "judge:ada")


def test_topics_with_different_seeds_are_no_draw(collection):
    for query_id, seed in (("1", 1), ("2", 2)):
        draw_sample(collection, 1, query_ids=[query_id], population="pool", seed=seed)
    with pytest.raises(Refused, match="different seeds: 1, 2"):
        drawn_for_people(collection, "judge:ada")


def test_collection_without_a_pool_draws_nothing(db):
    from assess.collections.create import create_collection

    empty = create_collection("empty", "Empty", ("0=No", "1=Yes"))
    before = tables()
    with pytest.raises(Refused, match="has no pool yet"):
        draw_for_people(empty, 2)
    assert tables() == before
    assert not Member.objects.exists()


@pytest.mark.parametrize(("size", "seed"), [(0, None), (-1, None), (1, -1), (1, 2**31)])
def test_numbers_out_of_range_are_refused(collection, size, seed):
    before = tables()
    with pytest.raises(Refused, match="must be"):
        draw_for_people(collection, size, seed=seed)
    assert tables() == before


def test_only_drawn_pairs_are_assigned(collection, join):
    ada, bob = join(collection, "ada"), join(collection, "bob")
    result, _ = draw_for_people(collection, 2)
    assigned = assign_drawn(collection, 2)
    assert assigned.added == 2 * result.drawn
    for member in (ada, bob):
        tasks = set(Assignment.objects.filter(member=member).values_list("task", flat=True))
        assert tasks == set(SampledTask.objects.values_list("task", flat=True))
    assert assign_drawn(collection, 2).added == 0


def test_without_a_draw_nothing_is_assigned(collection, join):
    join(collection, "ada")
    with pytest.raises(Refused):
        assign_drawn(collection, 1)
    assert not Assignment.objects.exists()

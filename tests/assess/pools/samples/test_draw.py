"""Drawing a random sample of each topic: which documents, from what, into the pool, enlarged and undone."""

from collections import Counter
from itertools import permutations

import pytest

from assess.collections.archive import archive_collection
from assess.errors import Refused
from assess.models import Judgement, Provenance, SampledTask, Task, TopicSample
from assess.pools.assign import assign
from assess.pools.building.build import build_pool
from assess.pools.building.undo import undo_pool
from assess.pools.claims import open_to_claims
from assess.pools.samples.draw import draw_sample, preview_sample
from assess.pools.samples.drawn import samples_of
from assess.pools.samples.population import drawn_positions
from assess.pools.slots import slot_problems
from tests.assess.claiming import judge, upcoming
from tests.assess.command_output import output_of, refusal, tables
from tests.assess.pools.samples.imported import IMPORTED, OTHERS, drawn, import_all
from tests.factories import SMALL_RUNS, remove_content, small_collection

pytestmark = pytest.mark.django_db


@pytest.fixture
def whole(collection, tmp_path):
    """The documents of the runs and twenty others, all with a text; topic 1 has four documents in the pool."""
    return import_all(collection, tmp_path)


def sample_of(collection, query_id="1"):
    topic = collection.topics.get(query_id=query_id)
    return samples_of([topic])[topic.pk]


# ---- the order


def test_order_depends_on_seed_and_topic_only():
    first = drawn_positions(7, "1", 1_000, 50)
    assert first == drawn_positions(7, "1", 1_000, 50)
    assert first != drawn_positions(8, "1", 1_000, 50)
    assert first != drawn_positions(7, "2", 1_000, 50)
    assert first == drawn_positions(7, "1", 1_000, 400)[:50]
    assert sorted(drawn_positions(7, "1", 1_000, 1_000)) == list(range(1_000))
    assert drawn_positions(1, "topic", 10, 4) == [0, 9, 5, 8]


def test_every_document_and_every_order_is_equally_likely():
    """Chi-squared of the 24 orders of 4 documents, 23 degrees of freedom; 49.7 is exceeded once in a thousand."""
    n = 12_000
    orders = Counter(tuple(drawn_positions(seed, "1", 4, 4)) for seed in range(n))
    assert set(orders) == set(permutations(range(4)))
    assert sum((number - n / 24) ** 2 / (n / 24) for number in orders.values()) < 49.7
    # Of 50 documents, each is among the 5 drawn with probability 0.1; 49 degrees of freedom, 85.4 once in a thousand.
    chosen = Counter(at for seed in range(4_000) for at in drawn_positions(seed, "x", 50, 5))
    assert len(chosen) == 50
    assert sum((number - 400) ** 2 / 400 for number in chosen.values()) < 85.4


# ---- drawing


def test_sample_enters_the_pool_without_systems(whole):
    before = dict(Provenance.objects.values_list("task", "systems"))
    result = draw_sample(whole, 10, seed=5)
    assert (result.topics, result.drawn, result.size, result.seed, result.complete) == (2, 20, 10, 5, 0)
    population = sorted([*"abcdefxyz", *OTHERS], key=str.encode)
    assert drawn(whole) == [population[at] for at in drawn_positions(5, "1", 29, 10)]
    after = dict(Provenance.objects.values_list("task", "systems"))
    assert {task: after[task] for task in before} == before
    assert len(after) - len(before) == result.added
    assert {tuple(systems) for task, systems in after.items() if task not in before} == {()}
    sample = sample_of(whole)
    assert (sample.size, sample.fixed_size, sample.population_size, sample.seed) == (10, 10, 29, 5)
    building = whole.pool_buildings.latest("pk")
    assert (building.strategy, building.parameters["population_sizes"]) == ("collection_sample", {"1": 29, "2": 29})


def test_order_does_not_depend_on_the_order_of_import(whole, tmp_path):
    draw_sample(whole, 12, seed=3)
    other = import_all(small_collection(SMALL_RUNS, "reversed"), tmp_path, IMPORTED[::-1])
    draw_sample(other, 12, seed=3)
    assert drawn(other) == drawn(whole)


def test_doc_ids_are_ordered_by_bytes(collection, tmp_path):
    """The collations of databases put "É" next to "E", and ignore capitals and hyphens; bytes do not."""
    ids = ["aa", "B", "-b", "É", "ee", "Z", "\U0001f600", "ﬀ"]
    import_all(collection, tmp_path, [*"abcdefxyz", *ids])
    draw_sample(collection, 30, query_ids=["1"], seed=9)
    everything = sorted({*"abcdefxyz", *ids}, key=lambda doc_id: doc_id.encode())
    assert drawn(collection) == [everything[at] for at in drawn_positions(9, "1", len(everything), len(everything))]


def test_default_seed_is_that_of_the_collection(whole):
    draw_sample(whole, 3)
    assert sample_of(whole).seed == whole.seed


def test_chosen_topics_only(whole):
    assert draw_sample(whole, 5, query_ids=["2"]).topics == 1
    assert drawn(whole) == []
    assert len(drawn(whole, "2")) == 5


def test_sample_of_the_pool_adds_nothing_to_it(collection):
    pooled = Provenance.objects.count()
    result = draw_sample(collection, 3, population="pool")
    assert (result.added, result.drawn, Provenance.objects.count()) == (0, 6, pooled)
    assert (sample_of(collection).population_size, sample_of(collection, "2").population_size) == (4, 3)
    assert result.complete == 1
    assert set(drawn(collection)) < set("abde")


@pytest.mark.slow
def test_preview_counts_and_changes_nothing(whole, add_assessors):
    (ada,) = add_assessors(whole, "ada")
    assign(whole, 1)
    judge(ada, upcoming(ada)[0])
    before = tables()
    preview = preview_sample(whole, 29, query_ids=["1"])
    assert tables() == before
    assert (preview.drawn, preview.new, preview.unjudged) == (29, 25, 28)


def test_open_claims_offer_the_sample_at_once(whole, add_assessors):
    open_to_claims(whole, 2)
    draw_sample(whole, 6, query_ids=["1"], seed=5)
    assert set(Task.objects.filter(topic__query_id="1").values_list("wanted", flat=True)) == {2}
    (ada,) = add_assessors(whole, "ada")
    assert len(upcoming(ada, limit=30)) == Task.objects.filter(topic__query_id="1").count()
    assert list(slot_problems(whole)) == []


def test_closed_collections_assign_the_sample_like_other_tasks(whole, add_assessors):
    add_assessors(whole, "ada")
    assign(whole, 1)
    result = draw_sample(whole, 6, query_ids=["1"], seed=5)
    assert set(Task.objects.filter(topic__query_id="1").values_list("wanted", flat=True)) == {0}
    assert assign(whole, 1).added == result.added


# ---- enlarging


def test_larger_sample_continues_the_order(whole, tmp_path):
    draw_sample(whole, 4, seed=5)
    first = drawn(whole)
    result = draw_sample(whole, 9)
    assert (result.drawn, result.seed) == (10, 5)
    assert drawn(whole)[:4] == first
    other = import_all(small_collection(SMALL_RUNS, "other"), tmp_path)
    draw_sample(other, 9, seed=5)
    assert drawn(other) == drawn(whole)
    assert sample_of(whole).fixed_size == 9  # nothing was judged in between


def test_sample_enlarged_after_judging_keeps_its_fixed_size(whole, add_assessors):
    (ada,) = add_assessors(whole, "ada")
    open_to_claims(whole, 1)
    draw_sample(whole, 4, query_ids=["1"], seed=5)
    while cards := upcoming(ada):
        judge(ada, cards[0])
    draw_sample(whole, 9, query_ids=["1"])
    sample = sample_of(whole)
    assert (sample.size, sample.fixed_size, sample.was_enlarged) == (9, 4, True)


@pytest.mark.slow
def test_topics_with_enough_documents_are_left_as_they_are(whole):
    draw_sample(whole, 8, query_ids=["1"])
    assert draw_sample(whole, 8).topics == 1
    with pytest.raises(Refused, match=r"The samples of these topics have 8 documents or more, or all\."):
        draw_sample(whole, 8)


@pytest.mark.slow
def test_everything_can_be_drawn(whole):
    result = draw_sample(whole, 100, query_ids=["1"])
    assert (result.size, result.complete) == (29, 1)
    assert sample_of(whole).has_everything
    with pytest.raises(Refused, match=r"Choose a larger size\."):
        draw_sample(whole, 200, query_ids=["1"])


def test_sample_cannot_continue_with_another_order(whole, tmp_path):
    draw_sample(whole, 4, seed=5)
    with pytest.raises(Refused, match="was drawn with seed 5, so it cannot continue with seed 6"):
        draw_sample(whole, 8, seed=6)
    with pytest.raises(Refused, match="was drawn from the collection, so it cannot continue with the pool"):
        draw_sample(whole, 8, population="pool")
    import_all(whole, tmp_path, ["new"])
    with pytest.raises(Refused, match="drawn from 29 documents, and the collection has changed since"):
        draw_sample(whole, 8)


# ---- refused


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"size": 0}, r"size must be at least 1, not 0\."),
        ({"size": 3, "population": "runs"}, "population must be one of collection, pool, not 'runs'"),
        ({"size": 3, "seed": -1}, "seed must be between 0 and 2147483647, not -1"),
        ({"size": 3, "query_ids": ["9"]}, "There is no topic '9' in small"),
        ({"size": 400_000}, "400,000 documents in each of 2 topics are too many"),
    ],
)
def test_wrong_values_are_refused(whole, values, sentence):
    before = tables()
    with pytest.raises(Refused, match=sentence):
        draw_sample(whole, **values)
    assert tables() == before


def test_collection_without_all_texts_is_refused(whole):
    remove_content(whole.documents.filter(doc_id__in=["a", "n03"]))
    with pytest.raises(
        Refused, match=r"2 documents have no text in small, such as a\. A sample of the whole collection"
    ):
        draw_sample(whole, 3)
    with pytest.raises(Refused, match="1 document of the pool has no text yet"):
        draw_sample(whole, 3, population="pool")


def test_documents_that_only_a_run_knows_are_missing(collection):
    """The runs retrieve c and f, which are not in the pool of depth 2 and have no text."""
    with pytest.raises(Refused, match=r"no text in small, such as c, which alpha retrieved"):
        draw_sample(collection, 3)
    assert draw_sample(collection, 3, population="pool").drawn == 6


def test_empty_and_archived_collections_are_refused(whole):
    Provenance.objects.all().delete()
    with pytest.raises(Refused, match="There is no document from which a sample of topic 1 could be drawn"):
        draw_sample(whole, 3, population="pool")
    archive_collection(whole)
    with pytest.raises(Refused, match="archived"):
        draw_sample(whole, 3)


# ---- undone


def test_undo_restores_the_pool(whole, add_assessors):
    (ada,) = add_assessors(whole, "ada")
    open_to_claims(whole, 1)
    before = list(Provenance.objects.order_by("task").values_list("task", "systems", "best_rank"))
    result = draw_sample(whole, 6, seed=5)
    assert upcoming(ada)
    assert undo_pool(whole).tasks == result.added
    assert list(Provenance.objects.order_by("task").values_list("task", "systems", "best_rank")) == before
    assert not TopicSample.objects.exists()
    assert not SampledTask.objects.exists()
    assert whole.documents.count() == 29
    assert draw_sample(whole, 6, seed=5).added == result.added


@pytest.mark.slow
def test_undo_of_a_larger_sample_leaves_the_smaller_one(whole):
    draw_sample(whole, 4, seed=5)
    first = drawn(whole)
    draw_sample(whole, 9)
    undo_pool(whole)
    assert drawn(whole) == first


@pytest.mark.slow
def test_undo_is_refused_once_a_new_document_is_judged(whole, add_assessors):
    (ada,) = add_assessors(whole, "ada")
    draw_sample(whole, 25, query_ids=["1"], seed=5)
    assign(whole, 1)
    entered = Task.objects.filter(provenance__systems=[]).values("pk")
    assignment = ada.assignments.filter(task__in=entered).first()
    judge(ada, str(assignment.public_id))
    with pytest.raises(Refused, match="1 task that it added has a judgement"):
        undo_pool(whole)
    assert Judgement.objects.count() == 1
    assert len(drawn(whole)) == 25


def test_documents_pooled_before_do_not_prevent_the_undo(whole, add_assessors):
    (ada,) = add_assessors(whole, "ada")
    assign(whole, 1)
    judge(ada, upcoming(ada)[0])
    draw_sample(whole, 29, query_ids=["1"])
    undo_pool(whole)
    assert not SampledTask.objects.exists()


def test_later_runs_can_pool_a_sampled_document(whole):
    draw_sample(whole, 29, query_ids=["1"])
    build_pool(whole, depth=3)
    assert Provenance.objects.get(task__topic__query_id="1", task__document__doc_id="c").systems == ["alpha"]


# ---- the command


def test_command_draws(whole):
    lines = output_of("draw_sample", "--collection", "small", "--size", "5", "--topics", "1", "--seed", "5")
    added = whole.pool_buildings.latest("pk").tasks_added
    assert lines[0].startswith(f"Drew 5 documents in 1 topic with seed 5; {added:,} of them")
    assert lines[1:] == ["Nobody has the new documents yet; assign gives them to assessors."]
    assert len(drawn(whole)) == 5
    lines = output_of("draw_sample", "--collection", "small", "--size", "7", "--topics", "1", "--preview")
    assert lines[0].startswith("2 documents would be drawn in 1 topic: ")
    assert len(drawn(whole)) == 5


def test_command_reports_a_refusal(collection):
    assert "no text in small" in refusal("draw_sample", "--collection", "small", "--size", "5")
    assert "There is no topic" in refusal("draw_sample", "--collection", "small", "--size", "5", "--topics", "9")

"""What a sample says about the recall of judging: the figures are the library's on the same documents."""

from datetime import timedelta

import pytest

from assess.errors import Refused
from assess.models import Assignment, Judgement, OpenedResult, Proposal, Provenance, Search, Task
from assess.pools.building.build import build_pool
from assess.pools.learning.decided import decided_documents
from assess.pools.samples.draw import draw_sample
from assess.pools.samples.entered import reached_times, unreached_tasks
from assess.work.sample_rules import Goal, sample_advice, sample_figures
from assess.work.stopping import gain_of, gains
from pooling import quantile_bound, sampled_recall, target_method
from tests.assess.claiming import judge
from tests.assess.pools.samples.imported import IMPORTED, OTHERS, drawn, grade, import_all

pytestmark = pytest.mark.django_db
RELEVANT = {"a", "d", "x", "n03", "n04", "n11", "n12", "n17"}
GOAL = Goal(recall=0.5, confidence=0.7, target=3)  # the bound needs 2 relevant documents


@pytest.fixture
def whole(collection, tmp_path):
    return import_all(collection, tmp_path)


@pytest.fixture
def topic(whole):
    return whole.topics.get(query_id="1")


@pytest.fixture
def ada(whole, join):
    return join(whole, "ada")


def figures(topic, goal=GOAL):
    return sample_figures(topic.collection, [gain_of(topic, 1)], goal)[topic.pk]


def pooled_by_runs(topic) -> list[str]:
    rows = Provenance.objects.filter(task__topic=topic).exclude(systems=[])
    return sorted(rows.values_list("task__document__doc_id", flat=True))


def entered(topic) -> list[str]:
    rows = Task.objects.filter(topic=topic, provenance__systems=[])
    return sorted(rows.values_list("document__doc_id", flat=True))


def test_figures_are_those_of_the_library(whole, topic, ada):
    draw_sample(whole, 20, query_ids=["1"], seed=4)
    sample, review = drawn(whole), ["d", "a", "e", "b"]
    assert set(review) == set(pooled_by_runs(topic))
    grade(ada, [each for each in sample if each not in review], RELEVANT)
    grade(ada, review, RELEVANT)
    shown = figures(topic)
    relevant = set(sample) & RELEVANT
    assert len(relevant - set(review)) >= 2
    assert shown.recall == sampled_recall(len(relevant), len(relevant & set(review)), confidence=0.7)
    found = {*relevant, *(RELEVANT & set(review))}
    assert_same(shown.quantile, quantile_bound(sample, review, found, recall=0.5, confidence=0.7))
    assert_same(shown.target, target_method(sample, review, found, target=3, confidence=0.7))
    assert (shown.n_judged, shown.n_relevant, shown.n_review) == (20, len(relevant), 4)
    assert (shown.sample.size, shown.sample.population_size, shown.n_open) == (20, 29, 0)


def assert_same(rule, expected):
    """The rules number tasks and the library's call has doc_ids; all figures and sentences are equal."""
    assert vars(rule) == vars(expected)


@pytest.mark.in_ci
def test_review_that_reaches_the_sample_may_stop(whole, topic, ada):
    """The sample is all documents, so the review reaches each relevant document, and recall is 1."""
    build_pool(whole, "every_document")
    draw_sample(whole, 29, query_ids=["1"], seed=4)
    grade(ada, IMPORTED, RELEVANT)
    shown = figures(topic)
    assert (shown.recall.value, shown.n_reached, shown.sample.has_everything) == (1, 8, True)
    # Of 8 relevant documents, it is number 6: at most 4 have a probability of 163/256 < 0.7, at most 5 one of 219/256.
    assert (shown.quantile.n_needed, shown.quantile.status) == (6, "stopped")
    places = [place for place, doc_id in enumerate(IMPORTED, 1) if doc_id in RELEVANT]
    assert shown.quantile.stop_after == places[5]
    first_three = [doc_id for doc_id in drawn(whole) if doc_id in RELEVANT][:3]
    assert shown.target.stop_after == max(IMPORTED.index(doc_id) + 1 for doc_id in first_three)


def test_sample_that_is_not_judged_is_undefined(whole, topic, ada):
    draw_sample(whole, 20, query_ids=["1"], seed=4)
    shown = figures(topic)
    reason = "20 documents of the sample are not judged yet"
    assert (shown.recall.value, shown.recall.reason) == (None, reason)
    assert (shown.quantile.status, shown.quantile.reason) == ("undefined", reason)
    assert (shown.target.status, shown.target.reason) == ("undefined", reason)
    grade(ada, drawn(whole)[1:], RELEVANT)
    shown = figures(topic)
    assert shown.recall.reason == "1 document of the sample is not judged yet"
    assert shown.target.reason == "1 document of the sample is not judged yet"  # the order has a gap at its start
    assert (shown.n_open, shown.n_missing) == (1, 0)


def test_target_method_needs_no_more_than_its_documents(whole, topic, ada):
    draw_sample(whole, 29, query_ids=["1"], seed=4)
    order = drawn(whole)
    last = [at for at, doc_id in enumerate(order) if doc_id in RELEVANT][2]
    grade(ada, order[: last + 1], RELEVANT)
    shown = figures(topic)
    assert (shown.target.n_sampled, shown.target.n_sampled_relevant, shown.target.n_needed) == (last + 1, 3, 3)
    assert shown.quantile.status == "undefined"


def test_missing_relevant_documents_are_counted(whole, topic, ada):
    draw_sample(whole, 10, query_ids=["1"], seed=4)
    grade(ada, drawn(whole), RELEVANT)
    relevant = len(set(drawn(whole)) & RELEVANT)
    shown = figures(topic, Goal(target=9))
    assert shown.n_missing == 9 - relevant
    assert "the method needs 9" in shown.target.reason
    assert shown.size_for_target == min(29, 10 + -(-(9 - relevant) * 10 // relevant))


def test_documents_that_cannot_be_judged_are_not_relevant(whole, topic, ada):
    draw_sample(whole, 10, query_ids=["1"], seed=4)
    order = drawn(whole)
    grade(ada, order[1:], RELEVANT)
    task = Task.objects.get(topic=topic, document__doc_id=order[0])
    assignment = Assignment.objects.create(task=task, member=ada, topic=topic, position=0)
    judge(ada, str(assignment.public_id), "cannot_judge")
    shown = figures(topic)
    assert (shown.n_judged, shown.n_not_judgeable, shown.n_open) == (9, 1, 0)
    assert shown.recall.reason == "" or shown.n_relevant == 0


@pytest.mark.in_ci
def test_enlarged_sample_keeps_its_fixed_part_for_recall(whole, topic, ada):
    draw_sample(whole, 12, query_ids=["1"], seed=4)
    grade(ada, {*drawn(whole), *"abde"}, RELEVANT)
    before = figures(topic)
    draw_sample(whole, 29, query_ids=["1"])
    during = figures(topic)
    assert during.recall == before.recall
    assert during.quantile == before.quantile
    grade(ada, set(drawn(whole)[12:]) - set("abde"), RELEVANT)
    after = figures(topic)
    assert (after.recall, after.quantile) == (before.recall, before.quantile)
    assert after.target.n_sampled_relevant == 3


# ---- what belongs to the review


@pytest.mark.in_ci
def test_documents_that_only_the_sample_brought_are_not_of_the_review(whole, topic, ada):
    draw_sample(whole, 29, query_ids=["1"], seed=4)
    grade(ada, IMPORTED, RELEVANT)
    shown = figures(topic)
    assert (shown.n_judged, shown.n_review) == (29, 4)
    assert shown.n_reached == len({"a", "d"})
    assert set(reached_times([topic.pk]).values()) == {None}
    assert len(unreached_tasks(topic.pk)) == 25


@pytest.mark.in_ci
def test_learner_and_strategies_do_not_learn_from_them(whole, topic, ada):
    draw_sample(whole, 29, query_ids=["1"], seed=4)
    grade(ada, IMPORTED, RELEVANT)
    decided, events = decided_documents(topic.pk, "union", 1)
    assert (set(decided), events) == (set("abde"), 29)


@pytest.mark.in_ci
@pytest.mark.parametrize("way", ["run", "every_document", "learner", "searcher"])
def test_review_reaches_them_in_each_way(whole, topic, ada, way):
    draw_sample(whole, 29, query_ids=["1"], seed=4)
    grade(ada, IMPORTED, RELEVANT)
    document = whole.documents.get(doc_id="c")  # alpha has it at rank 3
    if way == "run":
        build_pool(whole, depth=3)
    elif way == "every_document":
        build_pool(whole, "every_document")
    elif way == "learner":
        Proposal.objects.create(model=learner_model(topic), document=document, position=0)
    else:
        search = Search.objects.create(member=ada, topic=topic, query="c", documents=[], matched=1, was_complete=True)
        OpenedResult.objects.create(search=search, document=document, rank=1)
    task = Task.objects.get(topic=topic, document=document)
    times = reached_times([topic.pk])
    assert times[task.pk] is not None
    reached = {"run": 2, "every_document": 25, "learner": 1, "searcher": 1}[way]  # depth 3 has c and f
    assert sum(at is not None for at in times.values()) == reached
    decided, _ = decided_documents(topic.pk, "union", 1)
    assert "c" in decided
    assert figures(topic).n_review == 4 + reached


def learner_model(topic):
    from assess.models import LearnerModel

    numbers = dict.fromkeys(("n_judged", "document_count", "last_document"), 0)
    return LearnerModel.objects.create(
        topic=topic, version=1, rule="union", parameters={"rel": 1}, batch_size=1, ranking=[], **numbers
    )


@pytest.mark.in_ci
def test_place_in_the_review_is_when_it_was_reached(whole, topic, ada):
    """n03 was judged first, as a document of the sample; the learner reached it after the review had judged d and a."""
    draw_sample(whole, 29, query_ids=["1"], seed=4)
    order = ["n03", "d", "a", "e", "b", *(doc_id for doc_id in IMPORTED if doc_id not in {"n03", *"abde"})]
    grade(ada, order, RELEVANT)
    at = Judgement.objects.get(task__topic=topic, task__document__doc_id="a").judged_at
    proposal = Proposal.objects.create(
        model=learner_model(topic), document=whole.documents.get(doc_id="n03"), position=0
    )
    Proposal.objects.filter(pk=proposal.pk).update(proposed_at=at + timedelta(microseconds=1))
    Judgement.objects.filter(task__document__doc_id__in="eb").update(judged_at=at + timedelta(seconds=1))
    shown = figures(topic)
    review = ["d", "a", "n03", "e", "b"]
    expected = quantile_bound(drawn(whole), review, RELEVANT, recall=0.2, confidence=0.7)
    assert_same(figures(topic, Goal(0.2, 0.7, 3)).quantile, expected)
    assert (expected.stop_after, shown.n_review) == (3, 5)


def test_documents_pooled_before_the_sample_belong_to_the_review(whole, topic, ada):
    build_pool(whole, depth=3)
    draw_sample(whole, 29, query_ids=["1"], seed=4)
    assert set(entered(topic)) == {*"xyz", *OTHERS}
    assert len(unreached_tasks(topic.pk)) == 23


# ---- queries, goals, advice


def test_the_number_of_queries_is_constant(whole, ada, django_assert_num_queries, django_assert_max_num_queries):
    draw_sample(whole, 5, seed=4)
    with django_assert_max_num_queries(16) as one:
        sample_figures(whole, gains(whole, 1, ["1"]), GOAL)
    with django_assert_num_queries(len(one.captured_queries)):
        assert len(sample_figures(whole, gains(whole, 1), GOAL)) == 2


def test_without_a_sample_learning_costs_one_query_more(topic, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert reached_times([topic.pk]) == {}
    with django_assert_num_queries(2):
        decided_documents(topic.pk, "union", 1)


@pytest.mark.parametrize(
    "values",
    [
        {"recall": 0.0},
        {"recall": 1.0},
        {"confidence": 1.5},
        {"confidence": float("nan")},
        {"target": 0},
        {"target": 2_000},
    ],
)
def test_goals_out_of_range_are_refused(values):
    with pytest.raises(Refused, match=f"{next(iter(values))} must be between"):
        Goal(**values)


def test_advice_is_the_librarys(whole, topic, ada):
    grade(ada, pooled_by_runs(topic), RELEVANT)  # two relevant documents
    advice = sample_advice(gain_of(topic, 1), GOAL)
    assert (advice.relevant_needed, advice.documents) == (2, 29)
    # P(both of 2 in a sample of n of 29) = n (n - 1) / (29 * 28); at least 0.95 from n = 29 on: 28 * 27 / 812 = 0.931.
    assert advice.size == 29
    assert sample_advice(gain_of(topic, 1), Goal()).size is None

"""A random sample while a learner proposes documents: it is judged first, and the learner does not learn from it."""

import pytest

from assess.models import LearnerModel, Proposal, SampledTask
from assess.pools.adaptive_order import end_adaptive_order
from assess.pools.learning.replay import replay_learner
from assess.pools.learning.state import learner_state
from assess.pools.samples.draw import draw_sample
from assess.pools.samples.entered import unreached_documents
from assess.work.sample_rules import Goal, sample_figures
from assess.work.stopping import gain_of
from pooling import quantile_bound
from tests.assess.claiming import fresh
from tests.assess.pools.learning.whole import begin, doc_ids, judge_cards, library_replay, relevant, versions
from tests.assess.pools.samples.imported import drawn

pytestmark = pytest.mark.database

GOAL = Goal(recall=0.8, confidence=0.7)


def judge_next(member, topic) -> str:
    (doc_id,) = doc_ids(member, topic, limit=1)
    judge_cards(member, topic, [doc_id])
    return doc_id


@pytest.fixture
def sampled(whole, topic):
    """A sample of 30 of the 90 documents, which the learner does not propose before it is judged."""
    draw_sample(whole, 30, query_ids=["1"], seed=3)
    begin(whole)
    return drawn(whole)


@pytest.mark.slow
def test_sample_is_judged_first_in_the_order_of_drawing(whole, ada, topic, sampled, at_once):
    assert [judge_next(ada, topic) for _ in range(30)] == sampled
    assert not Proposal.objects.filter(model__topic=topic, document__doc_id__in=sampled).exists()
    assert versions(topic) == [(1, 0, 1)]  # it has learned nothing from the sample
    assert [state.judged_since for state in learner_state(whole)] == [0] * whole.topics.count()


@pytest.mark.slow
def test_review_passes_over_the_sample_and_records_what_it_reached(whole, ada, topic, sampled, at_once):
    """The first model ranks as without a sample; documents of the sample are not shown again when it reaches them."""
    for _ in range(30):
        judge_next(ada, topic)
    expected = library_replay(whole, topic, 90)
    order = [judge_next(ada, topic) for _ in range(20)]
    assert not set(order) & set(sampled)
    reached = set(Proposal.objects.filter(model__topic=topic).values_list("document__doc_id", flat=True))
    assert reached & set(sampled)
    assert order[0] == next(doc_id for doc_id in expected if doc_id not in sampled)
    unreached = {whole.documents.get(pk=pk).doc_id for pk in unreached_documents(topic.pk)}
    assert unreached == set(sampled) - reached
    replayed = replay_learner(whole)
    assert replayed.problems == []


@pytest.mark.slow
def test_rules_follow_the_learner(whole, ada, topic, sampled, at_once):
    for _ in range(75):
        judge_next(ada, topic)
    gain = gain_of(topic, 1)
    shown = sample_figures(whole, [gain], GOAL)[topic.pk]
    assert (shown.n_judged, shown.n_open) == (30, 0)
    about = {f"d{number:03}" for number in range(90) if relevant(topic, f"d{number:03}")}
    assert shown.n_relevant == len(about & set(sampled))
    assert 0 < shown.n_reached <= shown.n_relevant
    assert shown.quantile.n_needed == quantile_bound(sampled, sampled, about, recall=0.8, confidence=0.7).n_needed
    keys = dict(SampledTask.objects.values_list("task__document__doc_id", "task"))
    assert set(map(str, keys.values())) == {str(task) for task in shown.sample.tasks}


@pytest.mark.slow
def test_model_learns_from_the_sample_once_it_is_reached(whole, ada, topic, sampled, at_once):
    for _ in range(60):
        judge_next(ada, topic)
    model = LearnerModel.objects.filter(topic=topic).latest("version")
    names = dict(whole.documents.values_list("pk", "doc_id"))
    learned = {names[document] for document, _ in model.judged}
    reached = set(Proposal.objects.filter(model__topic=topic).values_list("document__doc_id", flat=True))
    assert learned <= reached
    assert learned & set(sampled)


def test_sample_survives_the_end_of_learning(whole, ada, topic, at_once):
    """Documents that the learner had brought into the pool for nobody leave it, but not those of a sample."""
    begin(whole)
    doc_ids(ada, topic, limit=3)
    draw_sample(whole, 90, query_ids=["1"], seed=3)
    end_adaptive_order(fresh(ada).collection)
    assert SampledTask.objects.filter(sample__topic=topic).count() == 90

"""Models are trained in the background: nobody waits, and assessors go on with the proposals of the model before."""

import os
import subprocess
import sys
from datetime import timedelta

import pytest
from django.utils import timezone

from assess.collections.archive import archive_collection
from assess.errors import Refused
from assess.jobs.queue import cancel
from assess.jobs.run import run
from assess.models import Job, JobState, LearnerModel, Proposal, Task
from assess.pools.adaptive_order import begin_adaptive_order, end_adaptive_order
from assess.pools.learning.replay import replay_learner
from assess.pools.learning.train import train
from tests.assess.command_output import output_of, refusal, tables
from tests.assess.pools.adaptive import fresh, judge
from tests.assess.pools.learning.whole import begin, doc_ids, judge_cards, proposed, ranking, versions, whole_collection
from tests.factories import remove_content, set_content

pytestmark = pytest.mark.database


def run_next() -> Job:
    """Let a worker run the job that waits."""
    job = Job.objects.get(state=JobState.WAITING)
    run(job.pk, job.attempt + 1)
    job.refresh_from_db()
    return job


# ---- in the background


@pytest.mark.slow
def test_assessors_go_on_while_the_next_model_is_trained(whole, ada, topic):
    begin(whole)
    first = ranking(topic)
    judge_cards(ada, topic, doc_ids(ada, topic))
    for _ in range(4):  # no worker has time
        cards = doc_ids(ada, topic)
        assert cards == [doc_id for doc_id in first if doc_id not in judged(topic)][:5]
        judge_cards(ada, topic, cards)
    assert Job.objects.filter(kind="train", input={"topic": topic.pk}).count() == 1
    job = run_next()
    assert (job.state, job.result["version"], job.result["judged"]) == (JobState.DONE, 2, 25)
    assert versions(topic) == [(1, 0, 1), (2, 25, 2)]
    assert doc_ids(ada, topic) == ranking(topic)[:5]
    assert Proposal.objects.filter(model__version=2).count() == 6  # one more is in the pool


def judged(topic) -> set[str]:
    tasks = Task.objects.filter(topic=topic, judgements__state="judged")
    return set(tasks.values_list("document__doc_id", flat=True))


def test_no_model_is_trained_before_the_batch_is_complete(whole, ada, topic):
    begin(whole)
    LearnerModel.objects.update(batch_size=3)
    for expected in (0, 0, 1):
        judge_cards(ada, topic, doc_ids(ada, topic, limit=1))
        doc_ids(ada, topic, limit=1)
        assert Job.objects.count() == expected


def test_topics_are_trained_apart(whole, ada, topic):
    begin(whole)
    other = whole.topics.get(query_id="2")
    for each in (topic, other):
        judge_cards(ada, each, doc_ids(ada, each, limit=1))
        doc_ids(ada, each, limit=1)
    assert sorted(job.input["topic"] for job in Job.objects.all()) == [topic.pk, other.pk]


def test_training_that_failed_starts_again_a_minute_later(whole, ada, topic):
    begin(whole)
    judge_cards(ada, topic, doc_ids(ada, topic))
    remove_content(whole.documents.all())
    doc_ids(ada, topic)
    assert "none of the 0 documents" in run_next().error
    doc_ids(ada, topic)
    assert Job.objects.count() == 1
    Job.objects.update(ended_at=timezone.now() - timedelta(minutes=2))
    doc_ids(ada, topic)
    assert Job.objects.count() == 2


def test_model_is_not_saved_after_the_order_has_ended(whole, ada, topic):
    begin(whole)
    judge_cards(ada, topic, doc_ids(ada, topic))
    doc_ids(ada, topic)
    end_adaptive_order(fresh(ada).collection)
    assert run_next().result["version"] == 0
    assert versions(topic) == [(1, 0, 1)]


def test_model_is_not_saved_in_an_archived_collection(whole, ada, topic):
    begin(whole)
    judge_cards(ada, topic, doc_ids(ada, topic))
    doc_ids(ada, topic)
    archive_collection(whole)
    assert run_next().error.startswith("whole is archived and cannot be changed.")
    assert versions(topic) == [(1, 0, 1)]


def test_cancelled_training_is_started_by_the_next_request(whole, ada, topic):
    begin(whole)
    judge_cards(ada, topic, doc_ids(ada, topic))
    doc_ids(ada, topic)
    cancel(Job.objects.get())
    doc_ids(ada, topic)
    assert run_next().state == JobState.DONE


def test_training_that_is_not_due_changes_nothing(whole, topic):
    begin(whole)
    before = tables()
    assert train(whole, topic.pk).version == 0
    assert tables() == before


def test_documents_imported_later_are_proposed_by_the_next_model(whole, ada, topic):
    begin(whole)
    judge_cards(ada, topic, doc_ids(ada, topic))
    late = whole.documents.create(doc_id="late")
    set_content(whole.documents.filter(pk=late.pk), text="ship harbour sail anchor tide captain deck")
    whole.documents.create(doc_id="empty")  # a pool building found it, and its text is not imported
    doc_ids(ada, topic)
    run_next()
    assert ranking(topic)[0] == "late"
    assert "empty" not in ranking(topic)
    assert replay_learner(whole).problems == []  # earlier models are repeated without it


# ---- what a request costs


@pytest.mark.slow
def test_next_documents_need_few_queries_however_many_are_judged(whole, ada, topic, django_assert_max_num_queries):
    begin(whole)
    for _ in range(6):
        judge_cards(ada, topic, doc_ids(ada, topic))
        with django_assert_max_num_queries(46):  # with the claim of the next batch, and the start of the job
            doc_ids(ada, topic)
        with django_assert_max_num_queries(10):
            doc_ids(ada, topic)


@pytest.mark.slow
def test_requests_do_not_load_scikit_learn():
    modules = "assess.urls, assess.judging.worklist, assess.pools.claims, assess.pools.learning.propose"
    script = f"import django, sys; django.setup(); import {modules}; print('sklearn' in sys.modules)"
    environment = {"DJANGO_SETTINGS_MODULE": "tests.settings"}

    answer = subprocess.run(
        [sys.executable, "-c", script], env=os.environ | environment, capture_output=True, text=True, check=True
    )
    assert answer.stdout == "False\n"


# ---- replay


def test_replay_finds_models_and_proposals_that_differ(whole, ada, topic):
    begin(whole)
    cards = doc_ids(ada, topic)
    proposal = Proposal.objects.get(model__topic=topic, document__doc_id=cards[2])
    Proposal.objects.filter(pk=proposal.pk).update(position=0)
    LearnerModel.objects.filter(topic__query_id="2").update(digest="0" * 64)
    result = replay_learner(whole)
    assert result.problems == [
        f"Topic 1, version 1: a new training does not propose {cards[2]} at 1.",
        "Topic 2, version 1: a new training ranks the documents differently.",
    ]
    assert (result.models, result.proposals) == (2, 7)


def test_models_whose_documents_have_changed_cannot_be_repeated(whole, ada, topic):
    begin(whole)
    set_content(whole.documents.filter(doc_id="d005"), text="another text")
    assert replay_learner(whole).problems == [
        f"Topic {query_id}, version 1 cannot be repeated: documents have changed since." for query_id in "12"
    ]


def test_topic_that_was_changed_is_repeated_with_its_former_words(whole, ada, topic):
    begin(whole)
    topic.title = "trains"
    topic.save()
    assert replay_learner(whole).problems == []


def test_command_repeats_the_models(whole, ada, topic):
    begin(whole)
    doc_ids(ada, topic)
    assert output_of("replay_learner", "--collection", "whole") == [
        "Repeated 2 models and 7 proposals. All are the same."
    ]
    LearnerModel.objects.filter(topic=topic).update(digest="0" * 64)
    assert refusal("replay_learner", "--collection", "whole") == (
        "1 of 2 models differs or cannot be repeated. Topic 1, version 1: a new training ranks the documents "
        "differently."
    )


def test_collection_without_a_learner_has_nothing_to_repeat(whole):
    assert refusal("replay_learner", "--collection", "whole") == "No learner has proposed documents in whole yet."


# ---- refusals


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda c: remove_content(c.documents.filter(doc_id__lt="d003")),
            "3 documents have no text in whole, such as d000",
        ),
        (lambda c: remove_content(c.documents.filter(doc_id="d007")), "1 document has no text in whole, such as d007"),
        (lambda c: c.documents.all().delete(), "whole has no documents yet"),
        (lambda c: c.topics.all().delete(), "whole has no topics yet"),
    ],
)
def test_collection_that_is_not_fully_imported_is_refused(whole, change, message):
    change(whole)
    before = tables()
    with pytest.raises(Refused, match=message):
        begin_adaptive_order(whole, "cal")
    assert tables() == before


def test_documents_of_runs_that_are_not_imported_are_refused(db):
    whole = whole_collection(runs={"wide": {"1": ["d000", "elsewhere", "far"], "2": ["d001"]}})
    message = "2 documents have no text in whole, such as elsewhere, which wide retrieved. Import all documents first."
    with pytest.raises(Refused, match=message):
        begin_adaptive_order(whole, "cal")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"speed": 3}, "has no parameter 'speed' here; it has: presumed, c"),
        ({"depth": 3}, "has no parameter 'depth' here"),
        ({"presumed": 0}, "presumed must be a whole number from 1, not 0"),
        ({"c": -1}, "c must be a number above 0, not -1"),
        ({"rule": "dawid_skene"}, "choose one of"),
        ({"rel": 5}, "relevance threshold must be one of 1, not 5"),
    ],
)
def test_invalid_options_are_refused_and_change_nothing(whole, options, message):
    before = tables()
    with pytest.raises(Refused, match=message):
        begin_adaptive_order(whole, "cal", **options)
    assert tables() == before


def test_command_starts_the_learner(whole, ada, topic):
    command = ("adapt_order", "--collection", "whole", "--strategy", "cal", "--parameter", "presumed=20")
    assert output_of(*command) == ["cal now orders the documents of 2 topics, using the rule union."]
    assert LearnerModel.objects.filter(topic=topic).get().parameters["presumed"] == 20
    assert doc_ids(ada, topic) == ranking(topic)[:5]
    assert proposed(topic)[0] == ranking(topic)[0]


def test_command_explains_that_assigned_documents_only_are_ordered(db):
    whole_collection(judges=None)
    lines = output_of("adapt_order", "--collection", "whole", "--strategy", "cal")
    assert lines[1].startswith("The collection is not open to claims, so cal orders only documents that are assigned.")


def test_judgement_of_the_first_document_is_learned(whole, ada, topic, settings):
    settings.TRAIN_AT_ONCE = True
    begin(whole)
    (first,) = doc_ids(ada, topic, limit=1)
    judge(ada, topic, first, 1)
    doc_ids(ada, topic, limit=1)
    keys = dict(whole.documents.values_list("doc_id", "pk"))
    assert LearnerModel.objects.get(topic=topic, version=2).judged == [[keys[first], 1]]

"""Which documents people judge after a model: by probability, at the top, in a random sample, and what is refused."""

import pytest

from assess.analysis.data import collection_gold
from assess.asking.policy import PolicyRule, decide_policy, describe_policy, end_policy, policy_of, policy_record
from assess.errors import Refused
from assess.model_judges.draw import drawn_for_people
from assess.models import Assignment, ModelPolicy, SampledTask
from assess.pools.tasks import pooled_tasks
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements

pytestmark = [pytest.mark.django_db, pytest.mark.database]
MODEL = JudgementOptions(judge_kind="model")
SURE = {"a": 0.9, "b": 0.4, "d": 0.8, "e": 0.95, "x": 0.5, "y": 0.99, "z": 0.7}


def grade(collection, with_probability=True, leave_out=()):
    """Let a model judge the pool: all grades are 1, with the probabilities of SURE."""
    rows = ["query_id,doc_id,assessor,relevance,label_confidence"]
    for task in pooled_tasks(collection).select_related("topic", "document"):
        doc_id = task.document.doc_id
        if doc_id not in leave_out:
            share = SURE[doc_id] if with_probability else ""
            rows.append(f"{task.topic.query_id},{doc_id},gpt,1,{share}")
    import_judgements(collection, "\n".join(rows).encode(), options=MODEL)


@pytest.fixture
def people(collection, join):
    return [join(collection, name) for name in ("ada", "ben")]


def assigned() -> set[str]:
    return set(Assignment.objects.values_list("task__document__doc_id", flat=True))


@pytest.mark.in_ci
def test_people_judge_where_the_model_is_unsure(collection, people):
    grade(collection)
    policy, result = decide_policy(collection, PolicyRule("gpt", unsure_below=0.6))
    assert assigned() == {"b", "x"}
    assert result.added == 2
    assert policy.people == {"no_grade": 0, "unsure": 2, "all": 2}
    assert describe_policy(policy) == (
        "gpt judges first. People judge 2 documents: where its probability is below 0.6 (2)."
    )


def test_people_judge_the_top_of_each_ranking(collection, people):
    grade(collection)
    decide_policy(collection, PolicyRule("gpt", top=1, judges=2))
    assert assigned() == {"a", "b", "e", "x", "y", "z"}
    assert Assignment.objects.count() == 12


def test_people_judge_a_random_sample_with_known_probabilities(collection, people):
    grade(collection)
    policy, _ = decide_policy(collection, PolicyRule("gpt", per_topic=2, seed=7))
    drawn = set(SampledTask.objects.values_list("task__document__doc_id", flat=True))
    assert assigned() == drawn
    assert policy.people["sample"] == len(drawn) == 4
    import_judgements(collection, b"1 0 a 1\n", "cal", options=JudgementOptions(judge_kind="human"))
    frame = drawn_for_people(collection, "judge:cal").draw.frame
    assert set(frame["inclusion_probability"]) == {2 / 4, 2 / 3}


def test_documents_without_a_grade_go_to_people(collection, people):
    grade(collection, leave_out=("d",))
    decide_policy(collection, PolicyRule("gpt", unsure_below=0.45))
    assert assigned() == {"b", "d"}


def test_the_gold_has_people_where_they_judged_and_the_model_elsewhere(collection, people):
    grade(collection)
    lines = "".join(f"{task.topic.query_id} 0 {task.document.doc_id} 0\n" for task in pooled_tasks(collection)[:2])
    import_judgements(collection, lines.encode(), "cal", options=JudgementOptions(judge_kind="human"))
    gold = collection_gold(collection, "corrected:gpt")
    assert len(gold) == pooled_tasks(collection).count()


@pytest.mark.in_ci
def test_a_new_policy_takes_the_place_of_the_former_and_can_be_ended(collection, people):
    grade(collection)
    decide_policy(collection, PolicyRule("gpt", unsure_below=0.6))
    second, _ = decide_policy(collection, PolicyRule("gpt", top=1))
    assert policy_of(collection) == second
    assert policy_record(collection)["judge"] == "gpt"
    end_policy(collection)
    assert policy_of(collection) is None
    assert policy_record(collection) is None
    assert ModelPolicy.objects.count() == 2
    with pytest.raises(Refused, match="No policy holds"):
        end_policy(collection)


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (PolicyRule("gpt"), "Choose where people judge"),
        (PolicyRule("gpt", unsure_below=1.5), "The probability must be between 0 and 1, not 1.5."),
        (PolicyRule("gpt", top=0), "The rank must be between 1 and 1,000, not 0."),
        (PolicyRule("gpt", per_topic=0), "The sample of a topic must be between 1 and 10,000, not 0."),
        (PolicyRule("ada", top=1), "food has no model judge 'ada'; it has gpt."),
        (PolicyRule("gpt", unsure_below=0.0), "This rule gives no document to people."),
        (PolicyRule("gpt", top=1, judges=5), "5 judges per task require as many assessors"),
    ],
)
def test_what_is_refused(collection, people, rule, sentence):
    grade(collection)
    with pytest.raises(Refused) as refusal:
        decide_policy(collection, rule)
    assert sentence in str(refusal.value)
    assert not Assignment.objects.exists()
    assert not ModelPolicy.objects.exists()


def test_a_model_without_probabilities_is_sure_nowhere(collection, people):
    grade(collection, with_probability=False)
    with pytest.raises(Refused, match="have no probabilities"):
        decide_policy(collection, PolicyRule("gpt", unsure_below=0.5))


def test_without_a_policy_nothing_of_a_model_counts(collection, people):
    from assess.pools.assign import assign

    grade(collection)
    assert policy_of(collection) is None
    assert assign(collection, 1).added == pooled_tasks(collection).count()

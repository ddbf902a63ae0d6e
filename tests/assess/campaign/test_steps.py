"""The steps of a campaign: what is done, what is next, what is optional, and whom the work waits for."""

import pytest

from assess.campaign.overview import overview
from assess.campaign.steps import campaign_steps
from assess.collections.create import create_collection
from assess.collections.guidelines import publish_guidelines
from assess.models import Assignment, Document, Role, State, Task
from assess.pools.assign import assign
from tests.assess.campaign.test_overview import judge
from tests.factories import remove_content

pytestmark = pytest.mark.django_db


def states(collection) -> dict[str, str]:
    return {step.name: str(step.state) for step in campaign_steps(collection, overview(collection))}


def next_step(collection):
    return next(step for step in campaign_steps(collection, overview(collection)) if step.is_next)


def sentence(collection, name: str) -> str:
    return next(step.sentence for step in campaign_steps(collection, overview(collection)) if step.name == name)


def test_empty_collection_begins_with_the_topics():
    collection = create_collection("empty", "Empty")
    assert states(collection) == {
        "Topics": "next",
        "Runs": "open",
        "Pool": "open",
        "Documents": "open",
        "People": "open",
        "Guidelines": "optional",
        "Pilot": "optional",
        "Work": "open",
        "Judgements": "open",
        "Agreement": "open",
        "Adjudication": "optional",
        "Shift": "open",
        "Release": "optional",
    }
    assert sentence(collection, "Topics") == "There are no topics yet."


def test_next_step_follows_the_campaign(collection, join):
    assert sentence(collection, "Pool") == "7 tasks."
    assert next_step(collection).name == "People"
    ada = join(collection, "ada")
    assert next_step(collection).name == "Work"
    assign(collection, judges=1)
    step = next_step(collection)
    assert (step.name, step.sentence) == ("Judgements", "There are no judgements yet. Waiting for assessor-1 (7 open).")
    judge(ada, 1, 1, 0, 0, 0, 0, 0)
    Assignment.objects.update(state=State.JUDGED)
    assert next_step(collection).name == "Agreement"
    assert sentence(collection, "Shift") == "The systems can be ranked."
    assert sentence(collection, "Release") == "A release freezes a gold with its reports."


def test_missing_texts_come_before_people(collection):
    remove_content(Document.objects.filter(doc_id__in="ab"))
    step = next_step(collection)
    assert (step.name, step.sentence) == ("Documents", "2 of the pooled documents have no text yet.")


def test_runs_can_be_made_from_texts_only_without_runs_and_with_topics_and_texts(collection):
    def other():
        step = next(step for step in campaign_steps(collection, overview(collection)) if step.name == "Runs")
        return step.other_view, step.other_button

    assert other() == ("", "")
    Task.objects.all().delete()
    collection.runs.all().delete()
    assert other() == ("baselines", "Make baseline runs")
    remove_content(Document.objects.all())
    assert other() == ("", "")


def test_guidelines_are_never_the_next_step(collection, join):
    join(collection, "ada")
    assert next_step(collection).name == "Work"
    publish_guidelines(collection, "Read everything.")
    assert states(collection)["Guidelines"] == "done"


def test_open_pool_needs_no_assignments_and_waits_for_claims(collection, join):
    join(collection, "ada")
    collection.judges_per_task = 2
    collection.save()
    Task.objects.update(wanted=2)
    assert sentence(collection, "Work") == "Open to claims, with 2 assessors for each document."
    assert next_step(collection).name == "Judgements"


def test_imported_judgements_need_no_people(collection):
    for name in ("gpt", "nist"):
        judge(collection.members.create(name=name, role=Role.ASSESSOR), 1, 0, 1)
    assert [states(collection)[name] for name in ("People", "Work")] == ["optional", "optional"]
    assert next_step(collection).name == "Agreement"
    assert sentence(collection, "Agreement") == "2 judges so far."


def test_only_some_names_are_listed(collection, join):
    for number in range(7):
        join(collection, f"p{number}")
    assign(collection, judges=7)
    assert sentence(collection, "Judgements").endswith(" and 2 more.")

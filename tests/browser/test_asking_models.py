"""Asking a model in a browser: a trial, the grades, what comes next; and its suggestion beside a document."""

import json

import pytest
from django.core.management import call_command
from playwright.sync_api import expect

from assess.hosts import allow_host
from assess.models import Assistance, ImportedJudge, JudgeKind, Judgement, Member, Role
from assess.pools.tasks import pooled_tasks
from assess.suggestions.choice import set_suggestions
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements
from tests.browser.axe import problems
from tests.browser.judging_page import press, queue, saved, settle
from tests.pooling.models.servers import Server, completion

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def work() -> None:
    call_command("worker", once=True, verbosity=0)


def test_from_an_address_to_the_page_on_model_judges(page, sign_in, ada, join):
    olga = join(ada.collection, "olga", Role.OWNER)
    with Server(lambda _: completion(json.dumps({"grade": 1}))) as server:
        allow_host(server.url.removeprefix("http://"))
        page.goto(f"{sign_in(olga)}/models/ask/")
        page.get_by_role("link", name="Add a model judge").click()
        page.get_by_label("Name", exact=True).fill("gpt")
        page.get_by_label("Address").fill(f"{server.url}/v1")
        page.get_by_label("Model", exact=True).fill("m")
        assert problems(page) == []
        page.get_by_role("button", name="Save the judge").click()
        page.get_by_role("button", name="Documents may be sent to").click()
        page.get_by_label("Price, read").fill("1")
        page.get_by_role("button", name="Try three documents").click()
        work()
        page.reload()
        expect(page.locator(".hero")).to_contain_text("Estimated from 3 answers")
        assert problems(page) == []
        page.get_by_role("button", name="Ask for all").click()
        work()
        page.reload()
    expect(page.locator(".hero")).to_contain_text("The pool has its grades.")
    assert problems(page) == []
    assert Judgement.objects.filter(member__name="gpt").count() == pooled_tasks(ada.collection).count()
    page.get_by_role("link", name="Can it replace people here?").click()
    expect(page.locator("h1")).to_have_text("Can a model judge replace people here?")


def test_a_suggestion_is_shown_and_recorded(page, sign_in, ada):
    lines = "".join(f"{task.topic.query_id} 0 {task.document.doc_id} 1\n" for task in pooled_tasks(ada.collection))
    import_judgements(ada.collection, lines.encode(), "gpt", options=JudgementOptions(judge_kind="model"))
    assert ImportedJudge.objects.get().kind == JudgeKind.MODEL
    set_suggestions(ada.collection, "gpt")
    first, *_ = queue(ada)
    page.goto(f"{sign_in(ada)}/judge/")
    page.click("text=Start judging")
    settle(page)
    expect(page.get_by_text("gpt suggests 1")).to_be_visible()
    assert problems(page) == []
    press(page, "0")
    saved(page)
    judged = Judgement.objects.get(member=Member.objects.get(pk=ada.pk))
    assert (judged.task.document.doc_id, judged.relevance) == (first, 0)
    assert list(Assistance.objects.values_list("judge", "grade")) == [("gpt", 1)]

"""Documents without text on the judging page: only "later" and "cannot judge" are possible."""

import pytest
from playwright.sync_api import expect

from assess.models import Judgement
from tests.browser.judging_page import press, queue, saved, settle
from tests.factories import remove_content, set_content

pytestmark = pytest.mark.django_db(transaction=True)


def test_keys_and_buttons_grade_no_document_without_text(page, sign_in, ada):
    missing, empty, normal, *_ = queue(ada)
    remove_content(ada.collection.documents.filter(doc_id=missing))
    set_content(ada.collection.documents.filter(doc_id=empty), text=" \n")
    page.goto(f"{sign_in(ada)}/judge/")
    page.click("text=Start judging")
    settle(page)
    for sentence in ("has not been imported yet", "This document is empty"):
        expect(page.locator(".card > .refusal:visible")).to_contain_text(sentence)
        expect(page.locator(".grades button:enabled")).to_have_count(0)
        expect(page.locator("#no-grades")).to_be_visible()
        press(page, "2")
        expect(page.locator("#notice")).to_contain_text("it cannot be graded")
        press(page, "l")
    expect(page.locator("#doc-meta")).to_have_text(normal)
    expect(page.locator(".grades button:enabled")).to_have_count(3)
    press(page, "2")
    saved(page)
    judged = dict(Judgement.objects.values_list("task__document__doc_id", "state"))
    assert judged == {missing: "later", empty: "later", normal: "judged"}

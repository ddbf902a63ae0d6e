"""The check of files of classic collections asks what the files leave open, and the answer is used."""

import re

import pytest
from django.core.management import call_command
from django.urls import reverse

from assess.collections.create import create_collection
from assess.models import Job, Judgement, Role
from tests.assess.transfer.uploads.uploaded import upload_files
from tests.classic import SMART
from tests.html import compact

pytestmark = [pytest.mark.django_db(transaction=True)]

README = "1=4,2=3,3=2,4=1,-1=0"
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


@pytest.fixture
def member(join):
    return join(create_collection("classic", "Classic", ["0=no", "1=a", "2=b", "3=c", "4=d"]), "olga", Role.OWNER)


@pytest.fixture
def owner(member, signed_in):
    return signed_in(member)


def checked(client, **data) -> tuple[str, str]:
    """The address and the text of the page of a check."""
    response = client.post(reverse("research:import_check", args=["classic"]), data)
    assert response.status_code == 302
    return response.url, compact(client.get(response.url).content.decode())


def kept(page: str) -> dict[str, str]:
    return {name: value for name, value in HIDDEN.findall(page) if name != "csrfmiddlewaretoken"}


@pytest.mark.in_ci
def test_both_readings_are_shown_and_the_chosen_one_is_imported(owner, member):
    upload_files(member, SMART / "cran.qry", SMART / "cran.rel")
    address, page = checked(owner, judge_kind="human", description="a & b")
    assert "Choose how to read the files" in page
    assert "codes without a 0" in page
    assert re.search(rf'name="mapping" value="{README}" type="radio" required checked', page)
    assert "problems: nothing" not in page
    assert owner.post(f"{address}start/").status_code == 400

    assert kept(page)["judge_kind"] == "human"
    address, page = checked(owner, **kept(page), mapping=README)
    assert "By the order of the topics: 2 of 2 queries have a topic (query 2 is topic 004)." in page
    assert "By id: 1 of 2 queries have a topic (query 1 is topic 001)." in page
    assert not re.search(r'name="number_by"[^>]* checked', page)
    assert kept(page)["mapping"] == README

    address, page = checked(owner, **kept(page), number_by="order")
    assert "Choose how" not in page
    assert "cran.qry has 2 topics, but Cranfield has 225." in page
    assert "cran.rel is read by order: 2 of 2 queries have a topic (query 2 is topic 004)." in page
    owner.post(f"{address}start/")
    for _ in range(2):
        call_command("worker", once=True, verbosity=0)
    assert [job.error for job in Job.objects.all()] == [""] * 5
    rows = Judgement.objects.values_list("task__topic__query_id", "task__document__doc_id", "relevance")
    assert set(rows) == {("001", "1", 3), ("001", "2", 1), ("004", "2", 4), ("004", "3", 0)}
    assert "Number topics by: order" in compact(
        owner.get(reverse("research:import", args=["classic"])).content.decode()
    )


@pytest.mark.in_ci
def test_one_answer_is_for_all_files_with_the_question(owner, member):
    upload_files(member, SMART / "cisi.qry", SMART / "cisi.rel", SMART / "adi.rel", SMART / "med.rel")
    address, page = checked(owner)
    assert "cisi.rel: all 3 grades are 0" in page
    assert "adi.rel: all 3 grades are 0" in page
    assert page.count('name="listed_relevant" value="true" type="checkbox" required') == 1
    assert "<th" in page
    address, page = checked(owner, **kept(page), listed_relevant="true")
    assert "Judgements: 8 judgements of 3 judges (adi.rel, cisi.rel, med.rel) on 2 topics." in page
    assert owner.post(f"{address}start/").status_code == 302


def test_the_page_shows_the_columns_of_the_files_as_they_are(owner, member):
    upload_files(member, SMART / "cran.rel", SMART / "cacm.qrels", SMART / "cacm.query")
    page = compact(owner.get(reverse("research:import", args=["classic"])).content.decode())
    assert '<th scope="col">query_id</th><th scope="col">doc_id</th><th scope="col">column 3</th>' in page
    assert '<th scope="col">query_id</th><th scope="col">doc_id</th><th scope="col">relevance</th>' in page
    assert "SMART qrels" in page
    assert "SMART topics" in page
    assert "A listed document is relevant" in page

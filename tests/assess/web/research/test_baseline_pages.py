"""The page of baseline runs: what is missing, the job, and the runs."""

import pytest
from django.core.management import call_command
from django.urls import reverse

from assess.baselines import options
from assess.collections.create import create_collection
from assess.collections.members import add_member
from assess.models import Job, Role, Run, Task, Topic
from tests.html import compact

pytestmark = pytest.mark.django_db(transaction=True)
FORM = {"systems": ["bm25", "tfidf"], "fields_of_query": "title", "depth": "5"}
PAGE = "/c/small/baselines/"


@pytest.fixture
def owner(collection, join, signed_in):
    Topic.objects.update(title="text of a")  # a document has "Text of a."
    return signed_in(join(collection, "olga", Role.OWNER))


def text(response) -> str:
    return compact(response.content.decode())


def test_runs_are_made_by_a_job(owner):
    page = text(owner.get(PAGE))
    assert "7 documents with text" in page
    assert page.count("checked") == 3
    job = owner.post(PAGE, FORM).url
    call_command("worker", once=True, verbosity=0)
    assert "Made the runs baseline-bm25, baseline-tfidf from 7 documents." in text(owner.get(job))
    assert Run.objects.filter(is_baseline=True).count() == 2
    assert '<th scope="row">baseline-bm25 <span class="tag">baseline</span></th>' in text(owner.get(PAGE))


@pytest.mark.in_ci
def test_overview_links_to_the_page_and_marks_the_runs(owner, collection):
    overview = reverse("research:collection", args=["small"])
    assert PAGE not in text(owner.get(overview))
    Task.objects.all().delete()
    collection.runs.all().delete()
    html = text(owner.get(overview))
    assert f'<a class="button" href="{PAGE}">Make baseline runs</a>' in html
    owner.post(PAGE, FORM)
    call_command("worker", once=True, verbosity=0)
    html = text(owner.get(overview))
    assert PAGE not in html
    html = text(owner.get(reverse("research:runs", args=["small"])))
    assert html.count('<span class="tag">baseline</span>') == 2


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"systems": []}, "Systems: This field is required."),
        ({"systems": ["lsa"]}, "Systems: Select a valid choice."),
        ({"depth": "0"}, "Documents for each topic: Ensure this value is greater than or equal to 1."),
        ({"depth": "9" * 30}, "Documents for each topic: Ensure this value is less than or equal to 10000."),
        ({"fields_of_query": "x"}, "Query: Select a valid choice."),
    ],
)
def test_invalid_options_start_nothing(owner, fields, sentence):
    response = owner.post(PAGE, FORM | fields)
    assert response.status_code == 400
    assert sentence in text(response)
    assert not Job.objects.exists()


def test_missing_libraries_are_named_before_a_job_is_started(owner, monkeypatch):
    monkeypatch.setattr(options, "find_spec", lambda _: None)
    response = owner.post(PAGE, FORM)
    assert response.status_code == 400
    assert "Baseline runs need bm25s and scikit-learn" in text(response)
    assert not Job.objects.exists()


def test_collection_without_documents_says_what_to_do(owner):
    empty = create_collection("empty", "Empty")
    add_member(empty, "olga", Role.RESEARCHER)
    page = text(owner.get(reverse("research:baselines", args=["empty"])))
    assert "Import topics and the texts of all documents first." in page
    assert "Make the runs" not in page


def test_page_needs_few_queries(owner, django_assert_max_num_queries):
    with django_assert_max_num_queries(9):
        owner.get(PAGE)

"""The pages of near-duplicates: from the job to the threshold, the report, and an adjudication."""

import csv

import pytest
from django.core.management import call_command

from assess.adjudication.adjudicate import create_adjudication
from assess.collections.topic_sets import set_topics
from assess.models import Adjudication, DuplicateGroup, GradesOpening, Job, Role, Task
from assess.near_duplicates.find import find_pairs
from assess.near_duplicates.groups import accept_threshold
from assess.transfer.judgements import import_judgements
from tests.factories import remove_content, set_content
from tests.html import compact

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = "/c/small/near-duplicates/"
REPORT = f"{PAGE}inconsistent/"
TEXT = "the cat sat on the mat and looked at the dog in the garden"


@pytest.fixture
def similar(collection):
    """The documents a and b of topic 1 are nearly the same."""
    for doc_id in "ab":
        set_content(collection.documents.filter(doc_id=doc_id), text=TEXT, title=f"<i>{doc_id}</i>")
    set_content(collection.documents.filter(doc_id="e"), text=f"{TEXT} today and tomorrow")
    return collection


@pytest.fixture
def owner(similar, join, signed_in):
    return signed_in(join(similar, "olga", Role.OWNER))


@pytest.fixture
def judged(similar):
    find_pairs(similar)
    accept_threshold(similar, 0.7)
    import_judgements(similar, b"1 0 a 1\n1 0 b 0\n", assessor="ann")
    return similar


def text(response) -> str:
    return compact(response.content.decode())


@pytest.mark.in_ci
def test_documents_are_compared_by_a_job_and_grouped_at_an_accepted_threshold(owner):
    assert "Find documents whose texts are nearly the same" in text(owner.get(PAGE))
    job = owner.post(f"{PAGE}find/").url
    call_command("worker", once=True, verbosity=0)
    assert "Nothing is grouped until you accept a threshold." in text(owner.get(job))
    assert job == f"{PAGE}#jobs-here"
    page = text(owner.get(PAGE, {"threshold": "0.9"}))
    assert "Accept the threshold 0.9<" in page
    assert page.index("<h2>Not grouped") < page.index("Similarity 0.")  # both examples are below
    assert "No pair is this similar." in page
    assert "&lt;i&gt;a&lt;/i&gt;" in page
    assert "<i>a</i>" not in page
    assert not DuplicateGroup.objects.exists()
    owner.post(f"{PAGE}accept/", {"threshold": "0.7"})
    page = text(owner.get(PAGE))
    assert "At the accepted threshold 0.7, 1 group of documents is nearly the same." in page
    assert DuplicateGroup.objects.count() == 1


def test_whole_collection_is_compared_if_asked_for(owner):
    owner.post(f"{PAGE}find/", {"whole": "on"})
    call_command("worker", once=True, verbosity=0)
    assert "All documents of the collection were compared" in text(owner.get(PAGE))


@pytest.mark.parametrize("threshold", ["0.2", "x", ""])
def test_invalid_thresholds_change_nothing(owner, similar, threshold):
    find_pairs(similar)
    for response in (
        owner.get(PAGE, {"threshold": threshold}),
        owner.post(f"{PAGE}accept/", {"threshold": threshold}),
    ):
        assert response.status_code == 400
        assert "The threshold must be a number from 0.5 to 1" in text(response)
    assert not DuplicateGroup.objects.exists()


def test_collection_without_texts_says_what_to_do(owner, similar):
    remove_content(similar.documents.all())
    page = text(owner.get(PAGE))
    assert "No document has a text yet." in page
    assert "/c/small/import/" in page
    assert not Job.objects.exists()


@pytest.mark.in_ci
def test_report_shows_the_documents_side_by_side_and_offers_them_for_adjudication(owner, judged, join):
    page = text(owner.get(REPORT))
    assert "1 group of near-duplicates has different grades for one topic." in page
    assert "Different grades by ann." in page
    assert page.count(f'<div class="document-text" dir="auto">{TEXT}') == 2
    tasks = list(Task.objects.filter(topic__query_id="1", document__doc_id__in="ab").order_by("document__doc_id"))
    assert all(f'name="task" value="{task.pk}"' in page for task in tasks)
    assert GradesOpening.objects.count() == 2
    carl = join(judged, "carl", Role.RESEARCHER)
    form = owner.post("/c/small/adjudication/create/", {"task": [task.pk for task in tasks]})
    assert form.status_code == 200
    choice = {"choice": "documents", "task": [task.pk for task in tasks], "adjudicators": carl.name}
    owner.post("/c/small/adjudication/create/", choice)
    assert Adjudication.objects.get().tasks.count() == 2
    assert text(owner.get(REPORT)).count("in an adjudication") == 2


def test_report_as_csv(owner, judged):
    lines = list(csv.DictReader(owner.get(f"{PAGE}inconsistent.csv").content.decode().splitlines()))
    assert [(line["query_id"], line["judge"], line["doc_ids"], line["grades"]) for line in lines] == [
        ("1", "all", "a b", "1 0"),
        ("1", "ann", "a b", "1 0"),
    ]
    assert GradesOpening.objects.count() == 2


@pytest.mark.in_ci
def test_adjudicator_does_not_see_the_grades_first(owner, judged):
    task = Task.objects.select_related("topic", "document").get(topic__query_id="1", document__doc_id="a")
    create_adjudication(judged, [task], [judged.members.get(role=Role.OWNER).name], "chosen")
    page = text(owner.get(REPORT))
    assert "Groups with one of the 1 document assigned to you for a decision are not listed" in page
    assert "ann" not in page
    assert "ann" not in owner.get(f"{PAGE}inconsistent.csv").content.decode()


@pytest.mark.in_ci
def test_report_without_groups_and_without_inconsistency(owner, similar):
    assert "No groups of near-duplicates are accepted yet." in text(owner.get(REPORT))
    find_pairs(similar)
    accept_threshold(similar, 0.7)
    assert "No group of near-duplicates has different grades" in text(owner.get(REPORT))


@pytest.mark.in_ci
def test_document_page_lists_the_others_of_its_group(owner, judged):
    a, b, d = (Task.objects.get(topic__query_id="1", document__doc_id=doc_id) for doc_id in "abd")
    assert f'<a href="/c/small/documents/{b.pk}/">b</a>' in text(owner.get(f"/c/small/documents/{a.pk}/"))
    assert "<h2>Near-duplicates</h2>" not in text(owner.get(f"/c/small/documents/{d.pk}/"))


def test_number_of_queries_does_not_grow_with_the_groups(owner, judged, django_assert_max_num_queries):
    with django_assert_max_num_queries(40):
        owner.get(REPORT)
    with django_assert_max_num_queries(25):
        owner.get(PAGE)


@pytest.mark.in_ci
def test_report_can_be_limited_to_a_set(owner, judged):
    set_topics(judged, ["1"], "test")
    set_topics(judged, ["2"], "development")
    page = text(owner.get(REPORT, {"set": "test"}))
    assert "1 group of near-duplicates has different grades" in page
    assert '<span class="tag" data-topic-set>test set: 1 topic</span>' in page
    assert f'href="{PAGE}inconsistent.csv?set=test"' in page
    page = text(owner.get(REPORT, {"set": "development"}))
    assert "No group of near-duplicates has different grades" in page
    lines = [
        owner.get(f"{PAGE}inconsistent.csv", {"set": name}).content.count(b"\n") for name in ("test", "development")
    ]
    assert lines == [3, 1]
    for address in (REPORT, f"{PAGE}inconsistent.csv"):
        assert owner.get(address, {"set": "nonsense"}).status_code == 400


@pytest.mark.in_ci
def test_page_names_the_rule_and_the_rules_name_the_page(owner, judged):
    assert "Assessors judge the documents of a group like other documents" in text(owner.get(PAGE))
    rules = "/c/small/judging/"
    assert "no effect until groups are accepted" not in text(owner.get(rules))
    DuplicateGroup.objects.all().delete()
    page = text(owner.get(rules))
    assert "no effect until groups are accepted" in page
    assert f'href="{PAGE}"' in page

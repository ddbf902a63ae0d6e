"""The files of tests/data that users of other programs reported, from the Import page and the commands."""

import html
import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse

import pooling
from assess.collections.create import create_collection
from assess.models import Judgement, Role
from tests.assess.command_output import output_of
from tests.assess.transfer.uploads.uploaded import upload
from tests.cases import CASES

pytestmark = [pytest.mark.django_db(transaction=True)]
TOPICS = ["microblog2012.xml", "background_linking.xml", "colon_queries.txt"]


@pytest.fixture
def owner(join):
    return join(create_collection("reported", "Reported", ["0=no", "1=some", "2=more"]), "olga", Role.OWNER)


def import_by_page(owner, client, *paths: Path, **options) -> str:
    """Upload, check and import files. Returns the text of the page of the check."""
    client.force_login(owner.user)
    for path in paths:
        upload(owner, path.name, path.read_bytes())
    checked = client.post(reverse("research:import_check", args=["reported"]), options).url
    call_command("worker", once=True, verbosity=0)
    response = client.get(checked)
    job = response.context["job"]
    if not job.result["problem_count"]:
        client.post(reverse("research:import_start", args=["reported", job.public_id]))
        call_command("worker", once=True, verbosity=0)
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode())))


def topics_of(collection):
    return sorted(collection.topics.values_list("query_id", "title"))


@pytest.mark.parametrize("name", TOPICS)
def test_topics_are_imported_as_the_library_reads_them(owner, client, name):
    read = sorted(map(tuple, pooling.read_topics(CASES / name)[["query_id", "title"]].values.tolist()))
    import_by_page(owner, client, CASES / name)
    assert topics_of(owner.collection) == read
    other = create_collection("other", "Other", ["0=no", "1=yes"])
    output_of("import_topics", "--collection", "other", CASES / name)
    assert topics_of(other) == read


def test_headline_and_lead_paragraph_are_imported(owner, client):
    (document,) = pooling.read_documents(CASES / "lead_paragraph.trec")
    import_by_page(owner, client, CASES / "lead_paragraph.trec", keep_all="on")
    content = owner.collection.documents.get(doc_id=document.doc_id).content
    assert (content.title, content.text) == (document.title, document.text)


def test_a_run_of_ranks_is_imported_with_a_note(owner, client):
    text = import_by_page(owner, client, CASES.parent / "tables" / "msmarco_run.tsv")
    assert "the score is 1/rank" in text
    assert owner.collection.runs.get().system == "msmarco_run"


def test_ids_that_a_spreadsheet_changed_are_refused(owner, client):
    owner.collection.topics.create(query_id="301.0", title="t")
    text = import_by_page(owner, client, CASES / "spreadsheet_ids.csv")
    assert "'301.0' looks changed by a spreadsheet" in text
    assert not owner.collection.documents.exists()


def test_a_byte_order_mark_inside_a_file_is_no_part_of_an_id(owner, client):
    for query_id in ("1", "2"):
        owner.collection.topics.create(query_id=query_id, title="t")
    import_by_page(owner, client, CASES / "bom_a.qrels", CASES / "bom_b.qrels")
    pairs = Judgement.objects.values_list("task__topic__query_id", "task__document__doc_id", "member__name")
    of_judge = {judge: {pair[:2] for pair in pairs if pair[2] == judge} for judge in ("bom_a", "bom_b")}
    assert len(of_judge["bom_a"] & of_judge["bom_b"]) == 4

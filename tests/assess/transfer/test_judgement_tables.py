"""Tables, sheets and exports of several judges, from the command and from the Import page."""

import html
import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse

from agreement import read_judgements
from assess.collections.create import create_collection
from assess.models import Judgement, Role
from tests.assess.command_output import output_of, refusal
from tests.assess.transfer.uploads.uploaded import upload
from tests.cases import CASES
from tests.html import compact

pytestmark = [pytest.mark.django_db(transaction=True)]
TABLES = Path(__file__).parents[2] / "data" / "tables"


@pytest.fixture
def owner(join):
    """The owner of a collection with the topics of the files."""
    collection = create_collection("tables", "Tables", ["0=no", "1=some", "2=more", "3=most"])
    for query_id in ("q1", "q2", "01", "1", "red_shoes"):
        collection.topics.create(query_id=query_id, title=query_id)
    return join(collection, "olga", Role.OWNER)


def judgements_of(collection):
    rows = Judgement.objects.filter(member__collection=collection)
    names = ("member__name", "task__topic__query_id", "task__document__doc_id", "relevance")
    return sorted(rows.values_list(*names))


def rows_of(read):
    return sorted(read.judgements[["assessor", "query_id", "doc_id", "relevance"]].itertuples(index=False, name=None))


def import_by_page(owner, client, path, uploaded=None, **options):
    """Upload a file, check it and import it. Returns the text of the page of the check."""
    uploaded = uploaded or upload(owner, path.name, path.read_bytes())
    slug = owner.collection.slug
    client.force_login(owner.user)
    data = {f"kind_{uploaded.pk}": "judgements", **options}
    checked = client.post(reverse("research:import_check", args=[slug]), data).url
    call_command("worker", once=True, verbosity=0)
    response = client.get(checked)
    text = html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode())))
    job = response.context["job"]
    if job.result and not job.result["problem_count"]:
        client.post(reverse("research:import_start", args=[slug, job.public_id]))
        call_command("worker", once=True, verbosity=0)
    owner.collection.uploads.all().delete()
    return text


PLAIN = [
    TABLES / "other_header_names.csv",
    TABLES / "semicolons.csv",
    TABLES / "one_column_a_judge.csv",
    TABLES / "empty_cell.csv",
    TABLES / "leading_zeros.xlsx",
    CASES / "annotator_column.csv",
    CASES / "assessor_label.csv",
    CASES / "trailing_rows.csv",
    CASES / "quepid_floats.csv",
    CASES / "ls_number_and_cancelled.json",
]


@pytest.mark.in_ci
@pytest.mark.parametrize("path", PLAIN, ids=[path.name for path in PLAIN])
def test_command_and_page_import_what_the_library_reads(owner, client, path):
    read = read_judgements([path], scale=(0, 1, 2, 3))
    expected = sorted(
        read.judgements[["assessor", "query_id", "doc_id", "relevance"]].itertuples(index=False, name=None)
    )
    text = output_of("import_judgements", "--collection", "tables", path)
    assert judgements_of(owner.collection) == expected
    for note in read.notes():
        assert note.rpartition(": ")[2] in "\n".join(text)
    again = import_by_page(owner, client, path)  # the same judgements are recognised, so nothing is added
    assert "can be imported yet" not in again
    assert judgements_of(owner.collection) == expected


@pytest.mark.in_ci
@pytest.mark.parametrize("path", PLAIN, ids=[path.name for path in PLAIN])
def test_the_page_imports_a_file(owner, client, path):
    import_by_page(owner, client, path)
    assert judgements_of(owner.collection) == rows_of(read_judgements([path], scale=(0, 1, 2, 3)))


@pytest.mark.in_ci
def test_the_zip_of_doccano_has_a_judge_for_each_user(owner, client):
    path = TABLES / "doccano_one_file_a_user.zip"
    expected = [("ada", "q1", "d1", 1), ("bob", "q1", "d1", 0), ("bob", "q1", "d2", 1)]
    assert "label 'Relevant' is not allowed" in import_by_page(owner, client, path)
    text = import_by_page(owner, client, path, mapping="Relevant=1,Not relevant=0")
    assert "3 judgements of 2 judges (ada, bob)" in text
    assert judgements_of(owner.collection) == expected


@pytest.mark.in_ci
def test_the_field_of_two_labels_must_be_named(owner, client):
    path = CASES / "ls_two_labels.csv"
    assert "2 fields have labels: relevance, rating" in import_by_page(owner, client, path)
    assert judgements_of(owner.collection) == []
    import_by_page(owner, client, path, field="rating")
    expected = rows_of(read_judgements([path], scale=(0, 1, 2, 3), field="rating"))
    assert judgements_of(owner.collection) == expected


@pytest.mark.in_ci
def test_columns_with_unknown_names_are_chosen_from_the_header(owner, client, tmp_path):
    path = tmp_path / "panel.csv"
    path.write_text('who,need,"a, b",mark\nada,q1,d1,2\nbob,q1,d1,0\n')
    first = upload(owner, path.name, path.read_bytes())
    client.force_login(owner.user)
    client.post(reverse("research:import_check", args=[owner.collection.slug]), {f"kind_{first.pk}": "judgements"})
    page = compact(client.get(reverse("research:import", args=[owner.collection.slug])).content.decode())
    options = '<option value="">as recognised</option><option value="who">who</option>'
    assert f'<select name="column_assessor" id="option_column_assessor">{options}' in page.replace(" selected", "")
    chosen = {"assessor": "who", "query_id": "need", "doc_id": "a, b", "relevance": "mark"}
    import_by_page(owner, client, path, first, **{f"column_{name}": column for name, column in chosen.items()})
    assert judgements_of(owner.collection) == [("ada", "q1", "d1", 2), ("bob", "q1", "d1", 0)]


def test_the_first_rows_of_a_sheet_are_shown(owner, client):
    path = TABLES / "leading_zeros.xlsx"
    shown = upload(owner, path.name, path.read_bytes()).first_rows
    assert shown["columns"] == ["assessor", "query_id", "doc_id", "relevance"]
    assert shown["rows"][0] == ["ada", "01", "007", "1"]


def test_a_judge_without_judgements_is_counted(owner, tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("query_id,doc_id,ada,bob\nq1,d1,1,\nq1,d2,0,NA\n")
    text = output_of("import_judgements", "--collection", "tables", path)
    assert "bob: 2 empty cells read as no judgement." in text
    assert judgements_of(owner.collection) == [("ada", "q1", "d1", 1), ("ada", "q1", "d2", 0)]


def test_columns_that_are_not_there_are_refused(owner):
    path = TABLES / "other_header_names.csv"
    sentence = refusal("import_judgements", "--collection", "tables", "--columns", "assessor=coder", path)
    assert "it has no column 'coder', which --columns names" in sentence


def test_a_row_that_contradicts_one_judge_keeps_the_other(owner, tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("query_id,doc_id,ada\nq1,d1,1\n")
    output_of("import_judgements", "--collection", "tables", path)
    path.write_text("query_id,doc_id,ada,bob\nq1,d1,0,2\n")
    output_of("import_judgements", "--collection", "tables", "--on-error", "report", path)
    assert judgements_of(owner.collection) == [("ada", "q1", "d1", 1), ("bob", "q1", "d1", 2)]


@pytest.mark.in_ci
def test_the_check_shows_what_each_judge_brings(owner, client, tmp_path):
    path = tmp_path / "nist.csv"
    path.write_text("assessor,query_id,doc_id,relevance\nnist,q1,d1,1\nnist,q1,d2,0\n")
    import_by_page(owner, client, path)
    path = tmp_path / "wide.csv"
    path.write_text("query_id,doc_id,ada,bob\nq1,d1,1,\nq1,d2,0,NA\nq1,d3,3,2\n,,,\n")
    uploaded = upload(owner, path.name, path.read_bytes())
    checks = {f"kind_{uploaded.pk}": "judgements", "judge_kind": "human"}
    checked = client.post(reverse("research:import_check", args=["tables"]), checks).url
    ada, bob = client.get(checked).context["result"]["judges"]
    assert ada == {
        "judge": "ada",
        "file": "wide.csv",
        "kind": "human",
        "is_new": True,
        "read": 3,
        "used": 3,
        "left_out": {},
        "grades": [[0, 1], [1, 1], [3, 1]],
        "pooled": 0,
        "unpooled": 3,
        "common": ["nist", 2],
    }
    assert (bob["read"], bob["used"], bob["left_out"], bob["common"]) == (3, 1, {"empty cells": 2}, ["nist", 0])
    job = owner.collection.jobs.get(kind="check_files", input__uploads=[uploaded.pk])
    client.post(reverse("research:import_start", args=["tables", job.public_id]))
    call_command("worker", once=True, verbosity=0)
    page = compact(client.get(reverse("research:import", args=["tables"])).content.decode())
    assert "Read 4: 4 new. Left out: empty rows (1), empty cells (2)." in page


def test_the_check_compares_the_files(owner, client):
    uploaded = [
        upload(owner, "bm25.run", b"1 Q0 d1 1 3.0 bm25\n2 Q0 d1 1 3.0 bm25\n"),
        upload(owner, "ada.qrels", b"1 0 d2 1\n"),
    ]
    client.force_login(owner.user)
    kinds = dict(zip([f"kind_{each.pk}" for each in uploaded], ["runs", "judgements"], strict=True))
    result = client.get(client.post(reverse("research:import_check", args=["tables"]), kinds).url).context["result"]
    sentences = [finding["sentence"] for finding in result["findings"] if finding["severity"] == "warning"]
    assert any("1 unknown topic (2)" in sentence for sentence in result["sentences"])
    assert sentences[0] == "bm25 has no document for 4 of 5 topics (01, q1, q2, ...); they score 0."
    assert "least in bm25: 0%" in sentences[1]

"""Data sets of ir-datasets are added, checked and imported like files. The tests register one of their own."""

import sys

import pytest
from django.core.management import call_command

from assess.errors import Refused
from assess.models import Document, ImportRecord, Job, JobState, Judgement, Topic, Upload
from assess.transfer.uploads import data_set
from assess.transfer.uploads.data_set import add_data_set
from assess.transfer.uploads.importing import check_uploads, start_import
from assess.transfer.uploads.page import start_check
from tests.assess.transfer.uploads.uploaded import empty_collection
from tests.data_set import NAME, Docs, Queries, register

pytestmark = [pytest.mark.django_db(transaction=True)]
KINDS = ["topics", "documents", "judgements"]


@pytest.fixture
def owner(join, monkeypatch):
    register(monkeypatch)
    return empty_collection(join)


def add(owner, dataset_id=NAME, kinds=KINDS):
    return add_data_set(owner.collection, owner.user, dataset_id, kinds)


def work():
    call_command("worker", once=True, verbosity=0)


def test_parts_wait_for_their_import_with_their_sizes_and_nothing_is_read(owner, monkeypatch):
    monkeypatch.delattr(Docs, "docs_iter")
    monkeypatch.setattr(Queries, "queries_iter", None)
    uploads = add(owner, "vaswani")
    assert [upload.label for upload in uploads] == [
        "93 topics of ir-datasets",
        "11,429 documents of ir-datasets",
        "2,083 judgements of ir-datasets",
    ]
    assert {upload.name for upload in uploads} == {"irds:vaswani"}
    assert [upload.given_name for upload in uploads] == ["", "", "vaswani"]
    assert add(owner)[0].label == "topics of ir-datasets"  # ir-datasets states no size of it
    assert Upload.objects.count() == 6


def test_check_runs_in_the_background_and_stores_the_first_rows(owner):
    add(owner)
    job = start_check(owner.collection, owner.user, {"keep_all": True})
    assert job.state == JobState.WAITING
    assert not Upload.objects.get(kind="topics").first_rows
    work()
    job.refresh_from_db()
    assert job.result["problems"] == []
    assert job.result["sentences"] == [
        "Topics: 1 topic, 1 new, 0 in the collection already.",
        "Documents: 2 documents, 2 to be imported, 0 that have a text already, 0 not in the pool.",
        "Judgements: 2 judgements of 1 judge (assay-test) on 1 topic.",
    ]
    assert Upload.objects.get(kind="topics").first_rows["rows"] == [["q1", "tea", "about tea", "all of it"]]
    assert Upload.objects.get(kind="documents").first_rows["rows"][0] == ["d1", "Tea", "Green tea."]
    assert Upload.objects.get(kind="judgements").first_rows["rows"] == [["q1", "0", "d1", "2"], ["q1", "0", "d2", "0"]]


def test_data_set_is_imported_by_jobs_and_recorded_with_its_id(owner):
    keys = [upload.pk for upload in add(owner)]
    start_import(owner.collection, owner.user, keys, {"keep_all": True})
    for _ in keys:
        work()
    assert [job.error for job in Job.objects.all()] == ["", "", ""]
    assert (Topic.objects.get().title, Document.objects.count()) == ("tea", 2)
    assert set(Judgement.objects.values_list("member__name", "relevance")) == {("assay-test", 2), ("assay-test", 0)}
    assert {record.files[0]["name"] for record in ImportRecord.objects.all()} == {f"irds:{NAME}"}
    assert not Upload.objects.exists()


def test_failed_download_is_a_problem_of_the_check(owner, monkeypatch):
    def fail(_):
        raise OSError("no network")

    monkeypatch.setattr(Queries, "queries_iter", fail)
    check = check_uploads(owner.collection, [upload.pk for upload in add(owner, kinds=["topics"])], {})
    assert check.problems[0][2].startswith(f"irds:{NAME}: the data set cannot be downloaded or read (no network)")


@pytest.mark.parametrize(
    ("dataset_id", "kinds", "words"),
    [
        (NAME, [], "Choose what to import of the data set"),
        ("msmarco-passage", KINDS, "irds:msmarco-passage: the data set is not allowed; allowed are antique"),
        ("vaswani/none", KINDS, "the data set is unknown"),
        ("beir/scifact", KINDS, "The data set beir/scifact has no judgements. Another part of it may have them."),
    ],
)
def test_what_cannot_be_imported_is_refused(owner, dataset_id, kinds, words):
    with pytest.raises(Refused, match=words):
        add(owner, dataset_id, kinds)
    assert not Upload.objects.exists()


def test_files_that_wait_are_limited(owner, monkeypatch):
    monkeypatch.setattr("assess.transfer.uploads.receive.MAX_FILES", 2)
    with pytest.raises(Refused, match="At most 2 files can wait"):
        add(owner)


def test_site_without_data_sets_says_who_can_allow_them(owner, monkeypatch):
    monkeypatch.setenv("ASSAY_IRDS", "none")
    assert data_set.data_sets() == []
    with pytest.raises(Refused, match=r"switched off on this server\. The administrator of this site"):
        add(owner)


def test_server_without_the_package_says_who_can_add_it(owner, monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    assert data_set.data_sets() == []
    with pytest.raises(Refused, match=r"lacks the package ir-datasets\. The administrator .* extra ir-assay\[irds\]"):
        add(owner)


def test_kind_of_a_part_is_not_changed(owner):
    from assess.transfer.uploads.recognised import set_kind

    (upload,) = add(owner, kinds=["topics"])
    with pytest.raises(Refused, match=f"irds:{NAME} is added as topics. Remove it, and add documents"):
        set_kind(upload, "documents")

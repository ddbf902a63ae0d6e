"""ZIP archives of runs and of data sets of BEIR, imported by commands and as uploads."""

import io
import zipfile

import pytest

from assess.errors import Refused
from assess.models import Document, Judgement, Run, Topic
from assess.transfer.documents import DocumentOptions, import_documents
from assess.transfer.judgements import import_judgements
from assess.transfer.runs import RunOptions, import_runs
from assess.transfer.topics import import_topics
from assess.transfer.uploads.recognised import recognise_upload, set_kind
from pooling import read_documents
from tests.assess.transfer.uploads.test_importing import check, start, work
from tests.assess.transfer.uploads.uploaded import empty_collection, upload
from tests.pooling.formats.test_zip_files import BEIR, FORKS, OTHER_SPLIT, RUNS, archive

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def owner(db, join):
    return empty_collection(join)


@pytest.fixture
def path(tmp_path):
    def write(files):
        (tmp_path / "a.bin").write_bytes(archive(files))
        return tmp_path / "a.bin"

    return write


def test_a_zip_of_runs_is_imported(owner, path):
    file = path(RUNS | FORKS)
    assert import_runs(owner.collection, [file]).added == 2
    assert import_runs(owner.collection, [file]).same == 2
    assert sorted(Run.objects.values_list("system", "line_count")) == [("bm25", 2), ("lsa", 2)]
    record = Run.objects.first().import_record
    assert [each["name"] for each in record.files] == ["a.bin"]


def test_a_pattern_names_the_systems_of_the_entries(owner, path):
    assert import_runs(
        owner.collection, [path({"bm25.x.run": RUNS["runs/bm25.run"]})], RunOptions(system_pattern="{system}.x.run")
    )
    assert Run.objects.get().system == "bm25"


def test_an_upload_of_runs_is_checked_and_imported(owner, path):
    file = upload(owner, "runs.zip", path(RUNS | FORKS).read_bytes())
    assert (file.kind, file.format) == ("runs", "run_zip")
    assert file.first_rows["rows"] == [["runs/bm25.run"], ["runs/lsa.run.gz"]]
    assert any("2 systems" in sentence for sentence in check(owner, file).sentences)
    start(owner, file)
    work()
    assert Run.objects.count() == 2


def test_a_data_set_of_beir_is_imported_part_by_part(owner, path):
    file, collection = path(BEIR), owner.collection
    assert import_topics(collection, file).added == 1
    assert import_documents(collection, read_documents(file), DocumentOptions(keep_all=True)).added == 2
    assert Document.objects.filter(content__isnull=False).count() == 2
    assert import_judgements(collection, file, "nist").added == 2
    assert Judgement.objects.count() == 2


def test_an_upload_of_beir_is_read_as_documents_until_the_user_chooses_another_kind(owner, path):
    file = upload(owner, "scifact.zip", path(BEIR).read_bytes())
    assert (file.kind, file.format) == ("documents", "beir_zip")
    assert file.label == "BEIR data set in a ZIP archive, of which the documents are read"
    assert [row[0] for row in file.first_rows["rows"]] == ["d1", "d2"]
    set_kind(file, "topics")
    assert file.first_rows["rows"] == [["1", "green tea", "", ""]]
    set_kind(file, "judgements")
    assert not file.error


def test_several_splits_are_refused_with_their_names(owner, path):
    Topic.objects.create(collection=owner.collection, query_id="1", title="green tea")
    with pytest.raises((Refused, ValueError), match=r"2 files of judgements: .*; name one of them"):
        import_judgements(owner.collection, path(BEIR | OTHER_SPLIT), "nist")


def test_an_archive_that_is_cut_is_an_error_of_the_upload(owner):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as opened:
        opened.writestr("a.run", RUNS["runs/bm25.run"])
    file = upload(owner, "a.zip", content.getvalue()[:-30])
    recognise_upload(file)
    assert "the ZIP archive is corrupt" in file.error

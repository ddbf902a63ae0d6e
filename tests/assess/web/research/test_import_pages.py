"""The import page: upload in chunks, paste, server path, check, import, and undo."""

import csv
import gzip
import hashlib
import io
import re
import sys

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from assess.models import ImportRecord, Job, JobState, Judgement, Role, Run, Topic, Upload
from assess.transfer.runs import import_runs
from assess.transfer.uploads.storage import stored_path
from tests.assess.transfer.uploads.uploaded import DOCUMENTS, QRELS, RUN, TOPICS, upload
from tests.data_set import NAME, register
from tests.factories import write_runs
from tests.html import compact

pytestmark = [pytest.mark.django_db(transaction=True)]
BYTES = "application/octet-stream"


@pytest.fixture
def member(collection, join):
    return join(collection, "olga", Role.OWNER)


@pytest.fixture
def owner(member, signed_in):
    return signed_in(member)


def url(name, *arguments):
    return reverse(f"research:{name}", args=["small", *arguments])


def text(response) -> str:
    return compact(response.content.decode())


def work():
    call_command("worker", once=True, verbosity=0)


def begin(client, name="delta.run", size: int | None = None) -> dict:
    return client.post(url("upload_create"), {"name": name, "size": size or len(RUN)}).json()


def chunk(client, state, offset, content):
    return client.post(f"{state['url']}chunk/?offset={offset}", content, content_type=BYTES)


def finish(client, state, content=RUN):
    return client.post(f"{state['url']}finish/", {"sha256": hashlib.sha256(content).hexdigest()})


def checked(client, **data):
    response = client.post(url("import_check"), data)
    assert response.status_code == 302, text(response)
    return response.url


# ---- the protocol


def test_file_is_sent_in_chunks(owner):
    state = begin(owner)
    assert (state["offset"], state["complete"]) == (0, False)
    assert chunk(owner, state, 0, RUN[:20]).json()["offset"] == 20
    assert owner.get(state["url"]).json()["offset"] == 20
    assert begin(owner) == owner.get(state["url"]).json()
    assert chunk(owner, state, 20, RUN[20:]).json()["offset"] == len(RUN)
    done = finish(owner, state).json()
    assert (done["complete"], done["label"], done["error"]) == (True, "TREC run", "")


def test_wrong_offset_is_a_conflict_with_the_expected_one(owner):
    state = begin(owner)
    chunk(owner, state, 0, RUN[:20])
    response = chunk(owner, state, 0, RUN[:20])
    assert (response.status_code, response.json()["offset"]) == (409, 20)


@pytest.mark.parametrize("offset", ["", "-1", "x", "9" * 400])
def test_invalid_offset_is_refused(owner, offset):
    state = begin(owner)
    assert chunk(owner, state, offset, RUN).status_code == 400
    assert Upload.objects.get().received == 0


def test_wrong_checksum_is_refused_and_the_file_is_gone(owner):
    state = begin(owner)
    chunk(owner, state, 0, RUN)
    response = finish(owner, state, b"other")
    assert response.status_code == 400
    assert "changed or was damaged" in response.json()["error"]
    assert owner.get(state["url"]).status_code == 404


def test_finished_upload_receives_nothing(owner):
    state = begin(owner)
    chunk(owner, state, 0, RUN)
    finish(owner, state)
    assert chunk(owner, state, len(RUN), b"x").status_code == 409
    assert finish(owner, state).json()["complete"]


def test_chunk_larger_than_the_limit_is_refused_before_it_is_read(owner, settings):
    state = begin(owner, size=20_000_000)
    response = chunk(owner, state, 0, b"x" * (settings.UPLOAD_CHUNK_BYTES + 1))
    assert response.status_code == 413
    assert Upload.objects.get().received == 0


def test_chunk_of_eight_megabytes_is_stored(owner, settings):
    state = begin(owner, size=20_000_000)
    response = chunk(owner, state, 0, b"x" * settings.UPLOAD_CHUNK_BYTES)
    assert response.json()["offset"] == 8_000_000


@pytest.mark.parametrize("size", ["0", "-1", "x", "", "9" * 30])
def test_invalid_size_is_refused(owner, size):
    assert owner.post(url("upload_create"), {"name": "a.run", "size": size}).status_code == 400
    assert not Upload.objects.exists()


def test_uploads_of_other_users_are_not_found(owner, member, join):
    file = upload(join(member.collection, "rita", Role.RESEARCHER), "delta.run", RUN)
    assert owner.get(url("upload", file.public_id)).status_code == 404
    assert owner.post(url("upload_chunk", file.public_id) + "?offset=0", b"x", content_type=BYTES).status_code == 404
    assert owner.post(url("upload_finish", file.public_id), {"sha256": file.sha256}).status_code == 404
    assert owner.post(url("upload_remove", file.public_id)).status_code == 404
    assert "delta.run" not in text(owner.get(url("import")))
    assert stored_path(file).exists()


def test_chunk_needs_a_csrf_token(member):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(member.user, backend="assess.people.backend.AccountBackend")
    file = Upload.objects.create(collection=member.collection, user=member.user, name="a", size=1)
    response = browser.post(url("upload_chunk", file.public_id) + "?offset=0", b"x", content_type=BYTES)
    assert response.status_code == 403
    assert Upload.objects.get().received == 0


def test_upload_is_removed(owner, member):
    file = upload(member, "delta.run", RUN)
    assert owner.post(url("upload_remove", file.public_id)).url == url("import")
    assert not Upload.objects.exists()
    assert not stored_path(file).exists()


# ---- the page


def test_page_shows_files_with_their_first_rows(owner, member):
    upload(member, "delta.run", RUN)
    upload(member, "noise", b"\x01\x02")
    Upload.objects.create(collection=member.collection, user=member.user, name="half.run", size=10, received=4)
    page = text(owner.get(url("import")))
    assert "TREC run" in page
    assert '<option value="runs" selected>runs</option>' in page
    assert "<td>delta</td>" in page
    assert "noise: the format is unknown" in page
    assert "half.run" in page
    assert "Options for runs" in page
    assert "Options for judgements" not in page
    assert "File on the server" not in page


def test_pasted_text_becomes_a_file(owner):
    assert owner.post(url("import_paste"), {"name": "my topics", "text": TOPICS.decode()}).url == url("import")
    assert "my topics" in text(owner.get(url("import")))
    assert Upload.objects.get().kind == "topics"


def test_pasted_text_of_one_megabyte_is_accepted(owner):
    body = "1\t" + "x" * 499_000 + "\n2\t" + "y" * 499_000
    assert owner.post(url("import_paste"), {"text": body}).status_code == 302


def test_refused_text_is_shown_again(owner):
    response = owner.post(url("import_paste"), {"name": "\0", "text": "1\tneed"})
    assert response.status_code == 400
    assert "1\tneed</textarea>" in response.content.decode()


def test_file_of_the_server(owner, member, settings, tmp_path):
    settings.IMPORT_ROOTS, settings.DATA_DIR = [str(tmp_path / "shared")], tmp_path / "data"
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "ann.qrels").write_bytes(QRELS)
    path = {"path": str(tmp_path / "shared" / "ann.qrels")}
    assert owner.post(url("import_path"), path).status_code == 400
    member.user.is_superuser = True
    member.user.save()
    assert "File on the server" in text(owner.get(url("import")))
    assert owner.post(url("import_path"), path).status_code == 302
    assert owner.post(url("import_path"), {"path": "/etc/passwd"}).status_code == 400
    assert Upload.objects.get().name == "ann.qrels"


# ---- check and import


@pytest.mark.slow
def test_small_files_are_checked_at_once_and_imported_by_jobs(owner, member):
    for name, content in (("topics.tsv", TOPICS), ("delta.run", RUN), ("ann.qrels", QRELS), ("d.jsonl", DOCUMENTS)):
        upload(member, name, content)
    preview = checked(owner)
    page = text(owner.get(preview))
    assert "TREC runs: 1 system, 2 topics, 0 unknown topics." in page
    assert "Topics: 2 topics, 1 new, 1 in the collection already." in page
    first = owner.post(f"{preview}start/").url
    assert first == url("import") + "#jobs-here"
    assert url("job_part", Job.objects.get(kind="import_topics").public_id) in text(owner.get(first))
    work()
    page = text(owner.get(first))
    assert "Imported 1 new topic. Updated 1 topic with different texts." in page
    assert url("job", Job.objects.get(kind="import_runs").public_id) in page
    assert (Topic.objects.count(), Run.objects.filter(system="delta").count(), Judgement.objects.count()) == (3, 1, 2)
    page = text(owner.get(url("import")))
    assert "Files to import" not in page
    assert re.search(r"<th scope=\"row\">runs</th>\s*<td class=\"num\">1</td>", page)
    assert "The files were imported or removed." in text(owner.get(preview))


@pytest.mark.in_ci
def test_a_run_of_ms_marco_is_noted_in_the_check_and_in_the_record(owner, member):
    upload(member, "delta.tsv", b"1\ta\t1\n1\tb\t2\n")
    note = "delta.tsv: the file has ranks and no scores, so the score is 1/rank, and the system is named"
    preview = checked(owner)
    page = text(owner.get(preview))
    assert "TREC runs: 1 system, 1 topic" in page
    assert note in page
    job = owner.post(f"{preview}start/").url
    work()
    assert note in text(owner.get(job))
    assert note in text(owner.get(url("import")))
    assert ImportRecord.objects.filter(kind="runs").first().files[0]["notes"][0].startswith(note)
    assert Run.objects.get(system="delta").line_count == 2


@pytest.mark.in_ci
def test_ranks_against_scores_are_noted_in_the_check_and_in_the_record(owner, member):
    upload(member, "delta.run", RUN.replace(b"b 2 8", b"b 2 10"))
    note = "delta.run: the rank column contradicts the scores in 1 of 2 topics checked (1 pair of neighbours)"
    preview = checked(owner)
    assert note in text(owner.get(preview))
    job = owner.post(f"{preview}start/").url
    work()
    assert note in text(owner.get(job))
    assert note in text(owner.get(url("import")))
    record = ImportRecord.objects.filter(kind="runs").first()
    assert [each.split(" (")[0] for each in record.files[0]["notes"]] == [note.split(" (")[0]]


def test_large_files_are_checked_in_the_background(owner, member, monkeypatch):
    monkeypatch.setattr("assess.transfer.uploads.page.SMALL_BYTES", 10)
    upload(member, "delta.run", RUN)
    preview = checked(owner)
    page = text(owner.get(preview))
    assert "The check waits for the worker" in page
    assert 'hx-trigger="every 1s"' in page
    assert owner.post(f"{preview}start/").status_code == 400
    work()
    page = text(owner.get(preview))
    assert "TREC runs: 1 system" in page
    assert "hx-trigger" not in page
    assert owner.post(f"{preview}start/").status_code == 302


def test_small_compressed_files_are_checked_in_the_background_too(owner, member):
    upload(member, "delta.run.gz", gzip.compress(RUN))
    checked(owner)
    assert Job.objects.get().state == JobState.WAITING


def test_file_that_has_disappeared_is_named(owner, member):
    stored_path(upload(member, "delta.run", RUN)).unlink()
    response = owner.post(url("import_check"), {})
    assert response.status_code == 400
    assert "The file delta.run is no longer there." in text(response)


def test_invalid_lines_are_listed_and_nothing_is_imported(owner, member):
    upload(member, "ann.qrels", QRELS + b"".join(b"1 0 d%d 7\n" % n for n in range(30)))
    preview = checked(owner)
    page = text(owner.get(preview))
    assert "30 problems: nothing can be imported yet" in page
    assert page.count("ann.qrels, line ") == 20
    assert "Import</button>" not in page
    rows = list(csv.reader(io.StringIO(owner.get(f"{preview}invalid.csv").content.decode())))
    assert len(rows) == 31
    assert rows[1][:2] == ["ann.qrels", "3"]
    assert owner.post(f"{preview}start/").status_code == 400
    assert not Job.objects.filter(kind__startswith="import").exists()


def test_options_and_corrections_are_used(owner, member):
    judgements = upload(member, "ann.qrels", QRELS.replace(b" 1\n", b" 3\n"))
    preview = checked(owner, off_scale="clip", judge_kind="model", **{f"name_{judgements.pk}": "umbrela"})
    owner.post(f"{preview}start/")
    work()
    assert Job.objects.get(kind="import_judgements").error == ""
    assert set(Judgement.objects.values_list("member__name", "relevance")) == {("umbrela", 0), ("umbrela", 1)}
    assert Judgement.objects.first().member.imported_judge.kind == "model"
    assert ImportRecord.objects.latest("pk").options == {"off_scale": "clip"}


def test_kind_is_corrected(owner, member):
    file = upload(member, "notes.txt", b"7\tseven\n8\teight\n")
    checked(owner, **{f"kind_{file.pk}": "documents"})
    file.refresh_from_db()
    assert (file.kind, file.label) == ("documents", "documents, as you chose")
    checked(owner, **{f"kind_{file.pk}": "topics"})
    file.refresh_from_db()
    assert (file.kind, file.error) == ("topics", "")


@pytest.mark.parametrize(
    "data", [{"off_scale": "x"}, {"text_format": "pdf"}, {"score_precision": "float8"}, {"mapping": "x" * 300}]
)
def test_unknown_options_are_refused(owner, member, data):
    upload(member, "delta.run", RUN)
    assert owner.post(url("import_check"), data).status_code == 400
    assert not Job.objects.exists()


def test_unknown_kind_is_refused(owner, member):
    file = upload(member, "delta.run", RUN)
    assert owner.post(url("import_check"), {f"kind_{file.pk}": "passwords"}).status_code == 400


def test_nothing_is_checked_without_files(owner):
    response = owner.post(url("import_check"), {})
    assert response.status_code == 400
    assert "There are no files to check" in text(response)


def test_checks_of_other_users_are_not_found(owner, member, join, signed_in):
    upload(member, "delta.run", RUN)
    preview = checked(owner)
    other = signed_in(join(member.collection, "rita", Role.RESEARCHER))
    assert other.get(preview).status_code == 404
    assert other.get(f"{preview}invalid.csv").status_code == 404
    assert other.post(f"{preview}start/").status_code == 404


def test_second_import_waits_for_the_first(owner, member):
    upload(member, "delta.run", RUN)
    preview = checked(owner)
    owner.post(f"{preview}start/")
    response = owner.post(f"{preview}start/")
    assert response.status_code == 400
    assert "is waiting or running already" in text(response)


@pytest.mark.slow
def test_options_have_plain_labels_and_help(owner, member, join):
    page = text(owner.get(url("import")))
    upload(member, "ann.qrels", QRELS)
    upload(member, "delta.run", RUN)
    ada = join(member.collection, "ada")
    page = text(owner.get(url("import")))
    for words in ("Off scale:", "a grade that is not on the scale", "Score precision:", "As member", ada.name):
        assert words in page
    assert "off_scale:" not in page
    preview = checked(owner, as_members=[ada.pk], score_precision="float32")
    assert Job.objects.get().input["options"]["as_members"] == [ada.pk]
    assert f'value="{ada.pk}" id="option_as_members_0" checked' in text(owner.get(url("import")))
    owner.post(f"{preview}start/")
    work()
    work()
    assert "Score precision: float32" in text(owner.get(url("import")))
    assert Judgement.objects.first().member == ada


def test_researcher_is_not_offered_as_a_judge(owner, member):
    upload(member, "ann.qrels", QRELS)
    assert "As member" not in text(owner.get(url("import")))
    response = owner.post(url("import_check"), {"as_members": [member.pk]})
    assert response.status_code == 400
    assert "As member: Select a valid choice." in text(response)


# ---- data sets


@pytest.mark.in_ci
def test_data_set_is_chosen_with_its_sizes_and_imported(owner, monkeypatch):
    register(monkeypatch)
    assert url("import_data_sets") in text(owner.get(url("import")))
    page = text(owner.get(url("import_data_sets")))
    assert 'data-label="documents">11,429</td>' in page
    assert f'value="{NAME}"' in page
    assert '<td class="num" data-label="topics">unknown</td>' in page
    chosen = {"data_set": NAME, "kinds": ["topics", "documents"]}
    assert owner.post(url("import_data_set"), chosen).url == url("import")
    page = text(owner.get(url("import")))
    assert "topics of ir-datasets" in page
    assert 'name="kind_' not in page
    preview = checked(owner, keep_all="on")
    work()
    assert "<td>Green tea.</td>" in text(owner.get(preview))
    owner.post(f"{preview}start/")
    work()
    assert Topic.objects.filter(query_id="q1").exists()


def test_refused_data_set_is_shown_on_its_page(owner):
    response = owner.post(url("import_data_set"), {"data_set": "beir/scifact", "kinds": ["judgements"]})
    assert response.status_code == 400
    page = text(response)
    assert "The data set beir/scifact has no judgements." in page
    assert 'value="beir/scifact" required checked' in page


def test_pages_without_data_sets_say_who_can_add_them(owner, monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    for page in ("import", "import_data_sets"):
        shown = text(owner.get(url(page)))
        assert "The administrator of this site can add it with the extra ir-assay[irds]." in shown
        assert "pip" not in shown


# ---- undo


@pytest.mark.in_ci
def test_import_is_undone_in_the_background(owner, member, tmp_path):
    import_runs(member.collection, write_runs(tmp_path, {"delta": {"1": ["a"]}}))
    record = ImportRecord.objects.latest("pk")
    page = text(owner.get(url("import")))
    assert re.search(r"<th scope=\"row\">runs</th>\s*<td class=\"num\">1</td>", page)
    assert "a command" in page
    assert "This deletes runs: 1." in page
    assert "A pool was built from its runs." in page
    job = owner.post(url("import_undo", record.pk)).url
    work()
    assert "The import is undone. Removed runs: 1." in text(owner.get(job))
    assert not Run.objects.filter(system="delta").exists()
    assert "undone 20" in text(owner.get(url("import")))


def test_undo_that_is_too_late_is_refused(owner, member):
    record = ImportRecord.objects.filter(kind="runs").latest("pk")
    owner.post(url("import_undo", record.pk))
    work()
    job = Job.objects.get()
    assert (job.state, job.error) == (
        JobState.FAILED,
        f"Import {record.pk} of runs cannot be undone. A pool was built from its runs.",
    )


# ---- rows of files


def test_each_file_is_a_row_with_how_much_it_has(owner, member):
    upload(member, "topics.tsv", TOPICS)
    upload(member, "delta.run", RUN)
    upload(member, "d.jsonl", DOCUMENTS)
    page = text(owner.get(url("import")))
    rows = re.findall(r"<button form=.remove-", page.partition('id="files-to-import"')[2].partition("</form>")[0], re.S)
    assert len(rows) == 3
    assert f"{len(TOPICS.splitlines())} topics" in page
    assert f"{len(RUN.splitlines())} lines" in page
    assert f"{len(DOCUMENTS.splitlines())} document" in page

"""Verifying a release: what changed in its files and in the database is named, file and row."""

import json
import shutil

import pytest

from assess import audit
from assess.collections.guidelines import publish_guidelines
from assess.errors import Refused
from assess.models import Action, JudgementEvent, Release
from assess.pools.building.build import build_pool
from assess.releases.archive import read_release, unzipped, zipped
from assess.releases.verify import verify_files, verify_stored
from tests.assess.command_output import output_of, refusal
from tests.assess.judging.test_tampering import run as tamper
from tests.assess.releases.conftest import files_of, record, release

pytestmark = pytest.mark.django_db


@pytest.fixture
def stored(collection, judges, without_reports):
    return release(collection)


def problems(release: Release) -> list[str]:
    return verify_stored(release).problems


def changed(stored: Release, name: str, old: str, new: str) -> list[str]:
    """Return the problems of the release's files with another text in one of them."""
    files = files_of(stored)
    assert old.encode() in files[name]
    return verify_files(files | {name: files[name].replace(old.encode(), new.encode())}).problems


@pytest.mark.slow
def test_complete_release_is_verified(collection, judges):
    checked = verify_stored(release(collection))
    assert (checked.problems, checked.notes, checked.name) == ([], [], "main-1")


@pytest.mark.slow
def test_changed_figure_is_named(collection, judges):
    stored = release(collection)
    files = files_of(stored)
    data = json.loads(files["reports/agreement.json"])
    old = data["pairs"][0]["n"]
    data["pairs"][0]["n"] = 4321
    content = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    found = verify_files(files | {"reports/agreement.json": content.encode()}).problems
    assert found[1:] == [f"reports/agreement.json: pairs.0.n is 4321 in the release and {old} in the database."]


@pytest.mark.in_ci
def test_changed_fact_is_named(stored):
    found = changed(stored, "release.json", '"undecided": 0', '"undecided": 3')
    assert "release.json: undecided is 3 in the release and 0 in the database." in found


def test_facts_that_cannot_be_computed_again_are_noted(stored, collection, judges):
    audit.record(Action.ADJUDICATION_UNDONE, actor=None, collection=collection)
    audit.record(Action.ROLE_CHANGED, actor=None, collection=collection, details={"from": "assessor", "to": "owner"})
    checked = verify_stored(stored)
    assert checked.problems == []
    assert [note.partition(" were not")[0] for note in checked.notes] == [
        "release.json: the facts decided, blind, undecided",
        "release.json: the facts blindness",
        "release.json: the facts researching_judges",
    ]


@pytest.mark.in_ci
def test_release_is_verified_after_everything_went_on(stored, collection, judges, join):
    record(judges["ada"], "b", 0)
    record(judges["ada"], "a", 1, comment="Sure.")
    publish_guidelines(collection, "Read it twice.")
    build_pool(collection, depth=3)
    join(collection, "cleo")
    assert problems(stored) == []


@pytest.mark.in_ci
def test_changed_grade_in_the_qrels_is_named(stored):
    assert changed(stored, "qrels.txt", "1 0 a 1\n", "1 0 a 0\n") == [
        "qrels.txt: the file was changed after the release; its checksum is not that of the manifest.",
        "qrels.txt: topic '1' document 'a' has grade 0 in the release and 1 in the database.",
    ]


@pytest.mark.slow
def test_removed_and_added_rows_are_named(stored):
    assert "qrels.txt: topic '1' document 'a' is in the database and not in the release." in changed(
        stored, "qrels.txt", "1 0 a 1\n", ""
    )
    assert "qrels.txt: topic '1' document 'f' is in the release and not in the database." in changed(
        stored, "qrels.txt", "1 0 e 0\n", "1 0 e 0\n1 0 f 0\n"
    )


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("name", "old", "new", "named"),
    [
        ("topics.jsonl", "first need", "last need", "topic '1' has title 'last need' in the release and 'first need'"),
        ("pool.jsonl", '"best_rank": 1', '"best_rank": 4', "topic '1' document 'a' has best_rank 4 in the release"),
        ("runs.jsonl", '"lines": 5', '"lines": 6', "system 'alpha' has lines 6 in the release and 5"),
        ("scale.jsonl", "Not relevant", "Bad", "grade '0' has name Bad in the release and 'Not relevant'"),
        ("guidelines/1.md", "Read", "Skip", "first in line 1"),
        ("paper/methods.md", "7 topic", "8 topic", "first in line 1"),
    ],
)
def test_changed_file_is_named(stored, name, old, new, named):
    found = changed(stored, name, old, new)
    assert len(found) >= 2
    assert all(problem.startswith(f"{name}: ") for problem in found)
    assert named in found[1]


@pytest.mark.in_ci
def test_changed_judgement_in_the_database_is_named(stored, judges):
    judgement = judges["ada"].judgements.get(task__document__doc_id="a")
    tamper("UPDATE assess_judgement SET relevance = 0 WHERE id = %s", judgement.pk)
    found = problems(stored)
    difference = "topic '1' document 'a' has grade 1 in the release and 0 in the database."
    assert f"judgements.csv: judge 'ada' {difference}" in found
    assert any("relevance is 0, but according to the ledger it is 1" in problem for problem in found)


@pytest.mark.in_ci
def test_changed_event_is_named(stored):
    event = JudgementEvent.objects.order_by("pk").first()
    tamper("UPDATE assess_judgementevent SET active_ms = 5 WHERE id = %s", event.pk)
    assert any(f"Event {event.pk} of 'ada'" in problem for problem in problems(stored))


@pytest.mark.in_ci
def test_changed_topic_in_the_database_is_named(stored, collection):
    collection.topics.filter(query_id="2").update(title="another need")
    assert "topics.jsonl: topic '2' has title 'second need' in the release and 'another need' in the database." in (
        problems(stored)
    )


@pytest.mark.in_ci
def test_run_that_is_missing_now_is_named(stored, collection):
    collection.runs.filter(system="beta").delete()
    assert "runs.jsonl: system 'beta' is in the release and not in the database." in problems(stored)


@pytest.mark.in_ci
def test_missing_and_added_files_are_named(stored):
    files = files_of(stored)
    del files["citation.bib"]
    found = verify_files(files | {"extra.txt": b"?"}).problems
    assert "citation.bib: the file is missing." in found
    assert "extra.txt: the file is not in the manifest." in found


@pytest.mark.in_ci
def test_manifest_that_was_changed_with_its_files_is_noticed(stored):
    files = files_of(stored)
    manifest = json.loads(files["manifest.json"]) | {"version": 7}
    assert verify_files(files | {"manifest.json": json.dumps(manifest).encode()}).problems == [
        "manifest.json: its checksum is not the one that the database has for main-1."
    ]


@pytest.mark.in_ci
def test_other_versions_compare_the_data_only(stored):
    files = files_of(stored)
    manifest = json.loads(files["manifest.json"])
    manifest["versions"]["numpy"] = "1.0"
    other = files | {"manifest.json": json.dumps(manifest).encode(), "README.md": b"?"}
    Release.objects.all().delete()
    checked = verify_files(other)
    assert checked.problems == [
        "README.md: the file was changed after the release; its checksum is not that of the manifest."
    ]
    assert len(checked.notes) == 1
    assert "Only the data were compared" in checked.notes[0]
    assert "numpy 1.0 (now " in checked.notes[0]


@pytest.mark.slow
def test_second_version_is_verified_also_where_the_first_is_not_stored(stored, collection, judges):
    record(judges["bob"], "b", 1)
    second = release(collection)
    assert problems(second) == []
    files = files_of(second)
    stored.delete()
    checked = verify_files(files)
    assert checked.problems == []
    assert checked.notes == ["The version before is not stored here, so the change log was not compared."]


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "This is not a release: it has no file release.json"),
        ({"release.json": b"["}, "release.json: the file is not valid JSON"),
        ({"release.json": b"[]"}, "release.json: the file is not a JSON object"),
        ({"release.json": b"{}"}, "these are not the settings of a release"),
    ],
)
def test_other_files_are_refused(collection, files, reason):
    with pytest.raises(Refused, match=reason):
        verify_files(files)


@pytest.mark.in_ci
def test_settings_of_another_type_are_refused(stored):
    files = files_of(stored)
    spec = json.loads(files["release.json"]) | {"chains": 3}
    with pytest.raises(Refused, match="these are not the settings"):
        verify_files(files | {"release.json": json.dumps(spec).encode()})


@pytest.mark.slow
def test_commands_write_and_verify_a_folder_and_a_zip_file(stored, tmp_path):
    words = ("--collection", "small", "--name", "main")
    for out in (tmp_path / "folder", tmp_path / "file.zip"):
        assert output_of("export_release", *words, "--out", out) == [f"Wrote main, version 1, to {out}."]
        assert read_release(out) == files_of(stored)
        checked = f"Checked {len(files_of(stored))} files of main-1 with the manifest {stored.manifest_sha256}"
        assert output_of("verify_release", out) == [f"{checked}: no differences."]
    assert output_of("verify_release", *words) == [f"{checked}: no differences."]
    (tmp_path / "folder" / "qrels.txt").write_text("1 0 a 0\n")
    assert refusal("verify_release", tmp_path / "folder").startswith(f"{checked}: ")


@pytest.mark.in_ci
def test_command_releases(collection, judges, without_reports):
    lines = output_of(
        *("create_release", "--collection", "small", "--name", "main", "--gold", "union", "--rel", "1"),
        *("--judge", "ada", "--topic", "1", "--at", "2026-11-23T12:30:00Z"),
    )
    stored = Release.objects.get()
    assert lines == [
        f"Released main, version 1: {stored.size:,} bytes.",
        f"Checkpoint of the ledger: {stored.checkpoint.hash}",
        f"Checksum of the manifest: {stored.manifest_sha256}",
    ]
    assert (stored.spec["judges"], stored.spec["topics"]) == (["ada"], ["1"])


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "Name the folder or zip file of a release"),
        (["--name", "main"], "Name the folder or zip file of a release"),
        (["missing.zip"], "there is no such folder or file"),
        (["--collection", "small", "--name", "other"], "small has no release 'other'."),
        (["--collection", "small", "--name", "main", "--release-version", "2"], "no release 'main', version 2."),
    ],
)
def test_command_refuses(stored, words, reason):
    assert reason in refusal("verify_release", *words)


@pytest.mark.in_ci
def test_export_refuses_a_folder_that_is_not_empty(stored, tmp_path):
    (tmp_path / "a").write_text("")
    assert "the folder is not empty" in refusal(
        "export_release", "--collection", "small", "--name", "main", "--out", tmp_path
    )


def test_damaged_zip_file_is_refused(tmp_path):
    path = tmp_path / "x.zip"
    path.write_bytes(b"PK" + b"\0" * 50)
    with pytest.raises(Refused, match="The zip file cannot be read"):
        read_release(path)


def test_zip_file_has_no_time(tmp_path):
    content = zipped({"b": b"2", "a/c": b"1"}, "folder")
    assert unzipped(content) == {"a/c": b"1", "b": b"2"}
    path = tmp_path / "x.zip"
    path.write_bytes(content)
    shutil.unpack_archive(path, tmp_path / "out")
    assert read_release(tmp_path / "out" / "folder") == {"a/c": b"1", "b": b"2"}

"""Freezing a gold: what the release contains, which choices it follows, and what is refused."""

import csv
import hashlib
import io
import json
import re

import pytest
from django.db import IntegrityError, transaction

from assess.adjudication.openings import opened_tasks
from assess.collections.archive import archive_collection
from assess.deletion import delete_collection
from assess.errors import Refused
from assess.jobs import queue, run
from assess.models import Action, AuditEvent, ImportedJudge, Job, JobState, Release
from assess.releases import freeze
from assess.releases.stored import archive_of, find_release
from assess.releases.verify import verify_stored
from assess.transfer.exports import export_judgements, export_qrels
from tests.assess.adjudication.test_openings import decide_all
from tests.assess.releases.conftest import AT, files_of, record, release, text_of
from tests.assess.releases.stored import small_release
from tests.assess.web.research.analysis.pages import judge

pytestmark = pytest.mark.django_db
RULES = (
    *("judge:ada", "union", "max", "intersection", "min", "majority", "median", "at_least:2", "both_agree"),
    *("adjudicated", "dawid_skene", "glad", "mace"),
)


def rows_of(content: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content, newline="")))


@pytest.mark.slow
def test_gold_of_people_leaves_out_a_model(collection, judges):
    without = export_qrels(collection, "majority")
    model = judge(collection, "a-model", {("1", "a"): 0, ("1", "b"): 1, ("2", "x"): 1})
    ImportedJudge.objects.create(member=model, kind="model")
    stored = release(collection, rule="people:majority")
    files = files_of(stored)
    assert files["qrels.txt"] == without == export_qrels(collection, "people:majority")
    assert files["qrels.txt"] != export_qrels(collection, "majority")
    assert "by the rule people:majority;" in files["paper/methods.md"].decode()
    report = files["reports/shift.md"].decode()
    assert "the reference is released gold." in report
    assert "No reference was named" not in report
    assert "people:union: 2 topics" in report
    assert not re.search(r"^(union|majority):", report, re.M)
    assert verify_stored(stored).problems == []


@pytest.mark.slow
def test_release_has_the_gold_and_all_judgements_as_they_are_exported(collection, judges):
    stored = release(collection, authors="Ada Doe", licence="cc-by-4.0")
    files = files_of(stored)
    assert files["qrels.txt"] == export_qrels(collection, "majority")
    exported = export_judgements(collection).decode()
    assert rows_of(files["judgements.csv"].decode()) == [row[:-2] for row in rows_of(exported)]  # nobody answered
    assert files["guidelines/1.md"] == b"Read it all."
    assert {"figures/ranks.svg", "figures/tau.svg", "reports/agreement.md", "reports/shift.json"} <= files.keys()
    manifest = json.loads(files["manifest.json"])
    assert {entry["name"]: entry["sha256"] for entry in manifest["files"]} == {
        name: hashlib.sha256(content).hexdigest() for name, content in files.items() if name != "manifest.json"
    }
    assert manifest["ledger"] == {"checkpoint": stored.checkpoint.hash, "events": 14}
    assert stored.manifest_sha256 == hashlib.sha256(files["manifest.json"]).hexdigest()
    assert AuditEvent.objects.get(action=Action.RELEASED).subject == "main-1"


@pytest.mark.slow
def test_the_same_release_has_the_same_bytes(collection, judges):
    with transaction.atomic():
        first = release(collection)
        transaction.set_rollback(True)
    again = release(collection)
    assert bytes(again.archive) == bytes(first.archive)


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_every_rule_can_be_released(collection, judges, without_reports, rule):
    assert files_of(release(collection, rule=rule))["qrels.txt"] == export_qrels(collection, rule)


@pytest.mark.slow
def test_mean_needs_a_rounding_or_a_threshold(collection, judges, without_reports):
    with pytest.raises(Refused, match="rounding"):
        release(collection, rule="mean")
    assert "1 0 b 1\n" in text_of(release(collection, rule="mean", rounding="half_up"), "qrels.txt")
    assert "1 0 b 0\n" in text_of(release(collection, rule="mean", rel=1), "qrels.txt")


def test_chosen_judges_and_topics_only(collection, judges, without_reports):
    files = files_of(release(collection, rule="union", judges=["bob"], topics=["2"]))
    assert files["qrels.txt"] == b"2 0 x 0\n2 0 y 0\n2 0 z 0\n"
    assert not any(b"ada," in content or b'"ada"' in content for content in files.values())
    for name in ("judgements.csv", "topics.jsonl", "pool.jsonl"):
        assert files[name].count(b"\n") == {"judgements.csv": 4, "topics.jsonl": 1, "pool.jsonl": 3}[name]
    assert b"greement" not in files["paper/methods.md"]  # what was not measured is left out


@pytest.mark.slow
def test_next_version_has_a_change_log(collection, judges, without_reports):
    release(collection, notes="The first one.")
    record(judges["bob"], "b", 1)
    second = release(collection, notes="After a revision.", topics=["1"])
    assert second.version == 2
    assert text_of(second, "changes.csv") == "query_id,doc_id,before,after\n1,b,0,1\n2,x,0,\n2,y,0,\n2,z,0,\n"
    log = text_of(second, "CHANGES.md")
    assert "After a revision.\n\nCompared with version 1: 0 grades added, 1 changed, 3 removed." in log
    assert log.index("## Version 2, 2026-11-23") < log.index("The first one.\n\nFirst version.")
    third = release(collection)
    assert "Compared with version 2: 3 grades added, 0 changed, 0 removed." in text_of(third, "CHANGES.md")
    assert "Compared with version 1: 0 grades added, 1 changed, 3 removed." in text_of(third, "CHANGES.md")
    assert find_release(collection, "main").version == 3
    assert find_release(collection, "main", 1).version == 1


@pytest.mark.slow
def test_methods_state_how_decisions_came_about(disputed, people, without_reports):
    from assess.adjudication.openings import record_openings
    from tests.assess.adjudication.conftest import task_of

    record_openings(people["rita"], [task_of(disputed, "1", "b").pk])
    decide_all(disputed, people["rita"])
    stored = release(disputed, rule="adjudicated")
    assert "3 documents were adjudicated, 2 of them blind to the grades of the judges, and 1 not blind." in text_of(
        stored, "paper/methods.md"
    )
    assert text_of(stored, "judgements.csv").count(",true\n") == 3
    assert "1 0 b 1\n" in text_of(stored, "qrels.txt")


def test_people_who_judged_and_became_researchers_are_counted(collection, judges, without_reports):
    judges["bob"].role = "researcher"
    judges["bob"].save()
    methods = text_of(release(collection), "paper/methods.md")
    assert "1 judge also had access to the systems' runs as researchers" in methods
    assert "1 judge (1 person) made 7 judgements of 7 topic-document pairs" in methods


@pytest.mark.parametrize(
    ("choices", "reason"),
    [
        ({"name": "a b"}, "letters, digits, hyphens and underscores, not 'a b'"),
        ({"name": "x" * 61}, "at most 60 characters, not 61"),
        ({"rule": "best"}, "There is no rule 'best'"),
        ({"rule": "judge:zoe"}, "There is no judge 'zoe'"),
        ({"rel": 2}, "must be one of 1, not 2"),
        ({"judges": ["zoe"]}, "There is no judge 'zoe'"),
        ({"topics": ["9"]}, "There is no topic '9'"),
        ({"rounding": "down?"}, "must be one of half_up, up, down"),
        ({"measure": "AP("}, "AP"),
        ({"measure": "AP(rel=2)", "rel": 1}, "must have rel=1, not rel=2"),
        ({"notes": "x" * 10_001}, "at most 10,000 characters"),
        ({"authors": "a\0"}, "no NUL"),
    ],
)
def test_invalid_choices_are_refused(collection, judges, without_reports, choices, reason):
    with pytest.raises(Refused, match=reason):
        release(collection, **choices)
    assert not Release.objects.exists()


@pytest.mark.in_ci
def test_a_measure_that_needs_the_scale(collection, judges, without_reports):
    assert "ERR@10" in release(collection, measure="ERR@10").spec["measure"]
    assert "ERR@10" in release(collection, "binary", measure="ERR@10", rel=1).spec["measure"]


def test_nothing_to_release(collection):
    with pytest.raises(Refused, match="There is no gold to release: the rule majority gives no grade"):
        release(collection)


def test_archived_collection_is_not_released(collection, judges):
    archive_collection(collection)
    with pytest.raises(Refused, match="is archived"):
        release(collection)


def test_version_that_somebody_else_released_meanwhile_is_refused(collection, judges, without_reports, monkeypatch):
    monkeypatch.setattr(freeze, "_next_version", lambda *_: 2)
    with pytest.raises(Refused, match="Somebody else released main at the same time"):
        release(collection)


def test_somebody_who_is_erased_meanwhile_is_not_stored(collection, judges, without_reports, monkeypatch):
    computed = freeze.build_files

    def build_files(source):
        files = computed(source)
        judges["ada"].name = "erased-1"
        judges["ada"].save()
        return files

    monkeypatch.setattr(freeze, "build_files", build_files)
    with pytest.raises(Refused, match="Somebody was erased, renamed or withdrawn"):
        release(collection)
    assert not Release.objects.exists()


def test_database_refuses_a_version_twice(collection, judges, without_reports):
    stored = release(collection)
    stored.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        stored.save()


def test_releases_are_deleted_with_their_collection(collection):
    small_release(collection)
    delete_collection("small", "small")
    assert not Release.objects.exists()


@pytest.mark.slow
def test_job_releases(collection, judges, without_reports, django_capture_on_commit_callbacks):
    choices = {"name": "main", "rule": "union", "rel": 1}
    with transaction.atomic():
        job = queue.start("release", collection, judges["ada"].user, {"actor": judges["ada"].user.pk, **choices})
    run.run(job.pk, 1)
    done = Job.objects.get(pk=job.pk)
    stored = Release.objects.get()
    assert (done.state, done.result["release"], done.result["size"]) == (JobState.DONE, stored.pk, stored.size)
    assert stored.created_by == judges["ada"].user
    assert verify_stored(stored).problems == []


def test_download_counts_as_an_opening_of_the_grades(disputed, people, without_reports):
    stored = release(disputed)
    archive_of(stored, people["rita"].user)
    assert opened_tasks(people["rita"], [1, 2]) == {1, 2}
    assert AuditEvent.objects.get(action=Action.EXPORTED).subject == "release main-1"


def test_time_is_that_of_the_release(collection, judges, without_reports):
    stored = release(collection)
    assert stored.created_at == AT
    assert json.loads(stored.manifest)["created_at"] == "2026-11-23T12:30:00Z"

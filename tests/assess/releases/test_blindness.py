"""The blindness certificates of a release: what each judge could see and when, and the versions that were displayed."""

import csv
import io
import json
import uuid
from datetime import UTC, datetime

import pytest

from assay.verify.files import verify_file
from assess.collections.guidelines import publish_guidelines
from assess.collections.members import add_member
from assess.judging.chain_format import scale_hash
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Action, Assignment, AuditEvent, Member, Role
from assess.people.removal import leave, remove_member
from assess.pools.assign import assign
from assess.releases.certificates import COLUMNS, could_see, read_displayed, sentences
from assess.releases.verify import verify_stored
from assess.transfer.judgements import import_judgements
from tests.assess.claiming import fresh
from tests.assess.releases.conftest import files_of, record, release, text_of
from tests.assess.releases.test_verify_offline import replaced, rewritten

pytestmark = pytest.mark.django_db
MARCH, MAY, JULY = "2026-03-01T00:00:00Z", "2026-05-01T00:00:00Z", "2026-07-01T00:00:00Z"


@pytest.fixture
def stored(collection, judges, without_reports):
    return release(collection)


def certificates(stored) -> dict[str, dict]:
    return {each["judge"]: each for each in json.loads(text_of(stored, "blindness.json"))["certificates"]}


def test_roles_show_what_they_show():
    seen = could_see([["researcher", MARCH, JULY], ["assessor", JULY, None]], MAY)
    assert seen["runs"] == [{"as": "researcher", "since": MAY, "until": JULY}]
    assert seen["golds"] == [{"as": "researcher", "since": MARCH, "until": JULY}]
    assert could_see([["researcher", MARCH, MAY]], JULY)["runs"] == []
    assert could_see([["researcher", MARCH, MAY]], None)["runs"] == []
    assert not any(could_see([["assessor", MARCH, None]], MARCH).values())


def test_assessors_could_see_nothing(stored, collection):
    certificate = certificates(stored)["ada"]
    (role,) = certificate["roles"]
    assert (role["role"], role["until"]) == ("assessor", None)
    assert set(certificate["while_judging"].values()) == {False}
    assert certificate["judgements"]["n"] == 7
    assert (
        text_of(stored, "README.md").count("2 judges could see no runs, pools, grades of others, golds or figures") == 1
    )
    assert "| ada" in text_of(stored, "reports/blindness.md")


def test_versions_are_those_that_were_displayed(stored, collection):
    versions = certificates(stored)["ada"]["versions"]
    (guidelines,) = versions["guidelines"]
    assert (guidelines["version"], guidelines["n"]) == (1, 7)
    assert guidelines["sha256"] == collection.guidelines.get().sha256
    grades = collection.grades.order_by("value").values_list("value", "name", "meaning")
    assert versions["scale"] == [{"sha256": scale_hash(grades).hex(), "n": 7}]
    assert [(row["query_id"], row["n"]) for row in versions["topics"]] == [("1", 4), ("2", 3)]
    rows = list(csv.DictReader(io.StringIO(text_of(stored, "displayed.csv"))))
    assert len(rows) == 14
    assert {row["judge"] for row in rows} == {"ada", "bob"}


def test_judgement_under_a_later_version_is_counted_apart(collection, judges, without_reports):
    publish_guidelines(collection, "Read it twice.")

    ada = judges["ada"]
    task = Assignment.objects.get(member=ada, task__document__doc_id="b", repeat=0).public_id
    judgement = JudgementInput("judged", 0, guidelines_version=2)
    record_judgement(fresh(ada), task, judgement, uuid.uuid4(), actor=ada.user)
    rows = certificates(release(collection))["ada"]["versions"]["guidelines"]
    assert [(row["version"], row["n"]) for row in rows] == [(1, 6), (2, 1)]


@pytest.mark.in_ci
def test_who_saw_the_runs_before_is_stated_and_no_account_is_named(collection, judges, join, without_reports):
    join(collection, "olga", Role.OWNER)
    rita = join(collection, "rita-account", Role.RESEARCHER)
    leave(rita)
    member, _ = add_member(collection, "rita-account", Role.ASSESSOR, "carol", allow_sighted=True)
    assign(collection, judges=3)
    record(member, "a", 1)
    stored = release(collection)
    certificate = certificates(stored)["carol"]
    assert [role["role"] for role in certificate["roles"]] == ["researcher", "assessor"]
    assert certificate["could_see"]["runs"][0]["as"] == "researcher"
    assert "carol could see the runs as a researcher before judging" in text_of(stored, "paper/methods.md")
    assert "carol,1,a,1" in text_of(stored, "judgements.csv")
    assert text_of(stored, "judgements.csv").splitlines()[0].endswith(",saw_runs")
    assert not any(b"rita-account" in content for content in files_of(stored).values())
    assert verify_stored(stored).problems == []


def test_who_came_back_as_researcher_had_seen_nothing_when_they_judged(collection, judges, join, without_reports):
    """A judge who left and is a researcher now is not marked, and the certificate has both roles."""
    user = judges["ada"].user
    remove_member(collection, "ada")
    add_member(collection, user.username, Role.RESEARCHER)
    stored = release(collection)
    certificate = certificates(stored)["ada"]
    assert [role["role"] for role in certificate["roles"]] == ["assessor", "researcher"]
    assert "saw_runs" not in text_of(stored, "judgements.csv")
    assert "sighted" not in json.loads(text_of(stored, "release.json"))


def test_imported_judge_has_no_known_role(collection, judges, without_reports):
    import_judgements(collection, b"assessor,query_id,doc_id,relevance\nmodel,1,a,0\n")
    certificate = certificates(release(collection))["model"]
    assert (certificate["roles"], certificate["could_see"]) == ([], None)
    assert list(sentences([certificate])) == ["What 1 judge without a known role could see is not known."]


@pytest.mark.in_ci
def test_changed_audit_log_is_named(stored, collection, judges):
    assert verify_stored(stored).problems == []
    earlier = datetime(2020, 1, 1, tzinfo=UTC)
    person, details = judges["ada"].user, {"role": "researcher"}
    for action in (Action.MEMBER_ADDED, Action.MEMBER_REMOVED):
        AuditEvent.objects.create(at=earlier, action=action, collection=collection, person=person, details=details)
    (problem,) = verify_stored(stored).problems
    assert problem == "release.json: blindness.roles is not what the audit log of the database says."


# ---- without the database


@pytest.fixture
def path(stored, tmp_path):
    file = tmp_path / "release.zip"
    file.write_bytes(bytes(stored.archive))
    return file


def differences(path) -> list[str]:
    """The differences, without those of the checksums in Croissant, and of the reports, which these releases lack."""
    found = verify_file(path).sentences()
    return [each for each in found if not each.startswith(("croissant.json", "reports/agreement"))]


@pytest.mark.in_ci
def test_certificates_are_verified_offline(path):
    report = verify_file(path)
    assert differences(path) == []
    assert "The blindness certificates of 2 judges are those of their roles and judgements." in report.checked


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("name", "old", "new", "named"),
    [
        (
            "blindness.json",
            '"role": "assessor"',
            '"role": "owner"',
            "blindness.json: certificates.0.roles.0.role is owner",
        ),
        ("blindness.json", '"runs": false', '"runs": true', "certificates.0.while_judging.runs is true"),
        ("release.json", '"assessor"', '"researcher"', "blindness.json: certificates.0.could_see.golds"),
        ("displayed.csv", "ada,1,a", "ada,1,q", "displayed.csv: "),
        ("guidelines/1.md", "Read", "Skip", "guidelines/1.md: the text is not the one that was displayed"),
    ],
)
def test_forged_certificate_is_named(path, name, old, new, named):
    assert any(named in each for each in differences(rewritten(path, name, replaced(old, new)))), name


@pytest.mark.in_ci
def test_changed_topic_is_reported_and_is_no_difference(path):
    file = rewritten(path, "topics.jsonl", replaced("first need", "last need"))
    assert differences(file) == []
    changed = verify_file(file)
    assert any("8 judgements were made under another text of their topic" in line for line in changed.unchecked)


def test_pseudonyms_of_removed_members_stay(collection, judges, without_reports):
    remove_member(collection, "ada")
    certificate = certificates(release(collection))["ada"]
    assert [role["role"] for role in certificate["roles"]] == ["assessor"]
    assert certificate["roles"][0]["until"] is not None
    assert Member.objects.get(name="ada").user is None


@pytest.mark.parametrize("row", ['"ada', '"ada"x,1,d,0,false,,,,'])
def test_rows_that_are_no_csv_are_a_sentence(row):
    header = ",".join(COLUMNS)
    with pytest.raises(ValueError, match=r"displayed\.csv is not CSV: "):
        read_displayed(f"{header}\n{row}".encode())

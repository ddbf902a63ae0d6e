"""The commands about people: what they print, what they record, and what they refuse."""

import csv
import io
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command

from assess.models import AuditEvent, Member, Role, User
from assess.people.accounts import deactivate_account
from assess.pools.assign import assign
from tests.assess.claiming import judge, upcoming
from tests.assess.command_output import output_of, refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(collection, join):
    """An assessor with one judgement, and an owner."""
    member = join(collection, "ada")
    join(collection, "olga", Role.OWNER)
    assign(collection)
    judge(member, upcoming(member)[0])
    return member


def last_action() -> str:
    return AuditEvent.objects.order_by("pk").last().action


def test_remove_member(collection, ada):
    left = ada.assignments.count() - 1
    assert output_of("remove_member", "--collection", "small", ada.name) == [
        f"Removed {ada.name} from small: 1 judgement kept, {left} open tasks returned."
    ]
    assert last_action() == "member_removed"
    assert refusal("remove_member", "--collection", "small", ada.name) == (
        f"{ada.name} was removed already, so nobody can sign in as {ada.name}."
    )
    assert "last owner" in refusal("remove_member", "--collection", "small", "owner-1")
    assert "has no member 'x'" in refusal("remove_member", "--collection", "small", "x")


def test_deactivate_and_reactivate_account(ada):
    assert output_of("deactivate_account", "ada")[0].startswith("ada can no longer sign in; 0 sessions ended.")
    assert last_action() == "account_deactivated"
    assert refusal("deactivate_account", "ada") == "The account ada is already deactivated."
    assert output_of("deactivate_account", "ada", "--reactivate") == ["ada can sign in again, with the same password."]
    assert last_action() == "account_reactivated"
    assert "There is no user 'x'" in refusal("deactivate_account", "x")


def test_end_sessions(ada, signed_in):
    http = signed_in(ada)
    assert output_of("end_sessions", "ada") == ["Ended 1 session of ada."]
    assert last_action() == "sessions_ended"
    assert http.get("/").status_code == 302
    assert "There is no user 'x'" in refusal("end_sessions", "x")


# ---- erase_person


def test_summary_says_what_will_be_lost(ada):
    lines = output_of("erase_person", "ada", "--grades", "keep", "--yes")
    assert lines == [
        "This erases the account ada, its sessions and its sign-in records. It cannot be undone.",
        f"small: 1 judgement of {ada.name} will stay under a neutral pseudonym. Open work is returned.",
        "Erased ada from 1 collection.",
    ]
    assert Member.objects.get(pk=ada.pk).name == "erased-1"
    assert last_action() == "person_erased"


def test_decision_for_one_collection(ada):
    lines = output_of("erase_person", "ada", "--grades", "keep", "--except", "small=delete", "--yes")
    assert lines[1] == f"small: 1 judgement of {ada.name} will be deleted."
    assert not Member.objects.filter(pk=ada.pk).exists()


def test_erasure_needs_a_confirmation(ada, monkeypatch):
    assert refusal("erase_person", "ada", "--grades", "keep") == "Nothing was erased: confirm with --yes."
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _: "yes")
    assert refusal("erase_person", "ada", "--grades", "delete") == "Nothing was erased."
    monkeypatch.setattr("builtins.input", lambda _: "ada")
    assert output_of("erase_person", "ada", "--grades", "delete")[-1] == "Erased ada from 1 collection."
    assert not User.objects.filter(username="ada").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["x", "--grades", "keep"], "There is no user 'x'"),
        (["ada", "--grades", "keep", "--except", "small"], "--except must be NAME=keep or NAME=delete"),
        (["ada", "--grades", "keep", "--except", "small=lose"], "not 'small=lose'"),
        (["ada", "--grades", "keep", "--except", "other=keep"], "ada is not a member of other"),
        (["ada", "--grades", "keep", "--except", "small=keep", "--except", "small=delete"], "once for each collection"),
        (["olga", "--grades", "keep"], "is the last owner of small"),
    ],
)
def test_invalid_erasure_is_refused(ada, arguments, words):
    assert words in refusal("erase_person", *arguments, "--yes")


def test_grades_must_be_decided(ada):
    with pytest.raises(CommandError, match="--grades"):
        call_command("erase_person", "ada", "--yes")


# ---- audit_log


@pytest.mark.slow
def test_audit_log_of_the_site_and_of_a_collection(ada, tmp_path):
    deactivate_account(ada.user)
    out = tmp_path / "log.csv"
    assert output_of("audit_log", "--out", out) == [f"Wrote the audit log to {out}."]
    rows = list(csv.DictReader(out.open(encoding="utf-8", newline="")))
    assert len(rows) == AuditEvent.objects.count()
    assert ("account_deactivated", "a command", "ada") in [(row["action"], row["actor"], row["person"]) for row in rows]
    output_of("audit_log", "--collection", "small", "--out", out)
    assert {row["collection"] for row in csv.DictReader(out.open(encoding="utf-8", newline=""))} == {"small"}
    assert "There is no collection 'x'" in refusal("audit_log", "--collection", "x")


def test_audit_log_is_written_to_standard_output(ada, capfdbinary):
    call_command("audit_log")
    lines = io.StringIO(capfdbinary.readouterr().out.decode(), newline="")
    assert len(list(csv.DictReader(lines))) == AuditEvent.objects.count()


def test_log_that_cannot_be_written_is_one_sentence(ada, tmp_path):
    with pytest.raises(CommandError, match="No such file or directory"):
        call_command("audit_log", "--out", tmp_path / "missing" / "log.csv")


# ---- invite


def test_invite_prints_a_link_that_can_be_used(collection, client):
    (line,) = output_of("invite", "--collection", "small", "--role", "assessor", "--address", "https://a.example.org/")
    address = line.removeprefix("https://a.example.org")
    assert "The administrator of this site invites you" in " ".join(client.get(address).content.decode().split())
    assert last_action() == "invitation_created"


def test_options_of_invite(collection):
    options = ("--role", "researcher", "--uses", "5", "--days", "3", "--note", "lab")
    assert output_of("invite", "--collection", "small", *options)[0].startswith("http://127.0.0.1:8000/invitation/")
    invitation = collection.invitations.get()
    assert (invitation.role, invitation.max_uses, invitation.note) == ("researcher", 5, "lab")
    assert round((invitation.expires_at - invitation.created_at) / timedelta(days=1)) == 3


def test_invalid_invitation_is_refused(collection):
    assert refusal("invite", "--collection", "small", "--role", "assessor", "--days", "91") == (
        "An invitation can be valid for 1 to 90 days, not 91."
    )


# ---- change_role and replacing


def test_change_role(collection, ada, join):
    join(collection, "rita", Role.RESEARCHER)
    assert output_of("change_role", "--collection", "small", "researcher-1", "owner") == [
        "researcher-1 is now owner of small."
    ]
    assert last_action() == "role_changed"
    assert "has judgements or assigned tasks" in refusal("change_role", "--collection", "small", ada.name, "owner")


def test_remove_member_replaced_by_another(collection, ada, join):
    bob, left = join(collection, "bob"), ada.assignments.count() - 1
    assert output_of("remove_member", "--collection", "small", ada.name, "--replace-by", bob.name) == [
        f"Removed {ada.name} from small: 1 judgement kept, {left} open tasks given to {bob.name}, "
        "0 open tasks returned."
    ]

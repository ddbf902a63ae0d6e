"""Who could see the runs becomes an assessor in no way, unless an owner allows it by name."""

import csv
import io
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from assess.collections.create import create_collection
from assess.collections.members import add_member
from assess.collections.sight import allow_sighted, role_periods, sighted_names, sights
from assess.errors import Refused
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Action, AuditEvent, Member, Role
from assess.people.audit import delete_old_events
from assess.people.invitations import accept, create, open_invitation
from assess.people.removal import leave, remove_member, replace_member
from assess.people.roles import change_role
from assess.pools.assign import assign
from assess.transfer.exports import export_judgements
from assess.transfer.judgements import import_judgements
from assess.transfer.runs import import_runs
from pooling.words import with_article
from tests.assess.claiming import fresh, upcoming
from tests.assess.command_output import output_of, refusal
from tests.factories import run_text, small_collection

pytestmark = [pytest.mark.django_db, pytest.mark.database]
READING_ROLES = [Role.OWNER, Role.RESEARCHER, Role.INSTRUCTOR]


@pytest.fixture
def olga(collection, join):
    return join(collection, "olga", Role.OWNER)


@pytest.fixture
def rita(collection, olga, join):
    """The account of a researcher who left."""
    member = join(collection, "rita", Role.RESEARCHER)
    user = member.user
    leave(member)
    return user


@pytest.mark.parametrize("role", READING_ROLES)
def test_whoever_left_does_not_come_back_by_an_open_link(collection, olga, join, role):
    member = join(collection, "rita", role)
    user = member.user
    token = create(collection, olga, Role.ASSESSOR, uses=5)
    leave(member)
    as_whom = f"as {with_article(role)}"
    sentence = f"^rita could see the runs of small {as_whom} until .*, and assessors must not know them. An owner can"
    with pytest.raises(Refused, match=sentence):
        accept(token, user)
    with pytest.raises(Refused, match=sentence):
        open_invitation(token, user)
    assert not collection.members.filter(user=user).exists()
    assert collection.invitations.get().uses == 0


def test_link_with_a_role_that_sees_the_runs_is_accepted(collection, olga, rita):
    member = accept(create(collection, olga, Role.RESEARCHER), rita)
    assert member.role == Role.RESEARCHER


def test_named_invitation_and_commands_are_refused_too(collection, olga, rita):
    token = create(collection, olga, Role.ASSESSOR, pseudonym="nobody")
    with pytest.raises(Refused, match="could see the runs"):
        accept(token, rita)
    with pytest.raises(Refused, match="could see the runs"):
        add_member(collection, "rita", Role.ASSESSOR)
    words = ("add_member", "--collection", "small", "--role", "assessor", "rita")
    assert "rita could see the runs of small" in refusal(*words)


def test_role_that_was_changed_twice_is_known(collection, olga, join):
    ada = join(collection, "ada")
    change_role(collection, ada.name, Role.RESEARCHER, olga.user)
    with pytest.raises(Refused, match="ada could see the runs of small as a researcher, and"):
        change_role(collection, ada.name, Role.ASSESSOR, olga.user)


def test_successor_of_an_assessor_is_an_assessor(collection, olga, join):
    ada, rob = join(collection, "ada"), join(collection, "rob", Role.RESEARCHER)
    assign(collection, judges=1)
    with pytest.raises(Refused):
        replace_member(collection, ada.name, rob.name)


def test_who_left_before_there_were_runs_has_seen_none(db, tmp_path):
    collection = create_collection("empty", "Empty")
    add_member(collection, "olga", Role.OWNER)
    member, _ = add_member(collection, "rita", Role.RESEARCHER)
    user = member.user
    leave(member)
    path = tmp_path / "alpha.run"
    path.write_text(run_text("alpha", {"1": ["a"]}))
    import_runs(collection, [path])
    assert user.pk not in sights(collection)
    assert add_member(collection, "rita", Role.ASSESSOR)[0].role == Role.ASSESSOR


def test_owner_allows_it_by_name_and_it_is_recorded(collection, olga, rita):
    token = create(collection, olga, Role.ASSESSOR)
    allow_sighted(collection, "rita", olga.user)
    allow_sighted(collection, "rita", olga.user)
    (event,) = AuditEvent.objects.filter(action=Action.SIGHTED_ALLOWED)
    assert (event.actor, event.person, event.details) == (olga.user, rita, {"role": "researcher"})
    member = accept(token, rita)
    assert sighted_names(collection) == {member.name: "researcher"}


def test_only_owners_allow_it_and_only_for_who_saw_the_runs(collection, olga, rita, join):
    other = join(collection, "rob", Role.RESEARCHER)
    with pytest.raises(Refused, match="Only an owner of small"):
        allow_sighted(collection, "rita", other.user)
    with pytest.raises(Refused, match="There is no user 'nobody'"):
        allow_sighted(collection, "nobody", olga.user)
    join(collection, "ada")
    with pytest.raises(Refused, match="ada has not seen the runs of small"):
        allow_sighted(collection, "ada", olga.user)


def test_commands_have_the_option(collection, olga, rita, join):
    words = ("add_member", "--collection", "small", "--role", "assessor", "--allow-sighted", "rita")
    assert output_of(*words) == ["rita is now assessor of small, with the pseudonym assessor-1."]
    rob = join(collection, "rob", Role.RESEARCHER)
    assert "could see the runs" in refusal("change_role", "--collection", "small", rob.name, "assessor")
    output_of("change_role", "--collection", "small", "--allow-sighted", rob.name, "assessor")
    assert sighted_names(collection) == {"assessor-1": "researcher", rob.name: "researcher"}


def test_mark_stays_after_the_judge_is_removed_and_is_in_the_export(collection, olga, rita, join):
    join(collection, "ada")
    member, _ = add_member(collection, "rita", Role.ASSESSOR, allow_sighted=True)
    assign(collection, judges=2)
    for each in Member.objects.filter(role=Role.ASSESSOR):
        task = uuid.UUID(upcoming(each)[0])
        record_judgement(fresh(each), task, JudgementInput("judged", 1), uuid.uuid4(), actor=each.user)
    remove_member(collection, member.name)
    assert sighted_names(collection) == {member.name: "researcher"}
    content = export_judgements(collection)
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    assert {row["assessor"]: row["saw_runs"] for row in rows} == {member.name: "researcher", "assessor-1": ""}
    assert import_judgements(small_collection({"alpha": {"1": list("abdef"), "2": list("xyz")}}, slug="copy"), content)


def test_export_without_marks_has_no_column(collection, olga, join):
    assert b"saw_runs" not in export_judgements(collection)


def test_entries_about_roles_stay_as_long_as_the_collection(collection, olga, rita, settings):
    old = timezone.now() - timedelta(days=settings.AUDIT_DAYS + 1)
    kept = AuditEvent.objects.create(
        at=old, action=Action.MEMBER_ADDED, collection=collection, person=rita, details={"role": "researcher"}
    )
    gone = AuditEvent.objects.create(at=old, action=Action.EXPORTED, collection=collection)
    delete_old_events()
    assert AuditEvent.objects.filter(pk=kept.pk).exists()
    assert not AuditEvent.objects.filter(pk=gone.pk).exists()


def test_roles_over_time(collection, olga, rita):
    (period,) = role_periods(collection)[rita.pk]
    assert (period.role, period.until is not None) == (Role.RESEARCHER, True)
    (own,) = role_periods(collection)[olga.user.pk]
    assert (own.role, own.until) == (Role.OWNER, None)
    Member.objects.create(collection=collection, user=rita, role=Role.INSTRUCTOR, name="back")
    assert role_periods(collection)[rita.pk][-1] == (Role.INSTRUCTOR, collection.created_at, None)

"""The people of a collection: who sees whom, who may change what, and what follows."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from assess import mail
from assess.collections.members import add_member
from assess.models import Invitation, Job, Member, Role, User
from assess.people.invitations import create, open_invitation
from assess.people.removal import remove_member
from assess.pools.assign import assign
from assess.pools.claims import open_to_claims
from tests.assess.claiming import judge, upcoming
from tests.html import compact

pytestmark = pytest.mark.django_db
LINK = re.compile(r'value="(http://testserver/invitation/([^/"]+)/)"')


@pytest.fixture
def olga(collection, join):
    return join(collection, "olga", Role.OWNER)


@pytest.fixture
def ada(collection, join, olga):
    """An assessor with all tasks, one of them judged."""
    member = join(collection, "ada-account")
    assign(collection, judges=1)
    judge(member, upcoming(member)[0])
    return member


@pytest.fixture
def http(olga, signed_in):
    return signed_in(olga)


def url(name: str, *arguments) -> str:
    return reverse(f"research:{name}", args=["small", *arguments])


def html(response) -> str:
    return compact(response.content.decode())


def row_of(text: str, name: str) -> list[str]:
    (row,) = re.findall(rf'<th scope="row">(?:<a[^>]*>)?\s*{name}\b(.*?)</tr>', text, re.S)
    return [re.sub(r"<[^>]*>", "", cell).strip() for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)]


# ---- the list


def test_owner_sees_accounts_roles_states_and_work(http, collection, ada, join):
    bob = join(collection, "bob")
    User.objects.filter(username="bob").update(is_active=False)
    text = html(http.get(url("people")))
    left = str(ada.assignments.count() - 1)
    assert row_of(text, ada.name) == ["ada-account", "assessor", "active", "1", left]
    assert row_of(text, bob.name) == ["bob", "assessor", "deactivated", "0", "0"]
    assert "<small>you</small>" in text


def test_removed_person_stays_in_the_list(http, collection, ada):
    remove_member(collection, ada.name)
    assert row_of(html(http.get(url("people"))), ada.name) == ["", "assessor", "removed", "1", "0"]


def test_imported_judges_are_not_people(http, collection):
    Member.objects.create(collection=collection, role=Role.ASSESSOR, name="model")
    members, imported = html(http.get(url("people"))).split("<h2>Imported judges</h2>")
    assert "model" not in members
    assert row_of(imported, "model") == ["not stated", "counts", "0"]


def test_researcher_sees_pseudonyms_only_and_invites_assessors_only(collection, ada, join, signed_in):
    text = html(signed_in(join(collection, "rita", Role.RESEARCHER)).get(url("people")))
    assert "ada-account" not in text
    assert "olga" not in text
    assert re.findall(r'<option value="([^"]*)"', text) == ["assessor"]
    assert url("person", ada.pk) not in text


def test_number_of_queries_does_not_grow(http, collection, ada, join, django_assert_num_queries):
    http.get(url("people"))
    # session, user, member, sidebar (2), people, judgements, open tasks, names of makers, invitations;
    # who saw the runs: runs, undone imports, entries about roles, members, people behind assessors (2), permissions,
    # accounts
    queries = 18
    with django_assert_num_queries(queries):
        http.get(url("people"))
    for name in "abcd":
        join(collection, name)
        create(collection, None, Role.ASSESSOR)
    with django_assert_num_queries(queries):
        http.get(url("people"))


# ---- inviting


def invite(http, **fields):
    return http.post(url("invite"), {"role": "assessor", "uses": "1", "days": "14"} | fields)


def test_link_is_shown_once_with_a_qr_code(http, olga):
    page = invite(http, uses="3", note="lab course")
    text = page.content.decode()
    ((_, token),) = LINK.findall(text)
    invitation = open_invitation(token)
    assert (invitation.role, invitation.max_uses, invitation.created_by) == ("assessor", 3, olga.user)
    assert "data:image/svg+xml" in text
    assert "no-store" in page["Cache-Control"]
    listed = html(http.get(url("people")))
    assert row_of(listed, "assessor")[1:4] == ["0 of 3", "lab course", "owner-1"]
    assert token not in listed


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"role": "boss"}, "Role: Select a valid choice."),
        ({"uses": "0"}, "For how many people: Ensure this value is greater than or equal to 1."),
        ({"days": "x"}, "Valid for days: Enter a whole number."),
        ({"note": "x" * 81}, "Note (optional): Ensure this value has at most 80 characters"),
        ({"uses": "2", "pseudonym": "Zoe"}, "Only an invitation for one person can have a pseudonym."),
    ],
)
def test_invalid_invitation_is_explained_and_keeps_what_was_typed(http, fields, sentence):
    page = invite(http, **{"note": "kept"} | fields)
    assert page.status_code == 400
    assert sentence in html(page)
    assert f'value="{fields.get("note", "kept")}"' in html(page)
    assert not Invitation.objects.exists()


def test_researcher_cannot_invite_researchers(collection, join, signed_in):
    http = signed_in(join(collection, "rita", Role.RESEARCHER))
    assert invite(http, role="researcher").status_code == 400
    assert invite(http).status_code == 200


def test_revoked_invitation_is_listed(http, collection, olga):
    create(collection, olga, Role.ASSESSOR)
    invitation = Invitation.objects.get()
    assert http.post(url("revoke_invitation", invitation.pk)).url == url("people")
    assert row_of(html(http.get(url("people"))), "assessor")[0] == "revoked"
    again = http.post(url("revoke_invitation", invitation.pk))
    assert (again.status_code, "This invitation is already revoked." in html(again)) == (400, True)


def test_researcher_does_not_see_or_revoke_invitations_of_owners(collection, olga, join, signed_in):
    create(collection, olga, Role.OWNER, note="secret")
    http = signed_in(join(collection, "rita", Role.RESEARCHER))
    assert "secret" not in html(http.get(url("people")))
    assert http.post(url("revoke_invitation", Invitation.objects.get().pk)).status_code == 400
    assert Invitation.objects.get().revoked_at is None


@pytest.fixture
def mail_server(settings):
    settings.MAIL_CONFIGURED = True


def test_without_a_mail_server_there_is_no_field_for_addresses(http):
    assert "addresses" not in html(http.get(url("people")))


@pytest.mark.usefixtures("mail_server")
def test_each_address_gets_a_link_of_its_own(http, olga):
    answer = invite(http, addresses="ada@example.org, bob@example.org\nada@example.org")
    assert answer.url == url("people")
    assert "Invitations are being sent to ada@example.org, bob@example.org." in html(http.get(answer.url))
    jobs = Job.objects.filter(kind=mail.KIND).order_by("pk")
    assert [job.input["recipient"] for job in jobs] == ["ada@example.org", "bob@example.org"]
    tokens = [re.search(r"http://testserver/invitation/([^/]+)/", job.input["body"])[1] for job in jobs]
    assert [open_invitation(token).note for token in tokens] == ["ada@example.org", "bob@example.org"]
    assert "olga invites you to the test collection “Small” as an assessor." in jobs[0].input["body"]


@pytest.mark.usefixtures("mail_server")
@pytest.mark.parametrize(
    ("addresses", "sentence"),
    [
        ("ada@example.org nonsense", "is not an email address"),
        (" ".join(f"a{n}@example.org" for n in range(21)), "at most 20 addresses at once, not 21"),
        (f"{'x' * 250}@example.org", "is not a valid note"),
    ],
)
def test_invalid_addresses_send_nothing(http, addresses, sentence):
    page = invite(http, addresses=addresses)
    assert (page.status_code, sentence in html(page)) == (400, True)
    assert not Invitation.objects.exists()
    assert not Job.objects.exists()


@pytest.mark.usefixtures("mail_server")
def test_line_end_in_the_name_of_a_collection_adds_no_header(http, collection):
    type(collection).objects.update(name="Small\r\nBcc: eve@example.org")
    assert invite(http, addresses="ada@example.org").status_code == 302
    assert Job.objects.get().input["subject"] == "Invitation to Small Bcc: eve@example.org"


# ---- one person


@pytest.mark.in_ci
def test_page_of_a_person_says_what_would_follow(http, collection, ada, join):
    left = ada.assignments.count() - 1
    text = html(http.get(url("person", ada.pk)))
    assert f"{left} open tasks are returned." in text
    assert "The 1 judgement stays under the pseudonym." in text
    assert url("replace_member", ada.pk) not in text  # nobody could take over
    join(collection, "bob")
    assert url("replace_member", ada.pk) in html(http.get(url("person", ada.pk)))
    open_to_claims(collection, 1)
    assert url("replace_member", ada.pk) not in html(http.get(url("person", ada.pk)))


def test_owner_changes_a_role(http, collection, join):
    rita = join(collection, "rita", Role.RESEARCHER)
    assert http.post(url("change_role", rita.pk), {"role": "owner"}).url == url("people")
    assert Member.objects.get(pk=rita.pk).role == Role.OWNER
    assert "researcher-1 is now owner." in html(http.get(url("people")))


def test_owner_replaces_an_assessor(http, collection, ada, join):
    bob, left = join(collection, "bob"), ada.assignments.count() - 1
    assert http.post(url("replace_member", ada.pk), {"successor": bob.name}).url == url("people")
    assert f"{bob.name} takes over {left} open tasks." in html(http.get(url("people")))
    assert bob.assignments.count() == left


def test_owner_removes_a_person(http, ada):
    left = ada.assignments.count() - 1
    assert http.post(url("remove_member", ada.pk)).url == url("people")
    sentence = f"{ada.name} is removed: 1 judgement kept, {left} open tasks returned."
    assert sentence in html(http.get(url("people")))
    for name in ("person", "remove_member", "change_role", "replace_member"):
        send = http.get if name == "person" else http.post
        assert send(url(name, ada.pk)).status_code == 404


@pytest.mark.parametrize(
    ("name", "fields", "sentence"),
    [
        ("change_role", {"role": "researcher"}, "has judgements or assigned tasks"),
        ("change_role", {"role": "assessor"}, "New role: Select a valid choice."),
        ("replace_member", {"successor": "owner-1"}, "Successor: Select a valid choice."),
    ],
)
def test_refusal_is_shown_on_the_page_of_the_person(http, ada, name, fields, sentence):
    page = http.post(url(name, ada.pk), fields)
    assert (page.status_code, sentence in html(page)) == (400, True)
    assert Member.objects.get(pk=ada.pk).role == Role.ASSESSOR


@pytest.mark.parametrize("name", ["change_role", "remove_member"])
def test_last_owner_stays(http, olga, name):
    page = http.post(url(name, olga.pk), {"role": "researcher"})
    assert (page.status_code, "is the last owner of small" in html(page)) == (400, True)
    assert Member.objects.get(pk=olga.pk).role == Role.OWNER


def test_owner_who_steps_down_goes_home(http, collection, olga, join):
    join(collection, "otto", Role.OWNER)
    assert http.post(url("change_role", olga.pk), {"role": "instructor"}).url == "/"
    assert http.get("/").status_code == 200


def test_person_of_another_collection_is_not_found(http):
    other = Member.objects.create(
        collection=type(Member.objects.first().collection).objects.create(slug="other", name="Other"),
        user=User.objects.create_user("eve"),
        role=Role.ASSESSOR,
        name="eve",
    )
    assert http.get(url("person", other.pk)).status_code == 404
    assert http.post(url("remove_member", other.pk)).status_code == 404
    assert Member.objects.filter(pk=other.pk).exists()


# ---- leaving


def test_assessor_leaves_after_a_question(collection, ada, signed_in):
    http = signed_in(ada)
    question = html(http.get(url("leave")))
    assert f"stays under the pseudonym {ada.name}" in question
    assert Member.objects.get(pk=ada.pk).user == ada.user
    assert http.post(url("leave")).url == "/"
    assert "You left Small. 1 judgement kept." in html(http.get("/"))
    assert http.get(url("leave")).status_code == 404


def test_last_owner_cannot_leave(http, olga):
    page = http.post(url("leave"))
    assert (page.status_code, "is the last owner of small" in html(page)) == (400, True)
    assert Member.objects.get(pk=olga.pk).user == olga.user


# ---- people who saw the runs


@pytest.fixture
def rita(collection, olga, join):
    """The account of a researcher who left."""
    member = join(collection, "rita", Role.RESEARCHER)
    user = member.user
    remove_member(collection, member.name)
    return user


def test_owner_allows_a_person_who_saw_the_runs_by_name(http, collection, rita):
    assert "Let somebody judge who saw the runs" in html(http.get(url("people")))
    token = create(collection, None, Role.ASSESSOR)
    client = Client()
    client.force_login(rita, backend="assess.people.backend.AccountBackend")
    refused = client.post(reverse("invitation:accept"), {"token": token})
    assert "could see the runs" in html(refused)
    response = http.post(url("allow_sighted"), {"user": "rita"}, follow=True)
    assert "rita may judge now" in html(response)
    client.post(reverse("invitation:accept"), {"token": token})
    member = Member.objects.get(user=rita)
    text = html(http.get(url("people")))
    assert row_of(text, member.name)[1] == "assessor(saw the runs as a researcher)"
    assert "saw the runs as a researcher" in html(http.get(url("person", member.pk)))
    assert "Let somebody judge who saw the runs" not in text


def test_only_owners_allow(http, collection, rita, ada, join, signed_in, client):
    assert http.get(url("allow_sighted")).status_code == 405
    assert http.post(url("allow_sighted"), {"user": "nobody"}).status_code == 400
    for role, status in ((Role.RESEARCHER, 403), (Role.INSTRUCTOR, 403)):
        member = join(collection, f"other-{role}", role)
        assert signed_in(member).post(url("allow_sighted"), {"user": "rita"}).status_code == status
    assert signed_in(ada).post(url("allow_sighted"), {"user": "rita"}).status_code == 403
    client.force_login(User.objects.create_user("outsider"))
    assert client.post(url("allow_sighted"), {"user": "rita"}).status_code == 404
    text = html(signed_in(join(collection, "rob", Role.RESEARCHER)).get(url("people")))
    assert "Let somebody judge who saw the runs" not in text


def test_owner_changes_the_role_of_a_person_who_saw_the_runs(http, collection, join):
    member = join(collection, "rob", Role.RESEARCHER)
    refused = http.post(url("change_role", member.pk), {"role": "assessor"})
    assert (refused.status_code, "could see the runs" in html(refused)) == (400, True)
    http.post(url("change_role", member.pk), {"role": "assessor", "allow_sighted": "on"})
    assert Member.objects.get(pk=member.pk).role == Role.ASSESSOR


@pytest.mark.slow
def test_pages_of_agreement_mark_the_judge(http, collection, ada, rita):
    member, _ = add_member(collection, "rita", Role.ASSESSOR, allow_sighted=True)
    assign(collection, judges=2)
    judge(member, upcoming(member)[0])
    for name in ("agreement", "agreement_judges"):
        assert f"{member.name} could see the runs as a researcher before judging" in html(http.get(url(name))), name

"""The people of a collection: their roles, replacing and removing them, and leaving the collection oneself."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from assess import mail
from assess.access import OWNERS, RESEARCHERS, member_view
from assess.collections.sight import allow_sighted, sights
from assess.errors import Refused
from assess.jobs import queue
from assess.models import ROLES_OF_PEOPLE, Member, Role
from assess.people import removal, roles
from assess.people.member_list import PersonRow, invitations_for, people_for, person_for, successors_of
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.people.forms import AllowForm, InviteForm, ReplaceForm, RoleForm
from assess.work.reassigning import is_long
from pooling.words import count


def people_page(
    request: HttpRequest, member: Member, refusal: Refused | None = None, form: InviteForm | None = None
) -> HttpResponse:
    """Render the list of people and invitations, with the form to invite others."""
    seen = sights(member.collection)
    rows, imported = people_for(member, seen)
    page = {
        "collection": member.collection,
        "member": member,
        "here": "people",
        "people": rows,
        "imported": imported,
        "invitations": invitations_for(member),
        "form": form or InviteForm(member),
        "can_mail": mail.is_configured(),
        "refusal": refusal,
        "allow_form": AllowForm(member.collection, seen) if member.role == Role.OWNER else None,
    }
    return render(request, "research/people/people.html", page, status=400 if refusal else 200)


@require_safe
@member_view(RESEARCHERS)
def people(request: HttpRequest, member: Member) -> HttpResponse:
    """The members and the invitations that the viewer may see."""
    return people_page(request, member)


@require_POST
@member_view(OWNERS)
@refusals_shown_by(people_page)
def allow(request: SignedInRequest, member: Member) -> HttpResponse:
    """Let somebody judge who could see the runs."""
    user = AllowForm(member.collection, sights(member.collection), request.POST).cleaned()["user"]
    allow_sighted(member.collection, user, request.user)
    messages.success(request, f"{user} may judge now: invite them as an assessor. Exports and releases say so.")
    return redirect("research:people", member.collection.slug)


def _person_page(request: HttpRequest, member: Member, member_id: int, refusal: Refused | None = None) -> HttpResponse:
    """Render what an owner can do about one person, and what would follow."""
    row = _person(member, member_id)
    page = {
        "collection": member.collection,
        "member": member,
        "here": "people",
        "row": row,
        "role_form": RoleForm(row.member),
        "replace_form": ReplaceForm(row.member) if _can_be_replaced(row) else None,
        "refusal": refusal,
    }
    return render(request, "research/people/person.html", page, status=400 if refusal else 200)


def _can_be_replaced(row: PersonRow) -> bool:
    """Whether there is work that somebody else could take over."""
    is_assigned = row.member.role == Role.ASSESSOR and row.open_tasks and not row.member.collection.open_to_claims
    return bool(is_assigned and successors_of(row.member))


def _person(member: Member, member_id: int) -> PersonRow:
    row = person_for(member, member_id)
    if row is None:
        raise Http404
    return row


@require_safe
@member_view(OWNERS)
def person(request: HttpRequest, member: Member, member_id: int) -> HttpResponse:
    """One person, with forms to change the role, to replace and to remove."""
    return _person_page(request, member, member_id)


@require_POST
@member_view(OWNERS)
@refusals_shown_by(_person_page)
def change_role(request: SignedInRequest, member: Member, member_id: int) -> HttpResponse:
    """Give the person another role."""
    changed = _person(member, member_id).member
    values = RoleForm(changed, request.POST).cleaned()
    role = values["role"]
    roles.change_role(member.collection, changed.name, role, request.user, values["allow_sighted"])
    messages.success(request, f"{changed.name} is now {role}.")
    return _after(member, changed)


@require_POST
@member_view(OWNERS)
@refusals_shown_by(_person_page)
def replace(request: SignedInRequest, member: Member, member_id: int) -> HttpResponse:
    """Give the person's open work to another assessor, and remove the person; much work in the background."""
    replaced = _person(member, member_id).member
    successor = ReplaceForm(replaced, request.POST).cleaned()["successor"]
    if is_long(replaced):
        arguments = {"name": replaced.name, "successor": successor, "actor": request.user.pk}
        job = queue.start("replace_member", member.collection, request.user, arguments)
        return redirect("research:job", member.collection.slug, job.public_id)
    result = removal.replace_member(member.collection, replaced.name, successor, request.user)
    messages.success(request, removal.Replacement(replaced.name, successor, result).sentence())
    return _after(member, replaced)


@require_POST
@member_view(OWNERS)
@refusals_shown_by(_person_page)
def remove(request: SignedInRequest, member: Member, member_id: int) -> HttpResponse:
    """Remove the person from the collection."""
    removed = _person(member, member_id).member
    result = removal.remove_member(member.collection, removed.name, request.user)
    messages.success(request, removal.removed_sentence(removed.name, result))
    return _after(member, removed)


def _after(member: Member, changed: Member) -> HttpResponse:
    """Redirect to the list, which owners who changed or removed themselves may not open any more."""
    if changed.pk == member.pk:
        return redirect("home")
    return redirect("research:people", member.collection.slug)


def _leave_page(request: HttpRequest, member: Member, refusal: Refused | None = None) -> HttpResponse:
    page = {"collection": member.collection, "row": _person(member, member.pk), "refusal": refusal}
    return render(request, "research/people/leave.html", page, status=400 if refusal else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@member_view(frozenset(ROLES_OF_PEOPLE))
@refusals_shown_by(_leave_page)
def leave(request: HttpRequest, member: Member) -> HttpResponse:
    """Ask before a member leaves the collection, and let them leave."""
    if request.method != "POST":
        return _leave_page(request, member)
    result = removal.leave(member)
    messages.success(request, f"You left {member.collection.name}. {count(result.judgements, 'judgement')} kept.")
    return redirect("home")

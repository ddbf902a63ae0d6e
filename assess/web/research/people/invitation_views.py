"""Creating invitations to a collection, and revoking them."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from assess.access import RESEARCHERS, member_view
from assess.errors import Refused
from assess.models import Member
from assess.people import invitations
from assess.people.mailed_invitations import invite_by_mail
from assess.web.qr_code import qr_code
from assess.web.requests import refusals_shown_by
from assess.web.research.people.forms import InviteForm
from assess.web.research.people.views import people_page


def _refused(request: HttpRequest, member: Member, refusal: Refused, **_: object) -> HttpResponse:
    return people_page(request, member, refusal, InviteForm(member, request.POST))


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def invite(request: HttpRequest, member: Member) -> HttpResponse:
    """Create a link and show it once, or send a link to each address."""
    values = InviteForm(member, request.POST).cleaned()

    def link_of(token: str) -> str:
        return request.build_absolute_uri(reverse("invitation:open", args=[token]))

    addresses = values.pop("addresses")
    if addresses:
        sent = invite_by_mail(member, values["role"], addresses, values["days"], link_of)
        messages.success(request, f"Invitations are being sent to {', '.join(sent)}.")
        return _list(member)
    link = link_of(invitations.create(member.collection, member, **values))
    page = {
        "collection": member.collection,
        "member": member,
        "here": "people",
        "link": link,
        "qr": qr_code(link, scale=5),
        **values,
    }
    return render(request, "research/people/invited.html", page)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def revoke(request: HttpRequest, member: Member, invitation_id: int) -> HttpResponse:
    """Make a link invalid."""
    invitation = get_object_or_404(member.collection.invitations, pk=invitation_id)
    invitations.revoke(member, invitation.pk)
    messages.success(request, "The invitation is revoked. People who used it stay members.")
    return _list(member)


def _list(member: Member) -> HttpResponse:
    return redirect("research:people", member.collection.slug)

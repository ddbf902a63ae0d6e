"""All people and collections of the site, and the page Status, for site owners.

They act on accounts; roles are for collection owners.
"""

from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from assess.errors import Refused
from assess.models import User
from assess.people import accounts
from assess.people.site_collections import PAGE_SIZE as COLLECTIONS_PER_PAGE
from assess.people.site_collections import collection_rows, collections_matching
from assess.people.site_people import PAGE_SIZE as PEOPLE_PER_PAGE
from assess.people.site_people import Account, account_of, people_matching
from assess.status import sections, site_status
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.site_owners import site_owner_view
from pooling.words import count


@require_safe
@site_owner_view
def people(request: HttpRequest) -> HttpResponse:
    """All accounts; `?q=` searches names and email addresses."""
    search = request.GET.get("q", "")
    shown = _page(request, people_matching(search), PEOPLE_PER_PAGE)
    return render(request, "site/people.html", {"here": "people", "page": shown, "search": search})


@require_safe
@site_owner_view
def collections(request: HttpRequest) -> HttpResponse:
    """All collections with their owners and sizes; `?q=` searches names."""
    search = request.GET.get("q", "")
    shown = _page(request, collections_matching(search), COLLECTIONS_PER_PAGE)
    page = {"here": "collections", "page": shown, "rows": collection_rows(shown), "search": search}
    return render(request, "site/collections.html", page)


def _page(request: HttpRequest, rows: QuerySet[Any], size: int) -> Page[Any]:
    return Paginator(rows, size).get_page(request.GET.get("page"))


def _person_page(request: HttpRequest, user_id: int, refusal: Refused | None = None) -> HttpResponse:
    """Render one account and what a site owner can do about it."""
    page = {"here": "people", "account": _account(user_id), "refusal": refusal}
    return render(request, "site/person.html", page, status=400 if refusal else 200)


def _account(user_id: int) -> Account:
    account = account_of(user_id)
    if account is None:
        raise Http404
    return account


@require_safe
@site_owner_view
def person(request: HttpRequest, user_id: int) -> HttpResponse:
    """One account, with its collections."""
    return _person_page(request, user_id)


@require_POST
@site_owner_view
@refusals_shown_by(_person_page)
def deactivate(request: SignedInRequest, user_id: int) -> HttpResponse:
    """Sign somebody out everywhere and refuse further sign-ins."""
    user = _account(user_id).user
    ended = accounts.deactivate_account(user, request.user)
    return _after(request, user, f"{user} can no longer sign in; {count(ended, 'session')} ended.")


@require_POST
@site_owner_view
@refusals_shown_by(_person_page)
def reactivate(request: SignedInRequest, user_id: int) -> HttpResponse:
    """Let somebody sign in again."""
    user = _account(user_id).user
    accounts.reactivate_account(user, request.user)
    return _after(request, user, f"{user} can sign in again, with the same password.")


@require_POST
@site_owner_view
@refusals_shown_by(_person_page)
def end_sessions(request: SignedInRequest, user_id: int) -> HttpResponse:
    """Sign somebody out in every browser."""
    user = _account(user_id).user
    ended = accounts.end_sessions(user, request.user)
    return _after(request, user, f"{count(ended, 'session')} of {user} ended.")


def _after(request: HttpRequest, user: User, sentence: str) -> HttpResponse:
    messages.success(request, sentence)
    return redirect("site:person", user.pk)


@require_safe
@site_owner_view
def status(request: HttpRequest) -> HttpResponse:
    """What needs somebody to act, and the figures of each subject."""
    current = site_status()
    return render(request, "site/status.html", {"here": "status", "status": current, "sections": sections(current)})

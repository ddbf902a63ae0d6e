"""Which member a request acts as, and what its token and its role allow. The rules of roles are those of the pages."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest
from django.utils import timezone
from ninja import Schema
from pydantic import Field

from assess import prepared
from assess.access import check_role
from assess.api.problems import WrongScope
from assess.models import ApiToken, Member, Scope, User

PAGE = 100  # rows of a page, by default
MOST = 1_000
ORDER = list(Scope)


class Paging(Schema):
    """Which rows of a list: at most `limit` of them, after the row whose id is `after`."""

    after: int = Field(0, ge=0, lt=2**63)
    limit: int = Field(PAGE, ge=1, le=MOST)


def member_of(
    request: HttpRequest, slug: str, roles: frozenset[Any], scope: Scope = Scope.READ, *, or_assigned: bool = False
) -> Member:
    """Return the member of a collection. 404 if the token may not see it; 403 if scope or role do not allow this."""
    token = token_of(request)
    member, is_expired = prepared.member(token.user_id, slug, timezone.localdate()) or (None, False)
    if member is None or is_expired or not _is_for(token, member):
        raise Http404
    check_scope(token, scope)
    if not (or_assigned and member.role not in roles and member.assignments.exists()):
        check_role(member, roles)
    return member


def token_of(request: HttpRequest) -> ApiToken:
    """The token of a request that `TokenAuth` has let in."""
    token: ApiToken = request.auth  # type: ignore[attr-defined]
    return token


def user_of(request: HttpRequest) -> User:
    """The user of the token."""
    return token_of(request).user


def check_scope(token: ApiToken, scope: Scope) -> None:
    """Refuse a token with a lower scope."""
    if ORDER.index(Scope(token.scope)) < ORDER.index(scope):
        raise WrongScope(f"This token has the scope {token.scope}. This needs the scope {scope}.")


def _is_for(token: ApiToken, member: Member) -> bool:
    return not token.is_limited or token.collections.filter(pk=member.collection_id).exists()


def page_of(rows: Any, paging: Paging, shown: Any) -> dict[str, Any]:
    """Return a page of a queryset, ascending by key, and where the next one begins; None after the last."""
    found: Sequence[Any] = list(rows.order_by("pk").filter(pk__gt=paging.after)[: paging.limit + 1])
    page = found[: paging.limit]
    return {"results": [shown(row) for row in page], "next": page[-1].pk if len(found) > paging.limit else None}

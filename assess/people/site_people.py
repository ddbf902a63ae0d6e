"""All people of the site, as site owners see them. The seats of students are not accounts of people."""

from dataclasses import dataclass

from django.db.models import Prefetch, Q, QuerySet

from assess.models import Member, Session, User

PAGE_SIZE = 50
MAX_SEARCH = 100  # characters


@dataclass(frozen=True)
class Account:
    """An account with its memberships. `sessions` is the number of browsers in which it may be signed in."""

    user: User
    memberships: list[Member]
    sessions: int


def people_matching(search: str = "") -> QuerySet[User]:
    """Return the accounts whose name or email address contains the text, in the order of their names."""
    memberships = Member.objects.select_related("collection").order_by("collection__name")
    people = User.objects.filter(erased_at=None).exclude(memberships__seat__isnull=False)
    if text := search.strip()[:MAX_SEARCH]:
        people = people.filter(Q(username__icontains=text) | Q(email__icontains=text))
    return people.order_by("username").prefetch_related(Prefetch("memberships", memberships))


def account_of(user_id: int) -> Account | None:
    """Return one account, or None."""
    user = people_matching().filter(pk=user_id).first()
    if user is None:
        return None
    return Account(user, list(user.memberships.all()), Session.objects.filter(user=user).count())

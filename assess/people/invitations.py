"""Whether an invitation lets somebody create an account. Without invitations, nobody can."""

from assess.errors import Refused
from assess.models import User


def is_valid(_token: str) -> bool:
    """Whether the invitation with this token can be used now."""
    return False


def accept(_token: str, _user: User) -> None:
    """Use the invitation up, and give the user its role."""
    raise Refused("This invitation is not valid.")

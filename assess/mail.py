"""Mail. Nothing is sent yet: no mail server can be configured."""

from assess.errors import Refused
from assess.models import User


def is_configured() -> bool:
    return False


def send(recipient: str, subject: str, body: str, sender: User | None) -> None:  # noqa: ARG001
    """Send a plain text, in the caller's transaction."""
    raise Refused("This site has no mail server. Copy the text and send it yourself.")

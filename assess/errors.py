"""The exceptions of domain modules. Each message is one sentence for a page or a terminal."""


class Refused(Exception):  # noqa: N818 - a refusal is a regular answer, not a program error
    """The request was refused and nothing was changed. `str()` names the value and the allowed values."""


class Conflict(Refused):
    """The request conflicts with an earlier change or with the current state (status 409)."""


class Paused(Conflict):
    """The request is refused for now. The client may keep it and send it again later."""


class Closed(Paused):
    """The request is refused because judging is closed. It may open again, so the client may keep the request."""


def as_sentence(error: Exception) -> str:
    """Return the message of a library's error with a full stop at the end."""
    return f"{str(error).rstrip('.')}."

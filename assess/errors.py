"""What a domain module says when it cannot do as asked: one sentence, fit for a page or a terminal."""


class Refused(Exception):  # noqa: N818 - a refusal is an answer, not a fault of the program
    """Not done; nothing was changed. `str()` says what came and what is allowed."""


class Conflict(Refused):
    """The same client id came with another content (409)."""

"""What a domain module says when it cannot do as asked: one sentence, fit for a page or a terminal."""


class Refused(Exception):  # noqa: N818 - a refusal is an answer, not a fault of the program
    """Not done; nothing was changed. `str()` says what came and what is allowed."""


class Conflict(Refused):
    """It does not go with what was done in between, or with what may be done now (409)."""


class Paused(Conflict):
    """Not now, but perhaps later: whoever asked may keep it and ask again."""

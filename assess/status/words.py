"""Ages and sizes in words."""

from datetime import datetime

from django.utils.timesince import timesince

UNITS = ("bytes", "kB", "MB", "GB", "TB")


def age(then: datetime, now: datetime) -> str:
    """Return how long ago something was, in its largest unit: "3 days"."""
    if (now - then).total_seconds() < 60:
        return "less than a minute"
    return timesince(then, now, depth=1).replace("\N{NO-BREAK SPACE}", " ")


def size(number: int | None) -> str:
    """Return a number of bytes in its largest unit, "1.2 GB"; "unknown" for None.

    A megabyte is a million bytes, as in ASSAY_MIN_FREE_MB.
    """
    if number is None:
        return "unknown"
    exponent = min((len(str(number)) - 1) // 3, len(UNITS) - 1)
    return f"{number / 1000**exponent:.{1 if exponent else 0}f} {UNITS[exponent]}"

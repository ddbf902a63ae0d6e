"""Numbers and counts as a sentence has them."""

AGREE = {"good": "well", "fair": "fairly", "dubious": "little"}


def number(value: float | None, digits: int = 2) -> str:
    """A number with a true minus; a dash where there is none."""
    return "–" if value is None else f"{value:z.{digits}f}".replace("-", "−")


def share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "–"


def count(n: int, noun: str, plural: str = "") -> str:
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def from_to(values) -> str:
    """`8` where all are 8, else `6 to 8`."""
    least, most = min(values), max(values)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def listed(names) -> str:
    """`Ada, Ben and Cem`."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def ordinal(n: int) -> str:
    suffix = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{suffix}"

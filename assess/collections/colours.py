"""Colours of grades, each with a variant that is visible in the light theme and one in the dark theme.

A colour is a stripe or a swatch next to the grade's digit and name, never the only signal. WCAG 2.2 asks for a contrast
of 3 to 1 between such a mark and its background (success criterion 1.4.11).
"""

from pooling.palette import GRADES, PAGE

LIGHT_SHEET, DARK_SHEET = PAGE["sheet"]  # the background of the marks
CONTRAST = 3.0
STEPS = 100
PALETTE = {colour: name for name, colour in GRADES.items()}

RGB = tuple[int, int, int]


def colour_pair(colour: str) -> tuple[str, str]:
    """Return the colour for the light theme and for the dark one.

    Each is the given colour (#rrggbb) if its contrast is sufficient. Otherwise it is mixed with black or white, as
    little as necessary.
    """
    return _visible(colour, LIGHT_SHEET, (0, 0, 0)), _visible(colour, DARK_SHEET, (255, 255, 255))


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours as WCAG 2.2 defines it, from 1 to 21."""
    darker, lighter = sorted((_luminance(_rgb(one)), _luminance(_rgb(other))))
    return (lighter + 0.05) / (darker + 0.05)


def _visible(colour: str, sheet: str, towards: RGB) -> str:
    mixes = (_mixed(_rgb(colour), towards, step / STEPS) for step in range(STEPS + 1))
    return next(mixed for mixed in mixes if contrast(mixed, sheet) >= CONTRAST)


def _mixed(colour: RGB, towards: RGB, share: float) -> str:
    parts = [round(part + (end - part) * share) for part, end in zip(colour, towards, strict=True)]
    return "#" + "".join(f"{part:02x}" for part in parts)


def _rgb(colour: str) -> RGB:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: RGB) -> float:
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

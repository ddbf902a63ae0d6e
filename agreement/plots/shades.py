"""The shades of heat maps and of grades, from pale to dark, and the text on them."""

from matplotlib.colors import to_rgb
from matplotlib.typing import ColorType

from pooling.palette import INK, SHADES


def shade(share: float) -> str:
    """Return the shade of a share from 0 to 1."""
    return SHADES[min(max(int(share * len(SHADES)), 0), len(SHADES) - 1)]


def shades(number: int) -> list[str]:
    """Return shades for so many grades, the lowest first. More than eight grades share some."""
    return [shade(grade / max(number - 1, 1)) for grade in range(number)]


def ink_on(colour: ColorType) -> str:
    """Return the colour of the text that is easier to read on another colour."""
    return max("white", INK, key=lambda ink: contrast(ink, colour))


def contrast(one: ColorType, other: ColorType) -> float:
    """Return the contrast of two colours, from 1 (none) to 21: WCAG 2.1, relative luminance and contrast ratio."""
    luminances = []
    for colour in (one, other):
        parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
        luminances.append(0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] + 0.05)
    return max(luminances) / min(luminances)

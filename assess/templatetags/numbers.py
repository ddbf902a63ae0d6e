"""How numbers are written in templates."""

from django import template

register = template.Library()


@register.filter
def decimals(value: float, digits: int) -> str:
    """Return a number with so many decimals.

    Tables and files format numbers with Python, so templates do too: floatformat rounds 0.0625 to 0.063, Python to
    0.062, and a figure would differ between two pages.
    """
    return f"{value:z,.{digits}f}"

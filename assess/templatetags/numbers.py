"""How numbers and nouns are written in templates."""

from django import template
from django.template.defaultfilters import stringfilter

from pooling.words import with_minus

from pooling.words import with_article

from pooling.words import with_article

register = template.Library()
register.filter("with_article", with_article)


@register.filter
def decimals(value: float, digits: int) -> str:
    """Return a number with so many decimals.

    Tables and files format numbers with Python, so templates do too: floatformat rounds 0.0625 to 0.063, Python to
    0.062, and a figure would differ between two pages.
    """
    return with_minus(f"{value:z,.{digits}f}")


@register.filter
@stringfilter
def minus(text: str) -> str:
    """Return a text with a minus sign before negative numbers: the libraries write a hyphen, as files need it."""
    return with_minus(text)

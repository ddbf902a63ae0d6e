"""How numbers, nouns and names are written in templates."""

import re

from django import template
from django.template.defaultfilters import stringfilter
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from pooling.words import with_article, with_minus

register = template.Library()
AFTER_MARK = re.compile(r"(?<=[._/:])(?=\w)")
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


@register.filter
def breakable(name: str) -> SafeString:
    """Return a name that a line may break after its dots, underscores, slashes and colons."""
    return mark_safe(AFTER_MARK.sub("<wbr>", conditional_escape(name)))  # noqa: S308

"""How much data an answer needs: the defaults of the settings, and what a query string asks for.

Thresholds change sentences, and no figure. They are therefore no part of what the cache finds a result by. This module
does not load pandas.
"""

from collections.abc import Mapping

from django.conf import settings

from agreement.thresholds import Thresholds
from assess.errors import Refused

NAMES = ("min_topics", "min_judged", "min_documents")
MOST = 1_000_000  # topics or documents


def site_thresholds() -> Thresholds:
    """Return the thresholds of the settings."""
    return Thresholds(settings.HEADLINE_MIN_TOPICS, settings.HEADLINE_MIN_JUDGED, settings.HEADLINE_MIN_DOCUMENTS)


def thresholds_of(query: Mapping[str, str]) -> Thresholds:
    """Return the thresholds that a query names, and those of the settings for the others. Refused if out of range."""
    site = site_thresholds()
    return Thresholds(
        _number("min_topics", query, site.min_topics),
        _share(query, site.min_judged),
        _number("min_documents", query, site.min_documents),
    )


def changed_thresholds(thresholds: Thresholds) -> dict[str, int | float]:
    """Return the parameters of a query for the thresholds that differ from those of the settings."""
    site = site_thresholds()
    values = {name: getattr(thresholds, name) for name in NAMES}
    return {name: value for name, value in values.items() if value != getattr(site, name)}


def _number(name: str, query: Mapping[str, str], default: int) -> int:
    text = query.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 7 and 1 <= int(text) <= MOST):
        raise Refused(f"{name} must be a whole number from 1 to {MOST:,}, not {text[:20]!r}.")
    return int(text)


def _share(query: Mapping[str, str], default: float) -> float:
    text = query.get("min_judged", "")[:20]
    try:
        share = float(text) if text else default
    except ValueError:
        raise Refused(f"min_judged must be a share from 0 to 1, not {text!r}.") from None
    if not 0 <= share <= 1:
        raise Refused(f"min_judged must be a share from 0 to 1, not {text!r}.")
    return share

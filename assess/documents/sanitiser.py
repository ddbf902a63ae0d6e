"""Sanitises HTML documents.

Sanitised HTML has no script, style, form, frame or drawing, and nothing that a browser would fetch: images are `data:`
URLs, links go to http, https or mailto and open in another tab. No words are removed.

Some HTML takes nh3 time that is quadratic in its length, such as 100,000 attributes in one tag. Foreign HTML is
therefore sanitised in a process of its own, with limits (`assess.documents.sanitiser_process`). This module imports no
Django, so that the process starts quickly.
"""

import html
import re

import nh3

from assess.documents.markup import NOT_SHOWN, plain_text

VERSION = 1  # increase it when the result changes for any text

TAGS = (nh3.ALLOWED_TAGS - {"area", "map"}) | {"address", "big", "font", "main", "section", "tfoot"}
ATTRIBUTES = {tag: names - {"cite"} for tag, names in nh3.ALLOWED_ATTRIBUTES.items()} | {"*": {"dir", "lang"}}
ADDRESSES = {
    ("a", "href"): re.compile(r"(?:https?:|mailto:)", re.IGNORECASE),
    ("img", "src"): re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,", re.IGNORECASE),
}


def sanitise(text: str) -> str:
    """Return sanitised HTML."""
    return nh3.clean(
        text,
        tags=TAGS,
        clean_content_tags=set(NOT_SHOWN),
        attributes=ATTRIBUTES,
        attribute_filter=_harmless_attribute,
        url_schemes={"http", "https", "mailto", "data"},
        url_relative="deny",
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )


def without_markup(text: str) -> str:
    """Return sanitised HTML with the words of a text alone. It takes linear time."""
    return f"<p>{html.escape(plain_text(text).strip(), quote=False)}</p>"


def _harmless_attribute(tag: str, name: str, value: str) -> str | None:
    allowed = ADDRESSES.get((tag, name))
    return value if allowed is None or allowed.match(value) else None

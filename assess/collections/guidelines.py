"""Publishes versions of the guidelines and renders them as safe HTML.

A published version never changes. The text is CommonMark with tables. HTML in the text is escaped. Links may use
http, https and mailto. Images must be embedded in the text (`data:`), because pages load nothing from other sites.
Headings start at the third level, below the headings of the page.
"""

import hashlib
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import nh3
from django.db import transaction
from django.db.models import Count
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.models import NOT_WITHDRAWN, Collection, Guidelines, Judgement

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore

MAX_CHARACTERS = 20_000  # without embedded images: rendering Markdown takes time quadratic in its length
MAX_WITH_IMAGES = 500_000
IMAGE = re.compile(r"data:image/[a-z]+;base64,[A-Za-z0-9+/=]+")
FIRST_HEADING_LEVEL = 3
TAGS = {
    *("a", "blockquote", "br", "code", "em", "h3", "h4", "h5", "h6", "hr", "img", "li", "ol", "p", "pre", "strong"),
    *("table", "tbody", "td", "th", "thead", "tr", "ul"),
}
ATTRIBUTES = {"a": {"href", "title"}, "img": {"alt", "src", "title"}, "ol": {"start"}}
IMAGE_PREFIXES = ("data:image/png;", "data:image/jpeg;", "data:image/gif;", "data:image/webp;")


def publish_guidelines(collection: Collection, text: str) -> Guidelines:
    """Publish the text as a new version. If the latest version has the same text, return that version instead."""
    text = _checked(text)
    with transaction.atomic():
        # Lock the collection, so that two simultaneous requests get different version numbers.
        lock_active(collection)
        latest = collection.guidelines.last()
        if latest and latest.text == text:
            return latest
        return collection.guidelines.create(
            version=latest.version + 1 if latest else 1, text=text, sha256=guidelines_hash(text)
        )


def guidelines_versions(collection: Collection) -> list[dict[str, Any]]:
    """Return every version with its date and the number of current judgements made under it, newest first."""
    versions = collection.guidelines.order_by("-version").values("version", "created_at")
    judgements = Judgement.objects.filter(NOT_WITHDRAWN, task__topic__collection=collection)
    by_version = judgements.order_by().values("guidelines_version")
    counts = dict(by_version.annotate(n=Count("pk")).values_list("guidelines_version", "n"))
    return [{**version, "judgements": counts.get(version["version"], 0)} for version in versions]


def guidelines_hash(text: str) -> str:
    """Return the SHA-256 of a version of the guidelines, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def preview_html(text: str) -> SafeString:
    """Return the HTML that assessors would see, or refuse a text that cannot be published."""
    return guidelines_html.__wrapped__(_checked(text))  # drafts are rendered once, so they are not cached


def _checked(text: str) -> str:
    text = text.replace("\r\n", "\n").strip()
    _check_text(text)
    return text


def _check_text(text: str) -> None:
    if not text:
        raise Refused("The guidelines are empty.")
    if len(text) > MAX_WITH_IMAGES:
        raise Refused(f"The guidelines have {len(text):,} characters; at most {MAX_WITH_IMAGES:,} are allowed.")
    if (length := _length(text)) > MAX_CHARACTERS:
        raise Refused(
            f"The guidelines have {length:,} characters without embedded images; at most {MAX_CHARACTERS:,} are "
            "allowed."
        )
    if "\0" in text:
        raise Refused("The guidelines contain a NUL character.")


def _length(text: str) -> int:
    """Return the number of characters outside of embedded images."""
    return len(IMAGE.sub("", text))


@lru_cache(maxsize=64)  # every judging page renders the same few texts
def guidelines_html(text: str) -> SafeString:
    """Return the Markdown as HTML that is safe to include in any page.

    A text that an earlier version accepted and that is too long now is shown without formatting.
    """
    if len(text) > MAX_WITH_IMAGES or _length(text) > MAX_CHARACTERS:
        return format_html("<pre>{}</pre>", text)
    html = nh3.clean(
        _markdown().render(text),
        tags=TAGS,
        attributes=ATTRIBUTES,
        attribute_filter=_filter_attribute,
        url_schemes={"http", "https", "mailto", "data"},
        # Links open in a new tab, because the judging page may hold judgements that are not sent yet.
        set_tag_attribute_values={"a": {"target": "_blank"}},
        link_rel="noopener noreferrer",
    )
    return mark_safe(html)  # noqa: S308 - cleaned by nh3


@cache
def _markdown() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # imported only when guidelines are shown

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.core.ruler.push("lower_headings", _lower_headings)
    return markdown


def _lower_headings(state: "StateCore") -> None:
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + FIRST_HEADING_LEVEL - 1, 6)}"


def _filter_attribute(_tag: str, attribute: str, value: str) -> str | None:
    """Allow `data:` addresses for images only, and no other addresses for images."""
    if attribute == "src":
        return value if value.lower().startswith(IMAGE_PREFIXES) else None
    if attribute == "href" and value.strip().lower().startswith("data:"):
        return None
    return value

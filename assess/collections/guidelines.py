"""Guidelines: Markdown as its researchers wrote it, versions that are never changed, and the harmless HTML of them.

The text is CommonMark with tables. HTML in it is shown as the characters it is made of. Links lead to http, https
and mailto; of images only those stay that the text itself holds (`data:`), since the page loads nothing from
elsewhere. Headings begin at the third level, below those of the page that shows them.
"""

from functools import cache, lru_cache

import nh3
from django.db import transaction
from django.db.models import Count
from django.utils.safestring import SafeString, mark_safe

from assess.errors import Refused
from assess.models import Collection, Guidelines, Judgement

LONGEST = 100_000  # characters
HIGHEST_HEADING = 3
TAGS = {
    *("a", "blockquote", "br", "code", "em", "h3", "h4", "h5", "h6", "hr", "img", "li", "ol", "p", "pre", "strong"),
    *("table", "tbody", "td", "th", "thead", "tr", "ul"),
}
ATTRIBUTES = {"a": {"href", "title"}, "img": {"alt", "src", "title"}, "ol": {"start"}}
IMAGES = ("data:image/png;", "data:image/jpeg;", "data:image/gif;", "data:image/webp;")


def publish_guidelines(collection: Collection, text: str) -> Guidelines:
    """The collection's guidelines from now on: a new version, or the last one where the text is the same."""
    text = text.replace("\r\n", "\n").strip()
    _check(text)
    with transaction.atomic():
        # Two at once take their turn, so that each gets a version of its own.
        Collection.objects.select_for_update().get(pk=collection.pk)
        last = collection.guidelines.last()
        if last and last.text == text:
            return last
        return collection.guidelines.create(version=last.version + 1 if last else 1, text=text)


def guidelines_versions(collection: Collection) -> list[dict]:
    """Every version with its date and how many judgements stand that were made under it, the newest first."""
    rows = list(collection.guidelines.order_by("-version").values("version", "created_at"))
    said = Judgement.objects.filter(task__topic__collection=collection).order_by().values("guidelines_version")
    counts = dict(said.annotate(n=Count("pk")).values_list("guidelines_version", "n"))
    return [row | {"judgements": counts.get(row["version"], 0)} for row in rows]


def _check(text: str) -> None:
    if not text:
        raise Refused("The guidelines are empty; a new version needs a text.")
    if len(text) > LONGEST:
        raise Refused(f"The guidelines have {len(text):,} characters; at most {LONGEST:,} are kept.")
    if "\0" in text:
        raise Refused("The guidelines hold a NUL character; they are a text in Markdown.")


@lru_cache(maxsize=64)  # every judging page asks for the same few texts
def guidelines_html(text: str) -> SafeString:
    """The Markdown as HTML that may go into any page."""
    html = nh3.clean(
        _markdown().render(text),
        tags=TAGS,
        attributes=ATTRIBUTES,
        attribute_filter=_kept,
        url_schemes={"http", "https", "mailto", "data"},
        # The page stays where it is: what was not sent yet is in it.
        set_tag_attribute_values={"a": {"target": "_blank"}},
        link_rel="noopener noreferrer",
    )
    return mark_safe(html)  # noqa: S308 - cleaned in the line above


@cache
def _markdown():
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.core.ruler.push("lower_headings", _lower_headings)
    return markdown


def _lower_headings(state) -> None:
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + HIGHEST_HEADING - 1, 6)}"


def _kept(_tag: str, attribute: str, value: str) -> str | None:
    """`data:` is for images, and nothing else is."""
    if attribute == "src":
        return value if value.lower().startswith(IMAGES) else None
    if attribute == "href" and value.strip().lower().startswith("data:"):
        return None
    return value

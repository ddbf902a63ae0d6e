"""The text of a document as assessors see it.

Sanitised HTML has no script, style, form, frame or drawing, and nothing that a browser would fetch: images are `data:`
URLs, links go to http, https or mailto and open in another tab. No words are removed.
"""

import html
import re
from collections import Counter
from html.parser import HTMLParser

import nh3

from assess.models import TextFormat

TAGS = (nh3.ALLOWED_TAGS - {"area", "map"}) | {"address", "big", "font", "main", "section", "tfoot"}
NOT_SHOWN = {"audio", "canvas", "embed", "iframe", "noembed", "noframes", "object", "script", "style", "svg"}
NOT_SHOWN |= {"template", "video"}
BLOCKS = {"address", "article", "blockquote", "br", "caption", "center", "dd", "div", "dl", "dt", "figcaption"}
BLOCKS |= {"figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p"}
BLOCKS |= {"pre", "section", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"}
ATTRIBUTES = {tag: names - {"cite"} for tag, names in nh3.ALLOWED_ATTRIBUTES.items()} | {"*": {"dir", "lang"}}
ADDRESSES = {
    ("a", "href"): re.compile(r"(?:https?:|mailto:)", re.IGNORECASE),
    ("img", "src"): re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,", re.IGNORECASE),
}

# nh3 takes time quadratic in the depth of nesting: 0.1 s for 4,000 levels, more than 1 s for 20,000.
DEEPEST = 4_000
TAG_OR_COMMENT = re.compile(r"""<!--.*?-->|<(/?)([a-z][a-z0-9]*)(?:"[^"]*"|'[^']*'|[^'">])*>""", re.IGNORECASE | re.S)
OPTIONAL_END_TAG = {"br", "col", "dd", "dt", "hr", "img", "input", "li", "link", "meta", "option", "p", "td", "th"}
OPTIONAL_END_TAG |= {"tbody", "tfoot", "thead", "tr", "wbr"}


def sanitised_text(text: str, text_format: str) -> str:
    """Return the text for a page: HTML is sanitised; in plain text only NUL characters are replaced."""
    if text_format != TextFormat.HTML:
        return text.replace("\0", "\ufffd")
    if _too_deep(text):
        return f"<p>{html.escape(_without_tags(text))}</p>"
    return nh3.clean(
        text,
        tags=TAGS,
        clean_content_tags=NOT_SHOWN,
        attributes=ATTRIBUTES,
        attribute_filter=_harmless_attribute,
        url_schemes={"http", "https", "mailto", "data"},
        url_relative="deny",
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )


def passage_text(shown_text: str, text_format: str) -> str:
    """Return the text in which passages are counted: for HTML, all text nodes of the displayed text, concatenated."""
    if text_format != TextFormat.HTML:
        return shown_text
    nodes = _TextNodes()
    nodes.feed(shown_text)
    nodes.close()
    return "".join(nodes.texts)


def plain_text(text: str, text_format: str) -> str:
    """Return the words of a text without tags. A space stands for the end of a paragraph or cell."""
    if text_format != TextFormat.HTML:
        return text.replace("\0", "\ufffd")
    text = text[: text.rfind("<")] if text.rfind("<") > text.rfind(">") else text  # a tag that was cut off
    if _too_deep(text):
        return _without_tags(text)
    blocks = nh3.clean(text, tags=BLOCKS, clean_content_tags=NOT_SHOWN, attributes={}, link_rel=None)
    return html.unescape(re.sub(r"<[^>]*>", " ", blocks))


class _TextNodes(HTMLParser):
    """Collects the text of sanitised HTML, which is well-formed and has no script or style."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def _harmless_attribute(tag: str, name: str, value: str) -> str | None:
    allowed = ADDRESSES.get((tag, name))
    return value if allowed is None or allowed.match(value) else None


def _too_deep(text: str) -> bool:
    """Say whether more elements are open at once than in any page written for readers."""
    if text.count("<") <= DEEPEST:
        return False
    opened: Counter[str] = Counter()
    depth = 0
    for tag in TAG_OR_COMMENT.finditer(text):
        closing, name = tag[1], (tag[2] or "").lower()
        if not name or name in OPTIONAL_END_TAG or (closing and not opened[name]):
            continue
        step = -1 if closing else 1
        opened[name] += step
        depth += step
        if depth > DEEPEST:
            return True
    return False


def _without_tags(text: str) -> str:
    return html.unescape(TAG_OR_COMMENT.sub(" ", text)).replace("\0", "\ufffd")

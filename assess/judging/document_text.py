"""The text of a document as assessors see it: sanitised HTML, and the snippet.

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

SNIPPET = 300  # characters
SEARCHED = 100_000  # characters of a document that are searched for the snippet
STOP_WORDS = frozenset(  # the same list as in static/assess/reading/query-terms.js
    re.findall(
        r"\w+",
        "a about an and are as at be by did do does for from had has have how i in is it its not of on or that the "
        "their them they this to was were what when where which who whom why will with",
    )
)
# Scripts without spaces between words: Thai to Khmer, kana, Han.
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
QUERY_WORD = re.compile(rf"[{UNSPACED}]+|[^\W_{UNSPACED}]+")
# Names such as C++, C# and .NET: without the sign they would be different words.
SIGNED = re.compile(r"""(?<![^\W_])[^\W_]+[+#]+(?![^\W_+#])|(?<![^\s("'\[])\.[^\W\d_][^\W_]*""")

WORD_START = r"(?<![^\W_])"  # no letter or digit before
WORD_END = r"(?![^\W_]{2})"  # at most one letter after, as in a plural


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


# ---- the snippet


def snippet(text: str, text_format: str, query: str) -> str:
    """Return the passage of about 300 characters with the most words of the query, as plain text on one line.

    The first 100,000 characters are searched. Of equally good passages, the first is returned.
    """
    plain = " ".join(_plain(text[:SEARCHED], text_format).split())
    if len(plain) <= SNIPPET:
        return plain
    start, end = _best_window(_matches(plain, query), len(plain))
    return _cut_at_words(plain, start, end)


def _plain(text: str, text_format: str) -> str:
    if text_format != TextFormat.HTML:
        return text.replace("\0", "\ufffd")
    text = text[: text.rfind("<")] if text.rfind("<") > text.rfind(">") else text  # a tag that was cut off
    if _too_deep(text):
        return _without_tags(text)
    blocks = nh3.clean(text, tags=BLOCKS, clean_content_tags=NOT_SHOWN, attributes={}, link_rel=None)
    return html.unescape(re.sub(r"<[^>]*>", " ", blocks))


def _matches(plain: str, query: str) -> list[tuple[int, int, int]]:
    """Return where the words of the query occur: (start, end, number of the word), in the order of the text."""
    patterns = _patterns(query)
    if not patterns:
        return []
    any_word = re.compile("|".join(patterns), re.IGNORECASE)
    return [(match.start(), match.end(), match.lastindex or 0) for match in any_word.finditer(plain)]


def _patterns(query: str) -> list[str]:
    """Return one pattern with one group for each word of the query that is no stop word."""
    signed = list(dict.fromkeys(word.lower() for word in SIGNED.findall(query)))
    roots = _roots(SIGNED.sub(" ", query), keep_stop_words=not signed)
    return [*map(_signed_pattern, signed), *(_pattern(root, spaced) for root, spaced in roots)]


def _signed_pattern(word: str) -> str:
    return f"({re.escape(word)})(?![^\\W_])" if word[0] == "." else f"{WORD_START}({re.escape(word)})(?![+#])"


def _pattern(root: str, spaced: bool) -> str:
    if not spaced:
        return f"({re.escape(root)})"
    return f"{WORD_START}({re.escape(root)}){WORD_END if len(root) < 4 else ''}"


def _roots(query: str, keep_stop_words: bool) -> list[tuple[str, bool]]:
    """Return the beginnings of the query's words, and whether the word is separated by spaces.

    Stop words are left out, unless the query has nothing else and they are to be kept.
    """
    words = list(dict.fromkeys(word.lower() for word in QUERY_WORD.findall(query)))
    words = [word for word in words if word not in STOP_WORDS] or (words if keep_stop_words else [])
    roots: dict[str, bool] = {}
    for word in words:
        if re.match(f"[{UNSPACED}]", word):
            roots |= dict.fromkeys((word[at : at + 2] for at in range(max(len(word) - 1, 1))), False)
        else:
            roots[word[: max(4, len(word) - 3)]] = True
    return list(roots.items())


def _best_window(matches: list[tuple[int, int, int]], length: int) -> tuple[int, int]:
    """Return the first window with the most different words, the words in its middle."""
    best, most, first = (0, 0), 0, 0
    within: Counter[int] = Counter()
    for match in matches:
        within[match[2]] += 1
        while match[1] - matches[first][0] > SNIPPET - 40:
            within[matches[first][2]] -= 1
            within += Counter()  # removes words with count 0
            first += 1
        if len(within) > most:
            best, most = (matches[first][0], match[1]), len(within)
    start, end = best
    start = max(0, min(start - (SNIPPET - (end - start)) // 2, length - SNIPPET))
    return start, start + SNIPPET


def _cut_at_words(plain: str, start: int, end: int) -> str:
    """Return the text of the window without words cut in half, if there are spaces to cut at."""
    if start and (space := plain.find(" ", start - 1, start + 40)) >= 0:
        start = space + 1
    if end < len(plain) and (space := plain.rfind(" ", end - 40, end + 1)) >= 0:
        end = space
    return f"{'… ' if start else ''}{plain[start:end]}{' …' if end < len(plain) else ''}"

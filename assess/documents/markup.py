"""The words of an HTML text, in one pass from left to right, so that no text takes more than linear time.

Nothing here makes HTML safe: that is what `assess.documents.sanitiser` does.
"""

import html
import re
from collections.abc import Iterator

# Elements whose content is not text for readers.
NOT_SHOWN = frozenset(
    "audio canvas embed iframe noembed noframes object script style svg template video".split()  # noqa: SIM905
)
BLOCKS = frozenset(
    "address article blockquote br caption center dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li "  # noqa: SIM905
    "main nav ol p pre section table tbody td tfoot th thead tr ul".split()
)
TAG = re.compile(r"<(?:!--|(/?)([a-z][a-z0-9]*))", re.IGNORECASE)
QUOTE_OR_END = re.compile(r"[\"'>]")
LONG_NUMBER = re.compile(r"&#(?:[0-9]{8,}|x[0-9a-f]{8,});?", re.IGNORECASE)  # beyond Unicode; slow to convert


def with_placeholders(sanitised: str) -> str:
    """Return sanitised HTML in which a label that shows the alternative text stands for each image.

    The label is an attribute: it adds no words, so that passages are counted as before.
    """
    parts, at = [], 0
    while (start := sanitised.find("<img", at)) >= 0:
        tag = TAG.match(sanitised, start)
        end = _end(sanitised, tag) if tag else -1
        if end < 0:
            break
        parts += [sanitised[at:start], _placeholder(sanitised[start:end])]
        at = end
    return "".join([*parts, sanitised[at:]])


def _placeholder(image: str) -> str:
    """Return the label for an image. The sanitiser has written the attributes of the tag, in double quotes."""
    _, _, rest = image.partition(' alt="')
    words = rest.partition('"')[0].strip()
    label = f"Image: {words}" if words else "Image without a description"
    return f'<span class="image" role="img" aria-label="{label}"></span>'


def passage_text(sanitised: str) -> str:
    """Return the text in which passages are counted: all text nodes of sanitised HTML, concatenated."""
    return html.unescape("".join(text for text, _ in _pieces(sanitised)))


def plain_text(text: str) -> str:
    """Return the words of an HTML text. A space stands for the end of a paragraph or cell.

    The HTML need not be sanitised. Scripts and styles are left out.
    """
    words = "".join(f"{piece} " if name in BLOCKS else piece for piece, name in _shown_pieces(text))
    return html.unescape(LONG_NUMBER.sub("\ufffd", words)).replace("\0", "\ufffd")


def _shown_pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield the pieces outside of elements that are not shown."""
    hidden = ""
    for piece, name in _pieces(text):
        if not hidden:
            yield piece, name
        if name.removeprefix("/") in NOT_SHOWN:
            hidden = "" if name == f"/{hidden}" else hidden or name.removeprefix("/")


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield each text with the name of the tag after it: "p", "/p", or "" for a comment and at the end."""
    at = 0
    while tag := TAG.search(text, at):
        yield text[at : tag.start()], f"{tag[1] or ''}{tag[2] or ''}".lower()
        if (at := _end(text, tag)) < 0:
            return  # browsers do not show a tag that is not finished either
    yield text[at:], ""


def _end(text: str, tag: re.Match[str]) -> int:
    """Return the position after a tag or comment, or -1 if it has no end.

    Each search either moves on or fails. It fails at most once for each kind of end, because no later tag has it
    either; so all searches together take linear time.
    """
    if tag[2] is None:
        end = text.find("-->", tag.start() + 2)
        return end + 3 if end >= 0 else -1
    at = tag.end()
    while stop := QUOTE_OR_END.search(text, at):
        if stop[0] == ">":
            return stop.end()
        closing = text.find(stop[0], stop.end())
        at = closing + 1 if closing >= 0 else stop.end()  # a quotation mark without a partner is a character
    return -1

"""The text of a document as assessors see it.

HTML is sanitised when it is imported. HTML that is stored without its sanitised text is displayed without markup.
"""

from django.db.models import Case, F, Q, When

from assess.documents import markup
from assess.documents.sanitiser import without_markup
from assess.models import DocumentContent, TextFormat
from assess.prepared import BEGINNING

LONGEST_EMPTY = BEGINNING - 1  # characters; a longer text has words, without reading all of it


def displayed_column(path: str) -> Case:
    """Return the column to display. `path` leads to the content, such as "document__content".

    HTML that is not sanitised is returned as it was imported: pass it to `displayed`.
    """
    sanitised = Q(**{f"{path}__sanitiser_version__isnull": False})
    return Case(When(sanitised, then=F(f"{path}__sanitised")), default=F(f"{path}__text"))


def displayed(text: str, text_format: str, sanitiser_version: int | None) -> str:
    """Return the text for a page. In plain text only NUL characters are replaced; in HTML, images."""
    if text_format != TextFormat.HTML:
        return text.replace("\0", "\ufffd")
    return markup.with_placeholders(without_markup(text) if sanitiser_version is None else text)


def displayed_text(content: DocumentContent | None) -> str:
    """Return the text of a content for a page; an empty text without a content."""
    if content is None:
        return ""
    stored = content.text if content.sanitiser_version is None else content.sanitised or ""
    return displayed(stored, content.format, content.sanitiser_version)


def passage_text(displayed: str, text_format: str) -> str:
    """Return the text in which passages are counted: for HTML, all text nodes of the displayed text, concatenated."""
    return markup.passage_text(displayed) if text_format == TextFormat.HTML else displayed


def is_empty(beginning: str, text_format: str) -> bool:
    """Say whether a text has neither words nor images.

    `beginning` is the text before it is displayed, or its first LONGEST_EMPTY + 1 characters or more.
    """
    if len(beginning) > LONGEST_EMPTY or (text_format == TextFormat.HTML and "<img" in beginning):
        return False
    return not plain_text(beginning, text_format).strip()


def plain_text(text: str, text_format: str) -> str:
    """Return the words of a text without tags."""
    return markup.plain_text(text) if text_format == TextFormat.HTML else text.replace("\0", "\ufffd")

"""Renders documents in Markdown (CommonMark with tables) as HTML, which must then be sanitised.

Some Markdown takes much time. Foreign Markdown is therefore rendered in the process that sanitises
(`assess.documents.sanitiser_process`). This module imports no Django, so that the process starts quickly.
"""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


def render_markdown(text: str) -> str:
    """Return HTML that is not sanitised; HTML within the Markdown is kept."""
    return str(_markdown().render(text))


@cache
def _markdown() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # imported only when Markdown is rendered

    renderer = MarkdownIt("commonmark").enable("table")
    # The sanitiser drops addresses. Without this, an embedded image of another type stays as a long line of text.
    renderer.validateLink = _keep_link  # type: ignore[method-assign]
    return renderer


def _keep_link(url: str) -> bool:
    return bool(url)

"""Marks of a figure: what each of its rows, dots, bars or cells shows, as part of the SVG file.

In an SVG file a marked artist is a group of class `mark` with a `<title>`, which viewers show as a tooltip, and with
attributes such as `data-system`, by which a page finds everything that shows the same system. PDF and PNG files have no
marks.
"""

import json
import re
from html import escape, unescape

from matplotlib.artist import Artist

from agreement.plots.page import display_text
from pooling.words import with_minus

START = "mark:"
GROUP = re.compile(rf"""<g id=(?:"{START}([^"]*)"|'{START}([^']*)')>""")
KINDS = frozenset({"system", "judge", "judges", "topic", "gold", "systems"})  # "judges" and "systems" are pairs


def mark(artist: Artist, title: str, *, is_band: bool = False, **names: str) -> None:
    """Say what an artist shows.

    Parameters
    ----------
    artist : Artist
        A line, patch, text or collection.
    title : str
        The exact numbers, in words.
    is_band : bool
        Whether the artist is an invisible area behind what it marks.
    **names : str
        Whose numbers they are: system, judge or topic; or a pair of systems or judges, joined by a line break.

    Raises
    ------
    ValueError
        A name is of another kind.

    Examples
    --------
    >>> from matplotlib.lines import Line2D
    >>> from agreement.plots.marks import mark
    >>> line = Line2D([0, 1], [0, 1])
    >>> mark(line, "bm25: rank 1 to 2", system="bm25")
    >>> line.get_gid()
    'mark:{"title": "bm25: rank 1 to 2", "system": "bm25"}'
    """
    if unknown := sorted(set(names) - KINDS):
        raise ValueError(f"A mark must name one of {', '.join(sorted(KINDS))}, not {unknown[0]!r}.")
    band = {"band": ""} if is_band else {}
    artist.set_gid(START + json.dumps({"title": title, **band, **names}))


def with_marks(svg: bytes) -> bytes:
    """Return an SVG file of matplotlib, with its marks as titles and attributes instead of ids."""
    return GROUP.sub(_group, svg.decode()).encode()


def _group(found: re.Match[str]) -> str:
    names = json.loads(unescape(found[1] or found[2]))
    title = escape(with_minus(display_text(names.pop("title"))))
    css = "mark" if names.pop("band", None) is None else "mark band"
    data = "".join(f' data-{kind}="{_attribute(name)}"' for kind, name in names.items())
    return f'<g class="{css}"{data}><title>{title}</title>'


def _attribute(name: str) -> str:
    return escape("\n".join(display_text(line) for line in name.split("\n"))).replace("\n", "&#10;")

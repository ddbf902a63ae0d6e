"""The settings of all figures, and rendering a figure as a file.

Figures remain readable in greyscale: what differs in colour also differs in darkness, dashes or markers, and heat maps
use one hue. In SVG, text remains text, so readers can search and copy it, in the viewer's sans-serif font.

The same input gives the same bytes: files contain no date and no software version, and matplotlib settings of the user
are ignored.
"""

import io
from collections.abc import Callable
from threading import RLock
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.typing import RcKeyType

from agreement.plots.marks import with_marks
from pooling.palette import INK, QUIET

SETTINGS: dict[RcKeyType, Any] = {
    "svg.hashsalt": "assay",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "text.parse_math": False,
    "text.color": INK,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": QUIET,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "legend.labelspacing": 0.35,
    "hatch.linewidth": 0.6,
}
KINDS: dict[str, dict[str, str | None]] = {  # with the metadata about date and software to leave out
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
DPI = 200  # of a PNG

_lock = RLock()  # matplotlib's settings are global: without it, two threads would draw with each other's settings


def render(kind: str, build: Callable[..., Figure], *arguments: Any) -> bytes:
    """Build a figure, and return it as a file."""
    if kind not in KINDS:
        raise ValueError(f"A figure must be one of {', '.join(KINDS)}, not {kind!r}.")
    file = io.BytesIO()
    with _lock, mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(SETTINGS)
        figure = build(*arguments)
        figure.savefig(file, format=kind, dpi=DPI, metadata=KINDS[kind] | {"Title": str(figure.get_label())})
    return with_marks(file.getvalue()) if kind == "svg" else file.getvalue()

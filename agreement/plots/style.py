"""What all figures share: the palette, the settings, and how a file is written.

A figure is printed without loss in greyscale: what differs in colour differs in darkness, dashes or markers as
well, and heat has one hue. In SVG, text stays text: readers can search and copy it, and the viewer's sans-serif
is used.

The same input gives the same bytes: no file says when or with what it was made, and nobody's matplotlib settings
are followed.
"""

import io
from collections.abc import Callable
from threading import RLock

import matplotlib as mpl
from matplotlib.figure import Figure

INK, QUIET, FAINT, HAIR = "#1d2026", "#4f5561", "#9a9a9a", "#d9d9d6"
DEEP, PALE, MARK = "#1f4f7a", "#a9c4d6", "#b5651d"
SERIES = (  # told apart by dashes and markers where colour is lost
    {"color": "#0f2a43", "linestyle": "-", "marker": "o", "markerfacecolor": "#0f2a43"},
    {"color": "#c46a1c", "linestyle": (0, (6, 2)), "marker": "s", "markerfacecolor": "white"},
    {"color": "#1f5c3d", "linestyle": (0, (1, 1.2)), "marker": "^", "markerfacecolor": "#1f5c3d"},
    {"color": "#5c2a6e", "linestyle": (0, (6, 2, 1, 2)), "marker": "D", "markerfacecolor": "white"},
    {"color": "#5fa3d3", "linestyle": (0, (9, 2)), "marker": "v", "markerfacecolor": "#5fa3d3"},
    {"color": "#858585", "linestyle": (0, (4, 1.5, 1, 1.5, 1, 1.5)), "marker": "X", "markerfacecolor": "#858585"},
)
STYLE = {
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
KINDS = {  # and what a file would otherwise say of how and when it was made
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
DPI = 200  # of a PNG

_drawing = RLock()  # matplotlib's settings are global: two threads that draw would draw with each other's


def as_file(kind: str, build: Callable[..., Figure], *given) -> bytes:
    """The figure that `build(*given)` makes, as a file.

    Parameters
    ----------
    kind : {"svg", "pdf", "png"}
    build : callable
        Makes the figure; its label is the title that the file bears.

    Raises
    ------
    ValueError
        The kind is unknown.
    """
    if kind not in KINDS:
        raise ValueError(f"a figure is one of {', '.join(KINDS)}; got {kind!r}")
    file = io.BytesIO()
    with _drawing, mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE)
        figure = build(*given)
        figure.savefig(file, format=kind, dpi=DPI, metadata=KINDS[kind] | {"Title": figure.get_label()})
    return file.getvalue()

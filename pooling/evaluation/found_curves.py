"""The figure of a replay: relevant documents found against judgements spent, drawn with matplotlib.

This module is imported only when a figure is requested, because importing matplotlib takes about a second. The same
input gives the same bytes: ids in the SVG are salted with a constant, no date is written, and matplotlib settings of
the user are ignored. Curves differ in dashes and markers as well as in colour, so a greyscale print remains readable.
"""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator
from matplotlib.typing import RcKeyType

from pooling.palette import BACKDROP, FAINT, SERIES, Style

SIZE = (7.2, 4.8)  # inches, with the legend at the right
MARKERS_PER_CURVE = 9
DPI = 200  # of a PNG
METADATA: dict[str, dict[str, Any]] = {  # without dates and versions, so that the same input gives the same bytes
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
BACKGROUND: Style = {"color": BACKDROP, "linewidth": 0.6, "zorder": 1}
IDEAL: Style = {"color": FAINT, "linewidth": 0.9, "linestyle": (0, (2, 2)), "zorder": 2}
SETTINGS: dict[RcKeyType, Any] = {
    "svg.hashsalt": "assay",
    "svg.fonttype": "none",  # text stays text, which readers can search and copy
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "text.parse_math": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "legend.frameon": False,
}


def found_curves(
    points: Mapping[str, npt.ArrayLike],
    total: int,
    *,
    highlight: Sequence[str] | None = None,
    title: str = "",
    note: str = "",
    kind: str = "svg",
) -> bytes:
    """Draw a curve of relevant documents found against judgements spent for each strategy.

    A dashed line shows the ideal: each judgement finds a relevant document until all `total` are found.

    Shapes: `points` (n, 2).
    """
    if kind not in METADATA:
        raise ValueError(f"A figure must be one of {', '.join(METADATA)}, not {kind!r}.")
    curves = {name: np.asarray(curve) for name, curve in points.items()}
    _check(curves, total)
    chosen = _most_found(curves) if highlight is None else _known(list(highlight), curves)
    file = io.BytesIO()
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(SETTINGS)
        figure = _figure(curves, chosen, total, title, note)
        metadata = METADATA[kind] | ({"Title": title} if title else {})
        figure.savefig(file, format=kind, dpi=DPI, bbox_inches="tight", metadata=metadata)
    return file.getvalue()


def _check(curves: Mapping[str, npt.NDArray[Any]], total: int) -> None:
    if not curves:
        raise ValueError("A figure needs at least one strategy.")
    for name, curve in curves.items():
        spent, found = curve[:, 0], curve[:, 1]
        if not ((found >= 0) & (found <= spent)).all():
            raise ValueError(f"Strategy {name!r} must find between 0 and as many documents as judgements are spent.")
        if found.max() > total:
            raise ValueError(f"Strategy {name!r} found {found.max():,} relevant documents, but there are {total:,}.")


def _most_found(curves: Mapping[str, npt.NDArray[Any]]) -> list[str]:
    return sorted(curves, key=lambda name: -curves[name][-1, 1])[: len(SERIES)]


def _known(names: list[str], curves: Mapping[str, npt.NDArray[Any]]) -> list[str]:
    if unknown := [name for name in names if name not in curves]:
        raise ValueError(f"Cannot highlight strategy {unknown[0]!r}; the strategies are {', '.join(curves)}.")
    if len(names) > len(SERIES):
        raise ValueError(f"At most {len(SERIES)} strategies can be highlighted, not {len(names)}.")
    return names


def _figure(curves: Mapping[str, npt.NDArray[Any]], chosen: list[str], total: int, title: str, note: str) -> Figure:
    figure = Figure(figsize=SIZE)
    axes = figure.add_axes((0.11, 0.13, 0.62, 0.78))
    axes.set_title(title)
    axes.set(xlabel="judgements spent", ylabel="relevant documents found")
    figure.text(0.02, 0.01, note, fontsize=8)
    _draw_curves(axes, curves, chosen)
    _draw_ideal(axes, total, max(int(curve[:, 0].max()) for curve in curves.values()))
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1), borderaxespad=0, handlelength=3)
    return figure


def _draw_curves(axes: Axes, curves: Mapping[str, npt.NDArray[Any]], chosen: list[str]) -> None:
    for number, name in enumerate(chosen):
        step = max(len(curves[name]) // MARKERS_PER_CURVE, 1)
        first = number * step // len(SERIES)  # shifted, so that markers of different curves do not overlap
        style = {**SERIES[number], "markevery": (first, step), "zorder": 9 - number}
        axes.plot(*curves[name].T, label=name, linewidth=1.5, markersize=4.5, **style)
    others = [name for name in curves if name not in chosen]
    for number, name in enumerate(others):
        axes.plot(*curves[name].T, label=f"{len(others)} more" if number == 0 else None, **BACKGROUND)


def _draw_ideal(axes: Axes, total: int, spent: int) -> None:
    corner = min(total, spent)
    axes.plot([0, corner, spent], [0, corner, corner], label=f"ideal ({total:,} relevant in all)", **IDEAL)
    axes.set(xlim=(0, max(spent, 1) * 1.02), ylim=(0, max(total, 1) * 1.05))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(nbins=6, integer=True))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))

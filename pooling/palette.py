"""The one palette: the colours of pages, of figures and of grades.

All colours are #rrggbb in lower case. Figures and grades take their colours from this module. Stylesheets cannot import
it, so they repeat the values of `PAGE`, and a test compares them. No other file has a colour of its own.

The module belongs to `pooling` because `agreement` and `assess`, which draw and style as well, may import from it.
"""

from typing import Any, NamedTuple, TypeAlias


class Themed(NamedTuple):
    """A colour of a page, in the light theme and in the dark one."""

    light: str
    dark: str


PAGE: dict[str, Themed] = {  # by the name of the CSS variable
    "paper": Themed("#f8f8f5", "#16181c"),
    "sunk": Themed("#f0f0ec", "#1a1c20"),
    "sheet": Themed("#ffffff", "#1e2126"),
    "ink": Themed("#1d2026", "#e8e6e1"),
    "quiet": Themed("#4f5561", "#a3a8b3"),
    "line": Themed("#dedbd2", "#33373e"),
    "edge": Themed("#8b8d92", "#70757f"),
    "gold": Themed("#8a6410", "#e0b354"),
    "gold-wash": Themed("#f6ecd2", "#372d16"),
    "accent": Themed("#1f4f7a", "#8fc1ec"),
    "accent-wash": Themed("#e6eef6", "#1f2d3b"),
    "on-accent": Themed("#ffffff", "#10202e"),
    "ok": Themed("#22663b", "#7fcf9b"),
    "ok-wash": Themed("#e3f2e7", "#1c2e23"),
    "warn": Themed("#8a4b00", "#f0b36b"),
    "warn-wash": Themed("#fbeedd", "#33281b"),
    # grades and kappas from low to high, and the text on them
    "g0": Themed("#e9e7e1", "#2b2e34"),
    "g1": Themed("#cfdfe9", "#22404f"),
    "g2": Themed("#8fb8d0", "#2f6382"),
    "g3": Themed("#35739b", "#58a0cb"),
    "on-g2": Themed("#0b1a24", "#ffffff"),
    "on-g3": Themed("#ffffff", "#0b1a24"),
    # words found in a document, and the current one of them
    "found": Themed("#e3d7f0", "#43345a"),
    "on-ink": Themed("#ffffff", "#16181c"),
    # the bands of kappa in the reveal of an exercise
    "k0": Themed("#f3efe6", "#24262a"),
    "k1": Themed("#e0eee5", "#1d3229"),
    "k2": Themed("#bfdfcc", "#1e4838"),
    "k3": Themed("#90c8aa", "#25634d"),
    "k4": Themed("#58a883", "#4aa481"),
    "k5": Themed("#1c6547", "#86d8b3"),
    "on-k4": Themed("#0d1a14", "#0b1a14"),
    "on-k5": Themed("#ffffff", "#0b1a14"),
}

# Figures, which are printed on white paper.
WHITE, INK, QUIET, DEEP = (PAGE[name].light for name in ("sheet", "ink", "quiet", "accent"))
FAINT, HAIRLINE, BACKDROP = "#9a9a9a", "#d9d9d6", "#c2c2bf"
PALE, ACCENT = "#a9c4d6", "#b5651d"
_BANDS = {"dubious": "warn-wash", "fair": "sunk", "good": "ok-wash"}
BANDS: dict[str, str] = {band: PAGE[name].light for band, name in _BANDS.items()}  # of kappa, behind its values
# How many percent of DEEP a shade of a heat map has. The middle shades are left out, because neither dark nor white
# numbers are easy to read on them.
_MIXED = {
    "#f2f4f7": 6,
    "#dbe3ea": 16,
    "#c5d1dc": 26,
    "#aec0cf": 36,
    "#98aec2": 46,
    "#4c7295": 80,
    "#356187": 90,
}
SHADES = (*_MIXED, DEEP)  # from pale to dark

Style: TypeAlias = dict[str, Any]  # keyword arguments of a matplotlib artist


def _series(colour: str, linestyle: Any, marker: str, *, filled: bool) -> Style:
    face = colour if filled else "white"
    return {"color": colour, "linestyle": linestyle, "marker": marker, "markerfacecolor": face}


SERIES: tuple[Style, ...] = (  # they differ in dashes and markers as well as in colour
    _series("#0f2a43", "-", "o", filled=True),
    _series("#c46a1c", (0, (6, 2)), "s", filled=False),
    _series("#1f5c3d", (0, (1, 1.2)), "^", filled=True),
    _series("#5c2a6e", (0, (6, 2, 1, 2)), "D", filled=False),
    _series("#5fa3d3", (0, (9, 2)), "v", filled=True),
    _series("#858585", (0, (4, 1.5, 1, 1.5, 1, 1.5)), "X", filled=True),
)

# The colours of systems in tables. The marks have different shapes as well.
SYSTEM_COLOURS: tuple[str, ...] = tuple(style["color"] for style in SERIES)

# What the colours of figures become on a page, which has a dark theme too.
ON_PAGE: dict[str, str] = {
    "white": "var(--sheet)",
    WHITE: "var(--sheet)",
    INK: "var(--ink)",
    QUIET: "var(--quiet)",
    FAINT: "var(--edge)",
    HAIRLINE: "var(--line)",
    DEEP: "var(--accent)",
    ACCENT: "var(--warn)",
    PALE: "var(--g2)",
    **{PAGE[name].light: f"var(--{name})" for name in _BANDS.values()},
    # the darker series
    "#0f2a43": "light-dark(#0f2a43, #c3d9ee)",
    "#c46a1c": "light-dark(#c46a1c, #e8944a)",
    "#1f5c3d": "light-dark(#1f5c3d, #7fcf9b)",
    "#5c2a6e": "light-dark(#5c2a6e, #cfa3e0)",
    **{shade: f"color-mix(in srgb, var(--accent) {share}%, var(--sheet))" for shade, share in _MIXED.items()},
}

# The colours that a researcher can give to a grade.
GRADES: dict[str, str] = {
    "grey": PAGE["quiet"].light,
    "red": "#a02c2c",
    "orange": "#b0561f",
    "yellow": PAGE["gold"].light,
    "green": PAGE["ok"].light,
    "teal": "#0f6a6e",
    "blue": PAGE["g3"].light,
    "violet": "#6a4fa3",
}

"""A figure of rising curves as SVG, without a library for figures: what the command line draws.

The curves that end highest have a line of their own, told apart by colour and by dashes, so that a print without
colours does as well; the others are thin and grey. The same curves make the same bytes.
"""

from collections.abc import Mapping
from xml.sax.saxutils import escape

import numpy as np

LEFT, TOP, WIDTH, HEIGHT, LEGEND = 70, 20, 480, 380, 190  # of the axes, in pixels
LINES = (
    ("#0b5394", ""),
    ("#b45f06", "8 3"),
    ("#38761d", "2 2"),
    ("#741b47", "8 3 2 3"),
    ("#000000", "12 4"),
    ("#7f6000", "4 4"),
)
BEHIND = ("#bbbbb8", "")
TICKS = 5


def curves(points: Mapping[str, np.ndarray], x_label: str, y_label: str) -> str:
    """Curves over a common range, from 0.

    Parameters
    ----------
    points : mapping of str to ndarray, shape (n, 2)
        x and y of each curve, x rising.
    x_label, y_label : str

    Returns
    -------
    str
        The SVG.
    """
    most = np.maximum(1.0, np.max([curve.max(axis=0) for curve in points.values()], axis=0))
    highest = sorted(points, key=lambda name: -points[name][-1, 1])
    styles = dict(zip(highest, LINES, strict=False))
    scale = np.array([WIDTH, -HEIGHT]) / most
    parts = [*_axes(*most), *_labels(x_label, y_label)]
    for name in reversed(highest):  # the highest last, so that it lies on top
        places = points[name] * scale + (LEFT, TOP + HEIGHT)
        parts.append(_line(places, *styles.get(name, BEHIND), 1.8 if name in styles else 0.7))
    parts += [_entry(number, name, *styles[name]) for number, name in enumerate(styles)]
    if len(highest) > len(styles):
        parts.append(_entry(len(styles), f"{len(highest) - len(styles)} more", *BEHIND))
    size = f'width="{LEFT + WIDTH + LEGEND}" height="{TOP + HEIGHT + 60}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>"]) + "\n"


def _axes(most_x: float, most_y: float) -> list[str]:
    below = TOP + HEIGHT
    parts = [f'<path d="M{LEFT} {TOP}V{below}H{LEFT + WIDTH}" fill="none" stroke="black"/>']
    for value in _ticks(most_x):
        x = LEFT + value / most_x * WIDTH
        parts += [f'<path d="M{x:.1f} {below}v5" stroke="black"/>', _text(x, below + 18, f"{value:,}", "middle")]
    for value in _ticks(most_y):
        y = below - value / most_y * HEIGHT
        parts += [f'<path d="M{LEFT} {y:.1f}h-5" stroke="black"/>', _text(LEFT - 8, y + 4, f"{value:,}", "end")]
    return parts


def _ticks(most: float) -> list[int]:
    """Whole numbers from 0 to `most`, 1, 2 or 5 times a power of ten apart."""
    steps = (digit * 10**power for power in range(18) for digit in (1, 2, 5))
    step = next(step for step in steps if step * TICKS >= most)
    return list(range(0, int(most) + 1, step))


def _labels(x_label: str, y_label: str) -> list[str]:
    middle = TOP + HEIGHT / 2
    turned = f'<g transform="rotate(-90 16 {middle:.1f})">{_text(16, middle, y_label, "middle")}</g>'
    return [_text(LEFT + WIDTH / 2, TOP + HEIGHT + 42, x_label, "middle"), turned]


def _line(places: np.ndarray, colour: str, dashes: str, width: float) -> str:
    drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    stroke = f'stroke="{colour}" stroke-width="{width}" stroke-dasharray="{dashes}"'
    return f'<polyline points="{drawn}" fill="none" {stroke}/>'


def _entry(number: int, name: str, colour: str, dashes: str) -> str:
    x, y = LEFT + WIDTH + 15, TOP + 10 + 20 * number
    return _line(np.array([[x, y], [x + 36, y]]), colour, dashes, 1.8) + _text(x + 44, y + 4, name, "start")


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'

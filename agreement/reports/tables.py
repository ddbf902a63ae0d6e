r"""Tables and the text around them: plain, Markdown or LaTeX; columns of figures are set flush right.

LaTeX tables are plain `tabular` with `\hline`, and need no package. Every character that LaTeX takes for itself is
escaped, and a minus is set as one.
"""

import pandas as pd

NARROWEST = 2  # a rule of Markdown needs a dash and a colon
STYLES = ("plain", "markdown", "latex")

LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # at the start of a row it would be an argument of the row before
    "\n": " ",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


def render(frame: pd.DataFrame, style: str = "plain") -> str:
    """A table as text, without a line end at the end.

    Parameters
    ----------
    frame : DataFrame
        Cells are shown by `str`, NA as nothing; the index is left out.
    style : {"plain", "markdown", "latex"}

    Raises
    ------
    ValueError
        An unknown style.
    """
    _check_style(style)
    columns = [[str(name), *map(_cell, frame[name])] for name in frame]
    right = [all(cell[:1] in "0123456789-" for cell in column[1:]) for column in columns]
    if style == "latex":
        return _tabular(columns, right)
    if style == "markdown":
        columns = [[cell.replace("|", r"\|").replace("\n", " ") for cell in column] for column in columns]
    narrowest = NARROWEST if style == "markdown" else 1
    widths = [max(narrowest, *map(len, column)) for column in columns]
    padded = [_padded(*column) for column in zip(columns, widths, right, strict=True)]
    header, *rows = zip(*padded, strict=True)
    if style == "plain":
        rule = ["-" * width for width in widths]
        return "\n".join("  ".join(cells).rstrip() for cells in [header, rule, *rows])
    rule = ["-" * (width - 1) + (":" if flush else "-") for width, flush in zip(widths, right, strict=True)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [header, rule, *rows])


def heading(text: str, style: str) -> str:
    """A heading in one of the styles."""
    _check_style(style)
    if style == "latex":
        return rf"\paragraph{{{latex(text)}}}"
    return f"## {text}" if style == "markdown" else text


def prose(text: str, style: str) -> str:
    """Running text in one of the styles; its lines stay lines."""
    _check_style(style)
    return "\n".join(map(latex, text.split("\n"))) if style == "latex" else text


def latex(text: str) -> str:
    """Text with everything escaped that LaTeX takes for itself."""
    return "".join(LATEX.get(character, character) for character in text)


def _tabular(columns: list[list[str]], right: list[bool]) -> str:
    sides = ["r" if flush else "l" for flush in right]
    set_as = {"r": _figure, "l": latex}
    escaped = [[set_as[side](cell) for cell in column] for column, side in zip(columns, sides, strict=True)]
    header, *rows = (rf"{' & '.join(cells)} \\" for cells in zip(*escaped, strict=True))
    alignment = "".join(sides)
    body = [rf"\begin{{tabular}}{{{alignment}}}", r"\hline", header, r"\hline", *rows, r"\hline", r"\end{tabular}"]
    return "\n".join(body)


def _figure(cell: str) -> str:
    minus = cell.startswith("-") and cell[1:2].isdigit()
    return f"$-${latex(cell[1:])}" if minus else latex(cell)


def _check_style(style: str) -> None:
    if style not in STYLES:
        raise ValueError(f"style is one of {', '.join(STYLES)}; got {style!r}")


def _cell(value) -> str:
    return "" if pd.isna(value) else str(value)


def _padded(cells: list[str], width: int, right: bool) -> list[str]:
    return [cell.rjust(width) if right else cell.ljust(width) for cell in cells]

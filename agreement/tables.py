"""Tables as text, plain or Markdown; columns of figures are set flush right."""

import pandas as pd

STYLES = ("plain", "markdown")


def render(frame: pd.DataFrame, style: str = "plain") -> str:
    """A table as text, without a line end at the end.

    Parameters
    ----------
    frame : DataFrame
        Cells are shown by `str`, NA as nothing; the index is left out.
    style : {"plain", "markdown"}

    Raises
    ------
    ValueError
        An unknown style.
    """
    _check_style(style)
    columns = [[str(name), *map(_cell, frame[name])] for name in frame]
    if style == "markdown":
        columns = [[cell.replace("|", r"\|") for cell in column] for column in columns]
    right = [all(cell[:1] in "0123456789-" for cell in column[1:]) for column in columns]
    widths = [max(map(len, column)) for column in columns]
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
    return f"## {text}" if style == "markdown" else text


def _check_style(style: str) -> None:
    if style not in STYLES:
        raise ValueError(f"style is one of {', '.join(STYLES)}; got {style!r}")


def _cell(value) -> str:
    return "" if pd.isna(value) else str(value)


def _padded(cells: list[str], width: int, right: bool) -> list[str]:
    return [cell.rjust(width) if right else cell.ljust(width) for cell in cells]

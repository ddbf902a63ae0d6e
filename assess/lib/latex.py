"""Tables of pages as LaTeX, for papers."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

NOT_IN_LABELS = re.compile(r"[^a-zA-Z0-9:.-]+")


def latex_table(frame: "pd.DataFrame", caption: str, label: str) -> str:
    r"""Return a table as a LaTeX float that needs no package.

    Fractions are rounded to three decimals, NA is an empty cell, and underscores in column names become spaces. The
    special characters of the cells and the caption are escaped. Characters that LaTeX does not allow in `label` become
    hyphens; the label of a table is usually `tab:...`.
    """
    from pooling.text_tables import latex, render, rounded  # loads pandas

    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{latex(caption)}}}",
        rf"\label{{{NOT_IN_LABELS.sub('-', label)}}}",
        render(rounded(frame), "latex"),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"

"""Any result as a report: text (plain, Markdown, LaTeX), CSV tables, JSON.

A result has `summary()`, the sentence that answers its question, and `tables()`, each table by name, not rounded:
`RankingShift`, `MixedGolds`, `WhySwapped`, `Leverage`. Text is rounded to three digits and shows the first rows of long
tables; CSV and JSON are not rounded and contain all rows.
"""

import json
from typing import Any, Protocol

import pandas as pd

from agreement.thresholds import Thresholds
from pooling.text_tables import csv_table, heading, prose, render, rounded

ROWS = 25
TITLES = {  # of the tables whose name is no title
    "taus": "Tau_b of the mixed rankings with each reference",
    "top_changes": "How often each system is best",
    "orders": "How often one system is above another",
}
LABELS = {  # of the columns whose name is no label
    "q2_5": "2.5%",
    "q25": "25%",
    "q50": "median",
    "q75": "75%",
    "q97_5": "97.5%",
    "least": "minimum",
    "greatest": "maximum",
    "n_topics": "topics",
    "n_defined": "defined",
    "n_undefined": "undefined",
}


class Result(Protocol):
    """A result that can be reported."""

    def summary(self) -> str:
        """The sentence that answers the question."""

    def tables(self) -> dict[str, pd.DataFrame]:
        """Each table by name, not rounded."""


def result_text(result: Result, style: str = "plain", rows: int | None = ROWS) -> str:
    """The summary and the tables of a result as text.

    Parameters
    ----------
    result : RankingShift, MixedGolds, WhySwapped, Leverage or other
        An object with the methods `summary()` and `tables()`.
    style : {"plain", "markdown", "latex"}, optional
        The format of the text.
    rows : int or None, optional
        The largest number of rows of a table; a line below states how many there are. None shows all.

    Returns
    -------
    str
        Values are rounded to three digits.

    Raises
    ------
    ValueError
        The style is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import result_text
    >>> class Scores:
    ...     def summary(self): return "bm25 is best."
    ...     def tables(self): return {"scores": pd.DataFrame({"system": ["bm25", "lsa"], "AP": [0.31234, 0.25]})}
    >>> print(result_text(Scores()))
    bm25 is best.
    <BLANKLINE>
    Scores
    <BLANKLINE>
    system     AP
    ------  -----
    bm25    0.312
    lsa     0.250
    <BLANKLINE>
    """
    refuse_other_results(result)
    parts = [prose(result.summary(), style)]
    if isinstance(thresholds := getattr(result, "thresholds", None), Thresholds):
        parts.append(prose(f"{thresholds.tag().capitalize()}.", style))
    for name, table in result.tables().items():
        title, shown = TITLES.get(name, name.replace("_", " ").capitalize()), table[:rows].rename(columns=LABELS)
        parts += [heading(title, style), render(rounded(shown), style)]
        if rows is not None and len(table) > rows:
            parts.append(prose(f"The first {rows} of {len(table)} rows.", style))
    return "\n\n".join(parts) + "\n"


def result_csv(result: Result) -> dict[str, str]:
    """The tables of a result as CSV.

    Parameters
    ----------
    result : RankingShift, MixedGolds, WhySwapped, Leverage or other
        An object with the methods `summary()` and `tables()`.

    Returns
    -------
    dict of str to str
        The CSV text of each table by its name. Values are not rounded; undefined values are empty.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import result_csv
    >>> class Scores:
    ...     def summary(self): return "bm25 is best."
    ...     def tables(self): return {"scores": pd.DataFrame({"system": ["bm25"], "AP": [0.31234]})}
    >>> result_csv(Scores())["scores"].splitlines()
    ['system,AP', 'bm25,0.31234']
    """
    refuse_other_results(result)
    return {name: csv_table(table) for name, table in result.tables().items()}


def result_json(result: Result) -> str:
    """The summary and the tables of a result as JSON.

    Parameters
    ----------
    result : RankingShift, MixedGolds, WhySwapped, Leverage or other
        An object with the methods `summary()` and `tables()`.

    Returns
    -------
    str
        An object with the key "summary" and a list of rows for each table. Values are not rounded; undefined values are
        null.

    Examples
    --------
    >>> import json
    >>> import pandas as pd
    >>> from agreement import result_json
    >>> class Scores:
    ...     def summary(self): return "bm25 is best."
    ...     def tables(self): return {"scores": pd.DataFrame({"system": ["bm25"], "AP": [0.31234]})}
    >>> json.loads(result_json(Scores()))
    {'summary': 'bm25 is best.', 'scores': [{'system': 'bm25', 'AP': 0.31234}]}
    """
    refuse_other_results(result)
    tables = {name: records(table) for name, table in result.tables().items()}
    return json.dumps({"summary": result.summary(), **tables}, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table as JSON values; None for NA."""
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [{str(name): value for name, value in row.items()} for row in rows]


def refuse_other_results(result: object) -> None:
    """Raise TypeError unless a result has a summary and tables."""
    if not all(callable(getattr(result, name, None)) for name in ("summary", "tables")):
        kind = "None" if result is None else type(result).__name__
        raise TypeError(f"A report needs a result with summary() and tables(), such as a RankingShift, not {kind}.")

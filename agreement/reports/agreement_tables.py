"""The tables of an agreement report as text: pairs of judges, coefficients, and relevant sets.

A number that is the same in all rows of a table of pairs, such as n, is in the sentence above it and not in the table.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from agreement.coefficients.overall import KAPPAS
from agreement.estimate import ALPHA, Estimate, format_value
from agreement.reasons import REASONS
from agreement.reports.agreement_csv import WEIGHTED, other_judge
from agreement.reports.page_width import PageWidth
from pooling.text_tables import prose, render
from pooling.words import count

INTERVAL = "95%"
VIEWS = ("overlap", "positive_agreement", "negative_agreement")
LIMITS = ("value", "low", "high")
COMBINED = ("one table over all topics", "mean over topics")
ITEMS = " of items with "  # of the conventions that say from which items chance is computed


@dataclass(frozen=True)
class Tables:
    """How the tables of a report are written.

    Attributes
    ----------
    style : {"plain", "markdown", "latex"}
        The format.
    page : PageWidth
        The width of the terminal, if any.
    reference : str or None
        The judge with whom the others are compared.
    weights : str or None
        The weights of weighted kappa, if it has a column.
    """

    style: str
    page: PageWidth
    reference: str | None = None
    weights: str | None = None

    def text(self, text: str) -> str:
        """A paragraph."""
        return prose(self.page.wrapped(text), self.style)

    def fitted(self, cells: pd.DataFrame, limits: pd.DataFrame, after: str) -> str:
        """A table, and the sentence about columns for which the terminal has no room."""
        cells, note = self.page.fitted(cells, limits, after)
        return "\n\n".join(filter(None, (render(cells, self.style), note)))

    def pairs(self, rows: pd.DataFrame) -> str:
        """The pairs with documents in common, what is the same for all of them, and the number of the other pairs."""
        joint = rows[rows["n"] > 0]
        cells = self._names(joint)
        used = KAPPAS[0]  # both kappas have a value in the same topics
        same = len(joint) > 1 and joint[f"{used}_n"].nunique() == 1 and joint[f"{used}_n_topics"].nunique() == 1
        parts = [self.text(_in_common(joint, used))] if same else []
        if not same:
            cells["n"], cells["topics"] = joint[f"{used}_n"], joint[f"{used}_n_topics"]
        if joint[f"{used}_left_out"].any():
            cells["topics left out"] = [_left_out(number) for number in joint[f"{used}_left_out"]]
        cells["P(A)"] = ["" if pd.isna(value) else f"{value:.3f}" for value in joint[f"{used}_observed"]]
        after = self._coefficients(joint, cells)
        if len(joint):
            parts.append(self.fitted(cells, _limits_of(joint, used), after))
        parts += map(self.text, warnings_sentence(pair_warnings(joint), "pairs"))
        without = len(rows) - len(joint)
        pairs = "pair of judges has" if without == 1 else "pairs of judges have"
        parts += [self.text(f"{without} {pairs} no item in common.")] if without else []
        return "\n\n".join(parts) or "There is no pair of judges."

    def _names(self, rows: pd.DataFrame) -> pd.DataFrame:
        if self.reference is not None:
            return pd.DataFrame({"judge": other_judge(rows, self.reference)})
        return pd.DataFrame({"judges": rows["assessor_a"] + " and " + rows["assessor_b"]})

    def _coefficients(self, rows: pd.DataFrame, cells: pd.DataFrame) -> str:
        """Add the columns of the coefficients; the column that a drawing follows."""
        first, *others = KAPPAS
        cells["pooled"] = _values(rows, first)
        after = "pooled"
        if f"{first}_low" in rows and rows[f"{first}_low"].notna().any():
            limits = rows[[f"{first}_low", f"{first}_high"]].itertuples(index=False)
            cells[INTERVAL] = [limits_text(low, high) for low, high in limits]
            after = INTERVAL
        names = dict(zip(others, ["cohen"], strict=True)) | {WEIGHTED: str(self.weights), ALPHA: "alpha"}
        for name, title in names.items():
            if name in rows:
                cells[title] = _values(rows, name)
        cells["band"] = rows[f"{first}_band"]
        return after

    def legend(self, rows: pd.DataFrame) -> str:
        """The sentence that says what the columns of the coefficients are."""
        weighted = f", and with {self.weights} weights ({self.weights})" if WEIGHTED in rows else ""
        kappas = f"Kappa: pooled{' with its interval' if f'{KAPPAS[0]}_low' in rows else ''}, Cohen's unpooled (cohen)"
        alpha = " Alpha: Krippendorff's, ordinal." if ALPHA in rows else ""
        return f"{kappas}{weighted}.{alpha} The band is that of pooled kappa."

    def coefficients(self, named: Sequence[tuple[str, Estimate]]) -> str:
        """Each coefficient of the same judges, one row for each."""
        rows = [
            {
                "coefficient": name,
                "value": estimate.shown(),
                INTERVAL: limits_text(estimate.low, estimate.high),
                "band": estimate.band or "",
                "n": estimate.n,
                "convention": self._convention(estimate),
            }
            for name, estimate in named
        ]
        cells = pd.DataFrame(rows)
        cells = cells.drop(columns=[name for name in (INTERVAL, "band") if not cells[name].any()])
        limits = pd.DataFrame([(one.value, one.low, one.high) for _, one in named], columns=list(LIMITS))
        after = INTERVAL if INTERVAL in cells else "value"
        return self.fitted(cells, limits, after)

    def _convention(self, estimate: Estimate) -> str:
        """What the coefficient assumes, without how topics are combined, which the heading says.

        In a terminal it does not say from which items chance is computed.
        """
        parts = estimate.convention.split(";")[0].split(", ")
        shorter = self.page.columns is not None
        return ", ".join(part for part in parts if part not in COMBINED and not (shorter and ITEMS in part))

    def relevant_sets(self, rows: pd.DataFrame) -> str:
        """The relevant sets of pairs with documents in common."""
        cells = pd.DataFrame({"judges": rows["assessor_a"] + " and " + rows["assessor_b"], "n": rows["n"]})
        cells["relevant to first"], cells["to second"] = rows["both"] + rows["only_a"], rows["both"] + rows["only_b"]
        cells["to both"] = rows["both"]
        for name in VIEWS:
            cells[name.replace("_agreement", "")] = _values(rows, name)
        return self.fitted(cells, pd.DataFrame(columns=list(LIMITS)), "")


def methods_of(rows: pd.DataFrame) -> list[str]:
    """How the intervals of a table were computed."""
    return _distinct(rows, "method")


def pair_warnings(rows: pd.DataFrame) -> list[str]:
    """The reasons for caution about the pairs of a table, each once."""
    return sorted({warning for text in _distinct(rows, "warnings") for warning in text.split("; ")})


def _distinct(rows: pd.DataFrame, column: str) -> list[str]:
    names = [f"{name}_{column}" for name in KAPPAS if f"{name}_{column}" in rows]
    return sorted({text for name in names for text in rows[name].dropna() if text})


def warnings_sentence(warnings: Iterable[str], what: str) -> list[str]:
    """The sentence about some pairs or coefficients; none without a warning."""
    listed = "; ".join(dict.fromkeys(text.removesuffix(".") for text in warnings))
    return [f"Warnings for some {what}: {listed}."] if listed else []


def limits_text(low: float | None, high: float | None) -> str:
    """An interval, or an empty text."""
    return "" if low is None or pd.isna(low) else f"{format_value(low)} to {format_value(high)}"


def _in_common(rows: pd.DataFrame, used: str) -> str:
    row = rows.iloc[0]
    topics, documents = count(int(row[f"{used}_n_topics"]), "topic"), count(int(row[f"{used}_n"]), "document")
    return f"Each pair has {documents} of {topics} in common."


def _limits_of(rows: pd.DataFrame, name: str) -> pd.DataFrame:
    columns = [rows[name], rows.get(f"{name}_low"), rows.get(f"{name}_high")]
    missing = pd.Series([None] * len(rows), index=rows.index, dtype=object)
    named = zip(LIMITS, columns, strict=True)
    return pd.DataFrame({name: missing if column is None else column for name, column in named})


def _left_out(number: int) -> str:
    """How many topics have no value, and why: only one category leaves topics with common items without a kappa."""
    return f"{number} ({REASONS['one_category']})" if number else "0"


def _values(rows: pd.DataFrame, name: str) -> list[str]:
    """A column of rounded values, or "undefined (...)" with the reason."""
    pairs: Iterable[tuple[float, object]] = zip(rows[name], rows[f"{name}_reason"], strict=True)
    return [format_value(None, reason) if isinstance(reason, str) else format_value(value) for value, reason in pairs]

"""Do the grades of a model judge depend on the wording? The same pairs, asked with variants of one prompt.

The first variant is the reference, with which each other one is compared like answers before and after a change
(`agreement.trust.drift`): the share of changed grades, their mean difference, and, with repeats, the share beyond what
repeats alone change. All variants together are compared like repeats (`agreement.trust.repeats`).

The scale in the other order and paraphrases ask for the same (`pooling.models.prompt_variants`), so that each change of
a grade is one of the judge. How far the grades move is a lower limit of what another wording can do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from agreement.effectiveness.measure import MeasureLike
from agreement.effectiveness.ranked_runs import Runs
from agreement.ratings import first_judgements
from agreement.trust.drift import BEYOND, Drift, drift
from agreement.trust.repeats import PAIR, RepeatAgreement, agreement_of_askings, checked_repeats
from pooling.inputs import Input, as_gold
from pooling.result import Result
from pooling.text_tables import rounded
from pooling.words import count

FIGURES = {"changed": "changed", "difference": "difference", BEYOND: "beyond_repeats"}


@dataclass(frozen=True, eq=False, repr=False)
class Robustness(Result):
    """How far grades move between variants of a prompt; returned by `robustness`.

    Attributes
    ----------
    frame : DataFrame
        One row for each variant but the reference: variant, n (pairs with a grade from both), n_topics; changed,
        difference and beyond_repeats, each with _low and _high (NA if there is none); tau_b and swapped, of the ranking
        against that of the reference (NA without runs); and without (pairs with a grade from one of the two only).
    agreement : RepeatAgreement
        The agreement of all variants, each as one asking.
    drifts : dict of str to Drift
        The comparison of each variant with the reference.
    reference : str
    """

    frame: pd.DataFrame
    agreement: RepeatAgreement
    drifts: dict[str, Drift]
    reference: str

    def to_frame(self) -> pd.DataFrame:
        """Return `frame`."""
        return self.frame

    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables by name; `pairs` has the pairs whose grades lie farthest apart first."""
        return {
            "variants": self.frame,
            **{name: self.agreement.tables()[name] for name in ("by_grade", "spreads", "pairs")},
        }

    def summary(self) -> str:
        """Which variant moves most grades, whether repeats explain it, and how far all variants agree."""
        known = self.frame[self.frame["changed"].notna()]
        if known.empty:
            return f"No variant has a grade for a pair that {self.reference} graded."
        worst = known.sort_values("changed", ascending=False, kind="stable").iloc[0]
        return (
            f"Of {count(len(self.frame), 'variant')}, {worst['variant']!r} moves most grades of {self.reference!r}:"
            f" {worst['changed']:.1%} of {int(worst['n']):,}, by {worst['difference']:+.2f} on average."
            f"{self._beyond(known)}{self._ranking()} Two variants give a pair the same grade in"
            f" {self.agreement.identical:.1%} of cases (alpha {self.agreement.alpha.shown()})."
        )

    def _beyond(self, known: pd.DataFrame) -> str:
        tested = known[known["beyond_repeats_low"].notna()]
        if tested.empty:
            return " How many grades repeats alone would change is not known."
        beyond = tested.loc[tested["beyond_repeats_low"] > 0, "variant"]
        if beyond.empty:
            return " Repeats alone may explain the changes."
        return f" More than repeats alone change: {', '.join(map(repr, beyond))}."

    def _ranking(self) -> str:
        shifts = [found.shift for found in self.drifts.values() if found.shift]
        enough = [shift.pairs[0].tau_b.value for shift in shifts if not shift.preliminary]
        taus = [tau for tau in enough if tau is not None]
        if taus:
            return f" tau_b of the rankings is {min(taus):.3f} or higher."
        return " It is too early to say what this does to the ranking." if shifts else ""

    def _sentence(self) -> str:
        return self.summary()

    def _paper_table(self) -> pd.DataFrame:
        columns = ["variant", "n", "changed", "changed_low", "changed_high", "difference", "beyond_repeats", "tau_b"]
        return rounded(self.frame[columns])


def robustness(
    answers_by_variant: Mapping[str, Input],
    scale: Sequence[float],
    *,
    repeats: Input | RepeatAgreement | None = None,
    runs: Runs | None = None,
    measure: MeasureLike = "nDCG@10",
    confidence: float = 0.95,
) -> Robustness:
    """Measure how far the grades of a model judge move between variants of a prompt.

    Parameters
    ----------
    answers_by_variant : mapping of str to table, path or dictionary
        The grades by the name of the variant: query_id, doc_id and relevance; -1, NaN or None means "cannot judge". The
        first variant is the reference. Of answers with a column repeat, those with repeat 0 are compared.
    scale : sequence of float
        The grades, lowest first.
    repeats : table or RepeatAgreement, optional
        Answers to some of the pairs, asked several times with the prompt of the reference (query_id, doc_id, repeat,
        relevance), or the result of `repeat_agreement`.
    runs : runs, optional
        The runs of the systems, to compare their rankings.
    measure : str or measure, optional
        The measure that ranks the systems.
    confidence : float, optional
        Level of the intervals, between 0 and 1.

    Returns
    -------
    Robustness

    Raises
    ------
    ValueError
        There are fewer than two variants, a column is missing, a grade is not on the scale or no number, a variant has
        two grades for a pair or no pair in common with the reference, or an option is out of range.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.trust import robustness
    >>> pairs = pd.DataFrame([(f"{q}", f"d{d}") for q in range(4) for d in range(5)], columns=["query_id", "doc_id"])
    >>> grades = {"direct": [0, 1, 2, 0, 1], "direct, scale reversed": [0, 1, 2, 1, 2]}
    >>> found = robustness({name: pairs.assign(relevance=five * 4) for name, five in grades.items()}, (0, 1, 2))
    >>> found.frame[["variant", "n", "changed", "difference"]]
                      variant   n  changed  difference
    0  direct, scale reversed  20      0.4         0.4
    """
    if len(answers_by_variant) < 2:
        raise ValueError(f"Robustness needs the answers to two variants or more, not {len(answers_by_variant)}.")
    reference, *others = answers_by_variant
    tables = {name: as_gold(answers) for name, answers in answers_by_variant.items()}
    known = None if repeats is None else checked_repeats(repeats, scale, confidence)
    options: dict[str, Any] = {"repeats": known, "runs": runs, "measure": measure, "confidence": confidence}
    drifts = {name: _compared(tables, reference, name, scale, options) for name in others}
    askings = pd.concat(
        [first_judgements(table.assign(assessor=name)) for name, table in tables.items()], ignore_index=True
    )
    agreement = agreement_of_askings(askings[["assessor", *PAIR, "relevance"]], scale, confidence)
    return Robustness(_typed([_row(name, found) for name, found in drifts.items()]), agreement, drifts, reference)


def _compared(
    tables: Mapping[str, pd.DataFrame], reference: str, variant: str, scale: Sequence[float], options: dict[str, Any]
) -> Drift:
    """Compare a variant with the reference; an error names both variants."""
    try:
        return drift(tables[reference], tables[variant], scale, **options)
    except ValueError as error:
        raise ValueError(f"{reference!r} (before) and {variant!r} (after): {error}") from None


def _row(variant: str, found: Drift) -> dict[str, Any]:
    figures = found.frame.set_index("figure")
    row: dict[str, Any] = {"variant": variant, "n": figures["n"].iloc[0], "n_topics": figures["n_topics"].iloc[0]}
    for figure, name in FIGURES.items():
        values: Mapping[Any, Any] = dict(figures.loc[figure]) if figure in figures.index else {}
        row |= {name: values.get("value"), f"{name}_low": values.get("low"), f"{name}_high": values.get("high")}
    pair = found.shift.pairs[0] if found.shift else None
    row |= {"tau_b": pair.tau_b.value if pair else None, "swapped": pair.swapped if pair else None}
    return row | {"without": found.n_without["before"] + found.n_without["after"]}


def _typed(rows: list[dict[str, Any]]) -> pd.DataFrame:
    floats = [f"{name}{end}" for name in FIGURES.values() for end in ("", "_low", "_high")] + ["tau_b"]
    return pd.DataFrame(rows).astype(dict.fromkeys(floats, "Float64") | {"swapped": "Int64"})

"""The headline of mixed golds: does it matter which judge is the gold?

"Slightly", "moderately" and "substantially" depend on the tau_b with the ranking by mean scores that 39 of 40 mixed
golds reach (its 2.5 % quantile). The limits are those of `agreement.shift.summary`: 0.9 and 0.8.

Without enough data (`agreement.shift.thresholds`) the headline is "too early to say", with what there is and what is
needed, and the figures follow in a second line.
"""

from typing import TYPE_CHECKING

import pandas as pd

from agreement.estimate import REASONS
from agreement.rank_correlation import TIE
from agreement.shift.summary import size_of_change
from agreement.shift.thresholds import TOP
from pooling.words import count, percent

if TYPE_CHECKING:
    from agreement.mixing.result import MixedGolds

# A pair of systems swaps often if either one is ahead under at least this share of the golds.
OFTEN = 0.05


def mixing_summary(mixed: "MixedGolds", digits: int = 3) -> str:
    """Return the headline of `MixedGolds`, computed from its figures; tau_b has `digits` decimals."""
    if mixed.combinations == 1:
        return f"Cannot be determined: {_single_gold(mixed)}, so there is only one gold and nothing to mix."
    against_mean = mixed.taus.iloc[0]
    if not against_mean["n_defined"]:
        return f"Cannot be determined: tau_b is undefined ({REASONS[against_mean['reason']]})."
    answer = f"{_answer(mixed, against_mean)} " if mixed.enough else f"{_too_early(mixed)}\n"
    return f"{answer}Over {_basis(mixed)}, {_tau(against_mean, digits)}, {_pairs(mixed)}, and {_top(mixed)}."


def _single_gold(mixed: "MixedGolds") -> str:
    if len(mixed.judges) == 1:
        return f"{mixed.judges[0]} is the only judge"
    return "every topic has one judge"


def _too_early(mixed: "MixedGolds") -> str:
    thresholds, share = mixed.thresholds, mixed.judged_share
    least = percent(thresholds.min_judged)
    topics = f"{mixed.n_shared_topics or 'none'} of {count(mixed.n_topics, 'topic')}"
    has = "has" if mixed.n_shared_topics < 2 else "have"
    each = "" if share is None else f" who each judged {least} of the first {TOP} documents"
    average = "" if share is None else f", and a mixed gold judges {thresholds.shown(share)} of them on average"
    needed = f"at least {count(thresholds.min_topics, 'such topic')}" + ("" if share is None else f" and {least}")
    return f"Too early to say: {topics} {has} two judges{each}{average}. An answer needs {needed}."


def _answer(mixed: "MixedGolds", against_mean: pd.Series) -> str:
    if _top_stays(mixed) and against_mean["least"] > 1 - TIE and not against_mean["n_undefined"]:
        return "No."
    return f"Yes, {size_of_change(against_mean['q2_5'])}."


def _top_stays(mixed: "MixedGolds") -> bool:
    return bool((mixed.top_changes["at_top"] == mixed.draws).all())


def _basis(mixed: "MixedGolds") -> str:
    golds = count(mixed.draws, "mixed gold")
    seed = "" if mixed.exhaustive else f", seed {mixed.seed}"
    judges = f"{len(mixed.judges)} judges, {count(mixed.n_topics, 'topic')}, {mixed.measure}{seed}"
    return f"{'all ' if mixed.exhaustive else ''}{golds} ({judges})"


def _tau(against_mean: pd.Series, digits: int) -> str:
    median, low = (f"{against_mean[name]:z.{digits}f}" for name in ("q50", "q2_5"))
    text = f"tau_b with the ranking by mean scores has a median of {median} and is {low} or more under 97.5% of golds"
    undefined = against_mean["n_undefined"]
    return f"{text} (undefined under {undefined:,}: {REASONS[against_mean['reason']]})" if undefined else text


def _pairs(mixed: "MixedGolds") -> str:
    number = len(mixed.unsettled(OFTEN))
    pairs = f"{number:,} of {count(len(mixed.orders), 'system pair')}" if number else "no system pair"
    return f"{pairs} {'swap' if number > 1 else 'swaps'} under at least 5% of golds"


def _top(mixed: "MixedGolds") -> str:
    first, others = mixed.top_changes.iloc[0], len(mixed.top_changes) - 1
    if _top_stays(mixed):
        return f"the best system is always {f'a tie of {others + 1} systems' if others else first['system']}"
    return f"the best system is {first['system']} under {first['share']:.0%} of golds (other best systems: {others})"

"""The headline of `why_swapped`: do the two systems swap, and which topics and documents cause it?

Without enough data (`agreement.shift.thresholds`) the headline is "too early to say", with what there is and what is
needed, and the figures follow in a second line.
"""

from typing import TYPE_CHECKING

import pandas as pd

from agreement.rank_correlation import TIE
from agreement.ratings import MISSING
from agreement.shift.thresholds import TOP, lower_share
from pooling.words import count

if TYPE_CHECKING:
    from agreement.attribution.why_swapped import WhySwapped

# The headline names as few topics as make this share of the change.
MAIN_SHARE = 0.8


def swap_summary(why: "WhySwapped") -> str:
    """Return the headline of a `WhySwapped`, computed from its figures."""
    first, second = why.golds
    differences, change = why.differences, why.change
    if differences is None or change is None:
        return f"Cannot be determined: {first} and {second} have no topic in common."
    a, b = why.systems
    before, after = (-difference if why.lower_is_better else difference for difference in differences)
    answer = f"Yes, {a} and {b} swap. " if why.swapped else f"No, {a} and {b} do not swap. "
    basis = f"{why.measure}, {count(why.n_topics, 'topic')}"
    leads = f"{a} {_lead(before)} under {first} and {_lead(after)} under {second} ({basis})"
    return f"{answer if why.enough else _too_early(why)}{leads}. {_cause(why, change)}."


def _too_early(why: "WhySwapped") -> str:
    share = why.thresholds.shown(lower_share(*why.judged_shares))
    data = f"{count(why.n_topics, 'topic')} in common, and {share} of the first {TOP} documents of the systems judged"
    return f"Too early to say: the two golds have {data}. {why.thresholds.needed()}\n"


def _lead(difference: float) -> str:
    if abs(difference) < TIE:
        return "is tied"
    return f"{'leads' if difference > 0 else 'trails'} by {abs(difference):.3f}"


def _cause(why: "WhySwapped", change: float) -> str:
    if abs(change) < TIE:
        return "Their difference does not change"
    main, n_topics = why.main_topics, count(why.n_topics, "topic")
    part = why.topics.set_index("query_id")["contribution"][main[0]]
    verb = "accounts" if len(main) == 1 else "account"
    share = f"{len(main)} of {n_topics} {verb} for at least {MAIN_SHARE:.0%} of the change"
    return f"{share}, topic {main[0]} for most ({part:+.3f} of {change:+.3f}{_document(why, main[0], change)})"


def _document(why: "WhySwapped", query_id: str, change: float) -> str:
    """Name the document that adds most to a topic's change, in the direction of the whole change."""
    rows = why.documents[why.documents["query_id"] == query_id]
    aligned = rows["contribution"] * (1 if change > 0 else -1)
    if not (aligned > 0).any():
        return ""
    row = rows.iloc[int(aligned.to_numpy().argmax())]
    return f", most of it by document {row['doc_id']}, {_grade(row['grade_1'])} to {_grade(row['grade_2'])}"


def _grade(grade: float | None) -> str:
    return "unjudged" if pd.isna(grade) or grade == MISSING else f"{grade:g}"

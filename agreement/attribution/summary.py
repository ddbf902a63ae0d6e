"""The sentence that answers: do the two systems change places, and which topics made it?"""

import pandas as pd

from agreement.rank_correlation import TIE
from agreement.ratings import MISSING

MAIN_SHARE = 0.8


def swap_sentence(why) -> str:
    """One sentence about a `WhySwapped`, computed from its figures."""
    first, second = why.golds
    if not why.n_topics:
        return f"Not to be said: {first} and {second} have no topic in common."
    a, b = why.systems
    before, after = (-difference if why.lower_is_better else difference for difference in why.differences)
    answer = "change places" if why.swapped else "do not change places"
    basis = f"{why.measure}, {_count(why.n_topics, 'topic')}"
    return (
        f"{a} and {b} {answer}: {a} {_stands(before)} under {first} and {_stands(after)} under {second} ({basis}); "
        f"{_made_by(why)}."
    )


def _stands(difference: float) -> str:
    if abs(difference) < TIE:
        return "is tied"
    return f"{'leads' if difference > 0 else 'trails'} by {abs(difference):.2g}"


def _made_by(why) -> str:
    if abs(why.change) < TIE:
        return "the difference between them stays the same"
    main, n_topics = why.main_topics, _count(why.n_topics, "topic")
    part = why.topics.set_index("query_id")["contribution"][main[0]]
    share = f"{len(main)} of {n_topics} {'makes' if len(main) == 1 else 'make'} {MAIN_SHARE:.0%} of the change"
    return f"{share}, topic {main[0]} most ({part:+.2g} of {why.change:+.2g}{_document(why, main[0])})"


def _document(why, query_id: str) -> str:
    """The document that adds most to a topic's change, in the direction of the whole."""
    rows = why.documents[why.documents["query_id"] == query_id]
    towards = rows["contribution"] * (1 if why.change > 0 else -1)
    if not (towards > 0).any():
        return ""
    row = rows.loc[towards.idxmax()]
    return f", there document {row['doc_id']}, {_grade(row['grade_1'])} to {_grade(row['grade_2'])}, most"


def _grade(grade) -> str:
    return "unjudged" if pd.isna(grade) or grade == MISSING else f"{grade:g}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

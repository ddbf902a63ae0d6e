"""The sentences with which the pages on topics, judges and time begin."""

import pandas as pd
from django.conf import settings

from assess.analysis.judges.habits import JudgesFigures

KAPPA = "pooled_kappa"


def topics_sentence(topics: pd.DataFrame) -> str:
    """Say in which topic the judges agree most and least."""
    known = topics[topics[KAPPA].notna()]
    if len(known) < 2:
        return "Too early to say in which topics the judges agree: fewer than two topics have a kappa."
    best, worst = (known.loc[known[KAPPA].astype(float).agg(end)] for end in ("idxmax", "idxmin"))
    return (
        f"Pooled kappa ranges from {worst[KAPPA]:z.2f} in topic {worst['query_id']} ({worst['title']}) to "
        f"{best[KAPPA]:z.2f} in topic {best['query_id']} ({best['title']})."
    )


def time_sentence(windows: pd.DataFrame) -> str:
    """Say how kappa changes from the first window to the last, and how far it varies between."""
    known = windows[windows[KAPPA].notna() & (windows["items"] >= settings.HEADLINE_MIN_DOCUMENTS)]
    if len(known) < 2:
        return "Too early to say whether agreement changes: fewer than two windows of documents have enough data."
    if known["last_at"].iloc[0] >= known["first_at"].iloc[-1]:
        return "All documents have the same time, as after an import, so the order of judging is not known."
    kappas = known[KAPPA].astype(float)
    return (
        f"Pooled kappa is {kappas.iloc[0]:z.2f} in the first window and {kappas.iloc[-1]:z.2f} in the last; over all "
        f"{len(known)} windows it ranges from {kappas.min():z.2f} to {kappas.max():z.2f}."
    )


def judges_sentence(figures: JudgesFigures) -> str:
    """Say how far the shares of documents that the judges found relevant differ, and who is fastest and slowest."""
    judges = _with_enough(figures)
    if len(judges) < 2:
        return "Too early to compare the judges: fewer than two have judged enough documents."
    highest = [f"grade_{grade}" for grade in figures.scale[1:]]
    shares = judges[highest].sum(axis=1) / judges["judged"]
    order = shares.to_numpy().argsort(kind="stable")
    strict, lenient = (judges["judge"].iloc[int(order[end])] for end in (0, -1))
    sentence = (
        f"The judges give grades above {figures.scale[0]} to between {shares.min():.0%} ({strict}) and "
        f"{shares.max():.0%} ({lenient}) of their documents."
    )
    return f"{sentence} {pace_sentence(figures)}".strip()


def pace_sentence(figures: JudgesFigures) -> str:
    """Say whether fast judges agree less with the others; empty with fewer than three whose pace is known."""
    known = _with_enough(figures).dropna(subset=["seconds", KAPPA])
    if len(known) < 3 or known["seconds"].nunique() < 2 or known[KAPPA].nunique() < 2:
        return ""
    rank = known["seconds"].astype(float).rank().corr(known[KAPPA].astype(float).rank())
    return f"Spearman's correlation of pace and agreement with the others is {rank:z.2f} over {len(known)} judges."


def _with_enough(figures: JudgesFigures) -> pd.DataFrame:
    return figures.judges[figures.judges["judged"] >= settings.HEADLINE_MIN_DOCUMENTS]

"""The sentences with which the pages on topics, judges and time begin. With too little data, they are preliminary."""

import pandas as pd

from agreement.thresholds import Thresholds, preliminary
from assess.analysis.judges.habits import JudgesFigures
from pooling.words import count

KAPPA = "pooled_kappa"


def topics_sentence(topics: pd.DataFrame, thresholds: Thresholds) -> str:
    """Say in which topic the judges agree most and least."""
    known = topics[topics[KAPPA].notna()]
    if known.empty:
        return "Cannot be determined: no topic has a kappa."
    best, worst = (known.loc[known[KAPPA].astype(float).agg(end)] for end in ("idxmax", "idxmin"))
    sentence = (
        f"Pooled kappa ranges from {worst[KAPPA]:z.2f} in topic {worst['query_id']} ({worst['title']}) to "
        f"{best[KAPPA]:z.2f} in topic {best['query_id']} ({best['title']})."
    )
    if len(known) == 1:
        sentence = f"Pooled kappa is {best[KAPPA]:z.2f} in topic {best['query_id']} ({best['title']})."
    if len(known) >= thresholds.min_topics:
        return sentence
    return preliminary(sentence, f"{count(len(known), 'topic')} with a kappa", thresholds.tag_of_topics())


def time_sentence(windows: pd.DataFrame, thresholds: Thresholds) -> str:
    """Say how kappa changes from the first window to the last, and how far it varies between."""
    with_kappa = windows[windows[KAPPA].notna()]
    enough = with_kappa[with_kappa["items"] >= thresholds.min_documents]
    known = enough if len(enough) > 1 else with_kappa
    if len(known) < 2:
        return "Cannot be determined: fewer than two windows of documents have a kappa."
    if known["last_at"].iloc[0] >= known["first_at"].iloc[-1]:
        return "All documents have the same time, as after an import, so the order of judging is not known."
    kappas = known[KAPPA].astype(float)
    sentence = (
        f"Pooled kappa is {kappas.iloc[0]:z.2f} in the first window and {kappas.iloc[-1]:z.2f} in the last; over all "
        f"{len(known)} windows it ranges from {kappas.min():z.2f} to {kappas.max():z.2f}."
    )
    if len(enough) > 1:
        return sentence
    return preliminary(sentence, *_too_few(len(enough), "window", thresholds))


def judges_sentence(figures: JudgesFigures, thresholds: Thresholds) -> str:
    """Say how far the shares of documents that the judges found relevant differ, and who is fastest and slowest."""
    enough = _with_enough(figures, thresholds)
    judges = enough if len(enough) > 1 else figures.judges[figures.judges["judged"] > 0]
    if len(judges) < 2:
        return "Cannot be determined: fewer than two judges have judged a document."
    sentence = f"{_shares(figures, judges)} {pace_sentence(figures, thresholds)}".strip()
    if len(enough) > 1:
        return sentence
    return preliminary(sentence, *_too_few(len(enough), "judge", thresholds))


def _shares(figures: JudgesFigures, judges: pd.DataFrame) -> str:
    highest = [f"grade_{grade}" for grade in figures.scale[1:]]
    shares = judges[highest].sum(axis=1) / judges["judged"]
    order = shares.to_numpy().argsort(kind="stable")
    strict, lenient = (judges["judge"].iloc[int(order[end])] for end in (0, -1))
    return (
        f"The judges give grades above {figures.scale[0]} to between {shares.min():.0%} ({strict}) and "
        f"{shares.max():.0%} ({lenient}) of their documents."
    )


def pace_sentence(figures: JudgesFigures, thresholds: Thresholds) -> str:
    """Say whether fast judges agree less with the others; empty with fewer than three whose pace is known."""
    known = _with_enough(figures, thresholds).dropna(subset=["seconds", KAPPA])
    if len(known) < 3 or known["seconds"].nunique() < 2 or known[KAPPA].nunique() < 2:
        return ""
    rank = known["seconds"].astype(float).rank().corr(known[KAPPA].astype(float).rank())
    return f"Spearman's correlation of pace and agreement with the others is {rank:z.2f} over {len(known)} judges."


def _with_enough(figures: JudgesFigures, thresholds: Thresholds) -> pd.DataFrame:
    return figures.judges[figures.judges["judged"] >= thresholds.min_documents]


def _too_few(number: int, noun: str, thresholds: Thresholds) -> tuple[str, str]:
    documents = count(thresholds.min_documents, "document")
    return f"{count(number, noun, zero='no')} with {documents}", "answers need two"

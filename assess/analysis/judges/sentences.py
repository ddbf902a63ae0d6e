"""The sentences with which the pages on topics, judges and time begin. With too little data, they are preliminary."""

import pandas as pd

from agreement.thresholds import Thresholds, preliminary
from assess.analysis.judges.habits import JudgesFigures
from assess.analysis.judges.time import TimeFigures
from pooling.words import count, first_names

KAPPA = "pooled_kappa"
NO_ORDER = (
    "Cannot be determined: all judgements of a judge have the same time, as after an import, so the order of judging "
    "is not known."
)


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


def time_sentence(figures: TimeFigures, thresholds: Thresholds) -> str:
    """Say how kappa changes from the first window to the last, and how far it varies between."""
    if not figures.has_order:
        return NO_ORDER
    windows = figures.windows
    with_kappa = windows[windows[KAPPA].notna()]
    enough = with_kappa[with_kappa["items"] >= thresholds.min_documents]
    known = enough if len(enough) > 1 else with_kappa
    if len(known) < 2:
        return "Cannot be determined: fewer than two windows of documents have a kappa."
    kappas = known[KAPPA].astype(float)
    sentence = (
        f"Pooled kappa is {kappas.iloc[0]:z.2f} in the first window and {kappas.iloc[-1]:z.2f} in the last; over all "
        f"{len(known)} windows it ranges from {kappas.min():z.2f} to {kappas.max():z.2f}."
    )
    if len(enough) > 1:
        return sentence
    return preliminary(sentence, *_too_few(len(enough), "window", thresholds))


def judges_sentence(figures: JudgesFigures, thresholds: Thresholds) -> str:
    """Say who is the strictest and the most lenient judge, who is left out, and whether fast judges agree less."""
    enough = _with_enough(figures, thresholds)
    judges = enough if len(enough) > 1 else figures.judges[figures.judges["judged"] > 0]
    if len(judges) < 2:
        return "Cannot be determined: fewer than two judges have judged a document."
    sentence = f"{_mean_grades(figures, judges)} {pace_sentence(figures, thresholds)}".strip()
    if len(enough) > 1:
        return sentence
    return preliminary(sentence, *_too_few(len(enough), "judge", thresholds))


def _mean_grades(figures: JudgesFigures, judges: pd.DataFrame) -> str:
    """Compare the judges by what orders the figure of their grades: the mean position of a grade on the scale."""
    steps = range(len(figures.scale))
    counts = judges[[f"grade_{grade}" for grade in figures.scale]]
    means = counts.mul([*steps]).sum(axis=1) / counts.sum(axis=1)
    order = means.to_numpy().argsort(kind="stable")
    strict, lenient = (judges["judge"].iloc[int(order[end])] for end in (0, -1))
    mean = "mean grade" if figures.scale == tuple(steps) else f"mean position on the scale (0 to {steps[-1]})"
    sentence = f"The {mean} is between {means.min():.2f} ({strict}) and {means.max():.2f} ({lenient})."
    left_out = figures.judges.loc[~figures.judges["judge"].isin(judges["judge"]), "judge"]
    if left_out.empty:
        return sentence
    return f"{sentence} Without {first_names(left_out)}, who judged too few documents."


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

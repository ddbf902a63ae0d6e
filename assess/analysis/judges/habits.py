"""How each judge works: grades, what could not be judged, pace, and agreement with earlier judgements of their own."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pandas as pd

import agreement
from assess.analysis.data import with_times
from assess.analysis.selection import Selection, is_graded, judge_kinds
from assess.collections.scale import scale_of
from assess.judging import pace
from assess.models import Collection, JudgementKind, State

KAPPA = "pooled_kappa"
REPEATED = (JudgementKind.REGULAR, JudgementKind.REPEAT)
OCCASIONS = {"percent_agreement": "P(A)", KAPPA: "pooled kappa", "cohen_kappa": "unpooled kappa"}


@dataclass(frozen=True)
class JudgesFigures:
    """The content of the page about judges.

    `judges` has judge, kind, judged, cannot_judge, later, a column for each grade (`grade_0`, ...), seconds (the median
    active time of a document, as in `assess.judging.pace`; NA if no time is known), and pooled_kappa with the majority
    of the other judges.
    `repeats` has judge, n (documents judged twice), and P(A) and the kappas of first and second judgements.
    """

    scale: tuple[int, ...]
    judges: pd.DataFrame
    repeats: pd.DataFrame


def judges_figures(collection: Collection, selection: Selection, _reference: str | None = None) -> JudgesFigures:
    """Return the figures of the judges of a selection."""
    kinds = judge_kinds(collection)
    names = {name for name, kind in kinds.items() if selection.kind in ("", kind)}
    scale = scale_of(collection)
    judgements = with_times(is_graded(selection.judgements(collection, REPEATED)))
    regular = judgements[judgements["repeat"] == JudgementKind.REGULAR]
    return JudgesFigures(
        scale=scale,
        judges=_judges(collection, selection, regular[regular["assessor"].isin(names)], kinds),
        repeats=_repeats(judgements[judgements["assessor"].isin(names)], scale, selection.rel),
    )


def _judges(
    collection: Collection, selection: Selection, judgements: pd.DataFrame, kinds: dict[str, str]
) -> pd.DataFrame:
    scale, excluded = scale_of(collection), _excluded(collection, selection)
    known = {name for name, kind in kinds.items() if selection.kind in ("", kind)}
    parts = {str(name): part for name, part in judgements.groupby("assessor")}
    names = sorted({*parts, *(name for name, _ in excluded if name in known)})
    kappas = _with_the_others(judgements, scale, selection.rel)
    times = pace.times_by("member__name", selection.judgements(collection))
    rows = [
        [
            name,
            kinds[name],
            len(part),
            *(excluded[name, state] for state in (State.CANNOT_JUDGE, State.LATER)),
            *(int((part["relevance"] == grade).sum()) for grade in scale),
            pace.median_seconds(times.get(name)),
            *kappas.get(name, (None, "one_assessor")),
        ]
        for name in names
        for part in [parts.get(name, judgements[:0])]
    ]
    grades = [f"grade_{grade}" for grade in scale]
    columns = ["judge", "kind", "judged", "cannot_judge", "later", *grades, "seconds", KAPPA, f"{KAPPA}_reason"]
    return pd.DataFrame(rows, columns=columns).astype({"seconds": "Float64", KAPPA: "Float64"})


def _excluded(collection: Collection, selection: Selection) -> Counter[tuple[str, str]]:
    """Count the documents of each judge in each state without a grade."""
    rows = selection.judgements(collection).exclude(state=State.JUDGED).values_list("member__name", "state")
    return Counter(rows)


def _with_the_others(judgements: pd.DataFrame, scale: tuple[int, ...], rel: int | None) -> dict[str, tuple[Any, Any]]:
    ratings = agreement.Ratings.from_judgements(judgements, scale)
    frame = agreement.leave_one_assessor_out(ratings, rel, KAPPA)
    return {
        row["assessor"]: (row[KAPPA], None if pd.isna(row[f"{KAPPA}_reason"]) else row[f"{KAPPA}_reason"])
        for row in frame.to_dict("records")
    }


def _repeats(judgements: pd.DataFrame, scale: tuple[int, ...], rel: int | None) -> pd.DataFrame:
    """Return the agreement of the judges with themselves, on the documents that they judged twice."""
    twice = judgements[judgements["repeat"] == JudgementKind.REPEAT]
    both = judgements.merge(twice[["assessor", "query_id", "doc_id"]]) if len(twice) else twice
    frame = agreement.self_agreement(both, scale, rel, list(OCCASIONS))
    columns = ["n", *(f"{name}{suffix}" for name in OCCASIONS for suffix in ("", "_reason"))]
    return frame[["assessor", *columns]].rename(columns={"assessor": "judge"})

"""The model judges of a collection with their records, and how far each agrees with a gold of people. Loads pandas."""

from typing import Any

import pandas as pd
from django.db.models import Count, Q

from assess.analysis.data import collection_ratings, judgements_state
from assess.analysis.judges.reference import Reference, reference_frame
from assess.analysis.selection import Selection, judge_kinds
from assess.jobs import results
from assess.model_judges.choices import ModelChoices
from assess.models import Collection, JudgeKind, JudgementKind, Member, Role, State
from assess.transfer.judge_record import record_of

RECORD = ("model", "prompt_version", "parameters", "graded_on")
FIGURES = ("n", "topics", "bias", "pooled_kappa", "cohen_kappa")
COLUMNS = ["pk", "judge", *RECORD, "judged", *FIGURES]
INTERVALS = [f"{name}{end}" for name in FIGURES[2:] for end in ("_low", "_high", "_reason")]


def models_frame(collection: Collection, choices: ModelChoices) -> pd.DataFrame:
    """Return a row for each model judge.

    The columns are the key and the name of the judge, its record, judged (its grades, of the chosen topics), and if
    people have judged, what `reference_frame` says about the documents that the gold and the judge have in common.
    """
    judges = pd.DataFrame(_judges(collection, choices), columns=COLUMNS[:-5])
    figures = _figures(collection, choices)
    if figures is None:
        empty = {"n": 0, "topics": 0} | {f"{name}_reason": "no_overlap" for name in FIGURES[2:]}
        return judges.reindex(columns=[*COLUMNS, *INTERVALS]).assign(**empty)
    kept = figures[["judge", *FIGURES, *INTERVALS]]
    joined = judges.merge(kept, on="judge", how="left", sort=False)
    return joined.assign(n=joined["n"].fillna(0).astype("int64"), topics=joined["topics"].fillna(0).astype("int64"))


def _judges(collection: Collection, choices: ModelChoices) -> list[dict[str, Any]]:
    counted = Q(judgements__repeat=JudgementKind.REGULAR, judgements__state=State.JUDGED)
    if choices.topics:
        counted &= Q(judgements__task__topic__query_id__in=choices.topics)
    members = Member.objects.filter(
        collection=collection, role=Role.ASSESSOR, imported_judge__kind=JudgeKind.MODEL
    ).select_related("imported_judge")
    rows = members.annotate(judged=Count("judgements", filter=counted)).order_by("name")
    return [_row(member) for member in rows]


def _row(member: Member) -> dict[str, Any]:
    record = vars(record_of(member.imported_judge))
    known = {name: str(record[name] or "") for name in RECORD}
    return {"pk": member.pk, "judge": member.name, **known, "judged": member.judged}  # type: ignore[attr-defined]


def _figures(collection: Collection, choices: ModelChoices) -> pd.DataFrame | None:
    """Return the agreement of every judge with the gold of people, from the cache if nothing has changed."""
    if not choices.people:
        return None
    inputs = choices.people, choices.topics
    key = results.key_of("model_judges", judgements_state(collection, ()), inputs)
    if (known := results.get(key)) is not None:
        return known  # type: ignore[no-any-return]
    selection = Selection(topics=choices.topics)
    ratings = collection_ratings(collection, selection=selection)
    reference = Reference(choices.people, ())
    kinds = judge_kinds(collection)
    models = [name for name in ratings.assessors if kinds[name] == JudgeKind.MODEL]
    frame = reference_frame(collection, ratings, models, reference, kinds, selection)
    results.keep(key, frame)
    return frame

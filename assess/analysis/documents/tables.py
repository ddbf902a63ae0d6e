"""The tables of the document pages as DataFrames, unrounded."""

import json
from collections.abc import Sequence
from dataclasses import fields

import pandas as pd

from assess.analysis.data import collection_decisions, collection_judgements
from assess.analysis.documents.effect import Effect, GradeEffect
from assess.analysis.documents.page import DocumentPage, ShownEvent, ShownJudgement
from assess.analysis.documents.systems import Retrieved
from assess.models import Collection

CELL = ["query_id", "doc_id"]


def documents_table(collection: Collection, documents: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of `listing.listed`, with the decision and with the grade of each judge (`judge:NAME`).

    In the order of leverage, `tau_reason` says why tau is undefined.
    """
    judgements = collection_judgements(collection).merge(documents[CELL], on=CELL)
    grades = judgements.pivot(index=CELL, columns="assessor", values="relevance").astype("Int64")
    grades.columns = [f"judge:{name}" for name in grades.columns]
    decisions = collection_decisions(collection).rename(columns={"relevance": "decision"})
    table = documents.drop(columns=["task", "topic"]).rename(columns={"reason": "tau_reason"})
    table = table.merge(decisions[[*CELL, "decision"]].astype({"decision": "Int64"}), on=CELL, how="left")
    return table.merge(grades, left_on=CELL, right_index=True, how="left")


def judgements_table(page: DocumentPage) -> pd.DataFrame:
    """Return the judgements of a document. Passages are [start, end) in characters of the displayed text, as JSON."""
    names = [field.name for field in fields(ShownJudgement) if field.name not in ("is_vote", "quotes")]
    rows = [{name: getattr(row, name) for name in names} for row in page.judgements]
    return _table([row | {"passages": json.dumps(row["passages"])} for row in rows], names)


def history_table(page: DocumentPage) -> pd.DataFrame:
    """Return the events of the ledger for a document."""
    return _table([vars(row) for row in page.events], [field.name for field in fields(ShownEvent)])


def systems_table(systems: Sequence[Retrieved]) -> pd.DataFrame:
    """Return the systems that retrieved a document, with its ranks."""
    return _table([vars(row) for row in systems], [field.name for field in fields(Retrieved)])


def effect_table(effect: Effect) -> pd.DataFrame:
    """Return what the ranking would be with each other grade; `tau` is NA if it is undefined, for the `tau_reason`."""
    table = _table([vars(row) for row in effect.grades], [field.name for field in fields(GradeEffect)])
    return table.rename(columns={"reason": "tau_reason"}).astype({"tau": "Float64"})


def _table(rows: Sequence[dict[str, object]], columns: Sequence[str]) -> pd.DataFrame:
    return pd.DataFrame(list(rows), columns=list(columns))

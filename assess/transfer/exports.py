"""Exports golds as qrels, and the raw judgements as CSV. Assessors appear under their pseudonyms."""

import io
from typing import Any

from django.db import transaction

from assess import audit
from assess.analysis.selection import Selection
from assess.collections.groups.topic_sets import topics_in_set
from assess.collections.scale import check_threshold
from assess.errors import Refused, as_sentence
from assess.judging import judgement_csv
from assess.judging.checkpoints import create_checkpoint
from assess.models import Checkpoint, Collection, Judgement, JudgementKind, User

REPEAT = judgement_csv.COLUMNS.index("repeat")


def record_export(collection: Collection, subject: str, actor: User | None = None) -> Checkpoint:
    """Save a checkpoint of the ledger that the exported judgements come from, and name it in the audit log."""
    with transaction.atomic():
        checkpoint = create_checkpoint(collection, "export")
        audit.record_export(collection, subject, actor, {"checkpoint": checkpoint.hash})
    return checkpoint


def export_judgements(collection: Collection) -> bytes:
    """Return all judgements as CSV, with the columns of `assess.judging.judgement_csv`."""
    text = io.StringIO(newline="")
    judgement_csv.write(judgement_rows(collection), text)
    return text.getvalue().encode()


def judgement_rows(collection: Collection) -> list[tuple[Any, ...]]:
    """Return all judgements as rows of `judgement_csv.COLUMNS`."""
    key_fields = ("member__name", "task__topic__query_id", "task__document__doc_id")
    rows = Judgement.objects.filter(task__topic__collection=collection).values_list(
        *key_fields, *judgement_csv.COLUMNS[len(key_fields) : -1]
    )
    # Sort in Python, because the collation of the database may differ from the order of code points.
    return [csv_row(row) for row in sorted(rows, key=lambda row: (row[1], row[2], row[0], row[5]))]


def csv_row(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Mark the decision of an adjudicator in its last column. Its repeat is 0, as in other tools."""
    if row[REPEAT] != JudgementKind.DECISION:
        return (*row, None)
    return (*row[:REPEAT], 0, *row[REPEAT + 1 :], True)


def export_qrels(collection: Collection, rule: str, rel: int | None = None, topic_set: str = "") -> bytes:
    """Return the gold that `rule` derives from the judgements, as qrels; with `topic_set` of the topics of this set."""
    import pooling
    from assess.analysis.data import collection_gold  # importing pandas takes seconds

    if rel is not None:
        check_threshold(collection, rel)
    selection = Selection(topics=topics_in_set(collection, topic_set))
    gold, content = collection_gold(collection, rule, rel, selection), io.BytesIO()
    if gold.empty:
        raise Refused(f"There is no gold to write: the rule {rule} gives no grade to any document of {collection} yet.")
    try:
        pooling.write_qrels(gold, content)
    except ValueError as error:
        raise Refused(as_sentence(error)) from None
    return content.getvalue()

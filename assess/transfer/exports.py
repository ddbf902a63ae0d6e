"""Exports golds as qrels, and the raw judgements as CSV. Assessors appear under their pseudonyms."""

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from assess import audit
from assess.analysis.selection import Selection
from assess.collections.scale import check_threshold
from assess.collections.sight import sighted_names
from assess.collections.topic_sets import topics_in_set
from assess.errors import Refused, as_sentence
from assess.judging import judgement_csv
from assess.judging.checkpoints import create_checkpoint
from assess.marginal.stored import NOT_ANSWERED, Answered, answers_of
from assess.models import NOT_WITHDRAWN, Checkpoint, Collection, Judgement, JudgementKind, Role, User

REPEAT = judgement_csv.COLUMNS.index("repeat")


def record_export(
    collection: Collection, subject: str, actor: User | None = None, with_withdrawn: bool = False
) -> Checkpoint:
    """Save a checkpoint of the ledger that the exported judgements come from, and name it in the audit log.

    If the collection has withdrawn judges, the entry says whether the export has their judgements.
    """
    with transaction.atomic():
        checkpoint = create_checkpoint(collection, "export")
        details = {"checkpoint": checkpoint.hash}
        if collection.members.filter(role=Role.WITHDRAWN).exists():
            details["withdrawn"] = audit.INCLUDED if with_withdrawn else "left out"
        audit.record_export(collection, subject, actor, details)
    return checkpoint


def export_judgements(collection: Collection, topic_set: str = "", with_withdrawn: bool = False) -> bytes:
    """Return the judgements as CSV, with the columns of `assess.judging.judgement_csv`; of one set with `topic_set`."""
    return as_csv(judgement_rows(collection, topic_set, with_withdrawn), sighted_names(collection))


def as_csv(
    rows: Iterable[Sequence[Any]], sighted: Mapping[str, str], columns: Sequence[str] = judgement_csv.COLUMNS
) -> bytes:
    """Return rows of these columns as a file. `sighted` has the role in which a judge could see the runs, by name."""
    text = io.StringIO(newline="")
    if sighted:
        columns, rows = (*columns, judgement_csv.SAW_RUNS), ((*row, sighted.get(row[0], "")) for row in rows)
    judgement_csv.write(rows, text, columns)
    return text.getvalue().encode()


def judgement_rows(collection: Collection, topic_set: str = "", with_withdrawn: bool = False) -> list[tuple[Any, ...]]:
    """Return the judgements as rows of `judgement_csv.COLUMNS`; with `topic_set`, those on topics of this set.

    Those of withdrawn judges are left out unless they are asked for.
    """
    judgements = _in_set(collection, topic_set)
    if not with_withdrawn:
        judgements = judgements.filter(NOT_WITHDRAWN)
    answers = answers_of(judgements)
    key_fields = ("member__name", "task__topic__query_id", "task__document__doc_id")
    rows = judgements.values_list(*key_fields, *judgement_csv.OF_JUDGEMENT, "pk")
    # Sort in Python, because the collation of the database may differ from the order of code points.
    ordered = sorted(rows, key=lambda row: (row[1], row[2], row[0], row[REPEAT]))
    return [csv_row(row, answers.get(pk, NOT_ANSWERED)) for *row, pk in ordered]


def count_withdrawn(collection: Collection, topic_set: str = "") -> int:
    """Return how many judgements of withdrawn judges an export leaves out."""
    return _in_set(collection, topic_set).exclude(NOT_WITHDRAWN).count()


def _in_set(collection: Collection, topic_set: str) -> QuerySet[Judgement]:
    judgements = Judgement.objects.filter(task__topic__collection=collection)
    query_ids = topics_in_set(collection, topic_set)
    return judgements.filter(task__topic__query_id__in=query_ids) if query_ids else judgements


def csv_row(row: Sequence[Any], answer: Answered = NOT_ANSWERED) -> tuple[Any, ...]:
    """Add the columns after those of a judgement. The repeat of an adjudicator's decision is 0, as in other tools."""
    if row[REPEAT] != JudgementKind.DECISION:
        return (*row, None, *answer)
    return (*row[:REPEAT], 0, *row[REPEAT + 1 :], True, *answer)


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

"""Exports golds as qrels, and the raw judgements as CSV. Assessors appear under their pseudonyms."""

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

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
from assess.lib.blocks import blocks
from assess.marginal.stored import NOT_ANSWERED, Answered, answers_of
from assess.models import NOT_WITHDRAWN, Checkpoint, Collection, Judgement, JudgementKind, Role, User
from assess.suggestions.stored import ALONE, Assisted, assistance_of, has_assisted

if TYPE_CHECKING:
    import pandas as pd

KEY_FIELDS = ("member__name", "task__topic__query_id", "task__document__doc_id")
REPEAT = judgement_csv.COLUMNS.index("repeat")
ADJUDICATED = judgement_csv.COLUMNS.index("adjudicated")


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
    columns: Sequence[str] = judgement_csv.COLUMNS
    rows = judgement_rows(collection, topic_set, with_withdrawn)
    if assisted := _assisted(_selected(collection, topic_set, with_withdrawn)):
        columns, rows = (*columns, *judgement_csv.ASSISTED), [(*row, *_assistance(row, assisted)) for row in rows]
    return as_csv(rows, sighted_names(collection), columns)


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
    judgements = _selected(collection, topic_set, with_withdrawn)
    # Sort in Python, because the collation of the database may differ from the order of code points.
    ordered = sorted(_values(judgements), key=lambda row: (row[1], row[2], row[0], row[REPEAT]))
    return _with_answers(ordered, judgements)


def judgement_records(
    collection: Collection, topic_set: str = "", with_withdrawn: bool = False
) -> Iterator[dict[str, Any]]:
    """Yield the judgements as dictionaries with the columns of the CSV file, in the order in which they were begun.

    They are read in blocks, so each has the state of the moment in which its block is read.
    """
    sighted, may_be_assisted = sighted_names(collection), has_assisted(collection)
    for block in blocks(_selected(collection, topic_set, with_withdrawn).only("pk")):
        judgements = Judgement.objects.filter(pk__in=[each.pk for each in block])
        assisted = _assisted(judgements) if may_be_assisted else {}
        for row in _with_answers(list(_values(judgements).order_by("pk")), judgements):
            record = dict(zip(judgement_csv.COLUMNS, row, strict=True))
            if may_be_assisted:
                record |= zip(judgement_csv.ASSISTED, _assistance(row, assisted), strict=True)
            record["judged_at"] = judgement_csv.instant(record["judged_at"])
            yield record | ({judgement_csv.SAW_RUNS: sighted.get(row[0], "")} if sighted else {})


def _selected(collection: Collection, topic_set: str, with_withdrawn: bool) -> QuerySet[Judgement]:
    judgements = _in_set(collection, topic_set)
    return judgements if with_withdrawn else judgements.filter(NOT_WITHDRAWN)


def _values(judgements: QuerySet[Judgement]) -> QuerySet[Judgement, tuple[Any, ...]]:
    """Return the columns that the database has, and the primary key."""
    return judgements.values_list(*KEY_FIELDS, *judgement_csv.OF_JUDGEMENT, "pk")


def _with_answers(rows: Iterable[tuple[Any, ...]], judgements: QuerySet[Judgement]) -> list[tuple[Any, ...]]:
    answers = answers_of(judgements)
    return [csv_row(row, answers.get(pk, NOT_ANSWERED)) for *row, pk in rows]


def _assisted(judgements: QuerySet[Judgement]) -> dict[tuple[Any, ...], Assisted]:
    """Return the assistance of judgements by judge, topic, document and repeat. Only regular ones are assisted."""
    found = assistance_of(judgements)
    if not found:
        return {}
    keys = judgements.values_list("pk", *KEY_FIELDS, "repeat")
    return {tuple(key): found[pk] for pk, *key in keys if pk in found}


def _assistance(row: Sequence[Any], assisted: Mapping[tuple[Any, ...], Assisted]) -> Assisted:
    """Return the assistance of a row of `judgement_csv.COLUMNS`. A decision has the repeat 0 too, and none."""
    is_decision = row[ADJUDICATED]
    return ALONE if is_decision else assisted.get((*row[: len(KEY_FIELDS)], row[REPEAT]), ALONE)


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
    import pooling  # importing pandas takes seconds

    gold, content = gold_to_export(collection, rule, rel, topic_set), io.BytesIO()
    try:
        pooling.write_qrels(gold, content)
    except ValueError as error:
        raise Refused(as_sentence(error)) from None
    return content.getvalue()


def gold_to_export(collection: Collection, rule: str, rel: int | None = None, topic_set: str = "") -> "pd.DataFrame":
    """Return the gold that `rule` derives from the judgements, or refuse if it has no grade."""
    from assess.analysis.data import collection_gold  # importing pandas takes seconds

    if rel is not None:
        check_threshold(collection, rel)
    gold = collection_gold(collection, rule, rel, Selection(topics=topics_in_set(collection, topic_set)))
    if gold.empty:
        raise Refused(f"There is no gold to write: the rule {rule} gives no grade to any document of {collection} yet.")
    return gold

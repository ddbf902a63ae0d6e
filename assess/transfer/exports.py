"""What leaves the house: golds as qrels, and the raw judgements. Assessors go by their pseudonyms."""

import io

from assess.collections.scale import check_threshold
from assess.errors import Refused
from assess.judging import judgement_csv
from assess.models import Collection, Judgement


def export_judgements(collection: Collection) -> bytes:
    """Every judgement with what the ledger knows of it, as `assess.judging.judgement_csv` says."""
    text = io.StringIO(newline="")
    judgement_csv.write(judgement_rows(collection), text)
    return text.getvalue().encode()


def judgement_rows(collection: Collection) -> list[tuple]:
    """The same as rows of `judgement_csv.COLUMNS`."""
    named = ("member__name", "task__topic__query_id", "task__document__doc_id")
    rows = Judgement.objects.filter(task__topic__collection=collection).values_list(
        *named, *judgement_csv.COLUMNS[len(named) :]
    )
    # Sorted here and not by the database, whose collation may not be that of the bytes.
    return sorted(rows, key=lambda row: (row[1], row[2], row[0], row[5]))


def export_qrels(collection: Collection, rule: str, rel: int | None = None) -> bytes:
    """The gold that `rule` makes of the judgements, as qrels."""
    import pooling
    from assess.analysis.data import collection_gold  # pandas costs seconds: only where it is used

    if rel is not None:
        check_threshold(collection, rel)
    gold, content = collection_gold(collection, rule, rel), io.BytesIO()
    if gold.empty:
        raise Refused(f"The rule {rule} decides nothing in {collection} yet, so there is no gold to write.")
    try:
        pooling.write_qrels(gold, content)
    except ValueError as error:
        raise Refused(f"{error}.") from None
    return content.getvalue()

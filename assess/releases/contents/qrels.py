"""The released gold as qrels, and all judgements under pseudonyms."""

from assess.judging import judgement_csv
from assess.releases.source import ReleaseSource
from assess.transfer.exports import as_csv, csv_row


def files(source: ReleaseSource) -> dict[str, bytes]:
    return {"qrels.txt": source.qrels(), "judgements.csv": _judgements(source)}


def _judgements(source: ReleaseSource) -> bytes:
    names = {member.pk: member.name for member in source.spec.members}
    in_order = sorted(source.rows, key=lambda row: (row.query_id, row.doc_id, names[row.member], row.kind))
    # Releases of earlier versions of Assay do not have the columns about marginal relevance.
    columns = judgement_csv.COLUMNS if source.spec.marginal else judgement_csv.WITHOUT_MARGINAL
    rows = [csv_row((names[row.member], row.query_id, row.doc_id, *row.values), row.answer) for row in in_order]
    rows = [row[: len(columns)] for row in rows]
    if source.spec.suggestions:
        columns = (*columns, *judgement_csv.ASSISTED)
        rows = [(*row, *each.assistance) for row, each in zip(rows, in_order, strict=True)]
    return as_csv(rows, source.spec.sighted, columns)

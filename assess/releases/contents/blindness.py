"""The blindness certificates: as data, as a table for people, and the hashes of what was displayed."""

from typing import Any

import pandas as pd

from assess.models import JudgementKind
from assess.releases.certificates import (
    DISPLAYED,
    FILE,
    HEADINGS,
    REPORT,
    Certificates,
    Judged,
    data_bytes,
    displayed_csv,
    sentences,
    table_rows,
)
from assess.releases.source import ReleaseSource
from assess.releases.state.ledger_rows import FIELDS, Row
from assess.releases.state.sight_facts import displayed_at
from pooling.text_tables import heading, render

JUDGED_AT, GUIDELINES = FIELDS.index("judged_at"), FIELDS.index("guidelines_version")
EXPLANATION = (
    "Owners, researchers and instructors of the collection can see its runs, pools, grades, golds and figures; "
    "assessors cannot. The roles are those of the audit log. A number in parentheses counts the judgements made under "
    "a version."
)


def files(source: ReleaseSource) -> dict[str, bytes]:
    """Return the files; none for a release whose settings do not state the roles."""
    if not source.spec.blindness:
        return {}
    found = certificates(source)
    rows = found.all()
    return {FILE: data_bytes(rows), DISPLAYED: displayed_csv(found.displayed), REPORT: report_bytes(rows)}


def certificates(source: ReleaseSource) -> Certificates:
    """Return what the certificates are computed from."""
    names = {member.pk: member.name for member in source.spec.members}
    judged = [_judged(row, names[row.member]) for row in source.rows]
    displayed = displayed_at(source.spec.chains, source.spec.members, {row.key for row in judged})
    return Certificates(source.spec, judged, displayed)


def _judged(row: Row, name: str) -> Judged:
    is_decision = row.kind == JudgementKind.DECISION
    key = (name, row.query_id, row.doc_id, 0 if is_decision else row.kind, is_decision)
    return Judged(key, row.values[JUDGED_AT], row.values[GUIDELINES])


def report_bytes(rows: list[dict[str, Any]]) -> bytes:
    table = render(pd.DataFrame(list(table_rows(rows))).rename(columns=HEADINGS), "markdown") if rows else ""
    text = f"{' '.join(sentences(rows))}\n\n{EXPLANATION}\n\n{table}\n"
    return f"{heading('What the judges could see', 'markdown')}\n\n{text}".encode()

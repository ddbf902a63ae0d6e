"""Read judgements that another program exported."""

from collections import Counter
from collections.abc import Callable, Iterator
from io import BytesIO

import pandas as pd

from pooling._io.records import decoded
from pooling.errors import FormatError, Problems, raise_or_keep
from pooling.formats.exports.argilla import argilla
from pooling.formats.exports.doccano import doccano_csv, doccano_json
from pooling.formats.exports.label_studio import label_studio_csv, label_studio_json, label_studio_records
from pooling.formats.exports.potato import potato_csv, potato_json
from pooling.formats.exports.prodigy import prodigy
from pooling.formats.exports.quepid import opensearch, quepid_book, quepid_case, quepid_csv
from pooling.formats.exports.rows import Row
from pooling.formats.json_records import json_records
from pooling.formats.recognise import SAMPLE_BYTES, recognise

JSON_READERS: dict[str, Callable[..., Iterator[Row]]] = {
    "argilla": argilla,
    "doccano_json": doccano_json,
    "judgement_json": doccano_json,
    "label_studio_json": label_studio_json,
    "label_studio_json_min": label_studio_records,
    "opensearch": opensearch,
    "potato_json": potato_json,
    "prodigy": prodigy,
    "quepid_book": quepid_book,
    "quepid_case": quepid_case,
}
CSV_READERS: dict[str, Callable[..., Iterator[Row]]] = {
    "doccano_csv": doccano_csv,
    "label_studio_csv": label_studio_csv,
    "potato_csv": potato_csv,
    "quepid_csv": quepid_csv,
}
EXPORTS = JSON_READERS.keys() | CSV_READERS.keys()
ONE_FIELD = {"doccano_csv", "opensearch", "quepid_book", "quepid_case", "quepid_csv"}  # formats without a choice
TYPES = {name: "int64" if name == "line" else "str" for name in Row._fields}


def export_format(content: bytes) -> str | None:
    """The name of the format of an export; None if the content is none."""
    try:
        form = recognise(content[:SAMPLE_BYTES], name="judgements").format
    except FormatError:
        return None
    return form if form in EXPORTS else None


def read_export(
    content: bytes,
    form: str,
    name: str,
    problems: Problems = None,
    left_out: Counter[str] | None = None,
    field: str | None = None,
) -> pd.DataFrame:
    """The judgements of an export.

    `left_out` counts the rows of each assessor that are no judgements. `field` is the field of the label, if
    several fields may have it.
    """
    options = {} if form in ONE_FIELD else {"field": field}
    rows: list[Row] = []
    try:
        if form in JSON_READERS:
            lines = enumerate(BytesIO(content), start=1)
            records = json_records(lines, len(content), name, problems)
            rows.extend(JSON_READERS[form](records, name, problems, **options))
        else:
            rows.extend(CSV_READERS[form](decoded(content, name), name, problems, **options))
    except FormatError as error:
        raise_or_keep(error, problems)
    if left_out is not None:
        left_out.update(row.assessor for row in rows if not row.label)
    rows = [row for row in rows if row.label]
    if not rows and not problems:
        raise_or_keep(FormatError("the file has no judgements", "an export has at least one", name), problems)
    frame = pd.DataFrame(rows, columns=list(TYPES)).astype(TYPES)
    if frame["line"].duplicated().any():
        frame["line"] = range(1, len(frame) + 1)
    return frame

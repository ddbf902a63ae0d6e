"""Tables as files for an upload, and files of a site as tables.

Runs are written by `pooling.write_run`. Topics and documents become one JSON object per line, judgements a CSV file. An
id is a string or a whole number. A missing text is left out.
"""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any

from pooling.formula_cells import harmless, plain

if TYPE_CHECKING:
    import pandas as pd

TOPIC_FIELDS = ("title", "description", "narrative")
JUDGEMENT_FIELDS = ("assessor", "query_id", "doc_id", "relevance")
WHOLE_NUMBERS = ("relevance", "repeat", "guidelines_version", "active_ms", "away_ms", "confidence")
ID_COLUMNS = ("assessor", "system", "gold", "judge", "query_id", "doc_id")


@dataclass(frozen=True)
class Content:
    """A file that was made from a table. `given_name` is the system of a run."""

    name: str
    data: bytes
    given_name: str = ""


def topic_files(frame: "pd.DataFrame") -> list[Content]:
    """The topics: `query_id`, `title`, and perhaps `description` and `narrative`."""
    _check_columns(frame, ("query_id", "title"))
    fields = [field for field in TOPIC_FIELDS if field in frame]
    return [Content("topics.jsonl", _json_lines(frame, "query_id", fields))]


def document_files(frame: "pd.DataFrame") -> list[Content]:
    """The documents: `doc_id`, `text`, and perhaps `title`. Other columns are their metadata."""
    _check_columns(frame, ("doc_id", "text"))
    fields = [str(name) for name in frame.columns if name != "doc_id"]
    return [Content("documents.jsonl", _json_lines(frame, "doc_id", fields))]


def run_files(frame: "pd.DataFrame") -> list[Content]:
    """One file for each system: `system`, `query_id`, `doc_id` and `score`."""
    from pooling import write_run

    _check_columns(frame, ("system", "query_id", "doc_id", "score"))
    files = []
    for system, run in frame.groupby("system", sort=True, dropna=False):
        target = io.BytesIO()
        write_run(run, target)
        files.append(Content(f"{_file_name(str(system))}.run", target.getvalue(), str(system)))
    return files


def judgement_files(frame: "pd.DataFrame") -> list[Content]:
    """The judgements: `assessor`, `query_id`, `doc_id` and `relevance`. Other columns are left out."""
    _check_columns(frame, JUDGEMENT_FIELDS)
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(JUDGEMENT_FIELDS)
    for number, (*ids, relevance) in enumerate(_rows(frame, JUDGEMENT_FIELDS), start=1):
        if _is_missing(relevance) or int(relevance) != relevance:
            raise ValueError(f"Row {number} has the relevance {relevance}. A judgement has a whole number.")
        writer.writerow([*(harmless(checked_id(each, "id")) for each in ids), int(relevance)])
    return [Content("judgements.csv", text.getvalue().encode())]


def judgement_frame(data: bytes) -> "pd.DataFrame":
    """The judgements of a site. Ids and texts are strings; a relevance is missing unless the document was judged."""
    frame = _read(data)
    for name in frame.columns:
        if name in WHOLE_NUMBERS:
            frame[name] = frame[name].replace("", None).astype("Int64")
        else:
            frame[name] = frame[name].map(plain).astype("str")
    if "adjudicated" in frame:
        frame["adjudicated"] = frame["adjudicated"] == "true"
    return frame


def gold_frame(rule: str, data: bytes) -> "pd.DataFrame":
    """The relevance grades of a gold, with its name."""
    from pooling import read_qrels

    frame = read_qrels(data, name=f"gold {rule}")
    if isinstance(frame, tuple):
        raise TypeError("read_qrels returned a report.")
    frame = frame[["query_id", "doc_id", "relevance"]]
    frame.insert(0, "gold", rule)
    return frame


def table_frame(data: bytes) -> "pd.DataFrame":
    """A table of a page. Ids are strings, and columns of numbers are numbers."""
    import pandas as pd

    if not data.strip():
        return pd.DataFrame()
    frame = pd.read_csv(io.BytesIO(data), dtype=dict.fromkeys(ID_COLUMNS, "str"), keep_default_na=False, na_values=[""])
    for name in frame.select_dtypes(["object", "string"]).columns:
        frame[name] = frame[name].map(plain, na_action="ignore")
    return frame


def checked_id(value: Any, name: str) -> str:
    """An id as a string. A fraction is refused: it shows that a table has changed the ids."""
    if isinstance(value, str):
        return value
    if isinstance(value, Integral) and not isinstance(value, bool):
        return str(int(value))
    raise ValueError(f"The {name} {value!r} is neither a text nor a whole number.")


def _read(data: bytes) -> "pd.DataFrame":
    import pandas as pd

    return pd.read_csv(io.BytesIO(data), dtype=str, keep_default_na=False)


def _check_columns(frame: "pd.DataFrame", needed: Sequence[str]) -> None:
    missing = [name for name in needed if name not in frame.columns]
    if missing:
        raise ValueError(f"The table needs the columns {', '.join(needed)}. Missing: {', '.join(missing)}.")
    if frame.empty:
        raise ValueError("The table has no rows.")


def _json_lines(frame: "pd.DataFrame", key: str, fields: Sequence[str]) -> bytes:
    lines = []
    for found, *values in _rows(frame, (key, *fields)):
        row = {name: value for name, value in zip(fields, values, strict=True) if not _is_missing(value)}
        lines.append(json.dumps({key: checked_id(found, key), **row}, ensure_ascii=False, default=str))
    return "".join(f"{line}\n" for line in lines).encode()


def _rows(frame: "pd.DataFrame", names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    return zip(*(frame[name].tolist() for name in names), strict=True)


def _is_missing(value: Any) -> bool:
    import pandas as pd

    return value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and value != value)


def _file_name(system: str) -> str:
    """A name that is valid in every file system."""
    return "".join(each if each.isalnum() or each in "._-" else "_" for each in system)[:100]

"""Documents, topics and qrels of ir-datasets, by ``irds:`` and the id of a data set, such as ``irds:vaswani``.

ir-datasets is an optional package. It downloads a data set at its first use, so only listed data sets are allowed:
those in `ALLOWED`, their parts (``beir/scifact/test``), and those in the environment variable ASSAY_IRDS (ids separated
by commas). With ``ASSAY_IRDS=none``, no data set is allowed.

A document has the doc_id, ``title``, and as its text ``text``, ``body``, ``contents`` or ``abstract``; its other texts
are metadata. A topic has as its title ``title``, ``query`` or ``text``, and ``description`` and ``narrative``. Of
qrels, query_id, doc_id and relevance are used.
"""

import os
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from pooling._io.records import checked_id
from pooling.errors import FormatError
from pooling.formats.document import Document
from pooling.paths import IRDS

if TYPE_CHECKING:
    from pooling.formats.topic_formats import Topic

ENVIRONMENT = "ASSAY_IRDS"
ALLOWED = {  # documents
    "antique": 403_666,
    "beir/arguana": 8_674,
    "beir/fiqa": 57_638,
    "beir/nfcorpus": 3_633,
    "beir/scidocs": 25_657,
    "beir/scifact": 5_183,
    "beir/trec-covid": 171_332,
    "cord19": 192_509,
    "cranfield": 1_400,
    "nfcorpus": 5_371,
    "vaswani": 11_429,
}
NONE = "none"  # the value of ASSAY_IRDS that allows no data set
PARTS = {"docs": "documents", "queries": "topics", "qrels": "qrels"}
TEXTS = ("text", "body", "contents", "abstract")
TITLES = ("title", "query", "text")


class DataSet(NamedTuple):
    """A data set and its sizes. A size is None if the data set has no such part, and 0 if ir-datasets states none."""

    dataset_id: str
    documents: int | None
    topics: int | None
    qrels: int | None


def irds_documents(dataset_id: str) -> Iterator[Document]:
    """The documents of a data set."""
    name = IRDS + dataset_id
    for number, record in enumerate(_records(dataset_id, "docs"), start=1):
        fields = record._asdict()
        text = next((fields.pop(key) for key in TEXTS if isinstance(fields.get(key), str)), "")
        title = fields.pop("title", None)
        doc_id = checked_id(str(fields.pop("doc_id")), "doc_id", name, number)
        metadata = {key: value for key, value in fields.items() if isinstance(value, str | int | float)}
        yield Document(doc_id, title if isinstance(title, str) else "", text, metadata, number)


def irds_topics(dataset_id: str) -> "Iterator[Topic]":
    """The topics of a data set."""
    from pooling.formats.topic_formats import Topic

    for number, record in enumerate(_records(dataset_id, "queries"), start=1):
        fields = {key: value for key, value in record._asdict().items() if isinstance(value, str)}
        title = next((fields[key] for key in TITLES if key in fields), "")
        yield Topic(number, record.query_id, title, fields.get("description", ""), fields.get("narrative", ""))


def irds_qrels(dataset_id: str) -> bytes:
    """The qrels of a data set as the content of a qrels file."""
    rows = _records(dataset_id, "qrels")
    return "".join(f"{row.query_id} 0 {row.doc_id} {row.relevance}\n" for row in rows).encode()


def _records(dataset_id: str, part: str) -> Iterable[Any]:
    """The records of a part of a data set: docs, queries or qrels."""
    name = IRDS + dataset_id
    _check_allowed(dataset_id, name)
    dataset = _load(dataset_id, name)
    if not getattr(dataset, f"has_{part}")():
        raise FormatError(f"the data set has no {PARTS[part]}", "another part of the data set may have them", name)
    try:
        yield from getattr(dataset, f"{part}_iter")()
    except (OSError, RuntimeError) as error:
        what = f"the data set cannot be downloaded or read ({str(error)[:200]})"
        raise FormatError(what, "a data set is downloaded at its first use", name) from None


def _load(dataset_id: str, name: str) -> Any:
    """The data set as an object of ir-datasets. Nothing is downloaded."""
    try:
        import ir_datasets  # loads numpy
    except ImportError:
        what = "the package ir-datasets is not installed"
        raise FormatError(what, "it is in the extra ir-assay[irds]", name) from None
    try:
        return ir_datasets.load(dataset_id)
    except KeyError:
        raise FormatError("the data set is unknown", "ir-datasets.com lists all ids", name) from None


def is_installed() -> bool:
    """Whether ir-datasets is installed; it is not loaded."""
    return find_spec("ir_datasets") is not None


def allowed_ids() -> list[str]:
    """The ids that may be read; their parts may be read too."""
    more = [each.strip() for each in os.environ.get(ENVIRONMENT, "").split(",") if each.strip()]
    return [] if more == [NONE] else sorted({*ALLOWED, *more})


def data_sets() -> list[DataSet]:
    """The allowed data sets and their parts that this version of ir-datasets has, with sizes. Nothing is downloaded."""
    import ir_datasets  # loads numpy

    known = sorted(name for name in ir_datasets.registry if _is_allowed(name, allowed_ids()))
    return [_sizes(name, ir_datasets.load(name)) for name in known]


def data_set(dataset_id: str) -> DataSet:
    """One allowed data set with its sizes. Nothing is downloaded."""
    name = IRDS + dataset_id
    _check_allowed(dataset_id, name)
    return _sizes(dataset_id, _load(dataset_id, name))


def _sizes(dataset_id: str, dataset: Any) -> DataSet:
    metadata = dataset.metadata() if hasattr(dataset, "metadata") else {}
    sizes = [metadata.get(part, {}).get("count") or 0 if getattr(dataset, f"has_{part}")() else None for part in PARTS]
    return DataSet(dataset_id, *sizes)


def _is_allowed(dataset_id: str, allowed: Iterable[str]) -> bool:
    return any(dataset_id == each or dataset_id.startswith(f"{each}/") for each in allowed)


def _check_allowed(dataset_id: str, name: str) -> None:
    allowed = allowed_ids()
    if not _is_allowed(dataset_id, allowed):
        sizes = ", ".join(f"{each} ({ALLOWED[each]:,} documents)" for each in allowed if each in ALLOWED)
        what = "the data set is not allowed"
        raise FormatError(what, f"allowed are {sizes or 'none'}, and those in {ENVIRONMENT}", name)

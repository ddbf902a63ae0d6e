"""Recognise what a file is, from its content.

The first 64 KiB of the decompressed file decide. Runs, qrels and TSV are recognised by the columns of the first twenty
lines, CSV and some TSV by their header, JSON by the keys of the first object, XML and TREC files by the first tags, and
archives and WARC by their first bytes. The names of all files in a ZIP archive decide what it contains. If a tab
separates an id from text with blanks ("7<tab>world cup 2022"), the line is a topic or a document, and not a line of a
run or of qrels that ends with a number. Three columns of TSV, of which the last is a whole number, are a run of MS
MARCO if a first cell occurs again, and otherwise topics.

Topics and documents of some formats look the same: two columns of TSV, JSON objects with an id and a text, or SMART
items. Then the file name decides (`quer`, `qry` or `topic`; `corpus`, `collection`, `doc` or `passage`), and
`FileKind.note` says so. A file in Markdown is recognised by the ending of its name alone.

Refused: an empty file; a file that is none of the formats.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePath

from pooling._io.streams import Source, display_name, open_input
from pooling._io.zip_entries import opened_zip
from pooling.errors import FormatError, shown
from pooling.formats.fields import OTHER_NAMES, find_columns, plain_name
from pooling.formats.file_kinds import FILE_KINDS, FileKind
from pooling.formats.json_keys import first_keys
from pooling.formats.smart.shapes import formats_of
from pooling.formats.zip_kinds import zip_kind

SAMPLE_BYTES = 1 << 16
SAMPLE_LINES = 20
NO_LIMIT = 1 << 62  # no more than the sample is decompressed

NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|nan|[+-]?inf", re.IGNORECASE)
COLON_LINE = re.compile(r"(?=[^\s:]*[0-9])[^\s:,]++:[^\S\t]*+\S[^\t]*+$")  # query_id:title, the id with a digit
MARKUP = re.compile(r"<(!doctype\s+)?([a-z][a-z0-9_]*)", re.IGNORECASE)
POOL = re.compile(r'\{\s*"(?:[^"\\]|\\.)*+"\s*:\s*\[\s*["\]]')  # a query_id with a list of doc_ids
TOPIC_TAGS = frozenset(("topic", "query"))
TOPIC_NAMES = ("quer", "qry", "topic")
DOCUMENT_NAMES = ("corpus", "collection", "doc", "passage")
ALLOWED = (
    "runs, qrels, CSV or JSON of judgements, topics (TREC, XML, TSV, JSON), documents (TREC, JSON, TSV, WARC, HTML, "
    "Markdown, ZIP, TAR), and the pool and labels of a course (JSON) are recognised"
)


ASSESSORS = {"assessor", *OTHER_NAMES["assessor"]} - {"user"}  # doccano writes a column user
BEIR_HEADER = {"query-id", "corpus-id", "score"}
QUERY_KEYS = {"query_id", "qid", "question_id", "topic_id", "number"}
DOCUMENT_KEYS = {"doc_id", "docno", "docid", "pid"}
JUDGED_KEYS = DOCUMENT_KEYS | {"document_id", "corpus_id"}  # of a judgement
GRADE_KEYS = {"relevance", "grade", "rating", "rel"}
MIN_LABELS = {"relevance", "label", "choice", "choices", "rating", "grade"}  # of JSON-MIN of Label Studio
JSON_ASSESSORS = {"assessor", *OTHER_NAMES["assessor"]}
PRODIGY_KEYS = {"_session_id", "_view_id", "_task_hash", "_input_hash"}
ID_KEYS = {"id", "_id"}
CONVERSATION_KEYS = {"turn", "turns"}
LABEL_KEYS = {"suffixkey", "suffix_key"}  # of a label in doccano, which has a text
TITLE_KEYS = {"title", "query", "question", "topic"}
NOT_TEXTS = {"background_color", "backgroundcolor", "annotation_approver"}  # label configurations and old exports
TEXT_KEYS = {"text", "contents", "content", "body", "passage", "segment", "default_text"}


def recognise(source: Source, *, name: str | None = None) -> FileKind:
    """Recognise the kind and format of a file.

    Parameters
    ----------
    source : path, bytes or binary file
        The file: plain, or compressed with gzip, bzip2 or xz. At most 64 KiB of its content are read.
    name : str, optional
        The name of the file in errors, and where the content may be topics or documents. By default it is the path or
        the name of `source`.

    Returns
    -------
    FileKind
        kind, format, label and note (str).

    Raises
    ------
    FormatError
        If the file is empty, is none of the formats, or its compressed data is corrupt.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from pooling import recognise
    >>> kind = recognise(b'{"_id": "q1", "text": "green tea"}', name="queries.jsonl")
    >>> kind.kind, kind.format
    ('topics', 'jsonl_topics')
    >>> kind.note
    "The content may be topics or documents; the file name 'queries.jsonl' decides."
    """
    name = name or display_name(source)
    with opened_zip(source, name) as archive:
        names = None if archive is None else archive.namelist()
    with open_input(source, max_bytes=NO_LIMIT, name=name) as stream:
        sample = stream.read(SAMPLE_BYTES)
    if not sample.strip():
        raise FormatError("the file is empty", ALLOWED, name)
    form = format_of_bytes(sample)
    if form == "zip":
        form = zip_kind(sample, names) or form
    if form is None:
        text = sample.decode(errors="replace").removeprefix("\ufeff").lstrip()
        found = _by_text(text, len(sample) == SAMPLE_BYTES, name)
        if found is None:
            raise FormatError(f"the format is unknown; the file begins with {shown(text[:80])}", ALLOWED, name)
        return found
    return FILE_KINDS[form]


def format_of_tags(text: str) -> str | None:
    """The format that the first known tag of a text has; None if there is no such tag."""
    shown_text = "".join(part.partition("-->")[2] for part in f"-->{text}".split("<!--"))  # without comments
    for tag in MARKUP.finditer(shown_text):
        found = tag[2].lower()
        if found == "doc":
            return "trec_documents"
        if found == "top":
            return "trec_topics"
        if found in TOPIC_TAGS:
            return "xml_topics"
        if found in ("html", "body", "head") and tag.start() < 2000:
            return "html"
    return None


def format_of_bytes(sample: bytes) -> str | None:
    """The format of an archive or of WARC; None for anything else."""
    if sample.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    if sample.startswith(b"WARC/"):
        return "warc"
    return "tar" if sample[257:262] == b"ustar" else None


def _by_text(text: str, is_cut: bool, name: str) -> FileKind | None:
    if text.startswith("<"):
        form = format_of_tags(text)
        return FILE_KINDS[form] if form else _by_ending(name)
    if classic := formats_of(text):
        return FILE_KINDS[classic[0]] if len(classic) == 1 else _by_name(classic[0], classic[1], classic[1], name)
    if text.startswith(("{", "[")) and (keys := first_keys(text)):
        return _by_keys(keys, text, name)
    lines = [line.rstrip("\r") for line in text.split("\n" if "\n" in text else "\r")]
    if is_cut and len(lines) > 1:
        lines.pop()
    lines = [line for line in lines if line.strip() and line.split(None, 1)[0].strip("#")][:SAMPLE_LINES]
    return (lines and _by_columns(lines, name)) or _by_ending(name)


def _by_keys(keys: Sequence[str], text: str, name: str) -> FileKind | None:
    if form := _export_of(set(keys), text):
        return FILE_KINDS[form]
    names = {key.lower() for key in keys}
    if "text" in names and names & LABEL_KEYS:
        return FILE_KINDS["doccano_labels"]
    if names & CONVERSATION_KEYS and names & (QUERY_KEYS | ID_KEYS):
        return FILE_KINDS["jsonl_topics"]
    found = _topics_or_documents(names, "jsonl_topics", "jsonl_documents", name)
    return FILE_KINDS["teaching_ir_pool"] if found is None and POOL.match(text) else found


def _export_of(keys: set[str], text: str) -> str | None:
    """The format of the program that exported judgements with these keys."""
    if "judgmentRatings" in keys:
        return "opensearch"
    if "query_doc_pairs" in keys:
        return "quepid_book"
    if "queries" in keys and ('"ratings"' in text or "case_name" in keys):
        return "quepid_case"
    if form := _export_of_annotators(keys, text):
        return form
    if keys & {"annotations", "completions"}:
        return "label_studio_json" if '"result"' in text or "data" in keys else "doccano_json"
    if "annotation_id" in keys or ("annotator" in keys and keys & MIN_LABELS):
        return "label_studio_json_min"
    is_labelled = bool(keys & {"label", "labels"}) and (bool(keys & QUERY_KEYS) or not keys & DOCUMENT_KEYS)
    if is_labelled:
        return "doccano_json"
    return "judgement_json" if _is_judgement({plain_name(key) for key in keys}) else None


def _export_of_annotators(keys: set[str], text: str) -> str | None:
    """Which of Argilla, Potato and Prodigy wrote records with these keys."""
    is_flat = any(key.endswith(".responses") for key in keys)
    is_version_1 = "external_id" in keys and '"user_id"' in text and '"value"' in text
    if is_flat or is_version_1 or keys >= {"fields", "responses"}:
        return "argilla"
    if "label_annotations" in keys or keys >= {"instance_id", "user_id", "labels"}:
        return "potato_json"
    is_prodigy = "answer" in keys and bool(keys & PRODIGY_KEYS)
    return "prodigy" if is_prodigy or "_annotator_id" in keys else None


def _is_judgement(names: set[str]) -> bool:
    """Whether a record with these names is a judgement: a topic, a document and a grade, and no document with a text.

    The name label is left to the records that doccano writes, unless the record names its judge.
    """
    if names >= {"query_id", "corpus_id", "score"}:
        return True
    has_topic = bool(names & {"query_id", "qid", "topic_id"} or (names & {"query", "topic"} and not names & TEXT_KEYS))
    grades = GRADE_KEYS | ({"label", "labels"} if names & JSON_ASSESSORS else set())
    return has_topic and bool(names & JUDGED_KEYS) and bool(names & grades)


def _topics_or_documents(names: set[str], topics: str, documents: str, file: str) -> FileKind | None:
    """Which of the two formats objects or columns with these names have."""
    if names & NOT_TEXTS or not names & (TITLE_KEYS | TEXT_KEYS | {"url"}):
        return None
    if names & DOCUMENT_KEYS:
        return FILE_KINDS[documents]
    if names & QUERY_KEYS or (names & ID_KEYS and names & {"query", "question"}):
        return FILE_KINDS[topics]
    if not names & ID_KEYS:
        return None
    if "title" in names and names & TEXT_KEYS:
        return FILE_KINDS[documents]
    return _by_name(topics, documents, documents, file)


def _by_name(topics: str, documents: str, default: str, file: str) -> FileKind:
    base = PurePath(file).name
    for words, form in ((TOPIC_NAMES, topics), (DOCUMENT_NAMES, documents)):
        if any(word in base.lower() for word in words):
            note = f"The content may be topics or documents; the file name {shown(base)} decides."
            return replace(FILE_KINDS[form], note=note)
    kind = FILE_KINDS[default]
    return replace(kind, note=f"The content may be topics or documents; it is read as {kind.kind}.")


def _by_columns(lines: Sequence[str], name: str) -> FileKind | None:
    if form := _by_header(lines[0], name):
        return form
    rows = [[] if _has_free_text(line) else line.split() for line in lines]
    if _most(len(row) == 6 and NUMBER.fullmatch(row[4]) is not None for row in rows):
        return FILE_KINDS["trec_run"]
    if _most(len(row) == 4 and NUMBER.fullmatch(row[3]) is not None for row in rows):
        return FILE_KINDS["trec_qrels"]
    if _most(COLON_LINE.match(line) is not None for line in lines):
        return FILE_KINDS["colon_topics"]
    cells = [line.split("\t") for line in lines]
    if _most(len(row) in (3, 4) and row[1].startswith(("http://", "https://")) for row in cells):
        return FILE_KINDS["tsv_documents"]
    if _are_ranks(cells):
        return FILE_KINDS["msmarco_run"]
    if _most(len(row) == 2 for row in cells):
        return _by_name("tsv_topics", "tsv_documents", "tsv_topics", name)
    return FILE_KINDS["tsv_topics"] if _most(len(row) in (3, 4) for row in cells) else None


def _are_ranks(cells: Sequence[Sequence[str]]) -> bool:
    """Whether most lines are query_id, doc_id and rank. A topic occurs again in a run, or all documents have rank 1."""
    rows = [row for row in cells if len(row) == 3 and len("\t".join(row).split()) == 3 and row[2].strip().isdecimal()]
    return len(rows) * 2 > len(cells) and (
        len({row[0] for row in rows}) < len(rows) or {row[2] for row in rows} == {"1"}
    )


def _has_free_text(line: str) -> bool:
    """Whether tabs separate an id from text with blanks. Such a text may end with a number, like a line of qrels."""
    first, *others = line.split("\t")
    return len(first.split()) == 1 and any(len(cell.split()) > 1 for cell in others)


def _most(matches: Iterable[bool]) -> bool:
    found = list(matches)
    return sum(found) * 2 > len(found)


def _by_header(line: str, file: str) -> FileKind | None:
    """The format whose header this line is."""
    for separator in ("\t", ",", ";"):
        names = [cell.strip().strip('"').lower() for cell in line.split(separator)]
        if len(names) > 1 and (found := _of_header(names, separator, file)):
            return found
    return None


def _of_header(names: Sequence[str], separator: str, file: str) -> FileKind | None:
    columns = set(names)
    if columns >= BEIR_HEADER:
        return FILE_KINDS["beir_qrels"]
    if "annotation_id" in columns:
        return FILE_KINDS["label_studio_csv"]
    if "instance_id" in columns and columns & {"user", "user_id"} and separator != ";":
        return FILE_KINDS["potato_csv"]
    found = _of_judgements(names)
    if found == "judgement_csv" and columns & ASSESSORS:
        return FILE_KINDS[found]
    if found == "judgement_csv" and "user" in columns and "label" not in columns:
        return FILE_KINDS[found]
    if separator == "," and list(names[:2]) == ["query", "docid"]:
        return FILE_KINDS["quepid_csv"]
    if columns & {"query_id", "qid"} and columns & DOCUMENT_KEYS and columns & {"relevance", "label"}:
        return FILE_KINDS["judgement_csv" if "relevance" in columns else "doccano_csv"]
    if found or separator == ";":
        return FILE_KINDS[found] if found else None
    if separator == "\t":
        return _topics_or_documents(columns, "tsv_topics", "tsv_documents", file)
    return FILE_KINDS["csv_topics"] if columns & QUERY_KEYS and columns & TITLE_KEYS else None


def _of_judgements(names: Sequence[str]) -> str | None:
    """Which table of judgements has this header."""
    try:
        columns = find_columns(names, {}, "")
    except FormatError:
        return None
    if columns.missing:
        return None
    return "judge_columns" if columns.judges else "judgement_csv"


def is_beir(content: bytes) -> bool:
    """Whether the first line is the header of BEIR's qrels."""
    return {
        name.strip() for name in content.partition(b"\n")[0].decode(errors="replace").lower().split("\t")
    } >= BEIR_HEADER


def _by_ending(name: str) -> FileKind | None:
    """Markdown has no mark that tells it from other text."""
    if PurePath(name).suffix.lower() in (".md", ".markdown"):
        base = PurePath(name).name
        return replace(FILE_KINDS["markdown"], note=f"The ending of the file name {shown(base)} decides.")
    return None

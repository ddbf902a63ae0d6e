"""A small file of every format that is recognised.

Each has one valid record (topic 1 with the title "green tea", document d1, grade 1), one that is no judgement where the
format has such, and one that is invalid where an invalid record does not make the whole file unreadable.
"""

import io
import json
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from openpyxl import Workbook

from tests.pooling.formats.test_warc import response, warc

PAIR = {"query_id": "1", "doc_id": "d1"}
OTHER = {"query_id": "1", "doc_id": "d2"}
Rows = Sequence[Any]


class Form(NamedTuple):
    """How to write a file of a format from its records; `none` and `bad` are None where there are no such records."""

    write: Callable[[Rows], bytes]
    good: Any
    none: Any = None
    bad: Any = None
    names_judge: bool = True


def text(header: str = "") -> Callable[[Rows], bytes]:
    return lambda rows: "".join(f"{row}\n" for row in ([header, *rows] if header else rows)).encode()


def jsonl(rows: Rows) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def within(frame: Callable[[list[Any]], Any]) -> Callable[[Rows], bytes]:
    return lambda rows: json.dumps(frame(list(rows))).encode()


def sheet(rows: Rows) -> bytes:
    book, content = Workbook(), io.BytesIO()
    for row in [("judge", "topic", "document", "grade"), *rows]:
        book.active.append(row)
    book.save(content)
    return content.getvalue()


def zipped(rows: Rows) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in rows:
            archive.writestr(name, data)
    return content.getvalue()


def tarred(rows: Rows) -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        for name, data in rows:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return content.getvalue()


def argilla(pair: dict[str, str], value: Any, status: str = "submitted") -> dict[str, Any]:
    answer = {"value": value, "user_id": "ada", "status": status}
    return {"fields": {"text": "t"}, "metadata": pair, "responses": {"relevance": [answer]}}


def task(pair: dict[str, str], *choices: str, **annotation: Any) -> dict[str, Any]:
    results = [{"type": "choices", "value": {"choices": list(choices)}}] if choices else []
    return {"data": pair, "annotations": [{"completed_by": {"email": "ada"}, "result": results} | annotation]}


def prodigy(pair: dict[str, str], answer: str, accept: Sequence[str]) -> dict[str, Any]:
    return {"meta": pair, "options": [], "accept": list(accept), "answer": answer, "_annotator_id": "ada"}


def potato(instance: str, labels: dict[str, Any]) -> dict[str, Any]:
    return {"instance_id": instance, "user_id": "ada", "labels": labels}


def book(document: str, rating: Any) -> dict[str, Any]:
    return {"query_text": "1", "doc_id": document, "judgements": [{"rating": rating, "user_email": "ada"}]}


def flat(pair: dict[str, str], label: Any) -> dict[str, Any]:
    return pair | {"annotation_id": 5, "annotator": "ada", "relevance": label}


ZIP_OF_RUN = ("a.run", b"1 Q0 d1 1 2.5 a\n")
CORPUS = ("corpus.jsonl", b'{"_id": "d1", "title": "", "text": "Green tea."}\n')
QUERIES = ("queries.jsonl", b'{"_id": "1", "text": "green tea"}\n')

FORMS = {
    "trec_run": Form(text(), "1 Q0 d1 1 2.5 a", bad="1 Q0 d2 2 high a"),
    "msmarco_run": Form(text(), "1\td1\t1", bad="1\td2\thigh"),
    "run_zip": Form(zipped, ZIP_OF_RUN, bad=("b.run", b"1 Q0 d2 2 high b\n")),
    "trec_qrels": Form(text(), "1 0 d1 1", "1 0 d2 -1", "1 0 d3", names_judge=False),
    "beir_qrels": Form(text("query-id\tcorpus-id\tscore"), "1\td1\t1", "1\td2\t-1", "1\td3", names_judge=False),
    "judgement_csv": Form(text("assessor,query_id,doc_id,relevance"), "ada,1,d1,1", "ada,1,d2,", "ada,1,d3,x"),
    "judge_columns": Form(text("query_id,doc_id,ada"), "1,d1,1", "1,d2,NA", "1,d3,x"),
    "judgement_sheet": Form(sheet, ("ada", "1", "d1", 1), ("ada", "1", "d2", None), ("ada", "1", "d3", "x")),
    "judgement_json": Form(
        jsonl, PAIR | {"relevance": 1, "judge": "ada"}, OTHER | {"relevance": None, "judge": "ada"}, {"relevance": 1}
    ),
    "argilla": Form(jsonl, argilla(PAIR, 1), argilla(OTHER, 1, "draft"), argilla({}, 1)),
    "doccano_zip": Form(
        lambda rows: zipped([("ada.jsonl", jsonl(rows))]),
        PAIR | {"label": [1]},
        OTHER | {"label": []},
        {"query_id": "1", "label": [1]},
    ),
    "doccano_json": Form(
        jsonl, PAIR | {"label": [1], "user": "ada"}, OTHER | {"label": [], "user": "ada"}, {"label": 1}
    ),
    "doccano_csv": Form(text("query_id,doc_id,label,user"), "1,d1,1,ada", "1,d2,,ada", "1,d3,1#0,ada"),
    "label_studio_json": Form(jsonl, task(PAIR, "1"), task(OTHER, "1", was_cancelled=True), task({}, "1")),
    "label_studio_json_min": Form(jsonl, flat(PAIR, 1), flat(OTHER, ""), flat({}, 1)),
    "label_studio_csv": Form(
        text("annotation_id,annotator,query_id,doc_id,relevance"), "5,ada,1,d1,1", "6,ada,1,d2,", "7,ada,1,,1"
    ),
    "potato_json": Form(jsonl, potato("1|d1", {"q": {"1": True}}), potato("1|d2", {}), potato("x", {"q": {"1": True}})),
    "potato_csv": Form(text("user\tinstance_id\tq:::1"), "ada\t1|d1\ttrue", "ada\t1|d2\t", "ada\tx\ttrue"),
    "prodigy": Form(jsonl, prodigy(PAIR, "accept", "1"), prodigy(OTHER, "ignore", "1"), prodigy(PAIR, "accept", "10")),
    "quepid_book": Form(within(lambda rows: {"query_doc_pairs": rows}), book("d1", 1), book("d2", None), book("", 1)),
    "quepid_case": Form(
        within(lambda rows: {"case_name": "c", "queries": [{"query_text": "1", "ratings": rows}]}),
        {"doc_id": "d1", "rating": 1, "user_email": "ada"},
        {"doc_id": "d2", "rating": None, "user_email": "ada"},
        {"rating": 1, "user_email": "ada"},
    ),
    "quepid_csv": Form(text("query,docid,ada"), "1,d1,1", "1,d2,", "1,d3,1,1"),
    "opensearch": Form(
        within(lambda rows: {"judgmentRatings": [{"query": "1", "ratings": rows}]}),
        {"docId": "d1", "rating": "1"},
        {"docId": "d2", "rating": None},
        {"rating": "1"},
        names_judge=False,
    ),
    "trec_topics": Form(
        text(),
        "<top>\n<num> Number: 1\n<title> green tea\n</top>",
        bad="<top>\n<num> Number: 2\n<title>\n</top>",
    ),
    "xml_topics": Form(
        lambda rows: f"<topics>{''.join(rows)}</topics>".encode(),
        '<topic number="1"><query>green tea</query></topic>',
        bad='<topic number="2"></topic>',
    ),
    "tsv_topics": Form(text("query_id\ttitle"), "1\tgreen tea", bad="2\t"),
    "csv_topics": Form(text("query_id,title"), "1,green tea", bad="2,"),
    "colon_topics": Form(text(), "1:green tea", bad="no colon"),
    "jsonl_topics": Form(jsonl, {"query_id": "1", "title": "green tea"}, bad={"title": "no id"}),
    "trec_documents": Form(
        text(),
        "<DOC>\n<DOCNO>d1</DOCNO>\n<TEXT>Green tea.</TEXT>\n</DOC>",
        bad="<DOC>\n<TEXT>No id.</TEXT>\n</DOC>",
    ),
    "jsonl_documents": Form(jsonl, {"doc_id": "d1", "text": "Green tea."}, bad={"doc_id": ["x"], "text": "A list."}),
    "tsv_documents": Form(text("doc_id\ttext"), "d1\tGreen tea.", bad="d2\ta\tb\tc"),
    "warc": Form(lambda rows: warc(*rows), response(b"<p>Green tea.</p>", "d1")),
    "beir_zip": Form(lambda rows: zipped([*rows, QUERIES]), CORPUS),
    "zip": Form(zipped, ("d1.txt", b"Green tea."), bad=("d2.exe", b"MZ")),
    "tar": Form(tarred, ("d1.txt", b"Green tea."), bad=("d2.exe", b"MZ")),
    "html": Form(text(), "<html><body>Green tea.</body></html>"),
    "markdown": Form(text(), "Green tea."),
}
NAMES = {"html": "d1.html", "markdown": "d1.md", "jsonl_topics": "topics.jsonl"}

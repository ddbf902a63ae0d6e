"""Fifty ways in which a program or a person damages files: ids, headers, columns, grades, states, encodings, packing.

`ROWS` damages the cells of some rows of a table of judgements, `RUN_LINES` some lines of a run, and `FILES` the whole
content of the table. Each takes and returns what it damages, so that a test applies one to a correct file.
"""

import bz2
import gzip
import io
import lzma
import re
import tarfile
import zipfile
from collections.abc import Callable

Row = list[str]  # assessor, query_id, doc_id, relevance
TOPIC, DOCUMENT, GRADE = 1, 2, 3


def cell(at: int, change: Callable[[str], str]) -> Callable[[Row], Row]:
    """A damage of one cell of a row."""
    return lambda row: [*row[:at], change(row[at]), *row[at + 1 :]]


def put(at: int, text: str) -> Callable[[Row], Row]:
    """A damage that replaces one cell of a row."""
    return lambda row: [*row[:at], text, *row[at + 1 :]]


ROWS: dict[str, Callable[[Row], Row]] = {
    "topic without zeros": cell(TOPIC, lambda text: text.lstrip("0")),
    "topic with decimals": cell(TOPIC, lambda text: f"{text}.0"),
    "topic in quotes": cell(TOPIC, lambda text: f'"""{text}"""'),
    "topic with an apostrophe": cell(TOPIC, lambda text: f"'{text}'"),
    "topic with a prefix": cell(TOPIC, lambda text: f"q{text}"),
    "topic with a no-break space": cell(TOPIC, lambda text: f"{text}\u00a0"),
    "topic with a byte-order mark": cell(TOPIC, lambda text: f"\ufeff{text}"),
    "topic in exponents": cell(TOPIC, lambda text: f"{float(text):.1E}"),
    "topic as a date": cell(TOPIC, lambda text: f"{int(text) % 28 + 1}-May"),
    "topic empty": put(TOPIC, ""),
    "document in small letters": cell(DOCUMENT, str.lower),
    "document with a prefix": cell(DOCUMENT, lambda text: f"msmarco_{text}"),
    "document with decimals": cell(DOCUMENT, lambda text: f"{text}.0"),
    "document with a blank at the end": cell(DOCUMENT, lambda text: f"{text} "),
    "document in quotes": cell(DOCUMENT, lambda text: f"'{text}'"),
    "document empty": put(DOCUMENT, ""),
    "grade with decimals": cell(GRADE, lambda text: f"{text}.0"),
    "grade with a decimal comma": cell(GRADE, lambda text: f'"{text},0"'),
    "grade as a word": cell(GRADE, lambda text: "relevant" if text == "1" else "not relevant"),
    "grade off the scale": put(GRADE, "7"),
    "grade between two": cell(GRADE, lambda text: f"{text}.5"),
    "grade negative": put(GRADE, "-1"),
    "grade empty": put(GRADE, ""),
    "grade NA": put(GRADE, "NA"),
    "grade None": put(GRADE, "None"),
    "grade a dash": put(GRADE, "-"),
    "grade with a blank": cell(GRADE, lambda text: f" {text}"),
    "grade in other digits": cell(GRADE, lambda text: chr(0x0660 + int(text))),
    "judge in capitals": cell(0, str.upper),
    "judge empty": put(0, ""),
    "a cell too many": lambda row: [*row, "x"],
    "a cell too few": lambda row: row[:3],
    "topic and document exchanged": lambda row: [row[0], row[2], row[1], row[3]],
    "a row of separators": lambda row: [""] * len(row),
}


RUN_LINES: dict[str, Callable[[str], str]] = {
    "topic without zeros": lambda line: line.lstrip("0"),
    "topic with decimals": lambda line: line.replace(" Q0", ".0 Q0"),
    "topic in quotes": lambda line: '"' + line.replace(" Q0", '" Q0'),
    "topic with a prefix": lambda line: f"q{line}",
    "document in small letters": lambda line: line.replace("D0", "d0"),
    "score with a decimal comma": lambda line: line.replace(".", ","),
    "score that is no number": lambda line: re.sub(r"[0-9]+\.[0-9]+", "nan", line),
    "score infinite": lambda line: re.sub(r"[0-9]+\.[0-9]+", "inf", line),
    "score the same": lambda line: re.sub(r"[0-9]+\.[0-9]+", "1.0", line),
    "score of the rank": lambda line: re.sub(r" ([0-9]+) [0-9]+\.[0-9]+ ", r" \1 \1 ", line),
    "rank from 0": lambda line: re.sub(r" ([0-9]+) ([0-9.]+) ", lambda m: f" {int(m[1]) - 1} {m[2]} ", line),
    "no rank": lambda line: re.sub(r" [0-9]+ ([0-9.]+) ", r" \1 ", line),
    "no tag": lambda line: line.rsplit(" ", 1)[0],
    "a column more": lambda line: f"{line} x",
    "commas": lambda line: line.replace(" ", ","),
    "tabs": lambda line: line.replace(" ", "\t"),
    "a blank at the end": lambda line: f"{line} ",
    "twice": lambda line: f"{line}\n{line}",
}


TOPIC_LINES: dict[str, Callable[[str], str]] = {
    "topic without zeros": lambda line: line.lstrip("0"),
    "topic with decimals": lambda line: line.replace("\t", ".0\t"),
    "topic in apostrophes": lambda line: "'" + line.replace("\t", "'\t"),
    "topic with a prefix": lambda line: f"q{line}",
    "topic as a date": lambda line: f"{int(line[:3]) % 28 + 1}-May{line[3:]}",
    "topic in exponents": lambda line: f"{float(line[:3]):.1E}{line[3:]}",
    "topic empty": lambda line: line[3:],
    "title empty": lambda line: line[:4],
    "no title": lambda line: line[:3],
    "twice": lambda line: f"{line}\n{line}",
    "NUL": lambda line: line.replace("title", "ti\0tle"),
}


def header(old: str, new: str) -> Callable[[str], bytes]:
    return lambda text: text.replace(old, new, 1).encode()


def _zip(text: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("judgements.csv", text)
    return buffer.getvalue()


def _tar(text: str) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        entry = tarfile.TarInfo("judgements.csv")
        entry.size = len(text.encode())
        archive.addfile(entry, io.BytesIO(text.encode()))
    return buffer.getvalue()


def _columns(text: str, *order: int) -> bytes:
    rows = [line.split(",") for line in text.splitlines()]
    return "".join(",".join(row[at] for at in order) + "\n" for row in rows).encode()


FILES: dict[str, Callable[[str], bytes]] = {
    "header of other names": header("assessor,query_id,doc_id,relevance", "judge,topic,document,grade"),
    "header in capitals": header("assessor,query_id,doc_id,relevance", "ASSESSOR,QUERY_ID,DOC_ID,RELEVANCE"),
    "header with blanks": header("assessor,query_id,doc_id,relevance", "assessor, query_id, doc_id, relevance"),
    "header of unknown names": header("assessor,query_id,doc_id,relevance", "a,b,c,d"),
    "header with a name twice": header("assessor,query_id,doc_id,relevance", "assessor,query_id,doc_id,doc_id"),
    "header of an unknown judge": header("assessor", "who"),
    "no header": header("assessor,query_id,doc_id,relevance\n", ""),
    "columns in another order": lambda text: _columns(text, 3, 2, 1, 0),
    "no column of the judge": lambda text: _columns(text, 1, 2, 3),
    "no column of the grade": lambda text: _columns(text, 0, 1, 2),
    "semicolons": lambda text: text.replace(",", ";").encode(),
    "tabs": lambda text: text.replace(",", "\t").encode(),
    "bars": lambda text: text.replace(",", "|").encode(),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "empty lines": lambda text: text.replace("\n", "\n\n").encode(),
    "no end of the last line": lambda text: text.rstrip("\n").encode(),
    "every row twice": lambda text: (text + text.split("\n", 1)[1]).encode(),
    "every row again with another grade": lambda text: (text + _others(text)).encode(),
    "a state of judged": lambda text: _with_state(text, "judged"),
    "a state of another program": lambda text: _with_state(text, "submitted"),
    "a state of cannot judge": lambda text: _with_state(text, "cannot_judge"),
    "byte-order mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16": lambda text: text.encode("utf-16"),
    "Latin-1": lambda text: text.replace("D0", "Dé").encode("latin-1"),
    "NUL bytes": lambda text: text.replace("D0", "D\0").encode(),
    "gzip": lambda text: gzip.compress(text.encode()),
    "bzip2": lambda text: bz2.compress(text.encode()),
    "xz": lambda text: lzma.compress(text.encode()),
    "half a gzip": lambda text: gzip.compress(text.encode())[:-20],
    "ZIP": _zip,
    "tar.gz": _tar,
    "Zstandard": lambda text: b"\x28\xb5\x2f\xfd" + text.encode(),
    "compress": lambda text: b"\x1f\x9d\x90" + text.encode(),
    "only the header": lambda text: text.split("\n", 1)[0].encode() + b"\n",
    "empty": lambda text: text[:0].encode(),
}


def _others(text: str) -> str:
    """The rows with the other grade."""
    return "".join(f"{line[:-1]}{1 - int(line[-1])}\n" for line in text.splitlines()[1:])


def _with_state(text: str, state: str) -> bytes:
    first, *rows = text.splitlines()
    return "\n".join([f"{first},state", *(f"{row},{state}" for row in rows), ""]).encode()

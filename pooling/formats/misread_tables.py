"""Refuse a table with a header, or a file in UTF-16, where qrels are expected, with a sentence that says so.

Spreadsheets write such files. Read as qrels, the first line would have too few columns or an odd label.
"""

from pooling._io.error_report import Problems, raise_or_keep
from pooling.errors import TrecFormatError

NAMES = {b"query_id", b"doc_id", b"relevance"}
SEPARATORS = {b",": "commas", b";": "semicolons", b"\t": "tabs"}
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # byte-order marks


def refuse_misread_table(content: bytes, file: str, problems: Problems = None) -> bool:
    """Whether the content is a table or UTF-16; the error is raised, or added to `problems`."""
    error = _error(content, file)
    if error:
        raise_or_keep(error, problems)
    return error is not None


def _error(content: bytes, file: str) -> TrecFormatError | None:
    if content.startswith(UTF_16):
        allowed = "a file must be UTF-8; save it as “CSV UTF-8” or plain text"
        return TrecFormatError("the file is UTF-16", allowed, file, 1)
    header = content.partition(b"\n")[0].replace(b'"', b"").strip()
    for separator, name in SEPARATORS.items():
        if len(NAMES.intersection(header.split(separator))) > 1:
            allowed = "CSV is separated by commas, and is read as judgements; a gold is a qrels file without a header"
            return TrecFormatError(f"the file is a table with a header, separated by {name}", allowed, file, 1)
    return None

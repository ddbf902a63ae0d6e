"""BEIR qrels as TREC qrels.

The first line is the header ``query-id<TAB>corpus-id<TAB>score``; every other line has these three columns. If the
header is in double quotes, the double quotes around the other cells are no part of them either.
"""

from pooling.errors import Problems, TrecFormatError, raise_or_keep

HEADER = [b"query-id", b"corpus-id", b"score"]


def as_trec_qrels(content: bytes, file: str, problems: Problems = None) -> bytes:
    """The lines of BEIR qrels as TREC qrels, with the same line numbers; other content is returned as it is.

    `problems` collects the problems of lines with more or fewer columns, which become blank; by default the first one
    is raised.
    """
    first, _, rest = content.partition(b"\n")
    cells = [cell.strip().lower() for cell in first.split(b"\t")]
    if [_unquoted(cell) for cell in cells] != HEADER:
        return content
    is_quoted = cells != HEADER
    lines = [b""]
    for number, line in enumerate(rest.split(b"\n"), start=2):
        fields = [_unquoted(field) for field in line.split()] if is_quoted else line.split()
        if len(fields) == 3:
            fields.insert(1, b"0")
        elif fields:
            what, allowed = f"{len(fields)} columns", "a line has query-id, corpus-id and score"
            raise_or_keep(TrecFormatError(what, allowed, file, number), problems)
            fields = []
        lines.append(b"\t".join(fields))
    return b"\n".join(lines)


def _unquoted(cell: bytes) -> bytes:
    return cell[1:-1] if len(cell) > 1 and cell[:1] == cell[-1:] == b'"' else cell

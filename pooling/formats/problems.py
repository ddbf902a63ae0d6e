"""List the invalid lines of a file, instead of stopping at the first."""

from collections import deque
from typing import TYPE_CHECKING

from pooling._io.streams import Progress, Source, display_name
from pooling.errors import FormatError, Problems, refuse_unless

if TYPE_CHECKING:
    _List = list[FormatError]
else:
    _List = list

KINDS = ("runs", "topics", "documents", "judgements")
MOST = 1_000
MAX_RUN_BYTES = 1 << 30


class _EnoughError(Exception):
    """As many problems as were asked for."""


class _AtMost(_List):
    """A list of problems that ends the reading when it is full."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit

    def append(self, problem: FormatError) -> None:
        super().append(problem)
        if len(self) >= self._limit:
            raise _EnoughError


def problems(
    source: Source, kind: str, *, limit: int = MOST, name: str | None = None, progress: Progress | None = None
) -> list[FormatError]:
    """The invalid lines of a file, in its order.

    Only the first problem of a line is listed. A problem of the whole file, such as corrupt data, ends the list.

    Parameters
    ----------
    source : path, bytes or binary file
        The file, in any format of its kind.
    kind : {"runs", "topics", "documents", "judgements"}
        What the file contains, as `recognise` returns it. Of judgements, qrels and exports of other programs are
        checked, without the values of their labels, which depend on a scale.
    limit : int, optional
        The largest number of problems; the rest of the file is not read then.
    name : str, optional
        The name of the file in the errors. By default it is the path or the name of `source`.
    progress : callable, optional
        Called with the number of bytes read, repeatedly.

    Returns
    -------
    list of FormatError
        Empty if the file is valid.

    Raises
    ------
    ValueError
        If `kind` is unknown or `limit` is less than 1.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from pooling import problems
    >>> [str(problem) for problem in problems(b"1\\ttea\\n2\\n", "topics", name="topics.tsv")]
    ['topics.tsv, line 2: 1 columns; a line has query_id and title, and may have description and narrative, separated \
by tabs']
    """
    refuse_unless(kind, str, "kind", "the name of a kind of file")
    if kind not in KINDS:
        raise ValueError(f"kind {kind!r} is unknown; choose from: {', '.join(KINDS)}")
    if limit < 1:
        raise ValueError(f"limit must be at least 1, not {limit}")
    found = _AtMost(limit)
    try:
        READERS[kind](source, name or display_name(source), found, progress)
    except _EnoughError:
        pass
    except FormatError as error:  # of the whole file
        list.append(found, error.with_traceback(None))
    return list(found)


def _run(source: Source, name: str, found: Problems, progress: Progress | None) -> None:
    from pooling._io.reading import run_frame  # loads pandas

    run_frame(source, name, found, None, "float64", "error", MAX_RUN_BYTES, progress)


def _topics(source: Source, name: str, found: Problems, progress: Progress | None) -> None:
    from pooling.topics import read_topics  # loads pandas

    read_topics(source, name=name, problems=found, progress=progress)


def _documents(source: Source, name: str, found: Problems, progress: Progress | None) -> None:
    from pooling.documents import read_documents

    deque(read_documents(source, name=name, problems=found, progress=progress), maxlen=0)


def _judgements(source: Source, name: str, found: Problems, progress: Progress | None) -> None:
    from pooling.formats.exports.reading import export_format, read_export  # loads pandas
    from pooling.trec import file_content, read_labels

    content = file_content(source, MAX_RUN_BYTES, name, progress, found)
    if found:
        return
    if form := export_format(content):
        read_export(content, form, name, found)
    else:
        read_labels(content, name, found)


READERS = {"runs": _run, "topics": _topics, "documents": _documents, "judgements": _judgements}

"""Batch files of OpenAI's contract: requests as JSONL files to upload, and the answers as files to read.

A line of a request is {"custom_id", "method", "url", "body"}. `custom_id` is the request key, 64 hexadecimal digits. A
file has at most 50,000 lines and 200 MB. A line of an answer is {"custom_id", "response": {"status_code", "request_id",
"body"}, "error"}, in any order. Requests that failed or expired are in a file of errors with the same form. Lines whose
key belongs to no pair are refused, because they belong to another prompt, model, pool or version of a text. Pairs
without a line are named. Parameters are not learned here: the vendor refuses the whole file.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from pooling.errors import FormatError, shown
from pooling.formats.courses.pairs import json_line
from pooling.models.answers import Answer, Pair, failed
from pooling.models.ask import in_drawn_order
from pooling.models.chat import ChatJudge
from pooling.models.endpoint import PATH

MOST_LINES, MOST_BYTES = 50_000, 200_000_000
MOST_LINE = 20_000_000  # bytes of an answer's line
URL = f"/v1{PATH}"
Target: TypeAlias = str | PathLike[str]
ALLOWED = 'a line is a JSON object with "custom_id" and "response" or "error"'


@dataclass(frozen=True)
class BatchAnswers:
    """The answers of a batch.

    Attributes
    ----------
    answers : tuple of Answer
        In the order of the pairs.
    missing : tuple of Pair
        The pairs without a line in the files.
    without_text : tuple of Pair
        The pairs that were not written, because they have no text.

    Examples
    --------
    >>> from pooling.models import BatchAnswers
    >>> len(BatchAnswers((), (), ()).answers)
    0
    """

    answers: tuple[Answer, ...]
    missing: tuple[Pair, ...]
    without_text: tuple[Pair, ...]


def write_batch(
    judge: ChatJudge,
    pairs: Iterable[Pair],
    folder: Target,
    *,
    seed: int,
    name: str = "batch",
    most_lines: int = MOST_LINES,
    most_bytes: int = MOST_BYTES,
) -> list[Path]:
    """Write the requests of pairs, and return the files.

    Parameters
    ----------
    judge : ChatJudge
        Model, prompt and parameters. The secret is not written.
    pairs : iterable of Pair
        What to judge. Pairs without a text are left out.
    folder : path
        Where the files are written: `NAME-1.jsonl` and so on. It must exist, and must not have one of them.
    seed : int
        Draws the order.
    name : str
        How the names of the files begin.
    most_lines, most_bytes : int
        The most of a file, for vendors with lower limits.

    Raises
    ------
    ValueError
        If a pair occurs twice, or one request is larger than a file.
    FileExistsError
        If a file exists.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from pooling.models import PROMPTS, ChatEndpoint, ChatJudge, Pair, checked_scale, write_batch
    >>> judge = ChatJudge(ChatEndpoint("http://a.example/v1", "m"), PROMPTS["direct"], checked_scale([(0,), (1,)]))
    >>> with TemporaryDirectory() as folder:
    ...     [path.name for path in write_batch(judge, [Pair("1", "d1", {"title": "tea"}, "text")], folder, seed=1)]
    ['batch-1.jsonl']
    """
    lines = _requests(judge, in_drawn_order(pairs, seed), most_bytes)
    return write_lines(lines, Path(folder), name, most_lines, most_bytes)


def read_batch(
    judge: ChatJudge, pairs: Sequence[Pair], answers: Sequence[Target], errors: Sequence[Target] = ()
) -> BatchAnswers:
    """Read the answers of a batch.

    Parameters
    ----------
    judge : ChatJudge
        The judge whose requests were written.
    pairs : sequence of Pair
        The pairs whose requests were written.
    answers, errors : sequence of path
        The files of the vendor.

    Returns
    -------
    BatchAnswers
        The answers, and the pairs that have none.

    Raises
    ------
    FormatError
        If a line has another form, or its key belongs to no pair or occurs twice.

    Examples
    --------
    >>> from pooling.models import PROMPTS, ChatEndpoint, ChatJudge, Pair, checked_scale, read_batch
    >>> judge = ChatJudge(ChatEndpoint("http://a.example/v1", "m"), PROMPTS["direct"], checked_scale([(0,), (1,)]))
    >>> [pair.doc_id for pair in read_batch(judge, [Pair("1", "d1", {"title": "tea"}, "text")], []).missing]
    ['d1']
    """
    by_key, left_out = _by_key(judge, pairs)
    found: dict[str, Answer] = {}
    for path in (*answers, *errors):
        for number, row in _rows(Path(path)):
            key = _key(row, Path(path).name, number, by_key, found)
            found[key] = _answer(judge, _loaded(by_key[key]), key, row)
    missing = tuple(pair for key, pair in by_key.items() if key not in found)
    return BatchAnswers(tuple(found[key] for key in by_key if key in found), missing, tuple(left_out))


def _by_key(judge: ChatJudge, pairs: Iterable[Pair]) -> tuple[dict[str, Pair], list[Pair]]:
    """Return the pairs by their keys, and those without a text. Each text is read once, and none is kept."""
    by_key: dict[str, Pair] = {}
    without_text: list[Pair] = []
    for pair in pairs:
        loaded = _loaded(pair)
        if loaded.has_text():
            by_key[judge.key(loaded)] = pair
        else:
            without_text.append(pair)
    return by_key, without_text


def _loaded(pair: Pair) -> Pair:
    """Return a pair whose text is read, so that reading it again costs nothing."""
    return pair._replace(text=pair.document())


def write_lines(
    lines: Iterator[bytes],
    folder: Path,
    name: str = "batch",
    most_lines: int = MOST_LINES,
    most_bytes: int = MOST_BYTES,
) -> list[Path]:
    """Write lines to `NAME-1.jsonl` and so on, and return the files. An error leaves none of them."""
    files: list[Path] = []
    try:
        line = next(lines, None)
        while line is not None:
            path = folder / f"{name}-{len(files) + 1}.jsonl"
            with path.open("xb") as stream:
                files.append(path)
                line = _fill(stream, line, lines, most_lines, most_bytes)
    except BaseException:
        for path in files:
            path.unlink(missing_ok=True)
        raise
    return files


def _fill(
    stream: BinaryIO, line: bytes | None, lines: Iterator[bytes], most_lines: int, most_bytes: int
) -> bytes | None:
    """Write lines to a file until it is full. Return the first line of the next file; None if there is none."""
    written = size = 0
    while line is not None and written < most_lines and (not written or size + len(line) <= most_bytes):
        stream.write(line)
        written, size = written + 1, size + len(line)
        line = next(lines, None)
    return line


def _requests(judge: ChatJudge, pairs: Iterable[Pair], most_bytes: int) -> Iterator[bytes]:
    for pair in pairs:
        pair = _loaded(pair)
        if not pair.has_text():
            continue
        line = json_line({"custom_id": judge.key(pair), "method": "POST", "url": URL, "body": judge.body(pair)})
        if len(line) > most_bytes:
            raise ValueError(
                f"The request of {pair.name} has {len(line):,} bytes; a file of a batch has at most {most_bytes:,}."
            )
        yield line


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the objects of a file with the numbers of their lines. Empty lines are ignored."""
    with path.open("rb") as stream:
        number = 0
        while line := stream.readline(MOST_LINE + 1):
            number += 1
            if len(line) > MOST_LINE:
                raise FormatError(f"the line has more than {MOST_LINE:,} bytes", ALLOWED, path.name, number)
            if line.strip():
                yield number, _row(line, path.name, number)


def _row(line: bytes, file: str, number: int) -> Mapping[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        begin = shown(line[:60].decode(errors="replace").strip())
        raise FormatError(f"{begin} is no JSON object", ALLOWED, file, number)
    return row


def _key(
    row: Mapping[str, Any], file: str, number: int, by_key: Mapping[str, Pair], found: Mapping[str, Answer]
) -> str:
    """Return the key of a line. A key of another batch, or one that was read before, is refused."""
    key = row.get("custom_id")
    if not isinstance(key, str) or key not in by_key:
        what = f"custom_id {shown(key if isinstance(key, str) else repr(key))} belongs to no pair"
        allowed = "the keys are those of this pool, prompt, scale, model and parameters"
        raise FormatError(what, allowed, file, number, "custom_id")
    if key in found:
        raise FormatError(f"custom_id {shown(key)} occurs twice", "each pair has one line", file, number, "custom_id")
    return key


def _answer(judge: ChatJudge, pair: Pair, key: str, row: Mapping[str, Any]) -> Answer:
    response, error = row.get("response"), row.get("error")
    if isinstance(response, dict) and "body" in response:
        status, body = response.get("status_code"), response["body"]
        raw = body.encode("utf-8", "replace") if isinstance(body, str) else json.dumps(body).encode()
        request_id = response.get("request_id")
        text = request_id if isinstance(request_id, str) else ""
        return judge.read(pair, key, status if type(status) is int else 200, raw, text)
    message = error.get("message") or error.get("code") if isinstance(error, dict) else error
    reason = shown(message) if isinstance(message, str) and message else "without a reason"
    return failed(pair, key, "not_answered", f"The batch has an error: {reason}.", raw=json.dumps(row).encode())

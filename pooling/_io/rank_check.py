"""Whether the rank column of a run contradicts the order of its documents, in a sample of its topics.

The column is ignored, as in trec_eval: the order is by score descending, equal scores by doc_id descending. A reader of
the file may expect the order of the ranks, so a run is checked for two neighbours by rank of which the second has

- a higher score, or
- the same score and a higher doc_id.

Checked are the lines of one part at the start of the file, and of `PARTS` parts at equal distances in the rest: the
same in each reading, and few, so that reading takes hardly longer. Of a longer topic, only these lines are compared.
Ranks may begin with any number. Equal ranks order nothing, so a column that is constant gives no sentence, nor does
one with anything but whole numbers.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from pooling._io.lines import BLANKS
from pooling.errors import shown
from pooling.formats.comments import COMMENT
from pooling.words import count

N_FIELDS = 6
LEAST_BYTES = 2 << 10  # of the sample; a smaller file is checked as a whole
MOST_BYTES = 8 << 10
SHARE = 48  # the sample of a file is 1/48 of it, between these limits
PARTS = 4
ORDER = "The order is by score, and equal scores by doc_id descending, as in trec_eval."

# query_id, rank, negative score, doc_id: neighbours by rank when they are sorted, and in order if the rest ascends
Line = tuple[bytes, int, float, bytes]


def rank_sentence(data: bytes, score_precision: str) -> str:
    """What a user should know about the ranks of a run file; empty if they contradict nothing that was checked."""
    try:
        lines = sorted(line for part in _parts(data) for line in _lines(part, score_precision))
    except ValueError:  # a rank is no whole number
        return ""
    by_score, by_doc_id = [], []
    for pair in pairwise(lines):
        (query_id, rank, score, doc_id), (next_query_id, next_rank, next_score, next_doc_id) = pair
        if score < next_score or query_id != next_query_id or rank == next_rank:
            continue
        if score > next_score:
            by_score.append(pair)
        elif doc_id < next_doc_id:
            by_doc_id.append(pair)
    if not (by_score or by_doc_id):
        return ""
    n_topics = len({line[0] for line in lines})
    contradicts = "the rank column contradicts the scores", by_score
    otherwise = "equal scores are ordered otherwise than by rank", by_doc_id
    parts = [f"{what} {_counts(pairs, n_topics)}" for what, pairs in (contradicts, otherwise) if pairs]
    return f"{', and '.join(parts)}; for example, {_example(*(by_score or by_doc_id)[0])}. {ORDER}"


def _counts(pairs: list[tuple[Line, Line]], n_topics: int) -> str:
    n_wrong = len({line[0] for line, _ in pairs})
    return f"in {n_wrong:,} of {count(n_topics, 'topic')} checked ({count(len(pairs), 'pair')} of neighbours)"


def _example(first: Line, second: Line) -> str:
    described = [f"{_shown(doc_id)} has rank {rank} and score {-score!r}" for _, rank, score, doc_id in (first, second)]
    return f"in topic {_shown(first[0])}, {', and '.join(described)}"


def _shown(text: bytes) -> str:
    return shown(text.decode(errors="replace"))


def _parts(data: bytes) -> Iterator[bytes]:
    """The parts of a file that are checked, as whole lines."""
    size = min(max(len(data) // SHARE, LEAST_BYTES), MOST_BYTES)
    if len(data) <= size:
        yield data
        return
    first, other = size // 2, size // 2 // PARTS
    yield data[: data.rfind(b"\n", 0, first) + 1]
    for number in range(1, PARTS + 1):
        end = first + (len(data) - first) * number // PARTS
        begin = data.find(b"\n", end - other, end) + 1
        yield data[begin : data.rfind(b"\n", begin, end) + 1] if begin else b""


def _lines(part: bytes, score_precision: str) -> Iterator[Line]:
    """The lines of a part; ValueError if a rank is no whole number."""
    fields = part.split()
    if b"#" in part or len(fields) != N_FIELDS * len(part.splitlines()):
        fields = _fields_line_by_line(part)
    scores = [-float(score) for score in fields[4::N_FIELDS]]
    if score_precision == "float32":
        scores = np.array(scores, np.float32).astype(float).tolist()
    return zip(fields[0::N_FIELDS], map(int, fields[3::N_FIELDS]), scores, fields[2::N_FIELDS], strict=True)


def _fields_line_by_line(part: bytes) -> list[bytes]:
    """The first fields of lines that are neither blank nor comments; invalid lines are left out."""
    rows = [line.split() for line in part.splitlines() if not COMMENT.match(line.strip(BLANKS))]
    return [field for row in rows if len(row) >= N_FIELDS for field in row[:N_FIELDS]]

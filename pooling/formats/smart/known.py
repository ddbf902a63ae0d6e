"""The numbers of documents, topics and judgements in the files of the classic collections that are in circulation.

They were counted in copies of these files. The numbers of a collection differ between copies: two files of topics and
two of judgements of CISI have the same names, and a copy of NPL lacks three documents.
"""

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import NamedTuple

from pooling.words import count

WORD = re.compile(r"[a-z]+")
LEAST = 30  # a smaller number alone names no collection


class Known(NamedTuple):
    """A collection, or one copy of it. None is a number that was not counted."""

    name: str
    words: tuple[str, ...]  # in the names of its files
    documents: int | None = None
    topics: int | None = None
    judgements: int | None = None
    judged: int | None = None  # topics with a judgement


KNOWN = (
    Known("CACM", ("cacm",), 3204, 64, 796, 52),
    Known("the complete CISI", ("cisi",), 1460, 112, 3114, 76),
    Known("the cut CISI", ("cisi",), 1460, 57, 2492, 50),
    Known("ADI", ("adi",), 82, 35, 170),
    Known("MED", ("med",), 1033, 30, 696),
    Known("Cranfield", ("cran", "cranfield", "cranqrel"), 1400, 225, 1837, 225),
    Known("NPL", ("npl", "vaswani", "rlv"), 11_429, 93, 2083, 93),
    Known("the copy of NPL without 3 documents", ("npl", "vaswani"), 11_426),
    Known("LISA", ("lisa",), None, 35),
)


def compared(part: str, number: int, file: str, judged: int | None = None) -> str:
    """The sentence that compares a number with those of the known files; empty if no collection is meant.

    The name of the file says which collection is meant, or else the number. `part` is documents, topics or judgements;
    `judged` is the number of topics with a judgement.

    Examples
    --------
    >>> from pooling.formats.smart.known import compared
    >>> compared("topics", 57, "CISI.QRY")
    'CISI.QRY has 57 topics, as the cut CISI has; the complete CISI has 112.'
    >>> compared("topics", 224, "cran.qry")
    'cran.qry has 224 topics, but Cranfield has 225.'
    """
    words = set(WORD.findall(PurePath(file).name.lower()))
    named = [known for known in KNOWN if words.intersection(known.words) and getattr(known, part) is not None]
    equal = [known for known in named or KNOWN if _is_equal(known, part, number, judged)]
    begin = f"{file} has {_numbers(part, number, judged)}"
    if not named and (not equal or number <= LEAST):
        return ""
    if not equal:
        if len({getattr(known, part) for known in named}) == 1:
            named = [named[0]._replace(name=_collection(named[0]))]
        return f"{begin}, but {' and '.join(_has(known, part) for known in named)}."
    other = "; ".join(_other_copies(equal[0], part))
    return (
        f"{begin}, as {equal[0].name if len(equal) == 1 else _collection(equal[0])} has{'; ' if other else ''}{other}."
    )


def _is_equal(known: Known, part: str, number: int, judged: int | None) -> bool:
    return getattr(known, part) == number and (judged is None or known.judged in (None, judged))


def _has(known: Known, part: str) -> str:
    judged = known.judged if part == "judgements" else None
    return f"{known.name} has {_numbers('' if part == 'topics' else part, getattr(known, part), judged)}"


def _numbers(part: str, number: int, judged: int | None) -> str:
    text = count(number, part.removesuffix("s")) if part else f"{number:,}"
    return text if judged is None else f"{text} of {count(judged, 'topic')}"


def _collection(known: Known) -> str:
    return known.name.rpartition(" ")[2]


def _other_copies(equal: Known, part: str) -> Iterator[str]:
    """What the other copies of the same collection have, if it differs."""
    for known in KNOWN:
        number = getattr(known, part)
        if set(known.words) & set(equal.words) and number not in (None, getattr(equal, part)):
            yield _has(known, part)

"""Two texts side by side, with the words that differ marked.

The time is linear: at most MOST_CHARACTERS of each text are compared, the common beginning and end are cut off first,
and only middles of at most MOST_WORDS words are compared word by word. A longer middle is marked as a whole.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile

MOST_CHARACTERS = 200_000
MOST_WORDS = 2_000  # of the two middles together; the worst case takes a third of a second
CONTEXT = 300  # characters of an unchanged part that are shown next to a change
LONGEST = 20_000  # characters of a part that are shown
WORDS = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True)
class Part:
    """A part of one text. `is_shortened` if its middle or its end is left out."""

    text: str
    is_changed: bool
    is_shortened: bool = False


def side_by_side(old: str, new: str) -> tuple[list[Part], list[Part]]:
    """Return the parts of the beginnings of both texts. A part that is not changed is in both."""
    a, b = WORDS.findall(old[:MOST_CHARACTERS]), WORDS.findall(new[:MOST_CHARACTERS])
    start = _common(zip(a, b, strict=False))
    rest = min(len(a), len(b)) - start
    end = min(rest, _common(zip(reversed(a), reversed(b), strict=False)))
    middles = a[start : len(a) - end], b[start : len(b) - end]
    same_before, same_after = a[:start], a[len(a) - end :]
    left, right = _marked(*middles)
    around = [("".join(same_before), False)], [("".join(same_after), False)]
    return _shown([*around[0], *left, *around[1]]), _shown([*around[0], *right, *around[1]])


def _common(pairs: Iterator[tuple[str, str]]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _marked(a: Sequence[str], b: Sequence[str]) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    if len(a) + len(b) > MOST_WORDS:
        return [("".join(a), True)], [("".join(b), True)]
    left, right = [], []
    for kind, a_from, a_to, b_from, b_to in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        left.append(("".join(a[a_from:a_to]), kind != "equal"))
        right.append(("".join(b[b_from:b_to]), kind != "equal"))
    return left, right


def _shown(parts: list[tuple[str, bool]]) -> list[Part]:
    kept = [(text, is_changed) for text, is_changed in parts if text]
    last = len(kept) - 1
    return [_shortened(text, is_changed, place == 0, place == last) for place, (text, is_changed) in enumerate(kept)]


def _shortened(text: str, is_changed: bool, is_first: bool, is_last: bool) -> Part:
    if is_changed:
        return Part(text[:LONGEST], True, len(text) > LONGEST)
    if len(text) <= 2 * CONTEXT:
        return Part(text, False)
    begin = "" if is_first else text[:CONTEXT]
    end = "" if is_last and not is_first else text[-CONTEXT:]
    return Part(f"{begin} […] {end}".strip(" ") if begin or end else text[:CONTEXT], False, True)

"""The text of a document with the passages that judges marked."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Passage:
    """The characters from `start` to before `end` of a displayed text, marked by a judge."""

    start: int
    end: int
    judge: str


def marked_parts(text: str, passages: Iterable[Passage]) -> list[tuple[str, str]]:
    """Cut a text where a passage begins or ends. Return each part with the judges who marked it, or an empty text."""
    inside = [each for each in passages if 0 <= each.start < min(each.end, len(text))]
    changes: dict[int, list[tuple[int, str]]] = {0: [], len(text): []}
    for each in inside:
        changes.setdefault(each.start, []).append((1, each.judge))
        changes.setdefault(min(each.end, len(text)), []).append((-1, each.judge))
    cuts = sorted(changes)
    parts, judges = [], Counter[str]()
    for start, end in pairwise(cuts):
        for change, judge in changes[start]:
            judges[judge] += change
        parts.append((text[start:end], ", ".join(sorted(judge for judge, n in judges.items() if n > 0))))
    return parts

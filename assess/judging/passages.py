"""Passages without JavaScript: the assessor pastes the words, which are then found in the document's text.

Offsets are the same as on the page: characters of the displayed text. For HTML these are all text nodes, concatenated.
"""

import re
from dataclasses import replace
from uuid import UUID

from assess.documents.display import passage_text
from assess.errors import Refused
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.models import Assignment, Member, TextFormat


def with_pasted(judgement_input: JudgementInput, member: Member, task: UUID, words: str | None) -> JudgementInput:
    """Add the passage with these words to the passages marked before. If `words` is None, nothing changes.

    Raises Refused if the text does not contain the words, Assignment.DoesNotExist if the assessor does not have the
    task.
    """
    if words is None or member.collection.closed_because:
        return judgement_input
    card = worklist.full_text(member, task)
    if card is None:
        raise Assignment.DoesNotExist
    return replace(judgement_input, passages=merged([*card.passages, *([find(card, words)] if words else [])]))


def find(card: worklist.Card, words: str) -> list[int]:
    """Return [start, end) of the first occurrence of the words; all white space is equal.

    In HTML, white space does not count: copied text has some between blocks, where the text nodes have none.
    """
    gap = "" if card.format == TextFormat.HTML else " "
    text = passage_text(card.text or "", card.format)
    wanted = gap.join(words.split())
    # The search of a plain string takes linear time, unlike that of a regular expression.
    at = gap.join(text.split()).find(wanted)
    if at < 0 or not wanted:
        raise Refused(
            f"The document does not contain the passage “{_shortened(words)}”; copy it from the document in one piece."
        )
    return [_position(text, at, gap), _position(text, at + len(wanted) - 1, gap) + 1]


def _position(text: str, offset: int, gap: str) -> int:
    """Return where the character is whose offset is counted with `gap` in place of each run of white space."""
    for word in re.finditer(r"\S+", text):
        if offset < len(word[0]):
            return word.start() + offset
        offset -= len(word[0]) + len(gap)
    raise ValueError(f"The text ends {offset} characters before the offset.")


def merged(passages: list[list[int]]) -> list[list[int]]:
    """Return the passages in order, overlapping ones merged."""
    result: list[list[int]] = []
    for start, end in sorted(passages):
        if result and start <= result[-1][1]:
            result[-1] = [result[-1][0], max(end, result[-1][1])]
        else:
            result.append([start, end])
    return result


def _shortened(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= 60 else f"{line[:60]}…"

"""Passages without the page's script: the words of one are pasted, and found in the document's text.

Offsets are those of the page: characters of the text as it is shown, of HTML all its text nodes one behind the other.
"""

import re
from dataclasses import replace
from uuid import UUID

from assess.errors import Refused
from assess.judging import worklist
from assess.judging.document_text import character_count
from assess.judging.judgement_input import JudgementInput
from assess.models import Assignment, Member, TextFormat


def with_pasted(saying: JudgementInput, member: Member, task: UUID, words: str | None) -> JudgementInput:
    """The saying with the passage of these words, and with those marked before; as it is where `words` is None.

    Raises Refused where the words do not stand in the text, Assignment.DoesNotExist where the task is not theirs.
    """
    if words is None or member.collection.closed_because:
        return saying
    card = worklist.full_text(member, task)
    if card is None:
        raise Assignment.DoesNotExist
    return replace(saying, passages=united([*card.passages, *([find(card, words)] if words else [])]))


def find(card: worklist.Card, words: str) -> list[int]:
    """[start, end) of the first place where the words stand; any white space stands for any other.

    What is copied from HTML has white space between its blocks where the text nodes have none.
    """
    space = r"\s*" if card.format == TextFormat.HTML else r"\s+"
    text = character_count(card.text or "", card.format)
    found = re.search(space.join(map(re.escape, words.split())), text)
    if found is None:
        raise Refused(
            f"The passage “{_shortened(words)}” does not stand in the document; paste it as it is there, in one piece."
        )
    return [found.start(), found.end()]


def united(passages: list[list[int]]) -> list[list[int]]:
    """In order, those that overlap as one."""
    united = []
    for start, end in sorted(passages):
        if united and start <= united[-1][1]:
            united[-1] = [united[-1][0], max(end, united[-1][1])]
        else:
            united.append([start, end])
    return united


def _shortened(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= 60 else f"{line[:60]}…"

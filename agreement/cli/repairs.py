"""Ids that match nothing between the files of a command: the notes about them, and their repair (`--repair-ids`)."""

from collections import Counter
from collections.abc import Iterable, Mapping

import pandas as pd

from pooling.unmatched import WORTH_SAYING, pairs_of, unmatched
from pooling.words import count

IDS = {"query_id": "topic", "doc_id": "document"}


def note_on(frame: pd.DataFrame, column: str, others: Iterable[str], side: str, other: str) -> list[str]:
    """The sentence about the ids of a side that match nothing.

    A document may well be on one side alone. So documents are worth a sentence only if a repair makes them match.
    """
    found = unmatched(frame[column].unique(), others)
    if found.share < WORTH_SAYING or (column == "doc_id" and found.repair is None):
        return []
    return [found.sentence(IDS[column], side, other, f"--repair-ids {found.repair}")]


def repaired(
    frame: pd.DataFrame, others: Mapping[str, Iterable[str]], repair: str, side: str
) -> tuple[pd.DataFrame, list[str]]:
    """The rows of a side with repaired ids, and a sentence for each column that changes; `others` are by column."""
    notes = []
    for column, known in others.items():
        pairs = pairs_of(set(frame[column].unique()), set(known), repair)
        if pairs:
            frame = frame.assign(**{column: frame[column].replace(pairs)})
            mine, theirs = next(iter(pairs.items()))
            changed = f"{count(len(pairs), IDS[column])} of {side} {'is' if len(pairs) == 1 else 'are'} repaired"
            notes.append(f"{changed} ({repair.replace('-', ' ')}): {mine!r} is read as {theirs!r}.")
    return frame, notes


def of_judges(judgements: pd.DataFrame, repair: str | None) -> tuple[pd.DataFrame, list[str]]:
    """The judgements of several judges, repaired if asked for: each by the ids of the judges before. And the notes."""
    names = list(dict.fromkeys(judgements["assessor"]))
    parts = [judgements[judgements["assessor"] == name] for name in names]
    notes: list[str] = []
    if repair:
        known: dict[str, set[str]] = {column: set() for column in IDS}
        for number, (name, part) in enumerate(zip(names, parts, strict=True)):
            parts[number], said = repaired(part, known, repair, name) if number else (part, [])
            notes += said
            for column, ids in known.items():
                ids.update(parts[number][column])
    return (pd.concat(parts).sort_index() if repair else judgements), notes + _notes_on(names, parts)


def _notes_on(names: list[str], parts: list[pd.DataFrame]) -> list[str]:
    """The sentences about the ids of each judge that no other judge has."""
    notes: list[str] = []
    for column in IDS:
        own = [set(part[column]) for part in parts]
        n_judges = Counter(text for ids in own for text in ids)
        for place, (name, part) in enumerate(zip(names, parts, strict=True)):
            others = (text for text, number in n_judges.items() if number > (text in own[place]))
            notes += note_on(part, column, others, name, names[1 - place] if len(names) == 2 else "the others")
    return notes

"""Match the ids of two sides, and repair those of one side by those of the other; `pooling.unmatched` has the repairs.

Sides are, for example, a gold and the runs, two judges, or a file and the collection that it is imported into. A topic
that only one side has counts for nothing. A document may well be on one side alone, such as one that no run retrieved,
so documents are worth a sentence only if a repair makes them match.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from pooling.choices import REPAIRS
from pooling.unmatched import REPORTED_SHARE, Unmatched, pairs_of, unmatched
from pooling.words import count

REPAIR_OPTION = "the option repair-ids with "  # followed by the name of the repair
IDS = {"query_id": "topic", "doc_id": "document"}


@dataclass(frozen=True)
class IdMatch:
    """How the ids of one side match those of another.

    Attributes
    ----------
    side, other : str
        Names of the two sides.
    unmatched : mapping of str to Unmatched
        The ids that match nothing after the repair, by column: query_id, doc_id or both.
    rows : int
        Number of rows of the side, such as judgements.
    unmatched_rows : int
        Number of rows whose topic matches nothing; 0 if topics were not compared.
    repair : str or None
        The repair that was applied.
    repaired : mapping of str to mapping of str to str
        The ids that were repaired, by column, each with the id it is read as.
    """

    side: str
    other: str
    unmatched: Mapping[str, Unmatched]
    rows: int
    unmatched_rows: int
    repair: str | None = None
    repaired: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def is_reported(self, column: str) -> bool:
        """Whether more than 2 % of the ids of a column, or of the rows, match nothing."""
        found = self.unmatched[column]
        if column == "doc_id":
            return found.share >= REPORTED_SHARE and found.repair is not None
        return found.share >= REPORTED_SHARE or self.unmatched_rows > REPORTED_SHARE * self.rows

    def repaired_notes(self) -> list[str]:
        """Return a sentence for each column whose ids were repaired."""
        repair = self.repair or ""
        return [repaired_note(IDS[name], self.side, repair, pairs) for name, pairs in self.repaired.items() if pairs]

    def unmatched_notes(self, option: str = "") -> list[str]:
        """Return a sentence for each column of which more than 2 % match nothing.

        Parameters
        ----------
        option : str
            How the user asks for a repair, followed by its name: "--repair-ids ". If it is empty, the sentence says
            "the option repair-ids with".
        """
        return [self.note(column, option) for column in self.unmatched if self.is_reported(column)]

    def note(self, column: str, option: str = "") -> str:
        """Return the sentence about the ids of a column that match nothing, however few; `option` as above."""
        found, asked = self.unmatched[column], option or REPAIR_OPTION
        sentence = found.sentence(IDS[column], self.side, self.other, f"{asked}{found.repair}")
        lost = f" They have {self.unmatched_rows:,} of {count(self.rows, 'judgement')}."
        return sentence + (lost if column == "query_id" and self.unmatched_rows else "")

    def to_dict(self) -> dict[str, Any]:
        """Return the repair, the numbers of repaired ids and of ids that match nothing, as JSON values."""
        record: dict[str, Any] = {"repair_ids": self.repair} if self.repair else {}
        record |= {f"repaired_{IDS[name]}s": len(pairs) for name, pairs in self.repaired.items() if pairs}
        return record | {
            f"unmatched_{IDS[name]}s": len(found.ids)
            for name, found in self.unmatched.items()
            if self.is_reported(name)
        }


def repaired_note(noun: str, side: str, repair: str, pairs: Mapping[str, str]) -> str:
    """The sentence about the repaired ids of a side, each with the id it is read as.

    Examples
    --------
    >>> from pooling.id_repair import repaired_note
    >>> repaired_note("topic", "bob", "leading-zeros", {"90": "090"})
    "1 topic of bob is repaired (leading zeros): '90' is read as '090'."
    """
    mine, theirs = next(iter(pairs.items()))
    verb, how = "is" if len(pairs) == 1 else "are", repair.replace("-", " ")
    return f"{count(len(pairs), noun)} of {side} {verb} repaired ({how}): {mine!r} is read as {theirs!r}."


def match_ids(
    frame: pd.DataFrame, others: Mapping[str, Iterable[str]], side: str, other: str, repair: str | None = None
) -> tuple[pd.DataFrame, IdMatch]:
    """Match the ids of a side with those of another, and repair them if asked for.

    Parameters
    ----------
    frame : DataFrame
        The rows of the side.
    others : mapping of str to iterable of str
        The ids of the other side by column: query_id, doc_id or both.
    side, other : str
        Names of the two sides, for sentences.
    repair : str, optional
        The repair to apply, one of `pooling.choices.REPAIRS`.

    Returns
    -------
    DataFrame
        The rows with repaired ids.
    IdMatch

    Raises
    ------
    ValueError
        The repair is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling.id_repair import match_ids
    >>> bob = pd.DataFrame({"query_id": ["90", "100"], "doc_id": ["d1", "d2"]})
    >>> match_ids(bob, {"query_id": ["090", "100"]}, "bob", "ada")[1].unmatched_notes("--repair-ids ")
    ["1 of 2 topics of bob matches nothing in ada: '90' may be '090' (leading zeros); --repair-ids leading-zeros reads \
it so. They have 1 of 2 judgements."]
    >>> repaired, match = match_ids(bob, {"query_id": ["090", "100"]}, "bob", "ada", "leading-zeros")
    >>> repaired["query_id"].tolist(), match.repaired_notes()
    (['090', '100'], ["1 topic of bob is repaired (leading zeros): '90' is read as '090'."])
    """
    check_repair(repair)
    known = {column: set(ids) for column, ids in others.items()}
    repaired = {}
    for column, ids in known.items():
        pairs = pairs_of(set(frame[column].dropna().unique()), ids, repair) if repair else {}
        repaired[column] = pairs
        if pairs:
            frame = frame.assign(**{column: frame[column].replace(pairs)})
    found = {column: unmatched(frame[column].dropna().unique(), ids) for column, ids in known.items()}
    topics = found["query_id"].ids if "query_id" in found else ()
    lost = int(frame["query_id"].isin(topics).sum()) if topics else 0
    return frame, IdMatch(side, other, found, len(frame), lost, repair, repaired)


def match_notes(matches: Iterable[IdMatch], option: str = "") -> list[str]:
    """The sentences about repaired ids, and then those about ids that match nothing.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling.id_repair import match_ids, match_notes
    >>> _, match = match_ids(pd.DataFrame({"query_id": ["x"]}), {"query_id": ["y"]}, "bob", "ada")
    >>> match_notes([match])
    ["1 of 1 topic of bob matches nothing in ada, such as 'x'. They have 1 of 1 judgement."]
    """
    listed = list(matches)
    repaired = [note for match in listed for note in match.repaired_notes()]
    return repaired + [note for match in listed for note in match.unmatched_notes(option)]


def check_repair(repair: str | None) -> None:
    """Raise ValueError if a repair is unknown."""
    if repair is not None and repair not in REPAIRS:
        raise ValueError(f"repair_ids must be one of {', '.join(REPAIRS)}, not {repair!r}.")


def match_judges(judgements: pd.DataFrame, repair: str | None = None) -> tuple[pd.DataFrame, list[IdMatch]]:
    """Match the ids of each judge with those of the others, and repair them by those of the judges before.

    Parameters
    ----------
    judgements : DataFrame
        Columns assessor, query_id and doc_id.
    repair : str, optional
        The repair to apply, one of `pooling.choices.REPAIRS`.

    Returns
    -------
    DataFrame
        The judgements with repaired ids, in the same order.
    list of IdMatch
        One for each judge, in their order.

    Raises
    ------
    ValueError
        The repair is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling.id_repair import match_judges
    >>> judgements = pd.DataFrame({"assessor": ["ada", "bob"], "query_id": ["090", "90"], "doc_id": ["d", "d"]})
    >>> match_judges(judgements, "leading-zeros")[0]["query_id"].tolist()
    ['090', '090']
    """
    check_repair(repair)
    names = list(dict.fromkeys(judgements["assessor"]))
    parts = {name: judgements[judgements["assessor"] == name] for name in names}
    repaired: dict[str, Mapping[str, Mapping[str, str]]] = {}
    known: dict[str, set[str]] = {column: set() for column in IDS}
    for name in names if repair else ():
        if repaired:
            parts[name], match = match_ids(parts[name], known, name, "the judges before", repair)
        repaired[name] = match.repaired if repaired else {}
        for column, ids in known.items():
            ids.update(parts[name][column])
    together = pd.concat(parts.values()).sort_index() if repair else judgements
    return together, _matches(parts, repair, repaired)


def _matches(
    parts: Mapping[str, pd.DataFrame], repair: str | None, repaired: Mapping[str, Mapping[str, Mapping[str, str]]]
) -> list[IdMatch]:
    """The ids of each judge that no other judge has."""
    own = {name: {column: set(part[column]) for column in IDS} for name, part in parts.items()}
    n_judges = {column: Counter(text for ids in own.values() for text in ids[column]) for column in IDS}
    matches = []
    for name, part in parts.items():
        rest = [each for each in parts if each != name]
        others = {
            column: [text for text, number in n_judges[column].items() if number > (text in own[name][column])]
            for column in IDS
        }
        _, match = match_ids(part, others, name, rest[0] if len(rest) == 1 else "the others")
        given = (match.unmatched, match.rows, match.unmatched_rows, repair, repaired.get(name, {}))
        matches.append(IdMatch(name, match.other, *given))
    return matches

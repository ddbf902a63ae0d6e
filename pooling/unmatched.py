"""Ids that match nothing on the other side, and the change that would make them match.

Spreadsheets and other programs change ids: they cut leading zeros, add quotes, or write a number with a decimal. Then
"90" of one file and "090" of another are different topics, and figures cover fewer topics than the files have. A
*repair* is such a change, undone. Each has a normal form: two ids that have the same one may be the same id.

================= ===========================================================
repair            the normal form of an id
================= ===========================================================
leading-zeros     without zeros before the first other digit
decimals          without ".0" at the end
quotes            without quotation marks around it
blanks            without no-break spaces and other spaces that ids may have
case              in small letters
byte-order-mark   without U+FEFF
prefix            without the prefix that all ids without a match have
================= ===========================================================

The ids of either side may have the prefix. It does not end between two digits: 712 is not 12 with a prefix.

An id is repaired only if exactly one id of the other side has its normal form, and if no other id of its own side would
become the same one: two ids never become one.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from pooling.choices import REPAIRS as NAMES
from pooling.words import count

ZEROS, SPACE = re.compile(r"^0+(?=[0-9])"), re.compile(r"\s+")
NORMAL_FORMS: dict[str, Callable[[str], str]] = {
    "leading-zeros": lambda text: ZEROS.sub("", text),
    "decimals": lambda text: text.removesuffix(".0"),
    "quotes": lambda text: text.strip("\"'"),
    "blanks": lambda text: SPACE.sub("", text),
    "case": str.casefold,
    "byte-order-mark": lambda text: text.replace("\ufeff", ""),
}
PREFIX = "prefix"
SAMPLE = 100  # ids that choose the length of the prefix
MOST_LOOKALIKES = 20_000
REPORTED_SHARE = 0.02  # of the ids; fewer that match nothing are not worth a sentence


@dataclass(frozen=True)
class Unmatched:
    """The ids of one side that match nothing on the other.

    Attributes
    ----------
    ids : tuple of str
        These ids, ascending.
    total : int
        Number of different ids of the side.
    repair : str or None
        The repair that makes most of them match, one of `pooling.choices.REPAIRS`; None if none does.
    pairs : mapping of str to str
        The ids that it repairs, each with the id of the other side.

    Examples
    --------
    >>> from pooling.unmatched import unmatched
    >>> found = unmatched(["90", "100"], ["090", "100"])
    >>> found.ids, found.repair, found.pairs
    (('90',), 'leading-zeros', {'90': '090'})
    >>> print(found.sentence("topic", "bob", "ada", "--repair-ids leading-zeros"))  # doctest: +NORMALIZE_WHITESPACE
    1 of 2 topics of bob matches nothing in ada: '90' may be '090' (leading zeros);
    --repair-ids leading-zeros reads it so.
    """

    ids: tuple[str, ...]
    total: int
    repair: str | None
    pairs: Mapping[str, str]

    @property
    def share(self) -> float:
        """The share of the ids that match nothing, 0 to 1."""
        return len(self.ids) / self.total if self.total else 0.0

    def sentence(self, noun: str, side: str, other: str, option: str) -> str:
        """Return how many ids match nothing, with an example and the option that repairs them.

        Parameters
        ----------
        noun : str
            What the ids are, in the singular.
        side, other : str
            Names of the two sides.
        option : str
            How the user asks for the repair.

        Returns
        -------
        str
            Empty if every id matches.
        """
        if not self.ids:
            return ""
        verb = "matches" if len(self.ids) == 1 else "match"
        start = f"{len(self.ids):,} of {count(self.total, noun)} of {side} {verb} nothing in {other}"
        if self.repair is None:
            return f"{start}, such as {self.ids[0]!r}."
        mine, theirs = next(iter(self.pairs.items()))
        reads = "reads it so" if len(self.pairs) == 1 else f"reads {len(self.pairs):,} so"
        return f"{start}: {mine!r} may be {theirs!r} ({self.repair.replace('-', ' ')}); {option} {reads}."


def unmatched(ids: Iterable[str], others: Iterable[str]) -> Unmatched:
    """Find the ids that match nothing on the other side, and the repair that makes most of them match.

    Parameters
    ----------
    ids, others : iterable of str
        The ids of the two sides.

    Returns
    -------
    Unmatched

    Examples
    --------
    >>> from pooling.unmatched import unmatched
    >>> unmatched(["d1", "d9"], ["d1", "d2"]).repair is None
    True
    """
    own, known = set(ids), set(others)
    missing = tuple(sorted(own - known))
    found = [(repair, pairs_of(own, known, repair)) for repair in NAMES] if missing else []
    repair, pairs = max(found, key=lambda each: len(each[1]), default=(None, {}))
    return Unmatched(missing, len(own), repair if pairs else None, pairs)


def lookalikes(ids: Iterable[str], others: Iterable[str], noun: str, side: str, other: str) -> str:
    """Say how many ids match nothing on the other side, and yet look like ids of it: "'90' is not '090'".

    Unlike a repair, this holds also if the other side's id is on both sides, as in a file that a program has changed in
    a part of its lines. At most 20,000 ids are looked at.

    Parameters
    ----------
    ids, others : iterable of str
        The ids of the two sides.
    noun : str
        What the ids are, in the singular.
    side, other : str
        Names of the two sides.

    Returns
    -------
    str
        Empty if no id looks like one of the other side.

    Examples
    --------
    >>> from pooling.unmatched import lookalikes
    >>> lookalikes(["90", "090"], ["090", "091"], "topic", "the runs", "the golds")
    "1 topic of the runs matches nothing in the golds, and looks like one of them: '90' is not '090' (leading zeros)."
    """
    known = set(others)
    missing = sorted(set(ids) - known)[:MOST_LOOKALIKES]
    found = {repair: _alike(missing, known, form) for repair, form in NORMAL_FORMS.items()}
    found[PREFIX] = _without_prefix(missing, known)
    repair, pairs = max(found.items(), key=lambda each: len(each[1]))
    if not pairs:
        return ""
    mine, theirs = next(iter(pairs.items()))
    verbs = "matches nothing in {}, and looks" if len(pairs) == 1 else "match nothing in {}, and look"
    how = f"{mine!r} is not {theirs!r} ({repair.replace('-', ' ')})"
    return f"{count(len(pairs), noun)} of {side} {verbs.format(other)} like one of them: {how}."


def _alike(ids: Iterable[str], known: Iterable[str], form: Callable[[str], str]) -> dict[str, str]:
    by_form = {form(text): text for text in known}
    return {text: by_form[form(text)] for text in ids if form(text) in by_form}


def pairs_of(own: set[str], known: set[str], repair: str) -> dict[str, str]:
    """The ids that a repair makes match, each with its id on the other side, ascending."""
    if repair == PREFIX:
        return _pairs_by_prefix(own, known)
    form = NORMAL_FORMS[repair]
    forms = Counter(map(form, own))
    by_form: dict[str, list[str]] = {}
    for text in known:
        by_form.setdefault(form(text), []).append(text)
    pairs = ((text, by_form.get(form(text), [])) for text in sorted(own - known))
    return {text: theirs[0] for text, theirs in pairs if len(theirs) == 1 and forms[form(text)] == 1}


def _pairs_by_prefix(own: set[str], known: set[str]) -> dict[str, str]:
    """The ids that match without the constant prefix of their side, or with that of the other side, ascending."""
    missing, others = sorted(own - known), sorted(known - own)
    shorter = _without_prefix(missing, set(others))
    longer = {text: other for other, text in _without_prefix(others, set(missing)).items()}
    return max(shorter, dict(sorted(longer.items())), key=len)


def _without_prefix(ids: list[str], known: set[str]) -> dict[str, str]:
    """The ids that are known without the prefix that all of them have, each with the known one."""
    sample = ids[:: max(len(ids) // SAMPLE, 1)]
    lengths = [end for end in range(1, _common_length(ids) + 1) if not _is_within_number(ids[0], end)]
    end = max(lengths, key=lambda each: sum(text[each:] in known for text in sample), default=0)
    return {text: text[end:] for text in ids if text[end:] in known} if end else {}


def _common_length(ids: list[str]) -> int:
    """How many characters all ids, which are ascending, begin with."""
    if not ids:
        return 0
    differ = (place for place, (one, other) in enumerate(zip(ids[0], ids[-1], strict=False)) if one != other)
    return next(differ, min(len(ids[0]), len(ids[-1])))


def _is_within_number(text: str, at: int) -> bool:
    return text[at - 1].isdigit() and text[at : at + 1].isdigit()

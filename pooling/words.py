"""Words of a sentence: counts with their nouns, ranges, percentages, and the first of many names."""

import re
from collections.abc import Collection, Iterable

NEGATIVE = re.compile(r"(?<![\w.\-])-(?=\.?[0-9])")


def count(number: int, noun: str, zero: str = "0") -> str:
    """A number with its noun.

    Examples
    --------
    >>> from pooling.words import count
    >>> count(1, "topic"), count(2000, "topic")
    ('1 topic', '2,000 topics')
    >>> count(0, "topic"), count(0, "topic", zero="no")
    ('0 topics', 'no topic')
    """
    if number == 0 and zero == "no":
        return f"no {noun}"
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def with_article(noun: str) -> str:
    """A noun with its indefinite article.

    Examples
    --------
    >>> from pooling.words import with_article
    >>> with_article("assessor"), with_article("researcher")
    ('an assessor', 'a researcher')
    """
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def number_range(numbers: Collection[int], noun: str) -> str:
    """The range of some numbers with their noun.

    Examples
    --------
    >>> from pooling.words import number_range
    >>> number_range([43, 12, 20], "topic"), number_range([12, 12], "topic")
    ('12 to 43 topics', '12 topics')
    """
    least, most = min(numbers), max(numbers)
    return count(most, noun) if least == most else f"{least:,} to {count(most, noun)}"


def percent(share: float) -> str:
    """A share in percent, with all its digits up to six.

    Examples
    --------
    >>> from pooling.words import percent
    >>> percent(0.5), percent(0.975)
    ('50%', '97.5%')
    """
    return f"{100 * share:g}%"


def shown_p(p: float) -> str:
    """A p-value with three decimals.

    Examples
    --------
    >>> from pooling.words import shown_p
    >>> shown_p(0.0386), shown_p(4.9e-11)
    ('p = 0.039', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def with_minus(text: str) -> str:
    """A text with a minus sign before negative numbers, instead of a hyphen. Hyphens within words stay.

    Examples
    --------
    >>> from pooling.words import with_minus
    >>> with_minus("gpt-4: -0.5 (-1 to +2), 2026-01-31")
    'gpt-4: −0.5 (−1 to +2), 2026-01-31'
    """
    return NEGATIVE.sub("−", text)


def first_names(names: Iterable[str], most: int = 5) -> str:
    """The first of some names, with dots if there are more.

    Examples
    --------
    >>> from pooling.words import first_names
    >>> first_names(["bm25", "lsa"]), first_names("abcd", most=3)
    ('bm25, lsa', 'a, b, c, ...')
    """
    listed = list(names)
    return ", ".join(listed[:most]) + (", ..." if len(listed) > most else "")


def first_repeated(names: Iterable[str]) -> str | None:
    """Return the first name that occurs again, in linear time.

    Returns
    -------
    str or None
        None if each name occurs once.

    Examples
    --------
    >>> from pooling.words import first_repeated
    >>> first_repeated(["a", "b", "b", "a"])
    'b'
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None

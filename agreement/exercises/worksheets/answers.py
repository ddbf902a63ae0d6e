"""What a student wrote: read as a number, and checked against a field.

A number is written with digits and at most one comma or point, perhaps with a sign before, as one number or as a
fraction of two, perhaps with a percent sign behind: 0.925, 0,925, .925, 37/40, 92.5 %, −1/3. Spaces stand anywhere but
between digits. All else is refused, with a sentence that says how to write it: two commas or points; exponents; a
division by 0; more than 40 characters; and "1,234" where a whole number is asked, since it may be meant as either of
two. Where digits after the point are asked, a comma stands before decimals.

`check` says whether an answer is right, by the rule of `agreement.exercises.worksheets.worksheet`, and else names the slip by which
the number may have come about. If several lead to it, it names two. A slip is recognised to the digits asked, and
else, as long as there are two, to those that were given.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from agreement.exercises.worksheets.kappa_mistakes import Slip
from agreement.exercises.worksheets.worksheet import Choice, Field, near
from agreement.exercises.worksheets.writing_mistakes import Typed, slips_of_writing

LONGEST = 40
HINTS_AT_MOST = 2
MINUS = "\u2010\u2011\u2013\u2212\uff0d"  # hyphens, the dash, the minus sign and the full-width one
SIGNS = str.maketrans({"⁄": "/", "∕": "/", "÷": "/", "％": "%", "٪": "%", "\u200e": None} | dict.fromkeys(MINUS, "-"))
HOW = "write it with digits and one comma or point, such as 0.25, or as 1/4 or 25 %"

_DECIMAL = r"(\d*)(?:([.,])(\d*))?"
_NUMBER = re.compile(rf"\s*([+-]?)\s*{_DECIMAL}\s*(?:/\s*{_DECIMAL}\s*)?(%?)\s*", re.ASCII)


@dataclass(frozen=True)
class Verdict:
    """What is said of an answer.

    Attributes
    ----------
    right : bool
    hint : str
        Empty where it is right.
    parsed : Fraction or str or None
        The number that was read, or the key of the option; None where it could not be read.
    slips : tuple of str
        Names of the slips that lead to it.
    """

    right: bool
    hint: str = ""
    parsed: Fraction | str | None = None
    slips: tuple[str, ...] = ()


def parse(text: str, digits: int = 0) -> Fraction:
    """The number that a text says, exactly.

    Parameters
    ----------
    text : str
    digits : int
        How many digits after the point are asked; from 1 on a comma is always before decimals.

    Raises
    ------
    ValueError
        It is no number, or may be meant as either of two; the sentence says what is allowed.
    """
    return typed(text, digits).value


def typed(text: str, digits: int = 0) -> Typed:
    """The number that a text says, and how it is written; errors are those of `parse`."""
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"nothing was written; {HOW}")
    if len(text) > LONGEST:
        raise ValueError(f"a number has at most {LONGEST} characters; got {len(text)}")
    line = re.sub(r"\s", " ", text.translate(SIGNS)).strip()
    _check_separators(line, text, digits)
    match = _NUMBER.fullmatch(line)
    if match is None or not (match[2] or match[4]):
        raise ValueError(f"{text.strip()!r} is no number; {HOW}")
    return _value(match, text)


def _check_separators(line: str, text: str, digits: int) -> None:
    """Commas, points and spaces that may be meant to set off thousands."""
    if re.search(r"\d +[\d.,]|[.,] +\d", line, re.ASCII):
        raise ValueError(f"a number has no space between its digits; got {text.strip()!r}")
    parts = line.split("/")
    if any(len(re.findall("[.,]", part)) > 1 for part in parts):
        raise ValueError(f"a number has one comma or point, before its decimals; got {text.strip()!r}")
    if not digits and any(re.fullmatch(r"[+-]? *[1-9]\d{0,2},\d{3} *%?", part.strip(), re.ASCII) for part in parts):
        as_decimal = text.strip().replace(",", ".")
        raise ValueError(
            f"{text.strip()!r} may be meant with thousands or with decimals; "
            f"write {as_decimal} for decimals, and thousands without a comma"
        )


def _value(match: re.Match, text: str) -> Typed:
    sign, over, percent = (-1 if match[1] == "-" else 1), match[0].count("/"), bool(match[8])
    value = sign * _decimal(match[2], match[4])
    if over:
        if not (match[5] or match[7]):
            raise ValueError(f"a fraction has a number below its line; got {text.strip()!r}")
        below = _decimal(match[5], match[7])
        if not below:
            raise ValueError(f"nothing is divided by 0; got {text.strip()!r}")
        value /= below
    decimals = None if over else len(match[4] or "") + 2 * percent
    return Typed(value / 100 if percent else value, decimals, percent)


def _decimal(whole: str | None, part: str | None) -> Fraction:
    return Fraction(int((whole or "") + (part or "") or "0"), 10 ** len(part or ""))


def check(field: Field | Choice, text: str) -> Verdict:
    """What is to be said of an answer.

    Parameters
    ----------
    field : Field or Choice
    text : str
        What was written; for a choice the key of an option. What cannot be read is not right, and the hint says why.
    """
    if isinstance(field, Choice):
        return _check_choice(field, text)
    try:
        given = typed(text, field.digits)
    except ValueError as problem:
        sentence = str(problem)
        return Verdict(False, f"{sentence[0].upper()}{sentence[1:]}.")
    if field.right(given.value):
        return Verdict(True, parsed=given.value)
    found = fitting(field, given)
    hints = list(dict.fromkeys(slip.hint for slip in found))[:HINTS_AT_MOST]
    return Verdict(False, " Or: ".join(hints) or field.look, given.value, tuple(slip.name for slip in found))


def fitting(field: Field, given: Typed) -> list[Slip]:
    """The slips that lead to a number: to the digits asked, or else to those given, if there are two at least."""
    found = [slip for slip in field.slips if _leads_to(slip, given.value, field.digits)]
    found += slips_of_writing(field.exact, field.digits, given)
    if not found and given.decimals is not None and 2 <= given.decimals < field.digits:
        found = [slip for slip in field.slips if _leads_to(slip, given.value, given.decimals)]
    return found


def _leads_to(slip: Slip, value: Fraction, digits: int) -> bool:
    return any(near(value, wrong, digits) for wrong in slip.values)


def _check_choice(field: Choice, key: str) -> Verdict:
    if key not in field.keys:
        return Verdict(False, "Choose one of the options.")
    if key == field.right_key:
        return Verdict(True, parsed=key)
    return Verdict(False, field.option(key).hint or field.look, key)

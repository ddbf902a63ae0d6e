"""Parse a student's answer, and check it against a field.

A number consists of digits and at most one comma or point, with an optional sign before and percent sign after it. It
may be a fraction of two such numbers: 0.925, 0,925, .925, 37/40, 92.5 %, −1/3. Spaces are allowed anywhere except
between digits. Everything else is refused with a sentence that explains how to write a number: two commas or points,
exponents, division by 0, more than 40 characters, and "1,234" where a count is requested, because the comma could
separate thousands or decimals. Where digits after the point are requested, a comma separates decimals.

`check` returns whether an answer is right; see `agreement.exercises.worksheets.worksheet` for the rule. For a wrong
number it names the mistake that leads to it, or the first two if there are several. A mistake is recognised by the
requested digits. If none is, and at least two digits were typed, it is recognised by the typed digits.

Mistakes in writing the right number (too few digits, digits cut off, a missing or additional percent sign) apply to
every field that asks for digits after the point.
"""

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from math import trunc

from agreement.exercises.worksheets.mistake import Mistake
from agreement.exercises.worksheets.worksheet import Choice, Exact, Field, equals_rounded

TOO_FEW_DIGITS = "This is right so far, but it has too few digits. Give as many digits after the point as requested."
CUT_OFF = "The remaining digits seem to be cut off. Round the last digit instead."
PERCENT_SIGN_MISSING = "This looks like a percentage without a percent sign. Add the sign, or divide by 100."
PERCENT_SIGN_TOO_MANY = "Remove the percent sign: this number is already a share."


@dataclass(frozen=True)
class TypedNumber:
    """A number as it was typed.

    Attributes
    ----------
    value : Fraction
    decimals : int or None
        Number of known digits after the point (3 for 92.5 %); None for a fraction, which is exact.
    percent : bool
        Whether it has a percent sign.
    """

    value: Fraction
    decimals: int | None
    percent: bool = False

    def shifted(self, power: int) -> "TypedNumber":
        """Return the same digits, multiplied by 100 to this power (1 or -1)."""
        decimals = None if self.decimals is None else self.decimals - 2 * power
        return replace(self, value=self.value * Fraction(100) ** power, decimals=decimals)


def writing_mistakes(exact: Exact, digits: int, typed: TypedNumber) -> list[Mistake]:
    """Return the mistakes in writing that lead from the exact value to a typed number."""
    if not digits or not typed.value:
        return []
    hints = {
        "too_few_digits": (TOO_FEW_DIGITS, has_too_few_digits(exact, digits, typed)),
        "cut_off": (CUT_OFF, is_cut_off(exact, digits, typed)),
        "percent_sign_missing": (
            PERCENT_SIGN_MISSING,
            not typed.percent and _equals_known_digits(exact, digits, typed.shifted(-1)),
        ),
        "percent_sign_too_many": (
            PERCENT_SIGN_TOO_MANY,
            typed.percent and _equals_known_digits(exact, digits, typed.shifted(1)),
        ),
    }
    return [Mistake(name, (), hint) for name, (hint, applies) in hints.items() if applies]


def has_too_few_digits(exact: Exact, digits: int, typed: TypedNumber) -> bool:
    """Return whether this is the exact value rounded to at least one digit, but fewer than requested."""
    decimals = typed.decimals
    return decimals is not None and 1 <= decimals < digits and equals_rounded(typed.value, exact, decimals)


def is_cut_off(exact: Exact, digits: int, typed: TypedNumber) -> bool:
    """Return whether this is the exact value cut off, and rounding would give another number."""
    if typed.decimals is None or not 1 <= typed.decimals <= digits:
        return False
    cut = Fraction(trunc(Fraction(exact) * 10**typed.decimals), 10**typed.decimals)
    return typed.value == cut and not equals_rounded(typed.value, exact, typed.decimals)


def _equals_known_digits(exact: Exact, digits: int, typed: TypedNumber) -> bool:
    known = digits if typed.decimals is None else min(max(typed.decimals, 1), digits)
    return equals_rounded(typed.value, exact, known)


MAX_LENGTH = 40
MAX_HINTS = 2
MINUS = "\u2010\u2011\u2013\u2212\uff0d"  # hyphens, the en dash, the minus sign and the full-width one
SIGNS = str.maketrans({"⁄": "/", "∕": "/", "÷": "/", "％": "%", "٪": "%", "\u200e": None} | dict.fromkeys(MINUS, "-"))
EXAMPLES = "Use digits and one comma or point, such as 0.25, or a form such as 1/4 or 25%."

_DECIMAL = r"(\d*)(?:([.,])(\d*))?"
_NUMBER = re.compile(rf"\s*([+-]?)\s*{_DECIMAL}\s*(?:/\s*{_DECIMAL}\s*)?(%?)\s*", re.ASCII)


@dataclass(frozen=True)
class Verdict:
    """The result of checking an answer.

    Attributes
    ----------
    right : bool
    hint : str
        Why the answer is not right; empty if it is right.
    parsed : Fraction or str or None
        The number, or the key of the option; None if the answer could not be parsed.
    mistakes : tuple of str
        Names of the mistakes that lead to the answer.
    """

    right: bool
    hint: str = ""
    parsed: Fraction | str | None = None
    mistakes: tuple[str, ...] = ()


def parse(text: str, digits: int = 0) -> Fraction:
    """Parse a number exactly.

    Examples
    --------
    >>> parse("92,5 %"), parse("-1/3")
    (Fraction(37, 40), Fraction(-1, 3))
    """
    return parse_typed(text, digits).value


def parse_typed(text: str, digits: int = 0) -> TypedNumber:
    """Parse a number exactly, and keep how it was written."""
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"The answer is empty. {EXAMPLES}")
    if len(text) > MAX_LENGTH:
        raise ValueError(f"A number can have at most {MAX_LENGTH} characters, not {len(text)}.")
    line = re.sub(r"\s", " ", text.translate(SIGNS)).strip()
    _check_separators(line, text, digits)
    match = _NUMBER.fullmatch(line)
    if match is None or not (match[2] or match[4]):
        raise ValueError(f"{text.strip()!r} is not a number. {EXAMPLES}")
    return _typed_number(match, text)


def _check_separators(line: str, text: str, digits: int) -> None:
    """Refuse commas, points and spaces that may separate thousands."""
    if re.search(r"\d +[\d.,]|[.,] +\d", line, re.ASCII):
        raise ValueError(f"A number cannot have spaces between its digits, as in {text.strip()!r}.")
    parts = line.split("/")
    if any(len(re.findall("[.,]", part)) > 1 for part in parts):
        raise ValueError(f"A number can have only one comma or point, before its decimals, not {text.strip()!r}.")
    if not digits and any(re.fullmatch(r"[+-]? *[1-9]\d{0,2},\d{3} *%?", part.strip(), re.ASCII) for part in parts):
        as_decimal = text.strip().replace(",", ".")
        raise ValueError(
            f"The comma in {text.strip()!r} could separate thousands or decimals. "
            f"Write {as_decimal} for decimals, or thousands without a comma."
        )


def _typed_number(match: re.Match[str], text: str) -> TypedNumber:
    sign, is_fraction, percent = (-1 if match[1] == "-" else 1), "/" in match[0], bool(match[8])
    value = sign * _decimal(match[2], match[4])
    if is_fraction:
        if not (match[5] or match[7]):
            raise ValueError(f"The denominator is missing in {text.strip()!r}.")
        denominator = _decimal(match[5], match[7])
        if not denominator:
            raise ValueError(f"A number cannot be divided by 0, as in {text.strip()!r}.")
        value /= denominator
    decimals = None if is_fraction else len(match[4] or "") + 2 * percent
    return TypedNumber(value / 100 if percent else value, decimals, percent)


def _decimal(whole: str | None, part: str | None) -> Fraction:
    return Fraction(int((whole or "") + (part or "") or "0"), 10 ** len(part or ""))


def check(field: Field | Choice, text: str) -> Verdict:
    """Check an answer.

    Examples
    --------
    >>> from agreement.exercises.worksheets.worksheet import number_field
    >>> field = number_field("share", "Share", Fraction(2, 3), "2 / 3", "Divide 2 by 3.")
    >>> check(field, "0.6667").right
    True
    >>> print(check(field, "0.6666").hint)
    The remaining digits seem to be cut off. Round the last digit instead.
    """
    if isinstance(field, Choice):
        return _check_choice(field, text)
    try:
        typed = parse_typed(text, field.digits)
    except ValueError as error:
        return Verdict(False, str(error))
    if field.is_right(typed.value):
        return Verdict(True, parsed=typed.value)
    mistakes = matching_mistakes(field, typed)
    hints = list(dict.fromkeys(mistake.hint for mistake in mistakes))[:MAX_HINTS]
    names = tuple(mistake.name for mistake in mistakes)
    return Verdict(False, " Or: ".join(hints) or field.default_hint, typed.value, names)


def matching_mistakes(field: Field, typed: TypedNumber) -> list[Mistake]:
    """Return the mistakes that lead to a number, compared by the requested digits, or else by the typed digits."""
    mistakes = [mistake for mistake in field.mistakes if _leads_to(mistake, typed.value, field.digits)]
    mistakes += writing_mistakes(field.exact, field.digits, typed)
    if not mistakes and typed.decimals is not None and 2 <= typed.decimals < field.digits:
        mistakes = [mistake for mistake in field.mistakes if _leads_to(mistake, typed.value, typed.decimals)]
    return mistakes


def _leads_to(mistake: Mistake, value: Fraction, digits: int) -> bool:
    return any(equals_rounded(value, wrong, digits) for wrong in mistake.values)


def _check_choice(field: Choice, key: str) -> Verdict:
    if key not in field.keys:
        return Verdict(False, "Choose one of the options.")
    if key == field.right_key:
        return Verdict(True, parsed=key)
    return Verdict(False, field.option(key).hint or field.default_hint, key)

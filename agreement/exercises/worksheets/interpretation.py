"""The questions at the end of a kappa worksheet: the band of kappa, and what kappa means. Both are choices."""

from agreement.coefficients.formulas import FAIR, GOOD, band
from agreement.coefficients.worked import Worked
from agreement.exercises.worksheets.worksheet import Choice, Option

UNDEFINED = "undefined"
BANDS = f"Kappa above {GOOD} is considered good, from {FAIR} to {GOOD} fair, and below that dubious."
NO_BAND = "An undefined kappa has no band."

_MEANINGS = (
    Option("beyond_chance", "Kappa is the share of the agreement possible beyond chance that they reached."),
    Option(
        "share_agreed",
        "Kappa is the share of the documents on which they agree.",
        "That is P(A). Kappa corrects it for agreement by chance.",
    ),
    Option(
        "share_right",
        "Kappa is the share of their judgements that is right.",
        "Kappa compares the judges with each other, not with the truth: both may be wrong together.",
    ),
    Option(
        "no_more_than_chance",
        "They agree no more often than by chance.",
        "Check the sign of kappa: this is the case if P(A) is not above P(E).",
    ),
    Option(
        UNDEFINED,
        "Nothing: chance explains all the agreement, and kappa is undefined.",
        "Kappa is undefined only if both judges gave every document the same grade.",
    ),
)
_NOT_BEYOND = (
    "Check the sign of kappa: they do not agree more often than by chance, so there is no share beyond chance."
)
_NOTHING_LEFT = "Both judges gave every document the same grade. What is the denominator of kappa?"


def interpretation_choices(working: Worked) -> list[Choice]:
    """Return the questions for the band of the pooled kappa of a table and for its meaning.

    Their solutions contain no numbers: students can guess a choice, and the numbers answer other fields.
    """
    return [_band_choice(working), _meaning_choice(working.pooled.value)]


def undefined_kappa_choice(chance: str) -> Choice:
    """Return the question for a kappa that is 0 / 0."""
    options = (
        Option("0", "0", "Zero divided by zero is not a number, and not 0."),
        Option(
            "1",
            "1",
            "They agree on everything, but chance alone would give the same: no agreement is left beyond chance.",
        ),
        Option(UNDEFINED, "undefined"),
    )
    hint = "What is the denominator of kappa?"
    solution = "P(E) = 1, so kappa is (1 − 1) / (1 − 1): undefined, because all judgements have the same grade."
    return Choice(f"kappa_{chance}", f"{chance} kappa", options, UNDEFINED, solution, hint, marks=2)


def _band_choice(working: Worked) -> Choice:
    pooled, unpooled = working.pooled, working.unpooled
    options = tuple(Option(word, word) for word in ("good", "fair", "dubious"))
    options += (Option("none", "none: kappa is undefined"),)
    right_key = band(pooled.value) or "none"
    solution, hint = NO_BAND, NO_BAND
    if pooled.defined:
        hint = BANDS
        solution = f"{BANDS} Compare your pooled kappa with these bounds: it is {pooled.band}."
        if unpooled.band != pooled.band:
            solution += f" The unpooled kappa is {unpooled.band if unpooled.defined else 'undefined'}."
    return Choice("band", "The band of the pooled kappa", options, right_key, solution, hint)


def _meaning_choice(kappa: float | None) -> Choice:
    options = {option.key: option for option in _MEANINGS}
    beyond = options["beyond_chance"]
    if kappa is None:
        right_key = UNDEFINED
        solution = "Both judges gave every document the same grade, so chance explains all the agreement."
        options["beyond_chance"] = Option(beyond.key, beyond.text, _NOTHING_LEFT)
    elif kappa > 0:
        right_key = "beyond_chance"
        solution = (
            "Compare your pooled kappa with your P(A): kappa is a share of the agreement possible beyond chance, P(A) "
            "a share of all documents."
        )
    else:
        right_key = "no_more_than_chance"
        solution = "Compare your P(A) with your P(E): P(A) is not above P(E), so kappa is not above 0."
        options["beyond_chance"] = Option(beyond.key, beyond.text, _NOT_BEYOND)
    hint = "Read the formula aloud: the agreement reached beyond chance, divided by the agreement possible beyond it."
    return Choice("meaning", "What does the pooled kappa mean?", tuple(options.values()), right_key, solution, hint)

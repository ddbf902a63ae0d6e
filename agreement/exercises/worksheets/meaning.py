"""What a kappa means: the questions at the end of a worksheet, answered by a choice."""

from agreement.coefficients.values import FAIR, GOOD, band
from agreement.coefficients.worked import Worked
from agreement.exercises.worksheets.fields import Choice, Option

UNDEFINED = "undefined"
BANDS = f"Kappa above {GOOD} is held to be good, from {FAIR} to {GOOD} fair, and below that dubious."
NO_BAND = "An undefined kappa is in no band."

_MEANINGS = (
    Option("beyond_chance", "Of the agreement that chance leaves open, they reached the share that kappa says."),
    Option(
        "share_agreed",
        "They agreed on the share of the documents that kappa says.",
        "That is P(A): kappa leaves out what chance alone would have made.",
    ),
    Option(
        "share_right",
        "The share of their judgements that kappa says is right.",
        "Kappa compares the judges with each other, not with the truth: both may be wrong together.",
    ),
    Option(
        "no_more_than_chance",
        "They agree no more often than chance would make them.",
        "Look at the sign: that is so where P(A) is not above P(E).",
    ),
    Option(
        UNDEFINED,
        "Nothing: all is explained by chance, and kappa is undefined.",
        "Kappa is undefined only where both judges gave every document one and the same grade.",
    ),
)
_BEYOND = "Look at the sign: they agree less often than chance, or just as often, so there is no share beyond it."
_NOTHING = "Both judges gave every document the same grade: look at what stands below the line."


def choices(working: Worked) -> list[Choice]:
    """The band of the pooled kappa of a table, and what it means.

    No solution here names a number: a choice is soon guessed, and the numbers are answers to other fields.
    """
    return [_band(working), _meaning(working.pooled.value)]


def undefined_kappa(chance: str) -> Choice:
    """The field of a kappa that is 0 / 0."""
    options = (
        Option("0", "0", "A fraction of nothing over nothing is no number, and not 0."),
        Option("1", "1", "They agree on all, but so would chance: nothing is left of which a share could be taken."),
        Option(UNDEFINED, "undefined"),
    )
    look = "Look at what stands below the line."
    why = "P(E) = 1, so that kappa is (1 − 1) / (1 − 1): undefined, for all judgements are of one category."
    return Choice(f"kappa_{chance}", f"{chance} kappa", options, UNDEFINED, why, look, marks=2)


def banded(name: str, label: str, kappa: float | None, why: str) -> Choice:
    """The question for the band of a kappa."""
    options = tuple(Option(word, word) for word in ("good", "fair", "dubious"))
    options += (Option("none", "none: kappa is undefined"),)
    right = band(kappa) or "none"
    return Choice(name, label, options, right, why, NO_BAND if right == "none" else BANDS)


def _band(working: Worked) -> Choice:
    pooled, unpooled = working.pooled, working.unpooled
    if not pooled.defined:
        return banded("band", "The band of the pooled kappa", None, NO_BAND)
    why = f"{BANDS} Compare your pooled kappa with these bounds: it is {pooled.band}."
    if unpooled.band != pooled.band:
        why += f" The unpooled one is not: it is {unpooled.band if unpooled.defined else 'undefined'}."
    return banded("band", "The band of the pooled kappa", pooled.value, why)


def _meaning(kappa: float | None) -> Choice:
    options = {option.key: option for option in _MEANINGS}
    if kappa is None:
        right, why = UNDEFINED, "Both gave every document one and the same grade, so that chance explains all."
        options["beyond_chance"] = Option("beyond_chance", options["beyond_chance"].text, _NOTHING)
    elif kappa > 0:
        right = "beyond_chance"
        why = (
            "Compare your pooled kappa with your P(A): kappa is the share of what chance leaves open, P(A) that of all."
        )
    else:
        right, why = (
            "no_more_than_chance",
            "Compare your P(A) with your P(E): it is not above it, so that kappa is not above 0.",
        )
        options["beyond_chance"] = Option("beyond_chance", options["beyond_chance"].text, _BEYOND)
    look = "Read the formula aloud: what was reached beyond chance, over what could be reached beyond it."
    return Choice("meaning", "What the pooled kappa means", tuple(options.values()), right, why, look)

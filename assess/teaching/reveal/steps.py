"""The steps of the reveal, in their order. This module imports no figures and therefore no pandas."""

from typing import NamedTuple


class Step(NamedTuple):
    """A step of the reveal. Steps are numbered from 1."""

    slug: str
    title: str


STEPS = (
    Step("pair", "You and your partner"),
    Step("class", "Every pair in the class"),
    Step("all", "The whole class at once"),
    Step("contested", "Where you disagree"),
    Step("prevalence", "What prevalence does to kappa"),
    Step("ranking", "Which system is best?"),
)

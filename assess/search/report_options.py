"""What the report on searching can be asked for. Pages and commands import this: it does not load pandas."""

from assess.analysis.reference import MAJORITY, default_reference, judges_of
from assess.errors import Refused
from assess.models import Collection

RULES = {"union": "the highest grade", "majority": "the lower median", "intersection": "the lowest grade"}
PARTS = ("searchers", "topics", "systems", "documents")


def rules_for(collection: Collection) -> dict[str, str]:
    """Return the rules of the gold with their meanings, the default reference of the collection first."""
    reference = default_reference(collection, judges_of(collection))
    if reference is None:
        return {MAJORITY: RULES[MAJORITY]} | RULES
    words = RULES.get(reference.rule)
    return {reference.rule: f"{words}; {reference.reason}" if words else reference.reason} | (
        {rule: meaning for rule, meaning in RULES.items() if rule != reference.rule}
    )


def checked_rule(asked: str | None, rules: dict[str, str]) -> str:
    """Return the rule that was asked for, by default the first one. Refused if it is not one of the rules."""
    rule = asked or next(iter(rules))
    if rule not in rules:
        raise Refused(f"gold must be one of {', '.join(rules)}, not {rule[:20]!r}.")
    return rule

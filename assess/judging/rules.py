"""How a collection is judged: what its researchers may change, and what a change means for work given out.

Every rule may change while judging is open. The scale may not: it freezes at the first judgement
(`assess.collections.scale.set_scale`).
"""

import math
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models, transaction

from assess.errors import Refused
from assess.models import Collection, Order
from assess.pools.claims import close_to_claims, open_to_claims


@dataclass(frozen=True)
class Rule:
    """`name` is the collection's column, `option` the command's; `means` says what a change does to open work."""

    name: str
    option: str
    label: str
    means: str


RULES = (
    Rule(
        "order",
        "order",
        "Order of the documents",
        "Holds for the documents that a page loads from now on.",
    ),
    Rule(
        "judges_per_task",
        "judges-per-task",
        "Open claiming: judges a task",
        "Any assessor takes the next document until so many have judged it. Empty: documents are given out beforehand, "
        "by assign. Whatever is judged stays and counts.",
    ),
    Rule("claim_minutes", "claim-minutes", "Minutes until a claim lapses", "Holds for the next claims."),
    Rule(
        "repeat_share",
        "repeats",
        "Hidden repeats: share that comes a second time",
        "0.05 is one document in twenty. Holds for the next claims; the command assign gives them "
        "where documents are given out.",
    ),
    Rule(
        "painted_ms",
        "painted-ms",
        "Milliseconds on the screen before a key counts",
        "An earlier key is refused, visibly. Holds from the next page on.",
    ),
    Rule(
        "passages",
        "passages",
        "The passage that decided it",
        "Relevant is every grade above the lowest. What was judged without a passage stays.",
    ),
    Rule("ask_confidence", "confidence", "Ask how sure the assessor is", "Holds from the next page on."),
    Rule("snippet_first", "snippet-first", "Snippet first, full text on demand", "Holds from the next page on."),
    Rule("hide_doc_ids", "hide-doc-ids", "Hide doc_ids from assessors", "Pages that are open keep what they show."),
    Rule(
        "ask_at_topic_end",
        "exit-question",
        "Ask how difficult the topic was when it is done",
        "Answers that are here stay.",
    ),
)
NAMES = tuple(rule.name for rule in RULES)


@dataclass(frozen=True)
class Changed:
    """The rules that are different now, and what that did to tasks, in sentences."""

    rules: list[Rule]
    notes: list[str]


def change_rules(collection: Collection, **rules) -> Changed:
    """Set some of the rules, all of them or none."""
    if unknown := sorted(set(rules) - set(NAMES)):
        raise Refused(f"{unknown[0]} is no rule of judging; the rules are {', '.join(NAMES)}.")
    rules = {name: _checked(name, value) for name, value in rules.items()}
    with transaction.atomic():
        held = Collection.objects.select_for_update().get(pk=collection.pk)
        changed = [rule for rule in RULES if rule.name in rules and getattr(held, rule.name) != rules[rule.name]]
        new = {rule.name: rules[rule.name] for rule in changed}
        _save(held, {name: value for name, value in new.items() if name not in ("order", "judges_per_task")})
        if "order" in new:
            _set_order(held, new["order"])
        notes = _set_judges(held, new["judges_per_task"]) if "judges_per_task" in new else []
    collection.refresh_from_db(fields=NAMES)
    return Changed(changed, notes)


def _checked(name: str, value):
    """The value as the column keeps it, or a refusal that says what is allowed."""
    field = Collection._meta.get_field(name)
    try:
        clean = field.clean(value, None)
        if isinstance(clean, float) and math.isnan(clean):  # passes every comparison
            raise ValidationError("nan")
    except ValidationError:
        label = next(rule.label for rule in RULES if rule.name == name)
        raise Refused(f"{label}: {value} came; it is {_allowed(field)}.") from None
    return clean


def _allowed(field: models.Field) -> str:
    if field.choices:
        return f"one of {', '.join(value for value, _ in field.choices)}"
    if isinstance(field, models.BooleanField):
        return "on or off"
    least = max(check.limit_value for check in field.validators if isinstance(check, MinValueValidator))
    most = min(check.limit_value for check in field.validators if isinstance(check, MaxValueValidator))
    number = "a number" if isinstance(field, models.FloatField) else "a whole number"
    return f"{number} from {least} to {most:,}" + (", or empty" if field.null else "")


def _save(held: Collection, new: dict) -> None:
    for name, value in new.items():
        setattr(held, name, value)
    held.save(update_fields=list(new))


def _set_order(held: Collection, order: str) -> None:
    if order == Order.ADAPTIVE:
        raise Refused(
            "An adaptive order is begun with its strategy: on the page under Adaptive order, or by adapt_order."
        )
    if held.order == Order.ADAPTIVE:
        from assess.pools import adaptive_order  # numpy and pandas: only where an order of that kind is begun or ended

        adaptive_order.end(held, order)
    else:
        _save(held, {"order": order})


def _set_judges(held: Collection, judges: int | None) -> list[str]:
    """Open the pool to claims, or close it; tasks and assignments follow."""
    if judges is None:
        return _several(close_to_claims(held), "claim stays with its assessor", "claims stay with their assessors")
    opened = open_to_claims(held, judges)
    return [
        *_several(
            opened.claims, "document that was given out is a claim now", "documents that were given out are claims now"
        ),
        *_several(opened.more, "task has more judges and keeps them", "tasks have more judges and keep them"),
    ]


def _several(n: int, one: str, many: str) -> list[str]:
    return [f"{n:,} {one if n == 1 else many}."] if n else []


def format_rule(collection: Collection) -> list[tuple[Rule, str]]:
    """Every rule as people read it."""
    return [(rule, _word(collection, rule.name)) for rule in RULES]


def _word(collection: Collection, name: str) -> str:
    value = getattr(collection, name)
    if isinstance(value, bool):
        return "on" if value else "off"
    if name == "judges_per_task":
        return "given out beforehand" if value is None else str(value)
    if name in ("order", "passages"):
        return f"{value}: {getattr(collection, f'get_{name}_display')()}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def describe_rule(collection: Collection) -> str:
    """How the collection is judged, in words."""
    if collection.open_to_claims:
        judges = "one judge" if collection.judges_per_task == 1 else f"{collection.judges_per_task} judges"
        who = f"Open to claims: any assessor takes the next document until it has {judges}"
    else:
        who = "Documents are given out beforehand"
    return f"{who}; they come {ORDERS[collection.order]}."


ORDERS = {
    Order.SHUFFLED: "in an order of each assessor's own",
    Order.FIXED: "in the order of their ids, the same for everybody",
    Order.ADAPTIVE: "in an order that follows what is found relevant",
}

"""The rules of judging: what researchers may change, and what a change does to open work.

Every rule may change while judging is open. The scale is not a rule: it cannot change after the first judgement.
"""

import math
from dataclasses import dataclass
from typing import Any, cast

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models, transaction

from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.jobs import queue
from assess.lib.long_work import about_to_save
from assess.models import Collection, Job, Order, User
from assess.pools import claims
from assess.suggestions import choice


@dataclass(frozen=True)
class Rule:
    """A rule: the field of the collection, the option of the commands, and what a change does to open work."""

    name: str
    option: str
    label: str
    effect: str


RULES = (
    Rule(
        "order",
        "order",
        "Order of the documents",
        "Applies to documents that a page loads from now on.",
    ),
    Rule(
        "judges_per_task",
        "judges-per-task",
        "Open claiming: judges per task",
        "Any assessor can claim a document until it has this many judges. If empty, documents are assigned beforehand. "
        "Existing judgements are kept and count.",
    ),
    Rule("claim_minutes", "claim-minutes", "Minutes until a claim expires", "Applies to new claims."),
    Rule(
        "repeat_share",
        "repeats",
        "Hidden repeats: share of documents judged twice",
        "0.05 is one document in twenty. Applies to new claims; for assigned documents, set it when you assign them.",
    ),
    Rule(
        "min_visible_ms",
        "min-visible-ms",
        "Milliseconds that a document must be visible before a key counts",
        "An earlier key press is refused with a message. Applies from the next page load.",
    ),
    Rule(
        "passages",
        "passages",
        "Passage that decided the judgement",
        "For this rule, every grade above the lowest is relevant. Existing judgements without a passage are kept.",
    ),
    Rule("ask_confidence", "confidence", "Ask how sure the assessor is", "Applies from the next page load."),
    Rule("snippet_first", "snippet-first", "Snippet first, full text on demand", "Applies from the next page load."),
    Rule("hide_doc_ids", "hide-doc-ids", "Hide doc_ids from assessors", "Pages that are already open still show them."),
    Rule(
        "ask_at_topic_end",
        "exit-question",
        "When a topic is done, ask how difficult it was",
        "Existing answers are kept. A continuous queue has no end of a topic, so there it is not asked.",
    ),
    Rule(
        "continuous",
        "continuous",
        "One continuous queue for all topics",
        "The next topic follows without a page in between, and postponed documents come after all topics. Applies "
        "from the next page load.",
    ),
    Rule(
        "ask_marginal",
        "ask-marginal",
        "After a relevant grade, ask whether the document adds something new",
        "Compared with the relevant documents that the assessor has seen in the topic. Every grade above the lowest is "
        "relevant. Applies from the next page load; existing answers are kept.",
    ),
    Rule(
        "near_duplicates",
        "near-duplicates",
        "Documents of a group of near-duplicates",
        "One after the other: an assessor gets the documents of a group in a row. One judgement applies to all: a "
        "grade is also recorded for the other documents of the group that the assessor has, marked as by group, and "
        "can be changed for each; where passages are required, this works like one after the other. Applies from now "
        "on.",
    ),
)
# Listed with the rules. Only an owner changes it (`assess.suggestions.choice`), because it ends the blindness.
SUGGESTIONS = Rule("suggestions", "suggestions", choice.LABEL, choice.EFFECT)
SHOWN = 80  # characters of a refused value
NAMES = tuple(rule.name for rule in RULES)


@dataclass(frozen=True)
class RuleChanges:
    """The rules that have changed, and the effects on tasks as sentences."""

    rules: list[Rule]
    notes: list[str]


def is_long(collection: Collection, rules: dict[str, Any]) -> bool:
    """Whether setting these rules changes so many tasks and assignments that a page should not wait.

    Raises Refused if a value is not allowed, so that no job starts with it.
    """
    judges = _all_checked(rules).get("judges_per_task", collection.judges_per_task)
    return bool(judges != collection.judges_per_task and claims.is_long(collection))


def change_or_start(collection: Collection, user: User, rules: dict[str, Any]) -> "RuleChanges | Job":
    """Set the given rules; if this changes many assignments, in a job, which is returned."""
    if is_long(collection, rules):
        return queue.start("change_rules", collection, user, rules)
    return change_rules(collection, **rules)


def changed_sentences(labels: list[str], notes: list[str]) -> list[str]:
    """Describe a change: the labels of the rules, and what happened to open work."""
    return [f"Saved: {'; '.join(labels)}." if labels else "The rules are unchanged.", *notes]


def change_rules(collection: Collection, **rules: Any) -> RuleChanges:
    """Set the given rules, all of them or none.

    The tasks follow a new number of judges in batches. If that is interrupted, the next call completes it.
    """
    rules = _all_checked(rules)
    with transaction.atomic():
        lock_active(collection)
        held = Collection.objects.get(pk=collection.pk)
        changed = [rule for rule in RULES if rule.name in rules and getattr(held, rule.name) != rules[rule.name]]
        new = {rule.name: rules[rule.name] for rule in changed}
        _save(held, {name: value for name, value in new.items() if name != "order"})
        if "order" in new:
            _set_order(held, new["order"])
        about_to_save()
    collection.refresh_from_db(fields=NAMES)
    # Not only after a change: an earlier attempt may have been killed before all tasks followed.
    must_follow = "judges_per_task" in new or ("judges_per_task" in rules and claims.is_behind(collection))
    return RuleChanges(changed, _update_tasks(collection) if must_follow else [])


def _all_checked(rules: dict[str, Any]) -> dict[str, Any]:
    if SUGGESTIONS.name in rules:
        raise Refused(
            f"{SUGGESTIONS.label}: an owner chooses the model apart from the other rules, on the page “Settings”, with "
            "set_judging --suggestions, or by POST .../suggestions."
        )
    if unknown := sorted(set(rules) - set(NAMES)):
        raise Refused(f"Unknown rule {unknown[0]!r}; the rules are {', '.join(NAMES)}.")
    return {name: _checked(name, value) for name, value in rules.items()}


def _checked(name: str, value: Any) -> Any:
    """Return the value as it is stored, or raise Refused with what is allowed."""
    field = cast("models.Field[Any, Any]", Collection._meta.get_field(name))
    try:
        if isinstance(value, float) and not (isinstance(field, models.FloatField) or value.is_integer()):
            raise ValidationError("fraction")  # the field would cut it off
        clean = field.clean(value, None)
        if isinstance(clean, float) and math.isnan(clean):  # NaN passes every range check
            raise ValidationError("nan")
    except ValidationError:
        label = next(rule.label for rule in RULES if rule.name == name)
        raise Refused(f"{label}: must be {_allowed(field)}, not {str(value)[:SHOWN]}.") from None
    return clean


def _allowed(field: "models.Field[Any, Any]") -> str:
    if field.choices:
        return f"one of {', '.join(value for value, _ in field.choices)}"
    if isinstance(field, models.BooleanField):
        return "on or off"
    least = max(check.limit_value for check in field.validators if isinstance(check, MinValueValidator))
    most = min(check.limit_value for check in field.validators if isinstance(check, MaxValueValidator))
    number = "a number" if isinstance(field, models.FloatField) else "a whole number"
    return f"{number} between {least} and {most:,}" + (", or empty" if field.null else "")


def _save(held: Collection, new: dict[str, Any]) -> None:
    for name, value in new.items():
        setattr(held, name, value)
    held.save(update_fields=list(new))


def _set_order(held: Collection, order: str) -> None:
    if order == Order.ADAPTIVE:
        raise Refused("An adaptive order needs a strategy: start it on the page “Guidelines”.")
    if held.order == Order.ADAPTIVE:
        from assess.pools.adaptive_order import end_adaptive_order  # loads pandas

        end_adaptive_order(held, order)
    else:
        _save(held, {"order": order})


def _update_tasks(collection: Collection) -> list[str]:
    """Open the pool to claims, or close it. Returns what this does to open work."""
    changes = claims.update_slots(collection)
    if not collection.open_to_claims:
        return _several(changes.claims, "claim stays with its assessor", "claims stay with their assessors")
    return [
        *_several(changes.claims, "assigned document is now a claim", "assigned documents are now claims"),
        *_several(
            changes.more, "task already has more judges and keeps them", "tasks already have more judges and keep them"
        ),
    ]


def _several(n: int, one: str, many: str) -> list[str]:
    return [f"{n:,} {one if n == 1 else many}."] if n else []


def rules_with_values(collection: Collection) -> list[tuple[Rule, str]]:
    """Return every rule with its value as text, and last who makes suggestions."""
    rows = [(rule, _format(collection, rule.name)) for rule in RULES]
    return [*rows, (SUGGESTIONS, choice.suggesting_name(collection) or choice.OFF)]


def _format(collection: Collection, name: str) -> str:
    value = getattr(collection, name)
    if isinstance(value, bool):
        return "on" if value else "off"
    if name == "judges_per_task":
        return "assigned beforehand" if value is None else str(value)
    if name in ("order", "passages", "near_duplicates"):
        return f"{value}: {getattr(collection, f'get_{name}_display')()}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def describe_rules(collection: Collection) -> str:
    """Return a sentence that says how the collection is judged."""
    if collection.open_to_claims:
        judges = "one judge" if collection.judges_per_task == 1 else f"{collection.judges_per_task} judges"
        who = f"Open to claims: any assessor can claim a document until it has {judges}"
    else:
        who = "Documents are assigned beforehand"
    return f"{who}. They appear {ORDERS[collection.order]}."


ORDERS: dict[str, str] = {
    Order.SHUFFLED: "in a different random order for each assessor",
    Order.FIXED: "in the order of their doc_ids, the same for everyone",
    Order.ADAPTIVE: "in an order that adapts to the judgements",
}

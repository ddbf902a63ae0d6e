"""The rules of judging as command options."""

from argparse import SUPPRESS, ArgumentTypeError
from collections.abc import Callable, Mapping
from typing import Any

from django.core.management.base import CommandParser

from assess.judging.rules import NAMES, RULES
from assess.models import DuplicatesRule, Order, Passages

SWITCHES = ("confidence", "snippet-first", "hide-doc-ids", "exit-question", "continuous", "ask-marginal")
CHOICES = {
    "order": [order.value for order in Order if order != Order.ADAPTIVE],
    "passages": Passages.values,
    "near-duplicates": DuplicatesRule.values,
}
NUMBERS: dict[str, tuple[Callable[[str], float], str]] = {
    "judges-per-task": (int, "K"),
    "claim-minutes": (int, "N"),
    "repeats": (float, "SHARE"),
    "min-visible-ms": (int, "N"),
}


def add_rule_options(parser: CommandParser) -> None:
    """Add one option for each rule. A rule without its option keeps its value."""
    for rule in RULES:
        settings: dict[str, Any] = {
            "dest": rule.name,
            "default": SUPPRESS,
            "help": f"{rule.label}. {rule.effect}".replace("%", "%%"),
        }
        if rule.option in SWITCHES:
            parser.add_argument(f"--{rule.option}", type=_switch, metavar="on|off", **settings)
        elif rule.option in CHOICES:
            parser.add_argument(f"--{rule.option}", choices=CHOICES[rule.option], **settings)
        else:
            number, metavar = NUMBERS[rule.option]
            parser.add_argument(f"--{rule.option}", type=number, metavar=metavar, **settings)
    parser.add_argument(
        "--assigned-only",
        dest="judges_per_task",
        action="store_const",
        const=None,
        default=SUPPRESS,
        help="close open claiming: documents are assigned beforehand",
    )


def rules_from_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are rules."""
    return {name: options[name] for name in NAMES if name in options}


def _switch(word: str) -> bool:
    if word not in ("on", "off"):
        raise ArgumentTypeError(f"{word!r} must be on or off")
    return word == "on"

"""The rules of judging as options of a command."""

from argparse import SUPPRESS, ArgumentTypeError

from assess.judging.rules import NAMES, RULES
from assess.models import Order, Passages

SWITCHES = ("confidence", "snippet-first", "hide-doc-ids", "exit-question")
WORDS = {"order": [order.value for order in Order if order != Order.ADAPTIVE], "passages": Passages.values}
NUMBERS = {
    "judges-per-task": (int, "K"),
    "claim-minutes": (int, "N"),
    "repeats": (float, "SHARE"),
    "min-visible-ms": (int, "N"),
}


def add_rule_options(parser) -> None:
    """One option for each rule; what is not given is not changed."""
    for rule in RULES:
        how = {"dest": rule.name, "default": SUPPRESS, "help": f"{rule.label}. {rule.effect}".replace("%", "%%")}
        if rule.option in SWITCHES:
            parser.add_argument(f"--{rule.option}", type=_switch, metavar="on|off", **how)
        elif rule.option in WORDS:
            parser.add_argument(f"--{rule.option}", choices=WORDS[rule.option], **how)
        else:
            kind, shown = NUMBERS[rule.option]
            parser.add_argument(f"--{rule.option}", type=kind, metavar=shown, **how)
    parser.add_argument(
        "--assigned-only",
        dest="judges_per_task",
        action="store_const",
        const=None,
        default=SUPPRESS,
        help="close open claiming: documents are given out beforehand",
    )


def given_rules(options: dict) -> dict:
    """Those of a command's options that are rules."""
    return {name: options[name] for name in NAMES if name in options}


def _switch(word: str) -> bool:
    if word not in ("on", "off"):
        raise ArgumentTypeError(f"{word!r} is neither on nor off")
    return word == "on"

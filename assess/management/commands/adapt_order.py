"""assay adapt_order --collection NAME (--strategy STRATEGY [--rule RULE] [--rel GRADE] | --off)"""

import json
from argparse import ArgumentTypeError
from typing import Any

from django.core.management.base import CommandParser

from assess.errors import Refused
from assess.management.base import CollectionCommand, positive_int
from assess.models import Collection, Order
from assess.pools import adaptive_order
from assess.pools.adaptive_order import begin_adaptive_order, end_adaptive_order
from assess.pools.learning.current import CAL
from assess.pools.learning.state import ASSIGNED_ONLY
from pooling.words import count


class Command(CollectionCommand):
    help = (
        "Let an adaptive strategy choose which document of a topic is judged next, based on the imported runs and the "
        "judgements so far. To include runs and pools that are added later, run the command again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        mode = parser.add_mutually_exclusive_group(required=True)
        mode.add_argument("--strategy", metavar="STRATEGY", help="such as bandit_thompson, hedge or move_to_front")
        mode.add_argument("--off", action="store_true", help="return to an order shuffled for each assessor")
        parser.add_argument(
            "--rule",
            metavar="RULE",
            help="the gold rule that combines several judgements of a document for the strategy "
            f"(default: {adaptive_order.DEFAULT_RULE})",
        )
        parser.add_argument(
            "--rel",
            type=positive_int,
            metavar="GRADE",
            help="the lowest grade that counts as relevant (default: the second-lowest grade)",
        )
        parser.add_argument(
            "--parameter",
            type=_parameter,
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="a parameter of the strategy; may be repeated",
        )

    def handle_collection(
        self,
        collection: Collection,
        *,
        strategy: str,
        off: bool,
        rule: str | None,
        rel: int | None,
        parameter: list[tuple[str, object]],
        **_: Any,
    ) -> None:
        if off:
            if rule or rel or parameter:
                raise Refused("--off cannot be combined with --rule, --rel or --parameter; nothing was changed.")
            end_adaptive_order(collection)
            self.write_lines(f"The order is {Order.SHUFFLED.label} again. All judgements are kept.")
            return
        rule = rule or adaptive_order.DEFAULT_RULE
        query_ids = begin_adaptive_order(collection, strategy, rule, rel, **dict(parameter))
        topics = count(len(query_ids), "topic")
        self.write_lines(f"{strategy} now orders the documents of {topics}, using the rule {rule}.")
        if strategy == CAL:
            collection.refresh_from_db()
            self.write_lines(*([] if collection.open_to_claims else [ASSIGNED_ONLY]))
        elif others := collection.topics.exclude(query_id__in=query_ids).count():
            without = count(others, "topic")
            self.write_lines(f"Without a pool or a run: {without}. Run this command again when that changes.")


def _parameter(text: str) -> tuple[str, object]:
    """Parse `name=value`, where the value is a number, true, false, or a word."""
    name, equals, value = text.partition("=")
    if not (name.isidentifier() and equals):
        raise ArgumentTypeError(f"{text!r} is not name=value, such as depth=100")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value

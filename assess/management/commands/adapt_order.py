"""manage.py adapt_order --collection NAME (--strategy STRATEGY [--rule RULE] [--rel GRADE] | --off)"""

import json
from argparse import ArgumentTypeError

from assess.errors import Refused
from assess.management.base import CollectionCommand, positive
from assess.models import Order
from assess.pools import adaptive_order
from assess.pools.adaptive_order import begin_adaptive_order, end_adaptive_order


class Command(CollectionCommand):
    help = (
        "Let an adaptive strategy say which document of a topic is judged next, from the runs that are here now and "
        "from what is judged. Runs and pools that come later are taken in by running it again."
    )

    def add_arguments(self, parser):
        super().add_arguments(parser)
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--strategy", metavar="STRATEGY", help="such as bandit_thompson, hedge or move_to_front")
        what.add_argument("--off", action="store_true", help="back to the order shuffled for each assessor")
        parser.add_argument(
            "--rule",
            metavar="RULE",
            help=f"the gold rule that feeds the strategy where several judge (default: {adaptive_order.DEFAULT_RULE})",
        )
        parser.add_argument(
            "--rel", type=positive, metavar="GRADE", help="relevant from this grade on (default: above the lowest)"
        )
        parser.add_argument(
            "--parameter",
            type=_parameter,
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="of the strategy; repeat it for each",
        )

    def work(self, collection, *, strategy, off, rule, rel, parameter, **_):
        if off:
            if rule or rel or parameter:
                raise Refused("--off takes no --rule, --rel or --parameter; nothing was changed.")
            end_adaptive_order(collection)
            self.say(f"The order is {Order.SHUFFLED.label} again. What was judged stays.")
            return
        rule = rule or adaptive_order.DEFAULT_RULE
        query_ids = begin_adaptive_order(collection, strategy, rule, rel, **dict(parameter))
        self.say(f"The order of {len(query_ids):,} topics follows {strategy} from now on, fed by the rule {rule}.")
        if others := collection.topics.exclude(query_id__in=query_ids).count():
            self.say(f"{others:,} topics have no pool or no run yet: run this again when they have.")


def _parameter(text: str) -> tuple[str, object]:
    """A name and a value: a number, true, false, or a word."""
    name, equals, value = text.partition("=")
    if not (name.isidentifier() and equals):
        raise ArgumentTypeError(f"{text!r} is not name=value, such as depth=100")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value

"""The parser of `gate`."""

import argparse

from agreement.choices import GATE_BOUNDS, MARGIN, MAX_UNJUDGED
from agreement.cli.options import SUMMARIES, add_classic, add_columns
from pooling.choices import SCORE_PRECISIONS
from pooling.option_names import OptionNames

EXIT_CODES = (
    "Exit codes: 0 win or tie, 1 loss, 2 inconclusive, 3 too many unjudged, 4 depends on the judge; 64 if the input is "
    "refused, 70 after an internal error."
)


def add_gate(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the parser of `gate`."""
    command = commands.add_parser(
        "gate", help=SUMMARIES["gate"], description=SUMMARIES["gate"], epilog=EXIT_CODES, allow_abbrev=False
    )
    command.add_argument("--baseline", required=True, metavar="FILE", help="the run that is in use")
    command.add_argument("--candidate", required=True, metavar="FILE", help="the run that may replace it")
    gold = "qrels, or a table or export of judgements with a gold for each judge; repeatable"
    command.add_argument("--gold", nargs="+", action="extend", required=True, metavar="[NAME=]FILE", help=gold)
    command.add_argument(
        "--measure", default="nDCG@10", help="such as AP(rel=2), nDCG@10 or P(rel=2)@10 (default: %(default)s)"
    )
    _add_decision(command)
    _add_output(command)
    add_columns(command)
    command.add_argument("--field", metavar="NAME", help="the field of the label in an export that has several")
    command.add_argument(
        "--score-precision",
        choices=SCORE_PRECISIONS,
        default=SCORE_PRECISIONS[0],
        help="float32 reads scores like trec_eval before version 10 (default: %(default)s)",
    )
    add_classic(command)
    command.set_defaults(run_command="gate", names=OptionNames.of_parser(command))


def _add_decision(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("decision")
    group.add_argument(
        "--margin",
        type=float,
        default=MARGIN,
        metavar="D",
        help="how much worse the candidate may be, in units of the measure (default: %(default)s)",
    )
    group.add_argument(
        "--alpha", type=float, default=0.05, help="1 - the level of the two-sided intervals (default: %(default)s)"
    )
    group.add_argument(
        "--max-unjudged",
        type=float,
        default=MAX_UNJUDGED,
        metavar="SHARE",
        help="largest share of unjudged documents among the first k of a run; k is the cutoff of the measure, or 10 "
        "(default: %(default)s)",
    )
    group.add_argument(
        "--bounds",
        choices=GATE_BOUNDS,
        default=GATE_BOUNDS[0],
        help="whether the decision is too many unjudged if judgements of these documents could change it, or whether "
        "their bounds are reported only (default: %(default)s)",
    )
    group.add_argument("--scale", metavar="0,1,2", help="the grades, lowest first (default: 0 to the highest)")


def _add_output(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("output")
    group.add_argument("--json", action="store_true", help="print the result as JSON instead of text")
    group.add_argument("--junit", metavar="FILE", help="also write the decision as JUnit XML")
    group.add_argument("--markdown", metavar="FILE", help="also write the report as Markdown")

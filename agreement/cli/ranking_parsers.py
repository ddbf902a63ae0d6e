"""The parsers of the commands that rank systems: `shift`, `topics`, `mix` and `gate`."""

import argparse
from typing import Any

from agreement.choices import (
    COMMON_OR_OWN_TOPICS,
    GATE_BOUNDS,
    MARGIN,
    MAX_UNJUDGED,
    MIN_JUDGED,
    MIN_TOPICS,
)
from agreement.cli.options import SUMMARIES, add_classic, add_columns, add_out, add_repair, add_runs, add_thresholds
from pooling.choices import SCORE_PRECISIONS, TABLE_STYLES

EXIT_CODES = (
    "Exit codes: 0 win or tie, 1 loss, 2 inconclusive, 3 too many unjudged, 4 depends on the judge; 64 if the input is "
    "refused, 70 after an internal error."
)


def add_shift(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the parser of `shift`."""
    command = commands.add_parser("shift", help=SUMMARIES["shift"], description=SUMMARIES["shift"])
    _add_scored(command)
    command.add_argument("--reference", metavar="NAME", help="the gold to compare with (default: the first)")
    command.add_argument(
        "--topics",
        choices=COMMON_OR_OWN_TOPICS,
        default="common",
        help="the topics common to both golds, or those of each gold (default: %(default)s)",
    )
    command.add_argument(
        "--group", action="append", metavar="NAME=PATTERN", help="runs that repeat one system; repeatable"
    )
    add_thresholds(
        command,
        "common topics that two golds need; with fewer, the answer is preliminary",
        "share of the first 10 documents that each gold must judge for this",
    )
    _add_intervals(command)
    command.add_argument("--style", choices=TABLE_STYLES, default="plain", help="output format (default: %(default)s)")
    command.add_argument("--csv", action="store_true", help="print only ranks and scores, as CSV, unrounded")
    add_repair(command, "the runs")
    add_classic(command)
    add_out(command)
    command.set_defaults(usage_error=command.error)


def add_topics(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the parser of `topics`."""
    command = commands.add_parser("topics", help=SUMMARIES["topics"], description=SUMMARIES["topics"])
    _add_scored(command)
    command.add_argument(
        "--pair", nargs=2, metavar=("A", "B"), help="also show which topics decide the comparison of these two systems"
    )
    command.add_argument(
        "--alpha", type=float, default=0.05, help="level of significance of this comparison (default: %(default)s)"
    )
    command.add_argument("--style", choices=TABLE_STYLES, default="plain", help="output format (default: %(default)s)")
    command.add_argument("--csv", action="store_true", help="print only the table of topics, as CSV, unrounded")
    add_repair(command, "the runs")
    add_classic(command)
    of_shift: dict[str, Any] = {"reference": None, "topics": "own", "judges": []}
    of_shift |= {"min_topics": MIN_TOPICS, "min_judged": MIN_JUDGED}
    command.set_defaults(usage_error=command.error, **of_shift)


def _add_scored(command: argparse.ArgumentParser) -> None:
    """Add the options that name runs and golds, or scores, and the measures."""
    add_runs(command, required=False)
    gold = "qrels, or a table or export of judgements with a gold for each judge; repeatable"
    command.add_argument("--gold", action="append", metavar="[NAME=]FILE", help=gold)
    _add_scores(command)
    add_columns(command)
    command.add_argument("--field", metavar="NAME", help="the field of the label in an export that has several")
    command.add_argument(
        "--measure", action="append", help="such as AP(rel=2), nDCG@10 or P(rel=2)@10; repeatable (default: AP)"
    )
    command.add_argument("--scale", metavar="0,1,2", help="the grades, lowest first, for measures that need them")


def _add_intervals(command: argparse.ArgumentParser) -> None:
    """Add the options of the intervals of rank correlations."""
    group = command.add_argument_group("intervals", "How far tau_b, tau_AP and RBO may be from those over all topics.")
    group.add_argument("--intervals", action="store_true", help="add 95%% intervals over topics; needs --seed")
    group.add_argument("--seed", type=int, metavar="N", help="the seed of the draws of --intervals")
    group.add_argument(
        "--draws", type=int, default=2000, metavar="N", help="number of draws of --intervals (default: %(default)s)"
    )
    group.add_argument(
        "--judges",
        action="append",
        default=[],
        metavar="NAME=GOLD,GOLD",
        help="golds that are judges of one kind: intervals between these kinds, and the reference if it is in none, "
        "over topics and judges; repeatable",
    )


def _add_scores(command: argparse.ArgumentParser) -> None:
    """Add the options that rank by scores instead of runs and golds."""
    group = command.add_argument_group("scores", "Without runs: how much is judged is then unknown.")
    group.add_argument(
        "--scores",
        action="append",
        metavar="[GOLD=]FILE",
        help="instead of --run and --gold: a table with the columns gold, system, query_id, measure and value, or what "
        "trec_eval -q prints for one system, or a pattern; repeatable",
    )
    group.add_argument(
        "--missing", type=float, metavar="SCORE", help="the score of a system on a topic that the file leaves out"
    )
    group.add_argument(
        "--lower-is-better", action="append", metavar="MEASURE", help="a measure that is better if lower; repeatable"
    )


def add_mix(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the parser of `mix`."""
    command = commands.add_parser("mix", help=SUMMARIES["mix"], description=SUMMARIES["mix"])
    add_runs(command)
    command.add_argument("--judge", action="append", required=True, metavar="NAME=FILE", help="a judge's qrels file")
    command.add_argument(
        "--measure", default="AP", help="such as AP(rel=2), nDCG@10 or P(rel=2)@10 (default: %(default)s)"
    )
    command.add_argument("--scale", metavar="0,1,2", help="the grades, lowest first, for measures that need them")
    command.add_argument(
        "--draws", type=int, default=100_000, metavar="N", help="number of golds to draw (default: %(default)s)"
    )
    command.add_argument(
        "--seed", type=int, metavar="N", help="required unless there are fewer combinations of judges than --draws"
    )
    add_thresholds(
        command,
        "topics with two judges or more that an answer needs; with fewer, it is preliminary",
        "share of the first 10 documents that each of these judges must have judged for this",
    )
    command.add_argument("--style", choices=TABLE_STYLES, default="plain", help="output format (default: %(default)s)")
    add_out(command)


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

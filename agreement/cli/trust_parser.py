"""The parser of `trust`."""

import argparse

from agreement.choices import MIN_TOPICS
from agreement.cli.options import SUMMARIES, add_out, add_runs
from pooling.choices import TABLE_STYLES
from pooling.option_names import OptionNames

DUPLICATES = ("error", "first", "last", "highest", "lowest", "mean")


def add_trust(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the parser of `trust`."""
    command = commands.add_parser("trust", help=SUMMARIES["trust"], description=SUMMARIES["trust"])
    add_runs(command)
    people = "qrels of a person; the first is the reference, and a verdict needs a second; repeatable"
    command.add_argument("--human", nargs="+", action="extend", required=True, metavar="[NAME=]FILE", help=people)
    models = "grades of a model, also fractions; repeatable"
    command.add_argument("--judge", nargs="+", action="extend", required=True, metavar="[NAME=]FILE", help=models)
    command.add_argument(
        "--measure", default="nDCG@10", help="such as AP(rel=2), nDCG@10 or P(rel=2)@10 (default: %(default)s)"
    )
    command.add_argument("--seed", type=int, required=True, metavar="N", help="of everything random")
    _add_grades(command)
    _add_tests(command)
    forms = command.add_mutually_exclusive_group()
    for form, name in (("markdown", "Markdown"), ("latex", "LaTeX"), ("csv", "CSV"), ("json", "JSON")):
        text = "print only the table of verdicts, as CSV, unrounded" if form == "csv" else f"print the report as {name}"
        forms.add_argument(f"--{form}", action="store_const", const=form, dest="form", help=text)
    add_out(command)
    command.set_defaults(run_command="trust", form=TABLE_STYLES[0], names=OptionNames.of_parser(command))


def _add_grades(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("grades")
    group.add_argument(
        "--scale", metavar="0,1,2", help="the grades of people, lowest first (default: 0 to the highest)"
    )
    group.add_argument(
        "--rel", type=float, metavar="N", help="grade N and above is relevant (default: the middle of the scale)"
    )
    group.add_argument(
        "--judge-rel",
        dest="model_rel",
        action="append",
        default=[],
        metavar="[MODEL:]N",
        help="the same for models with other grades; repeatable (default: 1 for grades 0 and 1)",
    )
    group.add_argument(
        "--draw", metavar="FILE", help="the record of the pairs that the first person graded, as assay draw writes it"
    )
    group.add_argument(
        "--duplicates",
        choices=DUPLICATES,
        default=DUPLICATES[0],
        help="a document that a model graded again with another grade (default: %(default)s)",
    )


def _add_tests(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("verdict and tests")
    group.add_argument(
        "--margin",
        type=float,
        default=0.05,
        metavar="TAU",
        help="how much lower the tau_b of a model may be than that of another person (default: %(default)s)",
    )
    group.add_argument(
        "--min-topics",
        type=int,
        default=MIN_TOPICS,
        metavar="N",
        help="common topics that a verdict needs (default: %(default)s)",
    )
    group.add_argument(
        "--top", type=int, default=10, metavar="N", help="best systems that have a verdict too (default: %(default)s)"
    )
    group.add_argument(
        "--epsilon",
        type=float,
        default=0.2,
        metavar="E",
        help="of the alternative annotator test: how much better people may be (default: %(default)s)",
    )
    group.add_argument(
        "--draws", type=int, default=500, metavar="N", help="draws of topics for intervals (default: %(default)s)"
    )
    group.add_argument("--group", action="append", metavar="NAME=PATTERN", help="runs that belong together; repeatable")
    group.add_argument(
        "--documents", nargs="+", action="extend", default=[], metavar="FILE", help="texts, for tests of over-rating"
    )
    group.add_argument("--topics", metavar="FILE", help="queries, for tests of over-rating")

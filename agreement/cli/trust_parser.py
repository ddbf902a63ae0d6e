"""The parsers of the commands on model judges: `trust`, `who_judges` and `drift`."""

import argparse

from agreement.choices import MIN_TOPICS, PAIRS_OF_SYSTEMS
from agreement.cli.options import SUMMARIES, add_out, add_runs, add_thresholds
from pooling.choices import TABLE_STYLES

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
    _add_forms(command, "the report", "only the table of verdicts")
    add_out(command)
    command.set_defaults(form=TABLE_STYLES[0])


def add_who_judges(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the parser of `who_judges`."""
    command = commands.add_parser("who_judges", help=SUMMARIES["who_judges"], description=SUMMARIES["who_judges"])
    add_runs(command)
    model = "grades of one model, also fractions"
    command.add_argument("--judge", nargs="+", action="extend", required=True, metavar="[NAME=]FILE", help=model)
    people = "qrels with the grades that people have given so far; their pairs are not listed"
    command.add_argument("--human", nargs="+", action="extend", metavar="[NAME=]FILE", help=people)
    command.add_argument(
        "--measure", default="nDCG@10", help="such as AP(rel=2), nDCG@10 or P(rel=2)@10 (default: %(default)s)"
    )
    command.add_argument("--scale", metavar="0,1,2", help="the grades, lowest first (default: 0 to the highest)")
    command.add_argument(
        "--size", type=int, metavar="N", help="list only the first N pairs (default: 20; all in CSV and JSON)"
    )
    command.add_argument(
        "--compare",
        dest="pairs",
        choices=PAIRS_OF_SYSTEMS,
        default=PAIRS_OF_SYSTEMS[0],
        help="the pairs of systems whose differences count: all, or those next to each other in the ranking (default: "
        "%(default)s)",
    )
    _add_duplicates(command)
    _add_forms(command, "the list", "the list")
    command.set_defaults(form=TABLE_STYLES[0])


def add_drift(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the parser of `drift`."""
    command = commands.add_parser("drift", help=SUMMARIES["drift"], description=SUMMARIES["drift"])
    for name, when in (("before", "earlier"), ("after", "later")):
        text = f"qrels with the {when} grades of the model; -1 means that it could not judge"
        command.add_argument(f"--{name}", required=True, metavar="FILE", help=text)
    repeats = "qrels of the same model, asked again with nothing changed, one file each time; two or more"
    command.add_argument("--repeat", nargs="+", action="extend", default=[], metavar="FILE", help=repeats)
    command.add_argument("--scale", metavar="0,1,2", help="the grades, lowest first (default: 0 to the highest)")
    group = command.add_argument_group("ranking", "What the changed grades do to the ranking of systems.")
    add_runs(group, required=False)
    gold = "qrels with all grades of the model; those of the compared pairs are replaced"
    group.add_argument("--gold", metavar="FILE", help=gold)
    group.add_argument(
        "--measure", default="nDCG@10", help="such as AP(rel=2), nDCG@10 or P(rel=2)@10 (default: %(default)s)"
    )
    add_thresholds(
        group,
        "topics that a sentence on the ranking needs; with fewer, it is preliminary",
        "share of the first 10 documents that must be judged for this",
    )
    _add_forms(command, "the report", "only the table of figures")
    command.set_defaults(form=TABLE_STYLES[0])


def _add_forms(command: argparse.ArgumentParser, what: str, in_csv: str) -> None:
    """Add the options that choose how the result is printed."""
    forms = command.add_mutually_exclusive_group()
    for form, name in (("markdown", "Markdown"), ("latex", "LaTeX"), ("csv", "CSV"), ("json", "JSON")):
        text = f"print {in_csv} as CSV, unrounded" if form == "csv" else f"print {what} as {name}"
        forms.add_argument(f"--{form}", action="store_const", const=form, dest="form", help=text)


def _add_duplicates(command: "argparse.ArgumentParser | argparse._ArgumentGroup") -> None:
    command.add_argument(
        "--duplicates",
        choices=DUPLICATES,
        default=DUPLICATES[0],
        help="a document that a model graded again with another grade (default: %(default)s)",
    )


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
    _add_duplicates(group)


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

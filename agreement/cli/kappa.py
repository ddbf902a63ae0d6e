"""`python -m agreement kappa a.qrels b.qrels [c.qrels ...]`: the agreement of judges.

Each file holds the judgements of one judge, who is named after the file or by NAME=FILE. A relevance of -1 means "not
judged". The report is printed as text or, with --markdown, --latex, --csv or --json, in that format.

Declare the scale, for example `--scale 0,1,2,3`: grades that no judge used count for some coefficients. Without
--scale, the scale is 0 to the highest grade in the files, and the output states this (for CSV, on stderr).
"""

import argparse
import json
import sys
from typing import Any

import pandas as pd

from agreement.cli.files import named
from agreement.cli.inputs import read_judges
from agreement.intervals.requests import INTERVALS
from agreement.ratings import Ratings
from agreement.reports.agreement_report import agreement_data, agreement_frame, agreement_text
from agreement.reports.agreement_summary import MIN_DOCUMENTS
from agreement.shift.thresholds import MIN_TOPICS
from pooling.text_tables import STYLES, prose

RANDOM_INTERVALS = ("bootstrap", "topics")
MAX_UNDECLARED_GRADE = 20  # a higher grade is more likely a mistake in the file than a scale


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the parser of the command."""
    command = commands.add_parser("kappa", help="measure the agreement of judges")
    command.add_argument("judges", nargs="+", metavar="[NAME=]FILE", help="one qrels file for each judge")
    command.add_argument("--rel", type=int, metavar="N", help="grade N and above is relevant (default: compare grades)")
    command.add_argument(
        "--scale", metavar="0,1,2", help="the grades, lowest first (default: 0 to the highest in the files)"
    )
    command.add_argument("--per-topic", action="store_true", help="also compare each pair of judges in each topic")
    command.add_argument(
        "--interval", choices=("none", *INTERVALS), default="none", help="add 95 %% intervals (default: %(default)s)"
    )
    command.add_argument("--seed", type=int, metavar="N", help="required by --interval bootstrap and topics")
    command.add_argument(
        "--min-topics",
        type=int,
        default=MIN_TOPICS,
        metavar="N",
        help="topics that two judges need in common to be used in the summary (default: %(default)s)",
    )
    command.add_argument(
        "--min-documents",
        type=int,
        default=MIN_DOCUMENTS,
        metavar="N",
        help="documents that they need in common for this (default: %(default)s)",
    )
    forms = command.add_mutually_exclusive_group()
    for form in (*STYLES[1:], "csv", "json"):
        forms.add_argument(f"--{form}", action="store_const", const=form, dest="form", help=f"print {form}")
    command.set_defaults(run_command=kappa, form=STYLES[0])


def kappa(options: argparse.Namespace) -> str:
    """Compare the judges and return the report."""
    interval = {"interval": None if options.interval == "none" else options.interval, "seed": options.seed}
    if options.interval in RANDOM_INTERVALS and options.seed is None:
        raise ValueError(f"--interval {options.interval} draws at random and needs --seed N.")
    files = named(options.judges, "a judge")
    if len(files) < 2:
        raise ValueError(f"Agreement needs the files of two or more judges, not only {options.judges[0]}.")
    judgements = read_judges(files)
    scale = _undeclared_scale(judgements) if options.scale is None else declared(options.scale)
    ratings = Ratings.from_judgements(judgements, scale)
    note = _note(scale) if options.scale is None else ""
    return _formatted(ratings, options, note, interval)


def _formatted(ratings: Ratings, options: argparse.Namespace, note: str, interval: dict[str, Any]) -> str:
    least = {"min_topics": options.min_topics, "min_documents": options.min_documents}
    if options.form == "json":
        data = {"scale_declared": options.scale is not None}
        data |= agreement_data(ratings, options.rel, options.per_topic, **interval, **least)
        return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    if options.form == "csv":
        if note:
            sys.stderr.write(f"{options.prog}: {note}\n")
        compared = ratings if options.rel is None else ratings.binary(options.rel)
        return agreement_frame(compared, options.per_topic, **interval).to_csv(index=False, lineterminator="\n")
    text = agreement_text(ratings, options.rel, options.per_topic, options.form, **interval, **least)
    return f"{prose(note, options.form)}\n\n{text}" if note else text


def declared(text: str) -> tuple[int, ...]:
    """The grades of a scale written as "0,1,2"."""
    try:
        grades = tuple(int(grade) for grade in text.split(","))
    except ValueError:
        raise ValueError(f"--scale must be whole numbers separated by commas, such as 0,1,2, not {text!r}.") from None
    if list(grades) != sorted(grades):
        raise ValueError(f"--scale must list the lowest grade first, not {text!r}.")
    return grades


def _undeclared_scale(judgements: pd.DataFrame) -> tuple[int, ...]:
    """0 to the highest grade in the files, at least 0 and 1."""
    highest = max(int(judgements["relevance"].max()), 1)
    if highest > MAX_UNDECLARED_GRADE:
        raise ValueError(f"The highest grade in the files is {highest}; declare the grades with --scale.")
    return tuple(range(highest + 1))


def _note(scale: tuple[int, ...]) -> str:
    grades = ", ".join(map(str, scale))
    return f"No scale was declared. The grades {grades} are used, up to the highest in the files. Use --scale."

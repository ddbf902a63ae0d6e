"""`python -m agreement kappa a.qrels b.qrels [c.qrels ...]`

Each file is a judge, named after the file or by NAME=FILE; a relevance of -1 is no judgement. Prints how far the judges
agree, as text, or with one of --markdown, --latex, --csv and --json.

The scale should be declared, `--scale 0,1,2,3`: grades that nobody used count for some coefficients. Where it is not,
it is taken to go from 0 to the highest grade found, and the output says so (for CSV, which has no room for it, on
stderr).
"""

import argparse
import json
import sys

import pandas as pd

from agreement.cli.files import named
from agreement.intervals.requests import INTERVALS
from agreement.ratings import Ratings
from agreement.reports.agreement_report import agreement_data, agreement_frame, agreement_text
from agreement.reports.tables import STYLES, prose
from pooling.trec import read_qrels

DRAWN = ("bootstrap", "topics")
HIGHEST = 20  # a scale that nobody declared does not go beyond


def add(commands) -> None:
    """Add the parser."""
    command = commands.add_parser("kappa", help="how far do judges agree?")
    command.add_argument("judges", nargs="+", metavar="[NAME=]FILE", help="a qrels file of each judge")
    command.add_argument("--rel", type=int, metavar="N", help="relevant from grade N on (every grade by itself)")
    command.add_argument("--scale", metavar="0,1,2", help="the grades, lowest first (0 to the highest found)")
    command.add_argument("--per-topic", action="store_true", help="also the pairs in every topic")
    command.add_argument("--interval", choices=("none", *INTERVALS), default="none", help="of 95 %% (none)")
    command.add_argument("--seed", type=int, metavar="N", help="for the intervals bootstrap and topics, which draw")
    forms = command.add_mutually_exclusive_group()
    for form in (*STYLES[1:], "csv", "json"):
        forms.add_argument(f"--{form}", action="store_const", const=form, dest="form", help=f"print {form}")
    command.set_defaults(run_command=kappa, form=STYLES[0])


def kappa(options: argparse.Namespace) -> str:
    """Compare the judges, and return the report."""
    interval = {"interval": None if options.interval == "none" else options.interval, "seed": options.seed}
    if options.interval in DRAWN and options.seed is None:
        raise ValueError(f"--interval {options.interval} draws at random; give it a --seed N, to be told and repeated")
    files = named(options.judges, "a judge")
    if len(files) < 2:
        raise ValueError(f"agreement is between two or more judges; got one file, {options.judges[0]}")
    frame = pd.concat([read_qrels(path).assign(assessor=name) for name, path in files.items()])
    scale = _found(frame) if options.scale is None else declared(options.scale)
    ratings = Ratings.from_judgements(frame, scale)
    note = _note(scale) if options.scale is None else ""
    return _printed(ratings, options, note, interval)


def _printed(ratings: Ratings, options: argparse.Namespace, note: str, interval: dict) -> str:
    if options.form == "json":
        found = agreement_data(ratings, options.rel, options.per_topic, **interval)
        data = {"scale_declared": options.scale is not None} | found
        return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    if options.form == "csv":
        if note:
            sys.stderr.write(f"agreement: {note}\n")
        cut = ratings if options.rel is None else ratings.binary(options.rel)
        return agreement_frame(cut, options.per_topic, **interval).to_csv(index=False, lineterminator="\n")
    text = agreement_text(ratings, options.rel, options.per_topic, options.form, **interval)
    return f"{prose(note, options.form)}\n\n{text}" if note else text


def declared(text: str) -> tuple[int, ...]:
    """The grades of a scale, written "0,1,2"."""
    try:
        grades = tuple(int(grade) for grade in text.split(","))
    except ValueError:
        raise ValueError(f"--scale is whole numbers with commas between, such as 0,1,2; got {text!r}") from None
    if list(grades) != sorted(grades):
        raise ValueError(f"--scale has the lowest grade first; got {text!r}")
    return grades


def _found(frame: pd.DataFrame) -> tuple[int, ...]:
    """0 to the highest grade found, at least 0 and 1."""
    highest = max(int(frame["relevance"].max()), 1)
    if highest > HIGHEST:
        raise ValueError(f"the highest grade found is {highest}; declare the grades with --scale")
    return tuple(range(highest + 1))


def _note(scale: tuple[int, ...]) -> str:
    grades = ", ".join(map(str, scale))
    return f"No scale was declared: grades {grades} are taken, 0 to the highest found. Declare it with --scale."

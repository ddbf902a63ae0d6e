"""Options that several commands share, and how those about labels become arguments of `read_judgements`."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agreement.choices import (
    LABEL_CHOICES,
    MIN_JUDGED,
    MIN_TOPICS,
)
from pooling.choices import NUMBER_BY, REPAIRS, SCORE_PRECISIONS

SUMMARIES = {
    "kappa": "Measure the agreement of judges.",
    "shift": "Measure how the ranking of the systems changes with the gold.",
    "topics": "Measure how hard each topic is, and which topics decide a comparison.",
    "mix": "Measure how the ranking varies with the judge of each topic.",
    "trust": "Say whether model judges may replace people for this ranking.",
    "gate": "Say whether a candidate run is worse than the baseline.",
    "who_judges": "List the documents whose grade by people teaches most about this ranking.",
    "drift": "Say whether a model judge answers the same pairs differently than before.",
    "compare_golds": "Measure which rule of golds predicts a judgement best.",
    "check": "Check topics, documents, runs and judgements together.",
}
ONE_OR_NAMED = "applies to all judges, or to one: JUDGE:"
LISTED_RELEVANT = "a qrels file whose grades are all 0 lists the relevant documents, as in CACM, CISI and ADI"
HELP = {
    "off_scale": "a grade that is not on the scale",
    "duplicates": "the grade of a document that occurs again with another grade; median needs a rounding",
    "rounding": "how to round fractions",
    "decimals": "a whole number written as 1.0: an error, or read as 1",
    "negative": "a negative grade",
    "on_error": "at an invalid line: stop, or report it and use the others",
}


def add_columns(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--columns",
        type=_columns,
        metavar="assessor=coder,relevance=score",
        help="the columns of tables with other names; judges=ada,judges=bob names columns of one judge each",
    )


def _columns(text: str) -> dict[str, str | list[str]]:
    try:
        return parse_columns(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_runs(command: "argparse.ArgumentParser | argparse._ArgumentGroup", required: bool = True) -> None:
    """Add the options that name run files."""
    command.add_argument("--run", nargs="+", action="extend", required=required, metavar="FILE", help="run files")
    command.add_argument(
        "--name-by-file", action="store_true", help="name each system after its file, not after the tag in the file"
    )
    command.add_argument(
        "--score-precision",
        choices=SCORE_PRECISIONS,
        default=SCORE_PRECISIONS[0],
        help="float32 reads scores like trec_eval before version 10 (default: %(default)s)",
    )


def add_thresholds(command: "argparse.ArgumentParser | argparse._ArgumentGroup", topics: str, judged: str) -> None:
    """Add the options that say how much data an answer needs, with their help texts."""
    command.add_argument(
        "--min-topics",
        type=int,
        default=MIN_TOPICS,
        metavar="N",
        help=f"{topics} (default: %(default)s)",
    )
    command.add_argument(
        "--min-judged",
        type=float,
        default=MIN_JUDGED,
        metavar="SHARE",
        help=f"{judged} (default: %(default)s)",
    )


def add_repair(command: argparse.ArgumentParser, other: str) -> None:
    """Add the option that repairs ids; `other` is the side whose ids are right."""
    command.add_argument(
        "--repair-ids",
        choices=REPAIRS,
        help=f"read ids that match nothing as those of {other}, if they differ only in this; the report says when",
    )


def add_classic(command: argparse.ArgumentParser) -> None:
    """Add the options that say how the golds of classic collections are read."""
    group = command.add_argument_group("classic collections", "CACM, CISI, Cranfield and others, as their files are.")
    add_listed_relevant(group)
    group.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="[GOLD:]1=4,2=3",
        help="replace grades, all at once, such as the codes of Cranfield; repeatable; applies to all golds, or to one",
    )
    group.add_argument(
        "--number-by",
        action="append",
        default=[],
        metavar=f"[GOLD:]{{{','.join(NUMBER_BY)}}}",
        help="golds whose queries count the topics: query 1 is the first topic (order), or topic 1 (id); repeatable",
    )
    group.add_argument("--topic-file", metavar="FILE", help="the topics, whose order --number-by order needs")


def add_out(command: argparse.ArgumentParser) -> None:
    """Add the option that names the folder."""
    command.add_argument("--out", type=Path, metavar="FOLDER", help="write tables, figures and a manifest there")


def add_label_options(parser: Any, negative: str = "error") -> None:
    """Add the options; `negative` is the default of `--negative`."""
    group = parser.add_argument_group("irregular files", "By default each irregularity is an error. All are counted.")
    choices = LABEL_CHOICES | {"on_error": ("stop", "report")}
    defaults = {"negative": negative, "rounding": None, "on_error": "stop"}
    for name, text in HELP.items():
        default = "a fraction is an error" if name == "rounding" else "%(default)s"
        group.add_argument(
            f"--{name.replace('_', '-')}",
            choices=choices[name],
            default=defaults.get(name, "error"),
            help=f"{text} (default: {default})",
        )
    group.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="[JUDGE:]1=2,Relevant=1",
        help=f"replace grades or labels, all at once; repeatable; {ONE_OR_NAMED}1=2",
    )
    group.add_argument(
        "--judge-scale",
        action="append",
        default=[],
        metavar="[JUDGE:]0,1",
        help=f"the judge's own grades, before --map; repeatable; {ONE_OR_NAMED}0,1",
    )
    group.add_argument(
        "--name-pattern",
        metavar="PATTERN",
        help="where the judge stands in the name of a file, such as '{judge}.umbrela.txt'; * is any text",
    )
    group.add_argument(
        "--field",
        metavar="NAME",
        help="the field of the label in an export of another program, if several have labels",
    )
    add_listed_relevant(group)


def add_listed_relevant(parser: Any) -> None:
    """Add the option for qrels whose grades are all 0."""
    parser.add_argument("--listed-relevant", action="store_true", help=LISTED_RELEVANT)


def label_arguments(options: argparse.Namespace | Mapping[str, Any]) -> dict[str, Any]:
    """The options as arguments of `read_judgements`, without the scale."""
    from agreement.judge_files.options import parse_mapping  # loads pandas, which --help does not need

    values = vars(options) if isinstance(options, argparse.Namespace) else options
    arguments = {name: values[name] for name in HELP if name != "on_error"}
    return arguments | {
        "on_error": "report" if values["on_error"] == "report" else "raise",
        "mapping": one_or_named(values["map"], "--map", parse_mapping),
        "own_scale": one_or_named(values["judge_scale"], "--judge-scale", parse_grades),
        "name_pattern": values["name_pattern"],
        "field": values.get("field"),
        "listed_relevant": values.get("listed_relevant", False),
    }


def one_or_named(texts: Sequence[str], option: str, parse: Any) -> Any:
    """One value for all judges, or a dictionary by the name of the judge; None without the option."""
    parts = [text.rpartition(":") for text in texts]
    named = {judge: parse(value) for judge, colon, value in parts if colon}
    if not named and len(parts) == 1:
        return parse(parts[0][2])
    if len(named) < len(parts) or "" in named:
        raise ValueError(f"{option} must be given once for all judges, or once for each judge as JUDGE:VALUE.")
    return named or None


def parse_grades(text: str) -> tuple[int, ...]:
    """The grades that are written as "0,1,2"."""
    try:
        return tuple(int(grade) for grade in text.split(","))
    except ValueError:
        raise ValueError(
            f"A judge's own scale must be whole numbers separated by commas, such as 0,1, not {text!r}."
        ) from None


def parse_columns(text: str) -> dict[str, str | list[str]]:
    """The columns that are written as "assessor=coder,relevance=score"; judges may occur several times."""
    columns: dict[str, str | list[str]] = {}
    judges: list[str] = []
    for part in text.split(","):
        name, sign, column = (word.strip() for word in part.partition("="))
        if not (name and sign and column) or name in columns:
            raise ValueError(f"Columns must be written as assessor=coder,relevance=score, each once, not {text!r}.")
        if name == "judges":
            judges.append(column)
        else:
            columns[name] = column
    return columns | ({"judges": judges} if judges else {})

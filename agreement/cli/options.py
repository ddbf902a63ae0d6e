"""Options that several commands share."""

import argparse
from pathlib import Path

from agreement.choices import (
    MIN_JUDGED,
    MIN_TOPICS,
)
from agreement.cli.label_options import add_listed_relevant, parse_columns
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

"""The parsers of the commands. They load no pandas; `run_command` is the name of the module and of its function."""

import argparse
from pathlib import Path
from typing import Any

from agreement.choices import (
    ADDED,
    COMMON_OR_OWN_TOPICS,
    HELD_OUT,
    KAPPA_WEIGHTS,
    MANY_PAIRS,
    MIN_DOCUMENTS,
    MIN_JUDGED,
    MIN_TOPICS,
    OF_EVERY_COEFFICIENT,
    SORTS,
)
from agreement.cli.label_options import add_label_options, add_listed_relevant, parse_columns
from pooling.choices import NUMBER_BY, REPAIRS, SCORE_PRECISIONS, TABLE_STYLES
from pooling.option_names import OptionNames

SUMMARIES = {
    "kappa": "Measure the agreement of judges.",
    "shift": "Measure how the ranking of the systems changes with the gold.",
    "topics": "Measure how hard each topic is, and which topics decide a comparison.",
    "mix": "Measure how the ranking varies with the judge of each topic.",
    "compare_golds": "Measure which rule of golds predicts a judgement best.",
    "check": "Check topics, documents, runs and judgements together.",
}


def parser(prog: str) -> argparse.ArgumentParser:
    """Return the parser of the command line called `prog`."""
    parser = argparse.ArgumentParser(prog=prog, description="Measure agreement and its effect on rankings.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for add in (add_kappa, add_shift, add_topics, add_mix, add_compare_golds, add_check):
        add(commands)
    return parser


def add_kappa(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the parser of `kappa`."""
    command = commands.add_parser("kappa", help=SUMMARIES["kappa"], description=SUMMARIES["kappa"])
    _add_judges(command)
    _add_report(command)
    add_label_options(command, negative="not_judged")
    command.set_defaults(run_command="kappa", form=TABLE_STYLES[0], names=OptionNames.of_parser(command))


def add_compare_golds(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the parser of `compare_golds`."""
    summary = SUMMARIES["compare_golds"]
    command = commands.add_parser("compare_golds", help=summary, description=summary)
    _add_judges(command, repair=False)
    command.add_argument(
        "--rule",
        nargs="+",
        action="extend",
        metavar="RULE",
        help="rules of golds, such as union or judge:ada (default: majority dawid_skene glad mace)",
    )
    command.add_argument(
        "--held-out",
        choices=HELD_OUT,
        default=HELD_OUT[0],
        help="what is set aside: single judgements in folds, or one judge at a time (default: %(default)s)",
    )
    command.add_argument("--folds", type=int, default=5, metavar="N", help="number of folds (default: %(default)s)")
    command.add_argument("--seed", type=int, required=True, metavar="N", help="of the folds and of mace")
    command.add_argument("--csv", action="store_true", help="print the table as CSV, and all notes on stderr")
    command.add_argument("--style", choices=TABLE_STYLES, default="plain", help="output format (default: %(default)s)")
    add_label_options(command, negative="not_judged")
    command.set_defaults(run_command="compare_golds", names=OptionNames.of_parser(command))


def _add_judges(command: argparse.ArgumentParser, repair: bool = True) -> None:
    """Add the files of the judges and how they are read."""
    command.add_argument(
        "judges",
        nargs="+",
        metavar="[NAME=]FILE",
        help="qrels of one judge, or a table, spreadsheet or export of several; or a pattern",
    )
    command.add_argument("--rel", type=int, metavar="N", help="grade N and above is relevant (default: compare grades)")
    command.add_argument(
        "--scale", metavar="0,1,2", help="the grades, lowest first (default: 0 to the highest in the files)"
    )
    if repair:
        add_repair(command, "the judges before")
    _add_columns(command)


def _add_columns(command: argparse.ArgumentParser) -> None:
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


def _add_report(command: argparse.ArgumentParser) -> None:
    """Add the options of the report."""
    command.add_argument("--per-topic", action="store_true", help="also compare each pair of judges in each topic")
    command.add_argument(
        "--without-topic", action="append", default=[], metavar="ID", help="leave out this topic; repeatable"
    )
    command.add_argument(
        "--interval",
        choices=("none", *OF_EVERY_COEFFICIENT),
        metavar="KIND",
        help="the kind of the 95 %% intervals: one of %(choices)s; default is the calibrated one (if left out: "
        "jackknife_topics, or jackknife if there is one topic)",
    )
    command.add_argument("--seed", type=int, metavar="N", help="required by intervals that draw samples")
    command.add_argument(
        "--difference",
        nargs=2,
        action="append",
        default=[],
        metavar="JUDGE,JUDGE",
        help="the kappa of the first two judges minus that of the second two, with an interval, on the documents that "
        "all of them judged; repeatable",
    )
    _add_listed(command)
    command.add_argument(
        "--add",
        action="append",
        default=[],
        choices=ADDED,
        metavar="STATISTIC",
        help="also report icc (intraclass correlations), generalisability (how many judges would be enough), marginals "
        "(does one of two judges give higher grades?) or benchmarks (the probability of each band); repeatable, for "
        "example --add icc --add marginals; with --csv, its table in place of that of the pairs",
    )
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
    for form, name in (("markdown", "Markdown"), ("latex", "LaTeX"), ("csv", "CSV"), ("json", "JSON")):
        forms.add_argument(
            f"--{form}", action="store_const", const=form, dest="form", help=f"print the report as {name}"
        )


def _add_listed(command: argparse.ArgumentParser) -> None:
    """Add the options that choose and order the pairs."""
    command.add_argument("--reference", metavar="JUDGE", help="list the other judges by closeness to this one")
    command.add_argument(
        "--sort",
        choices=SORTS,
        help="the order of the pairs: name, value (the highest pooled kappa first) or n (default: value; in CSV and "
        "JSON name, unless --reference or --top is given)",
    )
    command.add_argument(
        "--top",
        type=_top,
        metavar="N",
        help=f"list only the first N pairs, or all (default: all; of more than {MANY_PAIRS} pairs, the report lists "
        f"the first {MANY_PAIRS}, but for CSV, JSON and --reference)",
    )
    command.add_argument(
        "--weights",
        choices=KAPPA_WEIGHTS,
        default=KAPPA_WEIGHTS[0],
        help="the weights of weighted kappa, on more than two grades (default: %(default)s)",
    )


def _top(text: str) -> int | str:
    try:
        return text if text == "all" else int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, or all, not {text!r}") from None


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
        "common topics that the summary needs to compare golds",
        "share of the first 10 documents that each gold must judge for this",
    )
    _add_intervals(command)
    command.add_argument("--style", choices=TABLE_STYLES, default="plain", help="output format (default: %(default)s)")
    command.add_argument("--csv", action="store_true", help="print only ranks and scores, as CSV, unrounded")
    add_repair(command, "the runs")
    add_classic(command)
    add_out(command)
    command.set_defaults(run_command="shift", usage_error=command.error, names=OptionNames.of_parser(command))


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
    command.set_defaults(
        run_command="topics", usage_error=command.error, names=OptionNames.of_parser(command), **of_shift
    )


def _add_scored(command: argparse.ArgumentParser) -> None:
    """Add the options that name runs and golds, or scores, and the measures."""
    add_runs(command, required=False)
    gold = "qrels, or a table or export of judgements with a gold for each judge; repeatable"
    command.add_argument("--gold", action="append", metavar="[NAME=]FILE", help=gold)
    _add_scores(command)
    _add_columns(command)
    command.add_argument("--field", metavar="NAME", help="the field of the label in an export that has several")
    command.add_argument(
        "--measure", action="append", help="such as AP(rel=2), nDCG@10 or P(rel=2)@10; repeatable (default: AP)"
    )
    command.add_argument("--scale", metavar="0,1,2", help="the grades, lowest first, for measures that need them")


def _add_intervals(command: argparse.ArgumentParser) -> None:
    """Add the options of the intervals of rank correlations."""
    group = command.add_argument_group("intervals", "How far tau_b, tau_AP and RBO may be from those over all topics.")
    group.add_argument("--intervals", action="store_true", help="add 95 %% intervals over topics; needs --seed")
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
        "topics with two judges or more that the summary needs",
        "share of the first 10 documents that each of these judges must have judged for this",
    )
    command.add_argument("--style", choices=TABLE_STYLES, default="plain", help="output format (default: %(default)s)")
    add_out(command)
    command.set_defaults(run_command="mix", names=OptionNames.of_parser(command))


def add_check(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the parser of `check`."""
    summary = f"{SUMMARIES['check']} The exit code is 1 if there is an error or a warning."
    command = commands.add_parser("check", help=SUMMARIES["check"], description=summary)
    command.add_argument("files", nargs="*", metavar="FILE", help="files of any kind, recognised by their content")
    for kind in ("topics", "documents", "runs", "judgements"):
        text = f"files to read as {kind}"
        command.add_argument(f"--{kind}", nargs="+", action="extend", default=[], metavar="FILE", help=text)
    _add_columns(command)
    command.add_argument("--field", metavar="NAME", help="the field of the label in an export that has several")
    mapping = "replace grades or labels, all at once"
    command.add_argument("--map", action="append", default=[], metavar="1=2,Relevant=1", help=mapping)
    add_listed_relevant(command)
    command.add_argument("--json", action="store_true", help="print the result as JSON")
    command.set_defaults(run_command="check", names=OptionNames.of_parser(command))


def add_runs(command: argparse.ArgumentParser, required: bool = True) -> None:
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


def add_thresholds(command: argparse.ArgumentParser, topics: str, judged: str) -> None:
    """Add the options that say how much data a sentence needs to compare golds, with their help texts."""
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

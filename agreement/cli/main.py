"""The commands `kappa`, `shift`, `topics`, `mix`, `trust`, `who_judges`, `drift`, `gate`, `compare_golds`, `check`.

They run as `python -m agreement kappa ...` and as `assay kappa ...`; the argument `prog` is the name that usage texts,
errors and manifests show. Invalid input exits with code 2 and a one-sentence error on stderr, before any file is
written. The error names options of the command, not arguments of the library.

The exit codes of `gate` are decisions, and 1 and 2 are two of them. Invalid input of `gate` therefore exits with 64,
and an error of the program itself with 70 (EX_USAGE and EX_SOFTWARE of sysexits.h).

The parsers load no pandas; `run_command` is the name of the module and of its function.
"""

import argparse
import sys
import traceback
from collections.abc import Callable
from importlib import import_module

from agreement.choices import (
    ADDED,
    HELD_OUT,
    KAPPA_WEIGHTS,
    MANY_PAIRS,
    MIN_DOCUMENTS,
    MIN_TOPICS,
    OF_EVERY_COEFFICIENT,
    SORTS,
)
from agreement.cli.options import SUMMARIES, add_columns, add_label_options, add_listed_relevant, add_repair
from agreement.cli.ranking_parsers import add_gate, add_mix, add_shift, add_topics
from agreement.cli.trust_parser import add_drift, add_trust, add_who_judges
from pooling.choices import TABLE_STYLES
from pooling.option_names import OptionNames

REFUSED = 2
REFUSED_GATE, FAILED_GATE = 64, 70


def main(arguments: list[str] | None = None, prog: str = "python -m agreement") -> int:
    """Run a command."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["gate"]:
        return _gate(arguments, prog)
    return _run(arguments, prog, REFUSED)


def _run(arguments: list[str], prog: str, refused: int) -> int:
    options = parser(prog, *arguments[:1]).parse_args(arguments)
    options.prog, options.arguments = prog, arguments
    try:
        command = import_module(f"agreement.cli.{options.run_command}")  # loads pandas, which --help does not need
        sys.stdout.write(getattr(command, options.run_command)(options))
    except (ValueError, OSError) as problem:
        sys.stderr.write(f"{prog}: {options.names.of(_message(problem))}\n")
        return refused
    return getattr(options, "exit_code", 0)


def _gate(arguments: list[str], prog: str) -> int:
    """Run the command whose exit codes are decisions: no error may have one of them."""
    try:
        return _run(arguments, prog, REFUSED_GATE)
    except SystemExit as stopped:  # the parser has printed its help or an error
        raise SystemExit(REFUSED_GATE if stopped.code else 0) from None
    except Exception:
        traceback.print_exc()
        return FAILED_GATE


def _message(problem: Exception) -> str:
    if isinstance(problem, OSError) and problem.filename:
        return f"{problem.filename}: {problem.strerror}"
    return str(problem)


def parser(prog: str, command: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of the command line called `prog`, with the options of `command` only if it is a command."""
    parser = argparse.ArgumentParser(prog=prog, description="Measure agreement and its effect on rankings.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name in [name for name in COMMANDS if name == command] or COMMANDS:
        COMMANDS[name](commands)
    for name, added in commands.choices.items():
        added.set_defaults(run_command=name, names=OptionNames.of_parser(added))
    return parser


def add_kappa(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the parser of `kappa`."""
    command = commands.add_parser("kappa", help=SUMMARIES["kappa"], description=SUMMARIES["kappa"])
    _add_judges(command)
    _add_report(command)
    add_label_options(command, negative="not_judged")
    command.set_defaults(form=TABLE_STYLES[0])


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
    needed = "topics that an answer needs; with fewer, it is preliminary (default: %(default)s)"
    command.add_argument("--min-topics", type=int, default=MIN_TOPICS, metavar="N", help=needed)
    command.add_argument("--csv", action="store_true", help="print the table as CSV, and all notes on stderr")
    command.add_argument("--style", choices=TABLE_STYLES, default="plain", help="output format (default: %(default)s)")
    add_label_options(command, negative="not_judged")


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
    add_columns(command)


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
        help="the kind of the 95%% intervals: one of %(choices)s; default is the calibrated one (if left out: "
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
    _add_needed_data(command)
    _add_forms(command)


def _add_needed_data(command: argparse.ArgumentParser) -> None:
    """Add the options that say how much data an answer needs."""
    command.add_argument(
        "--min-topics",
        type=int,
        default=MIN_TOPICS,
        metavar="N",
        help="topics that two judges need in common; with fewer, the answer is preliminary (default: %(default)s)",
    )
    command.add_argument(
        "--min-documents",
        type=int,
        default=MIN_DOCUMENTS,
        metavar="N",
        help="documents that they need in common for this (default: %(default)s)",
    )


def _add_forms(command: argparse.ArgumentParser) -> None:
    """Add the options that choose the form of the report."""
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


def add_check(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the parser of `check`."""
    summary = f"{SUMMARIES['check']} The exit code is 1 if there is an error or a warning."
    command = commands.add_parser("check", help=SUMMARIES["check"], description=summary)
    command.add_argument("files", nargs="*", metavar="FILE", help="files of any kind, recognised by their content")
    for kind in ("topics", "documents", "runs", "judgements"):
        text = f"files to read as {kind}"
        command.add_argument(f"--{kind}", nargs="+", action="extend", default=[], metavar="FILE", help=text)
    add_columns(command)
    command.add_argument("--field", metavar="NAME", help="the field of the label in an export that has several")
    mapping = "replace grades or labels, all at once"
    command.add_argument("--map", action="append", default=[], metavar="1=2,Relevant=1", help=mapping)
    add_listed_relevant(command)
    command.add_argument("--json", action="store_true", help="print the result as JSON")


COMMANDS: dict[str, Callable[..., None]] = {
    "kappa": add_kappa,
    "shift": add_shift,
    "topics": add_topics,
    "mix": add_mix,
    "trust": add_trust,
    "who_judges": add_who_judges,
    "drift": add_drift,
    "gate": add_gate,
    "compare_golds": add_compare_golds,
    "check": add_check,
}

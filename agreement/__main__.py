"""The command line: `python -m agreement shift --run runs/*.gz --gold nist=a.qrels --gold b=b.qrels`.

Prints how the ranking of the systems changes with the gold. Bad input ends with one sentence on stderr and
exit code 2, before anything is written.
"""

import argparse
import sys
from pathlib import Path

from agreement.effectiveness import prepare
from agreement.report import shift_text
from agreement.shift import TOPICS, RankingShift, ranking_shift
from agreement.tables import STYLES
from pooling.trec import read_qrels, read_run


def main(arguments: list[str] | None = None) -> int:
    """Run the command; the exit code is 0, or 2 where the input is refused."""
    options = _parser().parse_args(arguments)
    try:
        options.run_command(options)
    except (ValueError, OSError) as problem:
        print(f"agreement: {_sentence(problem)}", file=sys.stderr)
        return 2
    return 0


def shift(options: argparse.Namespace) -> None:
    """`shift`: rank the runs under every gold, print and write the result."""
    golds = {name: read_qrels(path) for name, path in _named_golds(options.gold).items()}
    runs = prepare(read_run(path) for path in options.run)
    result = ranking_shift(runs, golds, options.measure, options.reference, options.topics)
    figure = _figure(result) if options.svg else None
    if options.csv:
        result.ranks.to_csv(options.csv, index=False, lineterminator="\n")
    if figure:
        options.svg.write_bytes(figure)
    print(shift_text(result, options.style), end="")


def _figure(result: RankingShift) -> bytes:
    from agreement.plots import slope_chart  # matplotlib, only where a figure is drawn

    return slope_chart(result)


def _named_golds(golds: list[str]) -> dict[str, str]:
    named = {}
    for gold in golds:
        name, sign, path = gold.partition("=")
        if not (name and sign and path):
            raise ValueError(f"--gold is NAME=FILE, such as nist=a.qrels; got {gold!r}")
        if name in named:
            raise ValueError(f"every gold has a name of its own; got {name!r} twice")
        named[name] = path
    return named


def _sentence(problem: Exception) -> str:
    if isinstance(problem, OSError) and problem.filename:
        return f"{problem.filename}: {problem.strerror}"
    return str(problem)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m agreement", description="Judges, golds and rankings.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("shift", help="does the ranking of the systems change with the gold?")
    command.add_argument("--run", nargs="+", action="extend", required=True, metavar="FILE", help="run files")
    command.add_argument("--gold", action="append", required=True, metavar="NAME=FILE", help="a qrels file")
    command.add_argument("--measure", default="AP", help="such as AP(rel=2), nDCG@10, P(rel=2)@10 (AP)")
    command.add_argument("--reference", metavar="NAME", help="the gold to compare with (the first)")
    command.add_argument("--topics", choices=TOPICS, default="common", help="of both golds, or of each (common)")
    command.add_argument("--style", choices=STYLES, default="plain", help="how to print (plain)")
    command.add_argument("--csv", type=Path, metavar="FILE", help="write ranks and scores, unrounded")
    command.add_argument("--svg", type=Path, metavar="FILE", help="write a slope chart")
    command.set_defaults(run_command=shift)
    return parser


if __name__ == "__main__":
    sys.exit(main())

"""`python -m agreement shift --run runs/*.gz --gold nist=a.qrels --gold b=b.qrels`

Prints how the ranking of the systems changes with the gold; writes ranks and scores, and a slope chart.
"""

import argparse
from pathlib import Path

from agreement.commands.files import named
from agreement.effectiveness import prepare
from agreement.shift import TOPICS, RankingShift, ranking_shift
from agreement.shift_report import shift_text
from agreement.tables import STYLES
from pooling.trec import read_qrels, read_run


def add(commands) -> None:
    """Add the parser."""
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


def shift(options: argparse.Namespace) -> str:
    """Rank the runs under every gold; write the files asked for, and return the report."""
    golds = {name: read_qrels(path) for name, path in named(options.gold, "--gold", names_needed=True).items()}
    runs = prepare(read_run(path) for path in options.run)
    result = ranking_shift(runs, golds, options.measure, options.reference, options.topics)
    figure = _figure(result) if options.svg else None
    if options.csv:
        result.ranks.to_csv(options.csv, index=False, lineterminator="\n")
    if figure:
        options.svg.write_bytes(figure)
    return shift_text(result, options.style)


def _figure(result: RankingShift) -> bytes:
    from agreement.plots import slope_chart  # matplotlib, only where a figure is drawn

    return slope_chart(result)

"""`python -m agreement mix --run runs/*.gz --judge a=a.qrels --judge b=b.qrels --seed 1`

Prints how the ranking of the systems varies over golds that take, for each topic, one of its judges at random. With
`--out FOLDER` it also writes the report as Markdown and LaTeX, every table as CSV and all of them as JSON, the figure
as SVG, PDF and PNG, and a `manifest.json`.
"""

import argparse
from functools import partial

from agreement.cli.files import named
from agreement.cli.inputs import add_runs, read_judges, read_ranked
from agreement.cli.kappa import declared
from agreement.cli.outputs import add_out, checked_out, every_kind, write
from agreement.mixing import MixedGolds, mixed_golds
from agreement.reports.results import result_text
from agreement.reports.tables import STYLES


def add(commands) -> None:
    """Add the parser."""
    command = commands.add_parser("mix", help="how far does the ranking vary with who judged which topic?")
    add_runs(command)
    command.add_argument("--judge", action="append", required=True, metavar="NAME=FILE", help="a judge's qrels file")
    command.add_argument("--measure", default="AP", help="such as AP(rel=2), nDCG@10, P(rel=2)@10 (AP)")
    command.add_argument("--scale", metavar="0,1,2", help="the grades, lowest first, for measures that need them")
    command.add_argument("--draws", type=int, default=100_000, metavar="N", help="golds to draw (100,000)")
    command.add_argument("--seed", type=int, metavar="N", help="needed unless all combinations are fewer than --draws")
    command.add_argument("--style", choices=STYLES, default="plain", help="how to print (plain)")
    add_out(command)
    command.set_defaults(run_command=mix)


def mix(options: argparse.Namespace) -> str:
    """Draw the golds; write the folder where one is named, and return the report."""
    checked_out(options)
    files = named(options.judge, "--judge", names_needed=True)
    judgements = read_judges(files)
    given = {"scale": declared(options.scale)} if options.scale else {}
    result = mixed_golds(read_ranked(options), judgements, options.measure, options.draws, options.seed, **given)
    if options.out:
        write(options, result, result_text, _figures(result), [*options.run, *files.values()], result.seed)
    return result_text(result, options.style)


def _figures(result: MixedGolds) -> dict[str, bytes]:
    from agreement import plots  # matplotlib, only where a figure is drawn

    seed = "" if result.seed is None else f", seed {result.seed}"
    told = {"measure": result.measure, "draws": result.draws, "note": f"{result.n_topics} topics{seed}."}
    return every_kind({"ranges": (partial(plots.score_ranges, **told), (result.systems_frame,))})

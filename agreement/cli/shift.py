"""`python -m agreement shift --run runs/*.gz --gold nist=a.qrels --gold b=b.qrels`

Prints how the ranking of the systems changes with the gold. With `--out FOLDER` it also writes the report as Markdown
and LaTeX, every table as CSV and all of them as JSON, the figures as SVG, PDF and PNG, and a `manifest.json`.
With one gold and several measures, the measures are compared: `--measure "AP(rel=1)" --measure "AP(rel=2)"`.
"""

import argparse

from agreement.cli.files import named
from agreement.cli.inputs import add_runs, read_ranked
from agreement.cli.kappa import declared
from agreement.cli.outputs import add_out, checked_out, every_kind, write
from agreement.reports.shift_report import shift_text
from agreement.reports.tables import STYLES
from agreement.shift.ranking_shift import TOPICS, RankingShift, ranking_shift
from pooling.trec import read_qrels


def add(commands) -> None:
    """Add the parser."""
    command = commands.add_parser("shift", help="does the ranking of the systems change with the gold?")
    add_runs(command)
    command.add_argument("--gold", action="append", required=True, metavar="NAME=FILE", help="a qrels file")
    command.add_argument("--measure", action="append", help="such as AP(rel=2), nDCG@10, P(rel=2)@10 (AP); repeatable")
    command.add_argument("--reference", metavar="NAME", help="the gold to compare with (the first)")
    command.add_argument("--topics", choices=TOPICS, default="common", help="of both golds, or of each (common)")
    command.add_argument("--scale", metavar="0,1,2", help="the grades, lowest first, for measures that need them")
    command.add_argument("--style", choices=STYLES, default="plain", help="how to print (plain)")
    add_out(command)
    command.set_defaults(run_command=shift)


def shift(options: argparse.Namespace) -> str:
    """Rank the runs under every gold; write the folder where one is named, and return the report."""
    checked_out(options)
    files = named(options.gold, "--gold", names_needed=True)
    golds = {name: read_qrels(path) for name, path in files.items()}
    scale = {"scale": declared(options.scale)} if options.scale else {}
    measures = options.measure or ["AP"]
    result = ranking_shift(read_ranked(options), golds, measures, options.reference, options.topics, **scale)
    if options.out:
        write(options, result, shift_text, _figures(result), [*options.run, *files.values()])
    return shift_text(result, options.style)


def _figures(result: RankingShift) -> dict[str, bytes]:
    from agreement import plots  # matplotlib, only where a figure is drawn

    drawings = {"slope": (plots.slope_chart, (result,)), "tau": (plots.tau_heat_map, (result,))}
    for number, gold in enumerate(result.others, 1):
        scores = result.ranks_under(gold).set_index("system")
        if scores["score"].notna().all():
            label = "{}" if result.several_measures else f"{result.measure} under {{}}"
            labels = [label.format(name) for name in (result.reference, gold)]
            drawings[f"scores_{number}"] = (plots.score_scatter, (scores["reference_score"], scores["score"], *labels))
    return every_kind(drawings)

"""`python -m agreement mix --run runs/*.gz --judge a=a.qrels --judge b=b.qrels --seed 1`: rankings under mixed golds.

A mixed gold takes the judgements of each topic from one of its judges, drawn at random. The report states how the
ranking of the systems varies over these golds. With `--out FOLDER`, the command also writes the report as Markdown and
LaTeX, each table as CSV, all tables as JSON, the figure as SVG, PDF and PNG, and a `manifest.json`.

The answer is preliminary unless at least `--min-topics` topics have two judges who each judged `--min-judged` of the
first 10 documents.
"""

import argparse
from functools import partial
from typing import Any

from agreement.cli.files import check_out, every_kind, named, read_judges, read_ranked, thresholds, write
from agreement.cli.kappa import declared
from agreement.mixing import MixedGolds, mixed_golds
from agreement.reports.results import result_text


def mix(options: argparse.Namespace) -> str:
    """Draw the golds, write the folder if `--out` names one, and return the report."""
    check_out(options)
    files = named(options.judge, "--judge", names_needed=True)
    judgements = read_judges(files)
    more: dict[str, Any] = thresholds(options) | ({"scale": declared(options.scale)} if options.scale else {})
    result = mixed_golds(read_ranked(options), judgements, options.measure, options.draws, options.seed, **more)
    if options.out:
        write(options, result, result_text, _figures(result), [*options.run, *files.values()], result.seed)
    return result_text(result, options.style)


def _figures(result: MixedGolds) -> dict[str, bytes]:
    from agreement import plots  # loads matplotlib

    seed = "" if result.seed is None else f", seed {result.seed}"
    labels: dict[str, Any] = {
        "measure": result.measure,
        "draws": result.draws,
        "note": f"{result.n_topics} topics{seed}.",
    }
    return every_kind({"ranges": (partial(plots.score_ranges, **labels), (result.systems_frame,))})

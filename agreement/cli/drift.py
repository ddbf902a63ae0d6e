"""`python -m agreement drift --before march.qrels --after june.qrels`: does a model judge answer as it did before?

Both files have the grades of the same fixed set of pairs, asked earlier and later, or before and after a change of the
model. `--repeat` names files of the same model with nothing changed, so that the command can say whether more changed
than repeats alone change. With `--run`, the systems are ranked by the earlier and by the later grades; `--gold` has the
other grades of the model, and without it only the fixed set is judged.
"""

import argparse
import sys

import pandas as pd

from agreement.cli.files import read_ranked
from agreement.cli.kappa import _note, _undeclared_scale, declared
from agreement.reports.results import result_json, result_text
from agreement.trust.drift import drift as compute
from pooling.text_tables import csv_table, prose
from pooling.trec import read_qrels


def drift(options: argparse.Namespace) -> str:
    """Compare the grades, and return the report in the form of the options."""
    _check_ranking(options)
    before, after = read_qrels(options.before), read_qrels(options.after)
    repeats = _repeats(options.repeat)
    known = [before, after, *([] if repeats is None else [repeats])]
    scale = declared(options.scale) if options.scale else _undeclared_scale(pd.concat(known, ignore_index=True))
    result = compute(
        before,
        after,
        scale,
        repeats=repeats,
        runs=read_ranked(options) if options.run else None,
        gold=read_qrels(options.gold) if options.gold else None,
        measure=options.measure,
        min_topics=options.min_topics,
        min_judged=options.min_judged,
    )
    notes = [] if options.scale else [options.names.of(_note(scale))]
    if options.form in ("csv", "json"):
        sys.stderr.writelines(f"{options.prog}: {note}\n" for note in notes)
        return result_json(result) if options.form == "json" else csv_table(result.to_frame())
    return "".join(f"{prose(note, options.form)}\n\n" for note in notes) + result_text(result, options.form)


def _check_ranking(options: argparse.Namespace) -> None:
    if options.gold and not options.run:
        raise ValueError("--gold is for the ranking of systems and needs --run.")


def _repeats(paths: list[str]) -> pd.DataFrame | None:
    """The grades of each asking, or None without files."""
    if len(paths) == 1:
        raise ValueError("--repeat needs two or more files, one for each time that the pairs were asked.")
    frames = [read_qrels(path).assign(repeat=number) for number, path in enumerate(paths)]
    return pd.concat(frames, ignore_index=True) if frames else None

"""`python -m agreement compare_golds a.qrels b.qrels c.qrels --seed 1`: which rule of golds predicts a judgement best?

The files are read as by `kappa`. Judgements are set aside, each rule makes its gold from the others, and the report has
the share of those set aside that equal the gold. `--held-out judge` sets aside all judgements of one judge at a
time. `agreement.golds.held_out` describes both designs and the figures.
"""

import argparse
import sys
from dataclasses import replace

from agreement.cli.kappa import _check_several_judges, _note, _problem_notes, _undeclared_scale, declared
from agreement.cli.options import label_arguments
from agreement.golds.held_out import COMPARED
from agreement.golds.held_out import compare_golds as compare
from agreement.judge_files import read_judgements
from agreement.judge_files.options import named_sources
from agreement.thresholds import Thresholds
from pooling.text_tables import csv_table, prose, render, rounded


def compare_golds(options: argparse.Namespace) -> str:
    """Compare the rules, and return the report."""
    thresholds, arguments = Thresholds(options.min_topics), label_arguments(options)
    files = named_sources(options.judges, arguments.pop("name_pattern"))
    scale = None if options.scale is None else declared(options.scale)
    read = read_judgements(files, scale=scale, columns=options.columns, **arguments)
    _check_several_judges(read.counts["assessor"].tolist())
    notes = [] if scale else [_note(scale := _undeclared_scale(read.judgements))]
    notes = [options.names.of(note) for note in [*notes, *read.notes(), *_problem_notes(read)]]
    result = compare(
        read.judgements,
        options.rule or COMPARED,
        options.held_out,
        options.rel,
        seed=options.seed,
        scale=scale,
        folds=options.folds,
    )
    result = replace(result, thresholds=thresholds)
    if options.csv:
        sys.stderr.writelines(f"{options.prog}: {note}\n" for note in [*notes, result._sentence()])
        return csv_table(result.to_frame())
    text = "".join(f"{prose(note, options.style)}\n\n" for note in [*notes, f"{result._sentence()}."])
    return text + render(rounded(result.to_frame()), options.style) + "\n"

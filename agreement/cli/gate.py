"""`python -m agreement gate --gold nist.qrels --baseline old.run --candidate new.run --measure nDCG@10 --margin 0.01`.

Is the candidate worse than the baseline by more than the margin? The exit code is the decision: 0 win or tie, 1 loss, 2
inconclusive, 3 too many unjudged, 4 depends on the judge. Refused input ends with 64, and an internal error with 70, so
that neither looks like a decision.

A run is named after its file, because the tag of a baseline and of a candidate is often the same. If the files have the
same name in two folders, the runs are called by their paths. A gold may be a table, a spreadsheet or an export of
another program, as in `assay shift`.

`--junit` and `--markdown` write files, and stdout has the report, or with `--json` all figures without rounding.
"""

import argparse
import json
import sys
from pathlib import Path

import pandas as pd

from agreement.cli.files import named
from agreement.cli.golds import read_golds
from agreement.cli.kappa import declared
from agreement.gate import Gate, gate_candidate
from agreement.gate.junit import gate_junit
from agreement.gate.text import gate_text, printable
from agreement.reports.results import records
from pooling.paths import name_of
from pooling.trec import RunWarning, read_run

ATTRIBUTES = ("decision", "code", "baseline", "candidate", "measure", "margin", "alpha", "k", "max_unjudged", "bounds")


def gate(options: argparse.Namespace) -> str:
    """Decide, write the files that the options name, set the exit code, and return the report."""
    files = named(options.gold, "--gold")
    runs = _runs(options)
    topics = sorted({topic for run in runs.values() for topic in run["query_id"].unique()})
    golds, notes = read_golds(files, options, topics)
    (old, baseline), (new, candidate) = runs.items()
    result = gate_candidate(
        {old: baseline},
        {new: candidate},
        golds,
        options.measure,
        margin=options.margin,
        alpha=options.alpha,
        max_unjudged=options.max_unjudged,
        bounds=options.bounds,
        scale=declared(options.scale) if options.scale else None,
    )
    sys.stderr.writelines(f"{options.prog}: {printable(options.names.of(note))}\n" for note in notes)
    if options.junit:
        Path(options.junit).write_bytes(gate_junit(result))
    if options.markdown:
        Path(options.markdown).write_bytes(gate_text(result, "markdown").encode(errors="replace"))
    options.exit_code = result.code
    return _json(result) if options.json else gate_text(result)


def _runs(options: argparse.Namespace) -> dict[str, pd.DataFrame]:
    """The baseline and the candidate, by name."""
    paths = [options.baseline, options.candidate]
    names = [name_of(path) for path in paths]
    if names[0] == names[1]:
        names = paths if paths[0] != paths[1] else ["baseline", "candidate"]
    notes: list[RunWarning] = []
    read = [read_run(path, score_precision=options.score_precision, notes=notes) for path in paths]
    sys.stderr.writelines(f"{note}\n" for note in notes)
    return dict(zip(names, read, strict=True))


def _json(result: Gate) -> str:
    fields = {name: getattr(result, name) for name in ATTRIBUTES}
    tables = {name: records(table) for name, table in result.tables().items()}
    whole = {**fields, "summary": result.summary(), **tables, "notes": list(result.notes)}
    return json.dumps(whole, indent=1, ensure_ascii=True, allow_nan=False) + "\n"

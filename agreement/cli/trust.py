"""`python -m agreement trust --run runs/*.gz --human nist.qrels --judge umbrela.qrels --measure nDCG@10 --seed 1`.

May a model judge replace people, for the ranking of these systems? The first `--human` is the reference; with a second
person, the report says what people do to the same ranking, which a verdict needs. The report has the agreement with
people, the ranking, the alternative annotator test, tests of circularity and gaming, and a verdict for each model. With
`--out FOLDER`, the command also writes the report as Markdown and LaTeX, each table as CSV, all tables as JSON, the
figures as SVG, PDF and PNG, and a `manifest.json`.

Grades of models may be fractions. `--judge-rel` says from which grade a model calls a document relevant; it is needed
for fractions. A document that a model graded twice is an error unless `--duplicates` chooses a grade.

`--draw` names the record of the pairs that the first person graded (`assay draw`). Then the scores of the systems are
corrected by these grades, and the report plans how many more are needed. Grades that were chosen by hand are not used.

`--documents` and `--topics` add the tests of over-rating by length and by words of the query. `--group NAME=PATTERN`
names runs that belong together, such as those that use the model, and tests whether it favours them.
"""

import argparse
import sys

import pandas as pd

from agreement.cli.files import Drawing, check_out, every_kind, named, read_ranked, write
from agreement.cli.kappa import declared
from agreement.cli.shift import _groups
from agreement.reports.results import result_json
from agreement.trust import TrustReport, TrustThresholds, trust_report
from agreement.trust.model_files import read_model_grades
from agreement.trust.report_text import trust_text
from pooling.documents import read_documents
from pooling.draws.files import read_draw
from pooling.text_tables import csv_table, prose
from pooling.topics import read_topics
from pooling.trec import read_qrels


def trust(options: argparse.Namespace) -> str:
    """Make the report, write the folder if `--out` names one, and return the report or one of its forms."""
    check_out(options)
    people, models = named(options.human, "--human"), named(options.judge, "--judge")
    runs = read_ranked(options)
    read = read_model_grades(models, duplicates=options.duplicates)
    notes = [options.names.of(note) for note in read.notes]
    report = trust_report(
        runs,
        {name: read_qrels(path) for name, path in people.items()},
        read.golds,
        options.measure,
        scale=declared(options.scale) if options.scale else None,
        rel=options.rel,
        model_rel=_model_rel(options.model_rel, list(read.golds)),
        draw=read_draw(options.draw) if options.draw else None,
        groups=_groups(options.group, list(runs.systems)) if options.group else None,
        documents=_documents(options.documents, set(runs.documents)),
        topics=_topics(options.topics),
        thresholds=TrustThresholds(options.margin, options.min_topics),
        epsilon=options.epsilon,
        top=options.top,
        draws=options.draws,
        seed=options.seed,
    )
    if options.out:
        inputs = [*options.run, *people.values(), *models.values(), *options.documents]
        inputs += filter(None, [options.topics, options.draw])
        write(options, report, trust_text, _figures(report), inputs, options.seed)
    if options.form in ("csv", "json"):
        sys.stderr.writelines(f"{options.prog}: {note}\n" for note in [*notes, *report.notes])
        return result_json(report) if options.form == "json" else csv_table(report.to_frame())
    return "".join(f"{prose(note, options.form)}\n\n" for note in notes) + trust_text(report, options.form)


def _model_rel(arguments: list[str], models: list[str]) -> float | dict[str, float] | None:
    """The thresholds of models, from N for all and MODEL:N for one."""
    if not arguments:
        return None
    found: dict[str, float] = {}
    for argument in arguments:
        name, _, number = argument.rpartition(":")
        try:
            value = float(number)
        except ValueError:
            raise ValueError(f"--judge-rel must be N or MODEL:N, such as nuggets:0.5, not {argument!r}.") from None
        found |= {name: value} if name else dict.fromkeys(models, value)
    return found


def _documents(paths: list[str], wanted: set[str]) -> dict[str, str] | None:
    if not paths:
        return None
    texts = {document.doc_id: document.text for path in paths for document in read_documents(path)}
    return {doc_id: text for doc_id, text in texts.items() if doc_id in wanted}


def _topics(path: str | None) -> dict[str, str] | None:
    if path is None:
        return None
    frame = read_topics(path)
    return dict(zip(frame["query_id"].astype(str), frame["title"].astype(str), strict=True))


def _figures(report: TrustReport) -> dict[str, bytes]:
    from agreement import plots  # loads matplotlib

    drawings: dict[str, Drawing] = {}
    if report.ranking.is_defined:
        drawings["ranking"] = (plots.ranking_agreement, (_taus(report),))
    for number, model in enumerate(report.drawn_models(), 1):
        if report.gaming[model].reranking.is_known:
            drawings[f"bought_ranks_{number}"] = (_bought, (report, model))
        if len(counts := report.agreement.confusion_of(model)):
            drawings[f"grades_{number}"] = (_confusion, (counts, model, report.reference))
        if model in report.calibrations:
            drawings[f"calibration_{number}"] = (plots.reliability_diagram, (report.calibrations[model].bins,))
        if model in report.corrections.scores:
            drawings[f"scores_{number}"] = (plots.model_scores, (report.corrections.scores[model].to_frame(),))
        if model in report.corrections.plans:
            drawings[f"plan_{number}"] = (_plan, (report, model))
    return every_kind(drawings)


def _taus(report: TrustReport) -> pd.DataFrame:
    every = report.ranking.frame[report.ranking.frame["systems"] == "all"]
    return every.rename(columns={"tau_b": "value", "tau_b_low": "low", "tau_b_high": "high"})


def _bought(report: TrustReport, model: str, kind: str) -> bytes:
    from agreement import plots

    return plots.bought_ranks(report.gaming[model].reranking.systems, kind=kind, judge=model)


def _plan(report: TrustReport, model: str, kind: str) -> bytes:
    from agreement import plots

    plan = report.corrections.plans[model]
    return plots.grades_needed(plan.to_frame(), kind=kind, n_pairs=plan.n_pairs)


def _confusion(counts: pd.DataFrame, model: str, reference: str, kind: str) -> bytes:
    from agreement import plots

    return plots.grade_confusion(counts, kind=kind, model=model, people=reference)

"""`python -m agreement shift --run runs/*.gz --gold nist=a.qrels --gold b=b.qrels`: the ranking under several golds.

The report states how the ranking of the systems changes with the gold. With `--out FOLDER`, the command also writes
the report as Markdown and LaTeX, each table as CSV, all tables as JSON, the figures as SVG, PDF and PNG, and a
`manifest.json`. With one gold and several measures, it compares the measures: `--measure "AP(rel=1)" --measure
"AP(rel=2)"`.

`--group NAME=PATTERN` names a system that several runs repeat, for example with other seeds; the pattern, such as
`dense-seed*`, matches their systems. Mean, spread and rank of each group then follow the report.

`--intervals --seed N` adds intervals of tau_b, tau_AP and RBO over topics. With `--judges people=ada,bob`, which names
golds as the judges of one kind, a second table has intervals over topics and judges.

Whether a file is a person's or a model's is not known, so the first gold is the reference unless `--reference NAME`
names another; the output says so (for CSV, on stderr).

A gold may be a table, a spreadsheet or an export of another program, as in `assay kappa`. A file that names its judges
is a gold for each of them.

Golds of classic collections need `--listed-relevant` if their grades are all 0, `--map` if their grades are codes, and
`--number-by` with `--topic-file` if their queries count the topics.

`--scores` takes tables of scores, or what trec_eval -q prints, instead of runs and golds. Then `--measure` chooses from
the measures of the files (default: all), and how much is judged is unknown.

The summary answers by the golds with at least `--min-topics` common topics of which each gold judges `--min-judged` of
the first 10 documents. For others, and if there is none, it is preliminary.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pandas as pd

from agreement.choices import COMMON_OR_OWN_TOPICS
from agreement.cli.files import Drawing, check_out, every_kind, named, read_ranked, thresholds, write
from agreement.cli.golds import read_golds
from agreement.cli.kappa import declared
from agreement.effectiveness.ranked_runs import RankedRuns
from agreement.reports.comparison_report import correlation_intervals_text
from agreement.reports.shift_report import reference_note, shift_text
from agreement.shift.correlation_intervals import correlation_intervals, correlation_intervals_with_judges
from agreement.shift.from_scores import shift_from_scores
from agreement.shift.interval_result import CorrelationIntervals
from agreement.shift.matching import unmatched_sentences
from agreement.shift.ranking_shift import RankingShift, ranking_shift
from agreement.shift.score_files import read_scores
from agreement.thresholds import MIN_JUDGED
from pooling.id_repair import REPAIR_OPTION, match_ids, match_notes
from pooling.paths import matching_paths
from pooling.text_tables import csv_table, heading, prose, render, rounded
from pooling.unmatched import lookalikes


def shift(options: argparse.Namespace) -> str:
    """Rank the systems under each gold, write the folder if `--out` names one, and return the report or its scores."""
    check_out(options)
    _check_intervals(options)
    result, notes, inputs, of_judges = compared(options)
    intervals = [correlation_intervals(result, options.draws, options.seed)] if options.intervals else []
    intervals += of_judges

    def text(shown: RankingShift, style: str) -> str:
        return "\n".join([shift_text(shown, style), *(correlation_intervals_text(one, style) for one in intervals)])

    if options.out:
        write(options, result, text, _figures(result) | _interval_files(intervals), inputs, options.seed)
    if options.csv:
        notes = [reference_note(result), *notes, *unmatched_sentences(result)]
        sys.stderr.writelines(f"{options.prog}: {note}\n" for note in map(_with_option, notes) if note)
        return csv_table(result.ranks)
    notes_text = "".join(f"{prose(note, options.style)}\n\n" for note in notes)
    return notes_text + _with_option(text(result, options.style)) + _groups_text(result, options)


def _check_intervals(options: argparse.Namespace) -> None:
    """Raise ValueError if options of intervals are given without them, or without a seed."""
    if options.intervals and options.seed is None:
        raise ValueError("--intervals draws topics at random and needs --seed N.")
    if not options.intervals and (options.judges or options.seed is not None):
        raise ValueError(f"--{'judges' if options.judges else 'seed'} is for --intervals.")
    if options.judges and options.topics != COMMON_OR_OWN_TOPICS[0]:
        raise ValueError("--judges cannot be combined with --topics own.")


def _interval_files(intervals: Sequence[CorrelationIntervals]) -> dict[str, bytes]:
    """The tables of intervals as CSV, by their path in the folder."""
    return {
        f"tables/intervals_{one.resampled.replace(' ', '_')}.csv": csv_table(one.to_frame()).encode()
        for one in intervals
    }


def _by_judges(
    options: argparse.Namespace, runs: RankedRuns, golds: Mapping[str, pd.DataFrame], reference: str
) -> list[CorrelationIntervals]:
    """Return the intervals over topics and judges, if `--judges` names kinds of judges."""
    if not options.judges:
        return []
    kinds: dict[str, list[str]] = {}
    for argument in options.judges:
        name, _, members = argument.partition("=")
        if not (name and members):
            raise ValueError(f"--judges must be NAME=GOLD,GOLD, such as people=ada,bob, not {argument!r}.")
        kinds[name] = members.split(",")
        if unknown := [gold for gold in kinds[name] if gold not in golds]:
            raise ValueError(f"--judges {argument}: {unknown[0]!r} must be one of the golds {', '.join(golds)}.")
    if not any(reference in members for members in kinds.values()):
        kinds = {reference: [reference], **kinds}
    if len(options.measure or ["AP"]) > 1:
        raise ValueError("--judges needs one measure.")
    sets = {
        kind: pd.concat([golds[gold].assign(assessor=gold) for gold in members], ignore_index=True)
        for kind, members in kinds.items()
    }
    measure = (options.measure or ["AP"])[0]
    scale: dict[str, Any] = {"scale": declared(options.scale)} if options.scale else {}
    return [correlation_intervals_with_judges(runs, sets, measure, options.draws, options.seed, **scale)]


Inputs = tuple[RankingShift, list[str], list[str], list[CorrelationIntervals]]


def compared(options: argparse.Namespace) -> Inputs:
    """Return the shift from the runs and golds or from the scores, notes, paths of the files, and intervals."""
    return _of_scores(options) if options.scores else _of_runs(options)


def _of_runs(options: argparse.Namespace) -> Inputs:
    """Return the shift, notes about the files, their paths, and intervals over judges."""
    if not (options.run and options.gold):
        options.usage_error("name runs with --run and golds with --gold, or scores with --scores")
    if options.missing is not None or options.lower_is_better:
        raise ValueError("--missing and --lower-is-better are for --scores.")
    files = named(options.gold, "--gold")
    more: dict[str, Any] = thresholds(options) | ({"scale": declared(options.scale)} if options.scale else {})
    measures = options.measure or ["AP"]
    runs = read_ranked(options)
    golds, file_notes = read_golds(files, options, runs.query_ids)
    more["repair_ids"] = options.repair_ids
    result = ranking_shift(runs, golds, measures, options.reference, options.topics, **more)
    notes = [*file_notes, *(note for match in result.id_matches for note in match.repaired_notes())]
    notes += [] if options.repair_ids else _document_notes(golds, runs)
    by_judges = _by_judges(options, runs, golds, result.reference)
    return result, notes, [*options.run, *files.values()], by_judges


def _of_scores(options: argparse.Namespace) -> Inputs:
    """Return the shift from scores, no notes, the paths of the files, and no intervals over judges."""
    judged = options.min_judged != MIN_JUDGED
    given = {"run": options.run, "gold": options.gold, "repair-ids": options.repair_ids, "scale": options.scale}
    given |= {"judges": options.judges}
    if unusable := [name for name, value in (given | {"min-judged": judged}).items() if value]:
        raise ValueError(f"--scores cannot be combined with --{unusable[0]}, because scores say nothing of documents.")
    files = [file for argument in options.scores for file in _score_files(argument)]
    result = shift_from_scores(
        pd.concat([read_scores(path, gold) for gold, path in files], ignore_index=True),
        options.measure,
        options.reference,
        options.topics,
        min_topics=options.min_topics,
        lower_is_better=options.lower_is_better or (),
        missing=options.missing,
    )
    return result, [], [path for _, path in files], []


def _score_files(argument: str) -> list[tuple[str | None, str]]:
    """Return the gold, if one is named, and the path of each file of an argument, which may be a pattern."""
    gold, sign, pattern = argument.partition("=")
    if not sign or Path(argument).exists():
        return [(None, path) for path in matching_paths([argument])]
    if not (gold and pattern):
        raise ValueError(f"--scores must be FILE or GOLD=FILE, such as nist=bm25.eval, not {argument!r}.")
    return [(gold, path) for path in matching_paths([pattern])]


def _with_option(text: str) -> str:
    """A text that names the option of the command."""
    return text.replace(REPAIR_OPTION, "--repair-ids ")


def _document_notes(golds: dict[str, pd.DataFrame], runs: RankedRuns) -> list[str]:
    """Notes about documents of golds that a repair would make match those of the runs."""
    known = {"doc_id": list(runs.documents)}
    matches = [match_ids(gold, known, name, "the runs")[1] for name, gold in golds.items()]
    return match_notes(matches, "--repair-ids ") or _lookalikes(golds, runs)


def _lookalikes(golds: dict[str, pd.DataFrame], runs: RankedRuns) -> list[str]:
    """Notes about ids of the runs that no gold has, and that look like ids of a gold."""
    ids = {"topic": (runs.query_ids, "query_id"), "document": (runs.documents, "doc_id")}
    notes = []
    for noun, (own, column) in ids.items():
        known = {text for gold in golds.values() for text in gold[column].unique()}
        notes.append(lookalikes(own, known, noun, "the runs", "the golds"))
    return [note for note in notes if note]


def _groups_text(result: RankingShift, options: argparse.Namespace) -> str:
    """Return the table of the groups; empty without `--group`."""
    if not options.group:
        return ""
    frame = result.groups_frame(_groups(options.group, result.systems)).drop(columns="reason")
    table = render(rounded(frame.rename(columns={"group": "system"})), options.style)
    return f"\n\n{heading('Mean and spread over the runs of each system', options.style)}\n{table}"


def _groups(arguments: Sequence[str], systems: Sequence[str]) -> dict[str, str]:
    """Return the group of each system that one of the patterns matches."""
    groups: dict[str, str] = {}
    for argument in arguments:
        name, _, pattern = argument.partition("=")
        if not (name and pattern):
            raise ValueError(f"--group must be NAME=PATTERN, such as dense=dense-seed*, not {argument!r}.")
        matching = [system for system in systems if fnmatchcase(system, pattern)]
        if not matching:
            raise ValueError(f"--group {argument}: no run has a name like {pattern!r}.")
        if twice := [system for system in matching if groups.get(system, name) != name]:
            raise ValueError(f"--group {argument}: the run {twice[0]!r} is in the group {groups[twice[0]]!r} already.")
        groups |= dict.fromkeys(matching, name)
    return groups


def _figures(result: RankingShift) -> dict[str, bytes]:
    from agreement import plots  # loads matplotlib

    drawings: dict[str, Drawing] = {"slope": (plots.slope_chart, (result,)), "tau": (plots.tau_heat_map, (result,))}
    for number, gold in enumerate(result.others, 1):
        scores = result.ranks_under(gold).set_index("system")
        if scores["score"].notna().all():
            label = "{}" if result.several_measures else f"{result.measure} under {{}}"
            labels = [label.format(name) for name in (result.reference, gold)]
            drawings[f"scores_{number}"] = (plots.score_scatter, (scores["reference_score"], scores["score"], *labels))
    return every_kind(drawings)

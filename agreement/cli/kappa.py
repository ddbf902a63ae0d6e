"""`python -m agreement kappa a.qrels b.qrels [c.qrels ...]`: the agreement of judges.

Each file holds the judgements of one judge, who is named after the file or by NAME=FILE. A negative relevance means
"not judged". The report is printed as text or, with --markdown, --latex, --csv or --json, in that format. What the
options for irregular files changed is printed before the report (for CSV, on stderr).

If a judge has two grades by --map or --judge-scale and another judge has more, all are compared at the threshold of
that judge, unless --rel names another.

The report has intervals over topics unless --interval says otherwise; with one topic, over documents. It lists the
pairs with the highest kappa first, and of many pairs the first; --reference lists the judges by closeness to one of
them. In a terminal, intervals are drawn, and names are shortened to fit. --add appends further statistics
(`agreement.reports.added_statistics`); CSV has one table, that of the pairs or that of the statistic added.

`--difference ann,bob ann,eve` adds the difference between the kappas of two pairs of judges.

Declare the scale, for example `--scale 0,1,2,3`: grades that no judge used count for some coefficients. Without
--scale, the scale is 0 to the highest grade in the files, and the output states this (for CSV, on stderr).
"""

import argparse
import json
import os
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from agreement.choices import MANY_PAIRS, TOPICS_LEFT_OUT_ONCE
from agreement.cli.options import label_arguments
from agreement.estimate import Estimate
from agreement.intervals.defaults import RANDOM
from agreement.judge_files import JudgementFiles, read_judgements
from agreement.judge_files.notes import (
    comparison_notes,
    declared_grades,
    declared_threshold,
    seemingly_binary,
    used_grades,
)
from agreement.judge_files.options import named_sources
from agreement.judgements import checked_scale
from agreement.ratings import Ratings
from agreement.reports.agreement_csv import ListedPairs
from agreement.reports.agreement_report import added_table, agreement_data, agreement_frame, agreement_text
from agreement.reports.comparison_report import Pair, kappa_differences, kappa_differences_text
from agreement.reports.page_width import PageWidth, page_of
from pooling.choices import TABLE_STYLES
from pooling.id_repair import match_judges, match_notes
from pooling.text_tables import csv_table, prose

MAX_UNDECLARED_GRADE = 20  # a higher grade is more likely a mistake in the file than a scale


def kappa(options: argparse.Namespace) -> str:
    """Compare the judges and return the report."""
    if options.interval in RANDOM and options.seed is None:
        raise ValueError(f"--interval {options.interval} draws at random and needs --seed N.")
    differences = [(_two_judges(first), _two_judges(second)) for first, second in options.difference]
    if differences and options.form == "csv":
        raise ValueError("--difference cannot be combined with --csv, which has one table; use --json.")
    options.add = list(dict.fromkeys(options.add))
    if options.form == "csv" and len(options.add) > 1:
        raise ValueError(f"--csv prints one table; name one --add, not {len(options.add)}, or use --json.")
    arguments = label_arguments(options)
    files = named_sources(options.judges, arguments.pop("name_pattern"))
    scale = None if options.scale is None else declared(options.scale)
    if scale is not None:
        checked_scale(scale)
    read = read_judgements(files, scale=scale, columns=options.columns, **arguments)
    _check_several_judges(read.counts["assessor"].tolist())
    judgements, matches = match_judges(read.judgements, options.repair_ids)
    ids = {match.side: match.to_dict() for match in matches}
    recorded = {judge: each | ids.get(judge, {}) for judge, each in read.options.items()}
    read = replace(read, judgements=_without(judgements, options.without_topic), options=recorded)
    id_notes = match_notes(matches, "--repair-ids ")
    notes = [] if options.scale else [_note(scale := _undeclared_scale(read.judgements))]
    used = used_grades(read.judgements)
    grades = _declared_grades(read, used)
    rel = options.rel
    if rel is None:
        rel = declared_threshold(grades, read.counts["assessor"].tolist(), scale or ())
    notes += [*read.notes(), *_problem_notes(read)]
    notes += comparison_notes(used, grades, scale or (), rel, from_files=used)
    notes += map(_mapping_hint, seemingly_binary(used, grades, scale or ()))
    ratings = Ratings.from_judgements(read.judgements, scale or ())
    ListedPairs(options.reference).check_reference(ratings.assessors)
    notes += [*_no_overlap_notes(ratings), *id_notes, *_shortened_list(options, ratings)]
    notes = [options.names.of(note) for note in notes]
    compared = ratings if rel is None else ratings.binary(rel)
    found = kappa_differences(compared, differences) if differences else []
    return _formatted(ratings, options, rel, notes, read, found)


def _two_judges(text: str) -> Pair:
    """The two judges of a pair written as "ann,bob"."""
    judges = tuple(text.split(","))
    if len(judges) != 2 or not all(judges):
        raise ValueError(f"--difference takes two pairs of judges, such as ann,bob ann,eve, not {text!r}.")
    return judges[0], judges[1]


def _check_several_judges(judges: list[str]) -> None:
    """Raise ValueError if all files together have one judge; a CSV file may have several."""
    if len(judges) < 2:
        raise ValueError(f"Agreement needs the judgements of two or more judges, not only of {judges[0]}.")


def _without(judgements: pd.DataFrame, topics: list[str]) -> pd.DataFrame:
    """The judgements of the other topics."""
    if unknown := sorted(set(topics) - set(judgements["query_id"])):
        raise ValueError(f"--without-topic must be a topic of the files; no judge judged topic {unknown[0]!r}.")
    left = judgements[~judgements["query_id"].isin(topics)]
    if left.empty:
        raise ValueError("--without-topic leaves no topic; leave out fewer topics.")
    return left.reset_index(drop=True)


def _no_overlap_notes(ratings: Ratings) -> list[str]:
    """A sentence with an example of two judges if no two judges have a document in common."""
    judged = (ratings.codes >= 0).astype(np.int64)
    common = judged @ judged.T
    if (common - np.diag(np.diag(common))).any() or len(ratings.assessors) < 2:
        return []
    examples = [
        f"{name} judged document {ratings.doc_ids[items][0]!r} of topic {ratings.query_ids[items][0]!r}"
        for name, items in zip(ratings.assessors[:2], judged[:2].astype(bool), strict=True)
        if items.any()
    ]
    return [f"No two judges have a document in common: {', and '.join(examples)}. Ids are compared as strings."]


def _declared_grades(read: JudgementFiles, used: dict[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    """The grades, after the mapping, of the judges whose own scale or mapping is declared."""
    grades = {
        judge: declared_grades(options.get("own_scale"), options.get("mapping", {}), used.get(judge, ()))
        for judge, options in read.options.items()
    }
    return {judge: known for judge, known in grades.items() if known}


def _mapping_hint(judge: str) -> str:
    option = f"--map {judge}:1=2"
    return f"If {judge} has two grades, declare which grade the higher one means, such as {option}."


def _problem_notes(read: JudgementFiles) -> list[str]:
    """One sentence for each invalid line that was left out."""
    lines = ["" if pd.isna(line) else f", line {line}" for line in read.problems["line"]]
    columns = (read.problems[name] for name in ("file", "what", "allowed"))
    return [f"{file}{line}: {what}; {allowed}." for line, file, what, allowed in zip(lines, *columns, strict=True)]


def _formatted(
    ratings: Ratings,
    options: argparse.Namespace,
    rel: int | None,
    notes: list[str],
    read: JudgementFiles,
    differences: list[tuple[Pair, Pair, Estimate]],
) -> str:
    least = {"min_topics": options.min_topics, "min_documents": options.min_documents}
    interval = {"interval": _interval(options, ratings), "seed": options.seed}
    listed = {"weights": options.weights, "reference": options.reference, **_order(options, ratings)}
    if options.form == "json":
        data: dict[str, Any] = {"scale_declared": options.scale is not None, "notes": notes}
        data["judges"] = [row | {"options": read.options[row["assessor"]]} for row in read.counts.to_dict("records")]
        data |= agreement_data(ratings, rel, options.per_topic, **interval, **least, **listed, add=options.add)
        if differences:
            data["differences"] = [{"first": a, "second": b, **one.to_dict()} for a, b, one in differences]
        return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    if options.form == "csv":
        sys.stderr.writelines(f"{options.prog}: {note}\n" for note in notes)
        return csv_table(_table(ratings, options, rel, interval, listed))
    page = page_of(sys.stdout, os.environ) if options.form == TABLE_STYLES[0] else PageWidth()
    settings: dict[str, Any] = {**interval, **least, **listed, "add": options.add}
    settings |= {"width": page.columns, "drawing": page.drawing}
    text = agreement_text(ratings, rel, options.per_topic, options.form, **settings)
    text += f"\n{kappa_differences_text(differences, options.form)}" if differences else ""
    return "".join(f"{prose(page.wrapped(note), options.form)}\n\n" for note in notes) + text


def _table(
    ratings: Ratings, options: argparse.Namespace, rel: int | None, interval: dict[str, Any], listed: dict[str, Any]
) -> pd.DataFrame:
    """The table of the statistic that is added, or that of the pairs."""
    if options.add:
        pairs = {name: listed[name] for name in ("reference", "sort", "top")}
        return added_table(ratings, options.add[0], rel, **interval, **pairs)
    compared = ratings if rel is None else ratings.binary(rel)
    return agreement_frame(compared, options.per_topic, **interval, **listed)


def _interval(options: argparse.Namespace, ratings: Ratings) -> str | None:
    """The kind of interval. The default covers topics, which needs two; with one topic, it leaves out documents."""
    if options.interval is None:
        return TOPICS_LEFT_OUT_ONCE if len(ratings.by_topic()) > 1 else "jackknife"
    return None if options.interval == "none" else str(options.interval)


def _shortened_list(options: argparse.Namespace, ratings: Ratings) -> list[str]:
    """A sentence that says how to list all pairs, if the report lists the first by default."""
    if options.top is not None or _order(options, ratings)["top"] is None:
        return []
    return [f"The tables list {MANY_PAIRS} pairs; --top all lists all, and --reference JUDGE those with one judge."]


def _order(options: argparse.Namespace, ratings: Ratings) -> dict[str, Any]:
    """The order of the pairs and how many are listed: data have all in the order of names by default."""
    is_text = options.form not in ("csv", "json")
    chosen = options.reference is not None or options.top is not None
    sort = options.sort or ("value" if is_text or chosen else "name")
    n_pairs = len(ratings.assessors) * (len(ratings.assessors) - 1) // 2
    many = is_text and options.reference is None and n_pairs > MANY_PAIRS
    top = (MANY_PAIRS if many else None) if options.top is None else options.top
    return {"sort": sort, "top": None if top == "all" else top}


def declared(text: str) -> tuple[int, ...]:
    """The grades of a scale written as "0,1,2"."""
    try:
        grades = tuple(int(grade) for grade in text.split(","))
    except ValueError:
        raise ValueError(f"--scale must be whole numbers separated by commas, such as 0,1,2, not {text!r}.") from None
    if list(grades) != sorted(grades):
        raise ValueError(f"--scale must list the lowest grade first, not {text!r}.")
    return grades


def _undeclared_scale(judgements: pd.DataFrame) -> tuple[int, ...]:
    """0 to the highest grade in the files, at least 0 and 1."""
    highest = max(int(judgements["relevance"].max()), 1)
    if highest > MAX_UNDECLARED_GRADE:
        raise ValueError(f"The highest grade in the files is {highest}; declare the grades with --scale.")
    return tuple(range(highest + 1))


def _note(scale: tuple[int, ...]) -> str:
    grades = ", ".join(map(str, scale))
    return f"No scale was declared. The grades {grades} are used, up to the highest in the files. Use --scale."

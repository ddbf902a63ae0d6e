"""Golds in files of any form: qrels, tables, sheets and exports, and the files of classic collections.

A file that names its judges is a gold for each of them.

The queries of a gold may count the topics (`pooling.formats.smart.numbering`). Only the file of topics has their order,
so `--number-by order` needs `--topic-file`. Without the file, the topics of the runs show whether there is a question.
"""

import argparse
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from agreement.cli.options import one_or_named
from agreement.judge_files import NamedSource, read_judgements
from agreement.judge_files.options import parse_mapping, per_judge
from pooling.choices import NUMBER_BY
from pooling.errors import FormatError
from pooling.formats.recognise import recognise
from pooling.formats.smart.numbering import match_topics, open_question, readings
from pooling.paths import name_of
from pooling.topics import read_topics
from pooling.trec import read_qrels

QRELS = ("trec_qrels", "beir_qrels", "smart_qrels", "npl_qrels", "lisa_qrels")


def read_golds(
    files: Mapping[str, str], options: argparse.Namespace, run_topics: Iterable[str]
) -> tuple[dict[str, pd.DataFrame], list[str]]:
    """The golds of some files by name, with the ids of the topics, and notes about the files."""
    notes: list[str] = []
    given: Any = one_or_named(options.map, "--map", parse_mapping)
    mappings = per_judge(given, list(files), "--map")
    number_by = per_judge(one_or_named(options.number_by, "--number-by", _number_by), list(files), "--number-by")
    topics = _topics(options, number_by, run_topics, notes)
    golds: dict[str, pd.DataFrame] = {}
    for name, path in files.items():
        mapping = mappings.get(name)
        if _is_table(path, bool(options.columns)):
            _add_judges(golds, _golds_of_table(name, path, mapping, options, notes))
            continue
        grades = _only_grades(mapping)
        gold = read_qrels(path, listed_relevant=options.listed_relevant, mapping=grades, notes=notes)
        golds[name] = _matched(gold, topics, options, number_by.get(name), name, notes)
    return golds, list(dict.fromkeys(notes))  # several golds may be read from one file


def _add_judges(golds: dict[str, pd.DataFrame], judges: Mapping[str, pd.DataFrame]) -> None:
    if twice := [judge for judge in judges if judge in golds]:
        raise ValueError(f"Two files have the gold {twice[0]!r}. Leave one out.")
    golds |= judges


def _number_by(text: str) -> str:
    if text not in NUMBER_BY:
        raise ValueError(f"--number-by must be one of {', '.join(NUMBER_BY)}, not {text!r}.")
    return text


def _only_grades(mapping: Mapping[Any, int] | None) -> dict[int, int] | None:
    if words := [label for label in mapping or {} if not isinstance(label, int)]:
        raise ValueError(f"The grades of qrels are whole numbers, so --map cannot replace {words[0]!r}.")
    return None if mapping is None else {int(grade): other for grade, other in mapping.items()}


def _topics(
    options: argparse.Namespace, number_by: Mapping[str, str], run_topics: Iterable[str], notes: list[str]
) -> list[str]:
    if options.topic_file:
        return [str(query_id) for query_id in read_topics(options.topic_file, notes=notes)["query_id"]]
    if "order" in number_by.values():
        raise ValueError("--number-by order needs --topic-file FILE, which alone has the order of the topics.")
    return sorted(run_topics, key=lambda query_id: (len(query_id), query_id))


def _matched(
    gold: pd.DataFrame,
    topics: list[str],
    options: argparse.Namespace,
    number_by: str | None,
    name: str,
    notes: list[str],
) -> pd.DataFrame:
    if options.topic_file or number_by:
        return match_topics(gold, topics, number_by, name=name, notes=notes)
    found = readings(gold["query_id"], topics)
    if found.is_open and found.has_no_gap:  # runs may lack topics, so a gap says nothing
        of_runs = "the topics are those of the runs; --number-by order also needs --topic-file FILE"
        raise ValueError(f"{open_question(found, name)}; {of_runs}.")
    return gold


def _is_table(path: str, names_columns: bool) -> bool:
    """Whether a file has judgements in another form than qrels.

    A file of an unknown form is read as qrels, unless the user names the columns of tables.
    """
    try:
        found = recognise(path)
    except FormatError:
        return names_columns
    return (found.kind == "judgements" or names_columns) and found.format not in QRELS


def _golds_of_table(
    name: str, path: str, mapping: Mapping[Any, int] | None, options: argparse.Namespace, notes: list[str]
) -> dict[str, pd.DataFrame]:
    """The gold of each judge of a file; `name` is the judge if the file names none. `notes` gets what was irregular."""
    sources = {name: NamedSource(path, is_explicit=name != name_of(path))}
    read = read_judgements(
        sources, scale=None, columns=options.columns, field=options.field, mapping=mapping, negative="not_judged"
    )
    notes += read.notes()
    columns = ["query_id", "doc_id", "relevance"]
    return {
        str(judge): rows[columns].reset_index(drop=True)
        for judge, rows in read.judgements.groupby("assessor", sort=False)
    }

"""Golds in tables, sheets and exports: a gold for each judge of the file."""

import argparse
from collections.abc import Mapping
from typing import Any

import pandas as pd

from agreement.judge_files import NamedSource, read_judgements
from pooling.errors import FormatError
from pooling.formats.recognise import recognise
from pooling.paths import name_of

QRELS = ("trec_qrels", "beir_qrels", "smart_qrels", "npl_qrels", "lisa_qrels")


def is_table(path: str, names_columns: bool) -> bool:
    """Whether a file has judgements in another form than qrels.

    A file of an unknown form is read as qrels, unless the user names the columns of tables.
    """
    try:
        found = recognise(path)
    except FormatError:
        return names_columns
    return (found.kind == "judgements" or names_columns) and found.format not in QRELS


def golds_of_table(
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

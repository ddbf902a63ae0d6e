"""The same table in every kind of input that public functions accept, by the name of the kind."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ir_measures
import pandas as pd
import polars
import pyarrow as pa

from pooling import write_qrels, write_run

PYTERRIER = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}
Convert = Callable[[pd.DataFrame], Any]


def categories(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.astype("category")


def integer_ids(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.astype({"query_id": "int64"})


def pyterrier(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.rename(columns=PYTERRIER)


# Each keeps all columns of any table.
TABLES: dict[str, Convert] = {
    "pandas": lambda frame: frame,
    "pandas with integers as ids": integer_ids,
    "pandas with objects": lambda frame: frame.astype(object),
    "pandas with nullable types": lambda frame: frame.convert_dtypes(),
    "pandas with Arrow types": lambda frame: frame.convert_dtypes(dtype_backend="pyarrow"),
    "pandas with categories": categories,
    "polars": polars.from_pandas,
    "polars with categories": lambda frame: polars.from_pandas(frame).with_columns(
        polars.col(polars.String).cast(polars.Categorical)
    ),
    "pyarrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "columns of PyTerrier": pyterrier,
}


def nested(frame: pd.DataFrame, value: str) -> dict[str, dict[str, float]]:
    """{query_id: {doc_id: value}}"""
    return {topic: dict(zip(rows["doc_id"], rows[value], strict=True)) for topic, rows in frame.groupby("query_id")}


def by_name(frame: pd.DataFrame, name: str, convert: Convert) -> dict[str, Any]:
    """Each system, gold or assessor converted on its own."""
    return {key: convert(rows.drop(columns=name)) for key, rows in frame.groupby(name, sort=False)}


def scored_docs(run: pd.DataFrame) -> list[ir_measures.ScoredDoc]:
    return [ir_measures.ScoredDoc(row.query_id, row.doc_id, row.score) for row in run.itertuples()]


def qrels(gold: pd.DataFrame) -> list[ir_measures.Qrel]:
    return [ir_measures.Qrel(row.query_id, row.doc_id, row.relevance) for row in gold.itertuples()]


def run_inputs(runs: pd.DataFrame, folder: Path) -> dict[str, Any]:
    """The runs in every kind of input."""
    systems = dict(list(runs.groupby("system", sort=False)))
    for system, rows in systems.items():
        write_run(rows, folder / f"{system}.run")
    zipped = folder / "zipped"
    zipped.mkdir()
    for path in folder.glob("*.run"):
        (zipped / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
    return {
        **{kind: convert(runs) for kind, convert in TABLES.items()},
        "list of tables": [polars.from_pandas(rows) for rows in systems.values()],
        "generator of tables": (rows for rows in systems.values()),
        "dictionary of tables": by_name(runs, "system", pyterrier),
        "nested dictionaries": by_name(runs, "system", lambda rows: nested(rows, "score")),
        "tuples of ir_measures": by_name(runs, "system", lambda rows: iter(scored_docs(rows))),
        "list of paths": [str(folder / f"{system}.run") for system in systems],
        "dictionary of paths": {system: folder / f"{system}.run" for system in systems},
        "pattern": str(folder / "*.run"),
        "pattern of compressed files": zipped / "*.gz",
    }


def gold_inputs(golds: pd.DataFrame, folder: Path) -> dict[str, Any]:
    """Several golds, each with its name in the column gold, in every kind of input."""
    for name, rows in golds.groupby("gold", sort=False):
        write_qrels(rows, folder / f"{name}.qrels")
    names = list(golds["gold"].unique())
    return {
        **{kind: convert(golds) for kind, convert in TABLES.items()},
        "list of tables": [pa.Table.from_pandas(rows) for _, rows in golds.groupby("gold", sort=False)],
        "dictionary of tables": by_name(golds, "gold", pyterrier),
        "nested dictionaries": by_name(golds, "gold", lambda rows: nested(rows, "relevance")),
        "tuples of ir_measures": by_name(golds, "gold", lambda rows: iter(qrels(rows))),
        "list of paths": [folder / f"{name}.qrels" for name in names],
        "pattern": str(folder / "*.qrels"),
    }


def judgement_inputs(judgements: pd.DataFrame, folder: Path) -> dict[str, Any]:
    """Judgements of several assessors in every kind of input."""
    inputs = gold_inputs(judgements.rename(columns={"assessor": "gold"}), folder)
    tables = {kind: convert(judgements) for kind, convert in TABLES.items()}
    del inputs["list of tables"]
    return inputs | tables

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


def pyterrier(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.rename(columns=PYTERRIER)


def polars_categories(frame: pd.DataFrame) -> polars.DataFrame:
    return polars.from_pandas(frame).with_columns(polars.col(polars.String).cast(polars.Categorical))


# Each keeps all columns of any table.
TABLES: dict[str, Callable[[pd.DataFrame], Any]] = {
    "pandas": lambda frame: frame,
    "pandas with integers as ids": lambda frame: frame.astype({"query_id": "int64"}),
    "pandas with objects": lambda frame: frame.astype(object),
    "pandas with nullable types": lambda frame: frame.convert_dtypes(),
    "pandas with Arrow types": lambda frame: frame.convert_dtypes(dtype_backend="pyarrow"),
    "pandas with categories": lambda frame: frame.astype("category"),
    "polars": polars.from_pandas,
    "polars with categories": polars_categories,
    "pyarrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "columns of PyTerrier": pyterrier,
}


def nested(frame: pd.DataFrame, value: str) -> dict[str, dict[str, float]]:
    """{query_id: {doc_id: value}}"""
    return {topic: dict(zip(rows["doc_id"], rows[value], strict=True)) for topic, rows in frame.groupby("query_id")}


def scored_docs(run: pd.DataFrame) -> list[ir_measures.ScoredDoc]:
    return [ir_measures.ScoredDoc(row.query_id, row.doc_id, row.score) for row in run.itertuples()]


def qrels(gold: pd.DataFrame) -> list[ir_measures.Qrel]:
    return [ir_measures.Qrel(row.query_id, row.doc_id, row.relevance) for row in gold.itertuples()]


def _by_name(frame: pd.DataFrame, name: str, convert: Callable[[pd.DataFrame], Any]) -> dict[str, Any]:
    """Each system, gold or assessor converted on its own."""
    return {str(key): convert(rows.drop(columns=name)) for key, rows in frame.groupby(name, sort=False)}


def _run_files(runs: pd.DataFrame, folder: Path) -> dict[str, Path]:
    paths = {str(system): folder / f"{system}.run" for system in runs["system"].unique()}
    for system, path in paths.items():
        write_run(runs[runs["system"] == system], path)
    return paths


def _pattern_of_runs(runs: pd.DataFrame, folder: Path) -> str:
    _run_files(runs, folder)
    return str(folder / "*.run")


def _zipped_run_files(runs: pd.DataFrame, folder: Path) -> Path:
    for path in _run_files(runs, folder).values():
        Path(f"{path}.gz").write_bytes(gzip.compress(path.read_bytes()))
    return folder / "*.run.gz"


def _gold_files(golds: pd.DataFrame, folder: Path, name: str) -> list[Path]:
    paths = {key: folder / f"{key}.qrels" for key in golds[name].unique()}
    for key, path in paths.items():
        write_qrels(golds[golds[name] == key], path)
    return list(paths.values())


def _with_folder(convert: Callable[[pd.DataFrame], Any]) -> Callable[[pd.DataFrame, Path], Any]:
    return lambda frame, _: convert(frame)


Convert = Callable[[pd.DataFrame, Path], Any]
RUN_INPUTS: dict[str, Convert] = {
    **{kind: _with_folder(convert) for kind, convert in TABLES.items()},
    "list of tables": lambda runs, _: [polars.from_pandas(rows) for _, rows in runs.groupby("system", sort=False)],
    "generator of tables": lambda runs, _: (rows for _, rows in runs.groupby("system", sort=False)),
    "dictionary of tables": lambda runs, _: _by_name(runs, "system", pyterrier),
    "nested dictionaries": lambda runs, _: _by_name(runs, "system", lambda rows: nested(rows, "score")),
    "tuples of ir_measures": lambda runs, _: _by_name(runs, "system", lambda rows: iter(scored_docs(rows))),
    "list of paths": lambda runs, folder: list(map(str, _run_files(runs, folder).values())),
    "dictionary of paths": _run_files,
    "pattern": _pattern_of_runs,
    "pattern of compressed files": _zipped_run_files,
}


def _named_inputs(name: str) -> dict[str, Convert]:
    return {
        **{kind: _with_folder(convert) for kind, convert in TABLES.items()},
        "dictionary of tables": lambda frame, _: _by_name(frame, name, pyterrier),
        "nested dictionaries": lambda frame, _: _by_name(frame, name, lambda rows: nested(rows, "relevance")),
        "tuples of ir_measures": lambda frame, _: _by_name(frame, name, lambda rows: iter(qrels(rows))),
        "list of paths": lambda frame, folder: _gold_files(frame, folder, name),
        "pattern": lambda frame, folder: str(_gold_files(frame, folder, name)[0].parent / "*.qrels"),
    }


# Several golds with their names in the column gold, and judgements of several assessors.
GOLD_INPUTS: dict[str, Convert] = {
    **_named_inputs("gold"),
    "list of tables": lambda golds, _: [pa.Table.from_pandas(rows) for _, rows in golds.groupby("gold", sort=False)],
}
JUDGEMENT_INPUTS: dict[str, Convert] = _named_inputs("assessor")

"""What callers pass as runs, golds, judgements and scores, converted to DataFrames with the columns of Assay.

Accepted everywhere:

- a pandas DataFrame with columns of any kind (numpy, nullable, Arrow, categories);
- a table with the Arrow interface: polars, pyarrow, DuckDB and others;
- the path of a TREC file, or a pattern such as "runs/*.gz";
- nested dictionaries as pytrec_eval takes them: ``{query_id: {doc_id: value}}``;
- an iterable of the tuples of ir_measures (``ScoredDoc``, ``Qrel``, ``Metric``);
- an iterable of any of these, and a dictionary that names each of them.

PyTerrier's columns ``qid``, ``docno`` and ``label`` mean ``query_id``, ``doc_id`` and ``relevance``. Ids become
strings. An id that is a number with a decimal point is refused: 301.0 is not the topic "301". So is an id that a
spreadsheet has probably changed (`pooling.changed_ids`).
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Protocol, TypeAlias, TypeGuard, runtime_checkable

import numpy as np
import pandas as pd

from pooling._io.changed_columns import refuse_changed_ids
from pooling._io.zip_entries import run_files
from pooling.errors import refuse_unless
from pooling.paths import FilePath, matching_files, name_of
from pooling.trec import MAX_BYTES, read_qrels, read_run

IDS = ("query_id", "doc_id")
NAMES = ("system", "assessor", "gold", *IDS)
VALUES = ("score", "relevance", "value", "inclusion_probability", "repeat", "adjudicated", "judged_at")
CONTAINERS = (Mapping, pd.DataFrame, os.PathLike, list, tuple)  # a text is no container: it is a wrong score or grade
PYTERRIER = {"qid": "query_id", "docno": "doc_id", "label": "relevance"}


@runtime_checkable
class ArrowTable(Protocol):
    """A table with the Arrow interface, such as a DataFrame of polars or a table of pyarrow."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


Table: TypeAlias = pd.DataFrame | ArrowTable
# Anything that the docstring of this module lists.
Input: TypeAlias = Table | FilePath | Mapping[Any, Any] | Iterable[Any]


def as_runs(runs: Input) -> pd.DataFrame | Iterator[pd.DataFrame]:
    """Runs as one DataFrame, or as several in turn.

    Examples
    --------
    >>> from pooling.inputs import as_runs
    >>> as_runs({"301": {"d7": 1.5, "d2": 0.5}})
      system query_id doc_id  score
    0    run      301     d7    1.5
    1    run      301     d2    0.5
    """
    if is_table(runs):
        return _of_one_system(as_table(runs))
    if isinstance(runs, str | os.PathLike):
        files = [each for file in matching_files(runs, "runs") for each in run_files(file, MAX_BYTES)]
        return read_run(files[0]) if len(files) == 1 else (read_run(file) for file in files)
    if isinstance(runs, Mapping):
        return _of_one_system(_nested(runs, "score")) if _is_nested(runs) else _named_runs(runs)
    rows = _tuples(runs, "runs")
    return _of_one_system(rows) if isinstance(rows, pd.DataFrame) else chain.from_iterable(map(_each_run, rows))


def as_gold(gold: Input) -> pd.DataFrame:
    """One gold as a DataFrame.

    Examples
    --------
    >>> from pooling.inputs import as_gold
    >>> as_gold({"301": {"d7": 1, "d2": 0}})
      query_id doc_id  relevance
    0      301     d7          1
    1      301     d2          0
    """
    if is_table(gold):
        return as_table(gold)
    if isinstance(gold, str | os.PathLike):
        files = matching_files(gold, "a gold")
        if len(files) > 1:
            raise ValueError(f"A gold must be one file, but {str(gold)!r} matches {len(files)}.")
        return read_qrels(files[0])
    if isinstance(gold, Mapping) and _is_nested(gold):
        return _nested(gold, "relevance")
    rows = list(gold.values()) if isinstance(gold, Mapping) else _tuples(gold, "golds")
    if isinstance(rows, pd.DataFrame):
        return rows
    several = list(rows)
    if len(several) != 1:
        raise ValueError(f"A gold must be one gold, not {len(several)}.")
    return as_gold(several[0])


def named_golds(golds: Input) -> list[tuple[str | None, pd.DataFrame]]:
    """Golds with their names, in the order of the input; a name is None if the input has none.

    Examples
    --------
    >>> from pooling.inputs import named_golds
    >>> [name for name, _ in named_golds({"nist": {"301": {"d7": 1}}, "ada": {"301": {"d7": 0}}})]
    ['nist', 'ada']
    """
    if isinstance(golds, str | os.PathLike):
        return [(name_of(file), read_qrels(file)) for file in matching_files(golds, "golds")]
    if isinstance(golds, Mapping) and not _is_nested(golds):
        return [(str(name), as_gold(gold)) for name, gold in golds.items()]
    if is_table(golds) or isinstance(golds, Mapping):
        return [(None, as_gold(golds))]
    rows = _tuples(golds, "golds")
    if isinstance(rows, pd.DataFrame):
        return [(None, rows)]
    return [pair for gold in rows for pair in named_golds(gold)]


def as_judgements(judgements: Input) -> pd.DataFrame:
    """Judgements of several judges as a DataFrame.

    Examples
    --------
    >>> from pooling.inputs import as_judgements
    >>> as_judgements({"ada": {"301": {"d7": 1}}, "bob": {"301": {"d7": 0}}})
      query_id doc_id  relevance assessor
    0      301     d7          1      ada
    1      301     d7          0      bob
    """
    if is_table(judgements):
        return as_table(judgements)
    named = named_golds(judgements)
    required = ["query_id", "doc_id", "relevance"]
    for name, gold in named:
        missing = [column for column in required if column not in gold.columns]
        if name is not None and missing:
            raise ValueError(
                f"The judgements of {name!r} need the columns {', '.join(required)}; missing: {', '.join(missing)}."
            )
    frames = [gold if name is None else gold.assign(assessor=name) for name, gold in named]
    if any("assessor" not in frame.columns for frame in frames):
        raise ValueError("Judgements must name their judges: pass a column assessor, or a dictionary by judge.")
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=[*required, "assessor"])


def as_scores(scores: Input) -> pd.DataFrame:
    """Scores of systems on topics as a DataFrame.

    Shapes: the result (n_systems, n_topics).

    Examples
    --------
    >>> from pooling.inputs import as_scores
    >>> as_scores({"bm25": {"301": 0.5, "302": 0.25}, "lsa": {"301": 0.0, "302": 0.75}})
          301   302
    bm25  0.5  0.25
    lsa   0.0  0.75
    """
    if isinstance(scores, Mapping):
        return pd.DataFrame({str(name): _scores_of_system(values) for name, values in scores.items()}).T
    if not is_table(scores):
        raise TypeError(f"Scores must be a table of systems and topics or a dictionary, not {_kind(scores)}.")
    table = as_table(scores)
    if "system" not in table.columns:
        if isinstance(scores, pd.DataFrame):
            return scores  # its index has the systems
        raise ValueError("A table of scores must have the column system.")
    if "value" not in table.columns:
        return table.set_index("system").rename_axis(None)
    if "query_id" not in table.columns:
        raise ValueError("Scores must have the column query_id: pass the scores of topics, and not their means.")
    twice = table.duplicated(["system", "query_id"])
    if twice.any():
        row = table[twice].iloc[0]
        raise ValueError(
            f"System {row.system!r} has several scores on topic {row.query_id!r}. Pass those of one measure."
        )
    wide = table.set_index(["system", "query_id"])["value"].unstack()
    return wide.loc[table["system"].unique(), table["query_id"].unique()]


def as_frame(table: Table) -> pd.DataFrame:
    """A table as a DataFrame, with its names and types.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling.inputs import as_frame
    >>> as_frame(pd.DataFrame({"judge": ["ada"], "grade": [2]}))
      judge  grade
    0   ada      2
    """
    return table if isinstance(table, pd.DataFrame) else pd.DataFrame.from_arrow(table)  # type: ignore[attr-defined]


def as_table(table: Table) -> pd.DataFrame:
    """A table as a DataFrame with the names of Assay, ids as strings, and values of ordinary types.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling.inputs import as_table
    >>> as_table(pd.DataFrame({"qid": [301], "docno": ["d7"], "label": [2]}))
      query_id doc_id  relevance
    0      301     d7          2
    """
    frame = as_frame(table)
    if frame.columns.has_duplicates:
        name = frame.columns[frame.columns.duplicated()][0]
        raise ValueError(f"A table must have each column once, but {name!r} occurs twice.")
    names = {old: new for old, new in PYTERRIER.items() if old in frame.columns and new not in frame.columns}
    frame = frame.rename(columns=names) if names else frame
    changed = {name: _id_column(frame[name]) for name in NAMES if _needs_text(frame, name)}
    changed |= {name: _value_column(frame[name]) for name in VALUES if _is_unusual(frame, name)}
    frame = frame.assign(**changed) if changed else frame
    for name in IDS[:1] if "score" in frame.columns else IDS:  # runs have many documents: only files are checked
        if name in frame.columns:
            refuse_changed_ids(frame[name])
    return frame


def _each_run(runs: Input) -> Iterator[pd.DataFrame]:
    frames = as_runs(runs)
    return iter([frames]) if isinstance(frames, pd.DataFrame) else frames


def _of_one_system(run: pd.DataFrame) -> pd.DataFrame:
    """The run with a column system; it is called "run" if it has none."""
    if "system" in run.columns:
        return run
    run = run.copy(deep=False)
    run.insert(0, "system", "run")
    return run


def _named_runs(runs: Mapping[Any, Input]) -> Iterator[pd.DataFrame]:
    for name, run in runs.items():
        for frame in _each_run(run):
            yield frame.assign(system=str(name))


def is_table(data: object) -> TypeGuard[Table]:
    """Whether this is a table; columns of pandas and polars have the Arrow interface, too."""
    return isinstance(data, pd.DataFrame) or (isinstance(data, ArrowTable) and hasattr(data, "columns"))


def _tuples(data: object, what: str) -> pd.DataFrame | Iterator[Any]:
    """A DataFrame if the iterable has tuples of ir_measures, and otherwise an iterator over what it has."""
    expected = f"{what} must be tables, paths, dictionaries or tuples of ir_measures"
    if not isinstance(data, Iterable) or isinstance(data, bytes | pd.Series | np.ndarray):
        raise TypeError(f"{expected}, not {_kind(data)}.")
    items = iter(data)
    first = next(items, None)
    if isinstance(first, tuple | list | int | float) and not hasattr(first, "_fields"):
        raise TypeError(f"{expected}, not a {type(data).__name__} with {first!r:.60}.")
    rest = iter(()) if first is None else chain([first], items)
    if not hasattr(first, "_fields"):
        return rest
    return as_table(pd.DataFrame(list(rest)))


def _is_nested(data: Mapping[Any, Any]) -> bool:
    """Whether a dictionary is {query_id: {doc_id: number}}, and not a dictionary of named inputs."""
    inner: Any = next((value for value in data.values() if not isinstance(value, Mapping) or len(value)), {})
    if not isinstance(inner, Mapping):
        return False
    return bool(data) and not isinstance(next(iter(inner.values()), 0), CONTAINERS)


def _nested(data: Mapping[Any, Mapping[Any, Any]], value: str) -> pd.DataFrame:
    rows = [(query_id, doc_id, number) for query_id, documents in data.items() for doc_id, number in documents.items()]
    return as_table(pd.DataFrame(rows, columns=[*IDS, value]))


def _scores_of_system(values: Any) -> Mapping[str, float]:
    if isinstance(values, Mapping | pd.Series):
        return dict(values)
    refuse_unless(values, Iterable, "The scores of each system", "a dictionary of topics")
    return {str(metric.query_id): metric.value for metric in values}


def _needs_text(frame: pd.DataFrame, name: str) -> bool:
    return name in frame.columns and frame[name].dtype != "str"


def _is_unusual(frame: pd.DataFrame, name: str) -> bool:
    """Whether a column has objects, categories or an Arrow type, and not a type of numpy or a nullable one."""
    if name not in frame.columns:
        return False
    dtype = frame[name].dtype
    return pd.api.types.is_object_dtype(dtype) or isinstance(dtype, pd.CategoricalDtype | pd.ArrowDtype)


def _id_column(column: "pd.Series[Any]") -> "pd.Series[Any]":
    values = column.astype(object).infer_objects() if isinstance(column.dtype, pd.CategoricalDtype) else column
    if pd.api.types.is_float_dtype(values.dtype) and values.notna().any():
        raise ValueError(f"{column.name} must have strings or whole numbers, not {float(values.dropna().iloc[0])!r}.")
    return values.astype("str")


def _value_column(column: "pd.Series[Any]") -> "pd.Series[Any]":
    return column.astype(object).infer_objects()


def _kind(data: object) -> str:
    return f"{data!r:.60}" if isinstance(data, str | bytes | int | float) else type(data).__name__

"""The pairs from which a draw is made, each with its stratum."""

import numpy as np
import pandas as pd

from pooling.inputs import Input, as_gold
from pooling.pools.pairs import checked_pairs, pairs_of
from pooling.ranking import byte_codes

WHAT = "the pairs to draw from"


def pairs_with_strata(pairs: Input, strata: str, *others: str) -> pd.DataFrame:
    """The pairs sorted by query_id and doc_id as bytes: these columns, stratum, and the columns `others`.

    A pair may occur again with the same values, and is then one pair.
    """
    table = as_gold(pairs).reset_index(drop=True)
    distinct = checked_pairs(table, WHAT)
    _check_column(table, strata, "names the strata")
    for name in others:
        _check_column(table, name, "the design needs")
    frame = distinct.assign(stratum=table.loc[distinct.index, strata].astype("str"))
    frame = frame.assign(**{name: table.loc[distinct.index, name] for name in others})
    _refuse_two_values(table, distinct, [strata, *others])
    if not len(frame):
        raise ValueError("There is no pair to draw from.")
    return sorted_by_bytes(frame)


def sorted_by_bytes(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows by query_id, then doc_id, as bytes."""
    rows = np.lexsort((byte_codes(frame["doc_id"]), byte_codes(frame["query_id"])))
    return frame.iloc[rows].reset_index(drop=True)


def _check_column(table: pd.DataFrame, name: str, why: str) -> None:
    if name not in table.columns:
        raise ValueError(f"{WHAT} need the column {name!r}, which {why}; the columns are {', '.join(table.columns)}")
    if table[name].isna().any():
        row = table[table[name].isna()].iloc[0]
        raise ValueError(f"document {row['doc_id']!r} of topic {row['query_id']!r} has no value in the column {name!r}")


def _refuse_two_values(table: pd.DataFrame, distinct: pd.DataFrame, columns: list[str]) -> None:
    if len(distinct) == len(table):
        return
    values = table.drop_duplicates(list(dict.fromkeys(["query_id", "doc_id", *columns])))
    twice = pairs_of(values).duplicated()
    if twice.any():
        row = values[twice].iloc[0]
        raise ValueError(
            f"document {row['doc_id']!r} of topic {row['query_id']!r} occurs twice among {WHAT}, with different values"
            f" in the columns {', '.join(columns)}"
        )

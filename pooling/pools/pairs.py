"""Pairs of query_id and doc_id that are given to a pool: documents to add, and judged documents to leave out."""

import pandas as pd

from pooling.errors import shown
from pooling.ids import ALLOWED_ID, id_problem


def pairs_of(frame: pd.DataFrame) -> pd.MultiIndex:
    """The pairs of query_id and doc_id of a table, row by row."""
    return pd.MultiIndex.from_frame(frame[["query_id", "doc_id"]])


def checked_judged(judged: pd.DataFrame) -> pd.DataFrame:
    """The distinct judged pairs of query_id and doc_id; ValueError if one is invalid."""
    if not isinstance(judged, pd.DataFrame):
        raise ValueError(f"judged must be a DataFrame, not {type(judged).__name__}")
    if "relevance" in judged.columns and len(judged):
        relevance = judged["relevance"]
        if not pd.api.types.is_numeric_dtype(relevance) or relevance.isna().any():
            raise ValueError("every relevance of judged must be a number, negative for not judged; at least one is not")
        judged = judged[relevance >= 0]
    return checked_pairs(judged, "judged documents")


def checked_pairs(documents: pd.DataFrame, what: str) -> pd.DataFrame:
    """The distinct pairs of query_id and doc_id; ValueError if one is invalid."""
    if missing := [column for column in ("query_id", "doc_id") if column not in documents.columns]:
        raise ValueError(f"{what} need the columns query_id, doc_id; missing: {', '.join(missing)}")
    pairs = documents[["query_id", "doc_id"]]
    if pairs.isna().any(axis=None):
        raise ValueError(f"{what} need a query_id and a doc_id in every row; at least one is missing")
    pairs = pairs.astype("str").drop_duplicates()
    for column in pairs:
        for text in pairs[column].unique():
            if problem := id_problem(text):
                raise ValueError(f"{column} {shown(text)} {problem}; {ALLOWED_ID}")
    return pairs


def check_common_topic(judged: pd.MultiIndex, query_ids: pd.Index) -> None:
    """Raise ValueError if there are judged documents, but none of a topic of the runs."""
    topics = judged.get_level_values("query_id").unique()
    if len(topics) and not topics.isin(query_ids).any():
        raise ValueError(
            f"the judged documents and the runs have no topic in common: judged has {shown(topics[0])}, the runs have"
            f" {shown(query_ids[0])}"
        )

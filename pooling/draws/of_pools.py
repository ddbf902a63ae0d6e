"""The draw of a pool that one of the strategies `random`, `stratified` and `ask_people` drew out of a larger pool.

A pool records the inclusion probabilities of the documents in it only. An estimate also needs the documents that were
not drawn, from a pool that has all of them: of `random`, a pool of the same runs of strategy `depth` with its depth; of
`stratified`, one to its last rank. The probabilities are computed again and compared with those that the sample
records, so that a draw out of other documents is found.

`stat_ap` draws a random number of documents from each bucket, and the documents of a bucket are not independent, so its
probabilities do not suffice for a variance. Unions, differences, and pools to which documents were added or from which
judged documents were left out have no known probabilities for all documents.
"""

from typing import Any

import numpy as np
import pandas as pd

from pooling.draws.pairs import sorted_by_bytes
from pooling.pools.pairs import pairs_of
from pooling.pools.pool import Pool
from pooling.pools.provenance import CHANGES, SET_OPERATIONS, is_sample
from pooling.ranking import RankedRuns, Runs, prepare
from pooling.strategies.ask_people import drawn_items
from pooling.words import count

DRAWN_BY = ("random", "stratified", "ask_people")
CLOSE = 1e-12


def frame_of_pools(whole: Pool, sample: Pool, runs: Runs | None) -> tuple[pd.DataFrame, bool]:
    """All pairs with stratum, inclusion probability and whether they are drawn; and whether the numbers are fixed."""
    _check_sample(sample)
    _check_whole(whole, sample)
    frame = whole.frame[["query_id", "doc_id", "best_rank"]]
    frame = frame.assign(drawn=pairs_of(frame).isin(pairs_of(sample.frame)))
    by_runs = sample.strategy == "ask_people"
    frame = _of_ask_people(frame, sample, runs) if by_runs else _of_strata(frame, sample)
    _check_probabilities(frame, sample)
    return sorted_by_bytes(frame), not by_runs


def _check_sample(sample: Pool) -> None:
    if sample.strategy in SET_OPERATIONS or CHANGES & sample.parameters.keys():
        what = "a union" if sample.strategy == "union" else f"a {sample.strategy}"
        if sample.strategy not in SET_OPERATIONS:
            what = "changed by added documents" if "added" in sample.parameters else "without the judged documents"
        raise ValueError(
            f"the sample is {what}, so the inclusion probabilities of some documents are unknown; give the pool as a"
            " strategy drew it"
        )
    if sample.strategy not in DRAWN_BY:
        raise ValueError(
            f"strategy {sample.strategy!r} draws no sample with known independent probabilities; use one of"
            f" {', '.join(DRAWN_BY)}, or `assay draw`"
        )


def _check_whole(whole: Pool, sample: Pool) -> None:
    if is_sample(whole):
        raise ValueError(
            "the whole pool is a sample itself, so the documents that it did not draw are unknown; give the pool of"
            " all documents, such as one of strategy 'depth'"
        )
    missing = ~pairs_of(sample.frame).isin(pairs_of(whole.frame))
    if missing.any():
        row = sample.frame[missing].iloc[0]
        raise ValueError(
            f"{count(int(missing.sum()), 'document')} of the sample, such as {row['doc_id']!r} of topic"
            f" {row['query_id']!r}, {'is' if missing.sum() == 1 else 'are'} not in the whole pool; give the pool out"
            " of which the sample was drawn"
        )


def _of_strata(frame: pd.DataFrame, sample: Pool) -> pd.DataFrame:
    """With strategy random, a stratum is a topic; with stratified, a topic and its ranks."""
    if sample.strategy == "random":
        frame = frame.assign(stratum=frame["query_id"])
    else:
        frame = frame.assign(stratum=frame["query_id"] + " " + _rank_names(frame["best_rank"], sample.parameters))
    by_stratum = frame.groupby("stratum", sort=False)["drawn"]
    return frame.assign(inclusion_probability=by_stratum.transform("mean"))


def _rank_names(ranks: "pd.Series[Any]", parameters: dict[str, Any]) -> np.ndarray:
    ends = np.array([end for end, _ in parameters["strata"]])
    unranked = ranks.isna().to_numpy() | (ranks.fillna(1) > ends[-1]).to_numpy()
    if unranked.any():
        raise ValueError(
            f"{count(int(unranked.sum()), 'document')} of the whole pool {'has' if unranked.sum() == 1 else 'have'} no"
            f" rank up to {ends[-1]}, so the sample could not draw them; give a pool of strategy 'depth' with depth"
            f" {ends[-1]}"
        )
    starts = np.concatenate(([1], ends[:-1] + 1))
    names = np.array([f"{start}-{end}" for start, end in zip(starts, ends, strict=True)], dtype=object)
    return names[np.searchsorted(ends, ranks.to_numpy(dtype=np.int64))]


def _of_ask_people(frame: pd.DataFrame, sample: Pool, runs: Runs | None) -> pd.DataFrame:
    """The probabilities, computed again from the runs."""
    if runs is None:
        raise ValueError("a draw of strategy 'ask_people' needs the runs that were pooled; pass runs")
    options = sample.parameters
    ranked = prepare(runs, depth=options["depth"])
    _, probability, _ = drawn_items(ranked, sample.seed or 0, **options)
    again = _pairs_of_items(ranked).assign(inclusion_probability=probability).dropna()
    joined = frame.merge(again, on=["query_id", "doc_id"], how="outer", indicator=True)
    other = joined["_merge"] != "both"
    if other.any():
        row = joined[other].iloc[0]
        where = "the runs" if row["_merge"] == "left_only" else "the whole pool"
        depth = "all ranks" if options["depth"] is None else f"depth {options['depth']}"
        raise ValueError(
            f"document {row['doc_id']!r} of topic {row['query_id']!r} is not in {where}; give the runs that were"
            f" pooled, and their pool of strategy 'depth' to {depth}"
        )
    joined["drawn"] = joined["drawn"].astype(bool)
    return joined.assign(stratum=joined["query_id"])


def _pairs_of_items(runs: RankedRuns) -> pd.DataFrame:
    query_ids, doc_ids = runs.query_ids[runs.topics_of_items], runs.doc_ids_of_items
    return pd.DataFrame({"query_id": query_ids, "doc_id": doc_ids}).astype("str")


def _check_probabilities(frame: pd.DataFrame, sample: Pool) -> None:
    """Refuse a sample that was drawn out of other documents: then its probabilities are others."""
    columns = ["query_id", "doc_id", "inclusion_probability"]
    both = sample.frame[columns].merge(frame[columns], on=columns[:2], suffixes=("_recorded", ""))
    differs = (both["inclusion_probability_recorded"] - both["inclusion_probability"]).abs() > CLOSE
    if differs.any():
        row = both[differs].iloc[0]
        raise ValueError(
            f"the sample records the inclusion probability {row['inclusion_probability_recorded']:.6g} for document"
            f" {row['doc_id']!r} of topic {row['query_id']!r}, but drawn out of the whole pool it would be"
            f" {row['inclusion_probability']:.6g}; give the pool of all documents out of which the sample was drawn"
        )

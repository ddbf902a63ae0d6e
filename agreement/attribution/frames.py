"""The tables of `WhySwapped`: scores of the two systems, contributions of topics, contributions of documents."""

import numpy as np
import pandas as pd

from agreement.attribution.rescoring import Rescoring, as_grades
from agreement.attribution.topic_change import Effort, TopicChange
from agreement.rank_correlation import TIE


def scores_frame(golds: tuple[str, str], scores: list[np.ndarray]) -> pd.DataFrame:
    """Return `WhySwapped.scores`; `scores` has one array of shape (2, n_topics) for each gold."""
    frame = pd.DataFrame({"gold": pd.Series(golds, dtype="str")})
    for row, column in enumerate(("score_a", "score_b")):
        means = [table[row].mean() if table.size else pd.NA for table in scores]
        frame[column] = pd.array(means, dtype="Float64")
    return frame.assign(difference=frame["score_a"] - frame["score_b"])


def topics_frame(changes: list[TopicChange], scores: list[np.ndarray], effort: Effort) -> pd.DataFrame:
    """Return `WhySwapped.topics`; `scores` has one array of shape (2, n_topics) for each gold."""
    before, after = (table[0] - table[1] for table in scores)
    contribution = (after - before) / max(len(changes), 1)
    total = contribution.sum()
    share = contribution / total + 0.0 if abs(total) >= TIE else [pd.NA] * len(changes)
    frame = pd.DataFrame(
        {
            "query_id": pd.Series([change.query_id for change in changes], dtype="str"),
            "difference_1": before,
            "difference_2": after,
            "change": after - before,
            "contribution": contribution,
            "share": pd.array(share, dtype="Float64"),
            "n_regraded": np.array([change.changed.sum() for change in changes], dtype=np.int64),
            "method": pd.Series([effort.method(change.classes) for change in changes], dtype="str"),
        }
    )
    return _largest_first(frame, np.zeros(len(frame)), "query_id")


def documents_frame(
    changes: list[TopicChange], topics: pd.DataFrame, rescoring: Rescoring, effort: Effort
) -> pd.DataFrame:
    """Return `WhySwapped.documents`, in the order of `topics`."""
    generators = effort.generators(len(changes))
    frames = [change.documents(rescoring, effort, rng) for change, rng in zip(changes, generators, strict=True)]
    if not frames:
        return _empty_documents()
    frame = pd.concat(frames, ignore_index=True).astype(dict.fromkeys(("query_id", "doc_id", "method"), "str"))
    frame.insert(list(frame.columns).index("error"), "contribution", frame["change"] / len(changes))
    frame["error"] /= len(changes)
    for column in ("grade_1", "grade_2"):
        frame[column] = as_grades(frame[column].to_numpy())
    place = pd.Index(topics["query_id"]).get_indexer(frame["query_id"])
    return _largest_first(frame, place, "doc_id")


def _largest_first(frame: pd.DataFrame, group: np.ndarray, name: str) -> pd.DataFrame:
    """Sort rows by group, then by the absolute contribution, largest first, then by name."""
    keys = pd.DataFrame({"group": group, "size": -frame["contribution"].abs(), "name": frame[name]})
    return frame.iloc[keys.sort_values(["group", "size", "name"]).index].reset_index(drop=True)


def _empty_documents() -> pd.DataFrame:
    ids = {name: pd.Series(dtype="str") for name in ("query_id", "doc_id")}
    whole = {name: pd.Series(dtype="Int64") for name in ("grade_1", "grade_2", "rank_a", "rank_b")}
    values = {name: pd.Series(dtype="float64") for name in ("change", "contribution", "error")}
    return pd.DataFrame({**ids, **whole, **values, "method": pd.Series(dtype="str")})

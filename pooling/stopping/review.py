"""A random sample and a review in some order: what the target method and the quantile bound read of them."""

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd

from pooling.id_lists import id_list
from pooling.result import Result
from pooling.words import percent


@dataclass(frozen=True, repr=False)
class StoppingRule(Result):
    """When an ordered review may stop; the result of `target_method` and `quantile_bound`.

    Attributes
    ----------
    method : str
        The name of the rule.
    recall : float
        The recall that is reached with at least `confidence`, between 0 and 1.
    confidence : float
        The confidence level.
    n_sampled, n_sampled_relevant : int
        The number of documents of the sample that the rule uses, and of relevant ones of these.
    n_needed : int or None
        How many of the relevant documents of the sample the review must reach; None if the rule cannot be applied.
    n_reached : int
        How many of these the review has reached.
    n_reviewed : int
        The number of documents that the review has judged.
    stop_after : int or None
        The number of documents after which the review may stop; None if it may not stop yet, or not at all.
    n_judged : int or None
        The documents judged in all by then, those of the sample and of the review, each once; None if not stopped.
    status : {"stopped", "continue", "undefined"}
        Whether the review may stop, must continue, or the rule cannot be applied.
    reason : str
        Why the rule cannot be applied; "" if it can.
    guarantee : str
        What holds, and under which assumption.

    Examples
    --------
    >>> from pooling import target_method
    >>> result = target_method(["a"], ["b"], {"a"}, target=1)
    >>> result.status, result.n_reached, result.n_needed
    ('continue', 0, 1)
    """

    method: str
    recall: float
    confidence: float
    n_sampled: int
    n_sampled_relevant: int
    n_needed: int | None
    n_reached: int
    n_reviewed: int
    stop_after: int | None
    n_judged: int | None
    status: str
    reason: str
    guarantee: str

    def to_frame(self) -> pd.DataFrame:
        """One row with all figures; NA where the rule says nothing."""
        return pd.DataFrame([asdict(self)]).astype(dict.fromkeys(("n_needed", "stop_after", "n_judged"), "Int64"))

    def _sentence(self) -> str:
        if self.status == "undefined":
            return f"{self.method} cannot be applied: {self.reason}"
        goal = f"recall {self.recall:.3f} with confidence {percent(self.confidence)}"
        reached = f"{self.n_reached:,} of {self.n_needed:,} sampled relevant documents reached"
        if self.stop_after is None:
            return f"continue the review: {reached} ({self.method}, {goal})"
        return f"the review may stop after {self.stop_after:,} documents ({self.method}, {goal}; {reached})"


def rule_result(
    sample: list[str],
    review: list[str],
    relevant: Collection[str],
    n_needed: int | None,
    *,
    method: str,
    recall: float,
    confidence: float,
    guarantee: str,
    reason: str = "",
) -> StoppingRule:
    """Apply a rule that needs the review to reach some number of the relevant documents of the sample."""
    sampled = [doc_id for doc_id in sample if doc_id in relevant]
    reached = reached_at(sampled, review)
    stop = reached[n_needed - 1] if n_needed is not None and len(reached) >= n_needed else None
    common: dict[str, Any] = {"method": method, "recall": recall, "confidence": confidence, "guarantee": guarantee}
    return StoppingRule(
        **common,
        n_sampled=len(sample),
        n_sampled_relevant=len(sampled),
        n_needed=n_needed,
        n_reached=len(reached),
        n_reviewed=len(review),
        stop_after=stop,
        n_judged=None if stop is None else len({*sample, *review[:stop]}),
        status="undefined" if n_needed is None else "continue" if stop is None else "stopped",
        reason=reason,
    )


def reached_at(sampled: Collection[str], review: Iterable[str]) -> list[int]:
    """The positions, from 1 and ascending, at which a review reaches documents of a sample."""
    wanted = set(sampled)
    return [position for position, doc_id in enumerate(review, 1) if doc_id in wanted]


def checked_ids(name: str, ids: Iterable[str]) -> list[str]:
    """A list of ids as strings; ValueError if one occurs twice or another type was passed."""
    listed = id_list(name, ids)
    seen: set[str] = set()
    for doc_id in listed:
        if doc_id in seen:
            raise ValueError(f"{name} must have each document once; {doc_id!r} occurs twice")
        seen.add(doc_id)
    return listed

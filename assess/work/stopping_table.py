"""When each topic may stop: one row per topic, for pages, CSV and the command."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assess.collections.topic_sets import topics_in_set
from assess.models import Collection
from assess.work.completeness import Completeness, completeness_of
from assess.work.sample_rules import Goal, SampleFigures, sample_figures
from assess.work.stopping import TopicGain, gains
from pooling.words import count

if TYPE_CHECKING:
    import pandas as pd

    from pooling import RecallEstimate, StoppingRule

COLUMNS = {
    "query_id": "str",
    **dict.fromkeys(("n_pooled", "n_judged", "n_relevant", "n_since_relevant"), "Int64"),
    **dict.fromkeys(("completeness", "completeness_low", "completeness_high"), "Float64"),
    **dict.fromkeys(("completeness_reason", "compared", "population"), "str"),
    **dict.fromkeys(("population_size", "seed", "n_sampled", "n_sampled_judged", "n_sampled_relevant"), "Int64"),
    **dict.fromkeys(("n_sampled_reached", "n_sampled_fixed"), "Int64"),
    **dict.fromkeys(("recall", "recall_low", "recall_high"), "Float64"),
    "recall_reason": "str",
    "quantile_status": "str",
    **dict.fromkeys(("quantile_needed", "quantile_reached", "quantile_stop_after"), "Int64"),
    "quantile_reason": "str",
    "target_status": "str",
    **dict.fromkeys(("target_needed", "target_reached", "target_stop_after"), "Int64"),
    "target_reason": "str",
}
MOST_ESTIMATES = 300
TOO_MANY = "too many topics for this page; see When to stop"
NO_SAMPLE = "the topic has no sample"
HIGH = 0.95  # a completeness that the sentence counts


@dataclass(frozen=True)
class StoppingRow:
    """One topic. `figures` is None without a sample."""

    gain: TopicGain
    completeness: Completeness
    figures: SampleFigures | None


def stopping_rows(collection: Collection, rel: int, goal: Goal, topic_set: str = "") -> list[StoppingRow]:
    """Return the rows of the topics, or of those in a set. The number of queries is constant."""
    found = gains(collection, rel, topics_in_set(collection, topic_set))
    estimates = completeness_of(found)
    figures = sample_figures(collection, found, goal)
    return [StoppingRow(each, estimates[each.topic.pk], figures.get(each.topic.pk)) for each in found]


def found_by_topic(collection: Collection, rel: int, query_ids: Sequence[str] = ()) -> dict[int, StoppingRow]:
    """Return what judging found in each topic, without the samples, by the topic's key. The queries are constant.

    The estimates of very many topics take too long for a page that shows the progress; then they are undefined.
    """
    found = gains(collection, rel, query_ids)
    if len(found) <= MOST_ESTIMATES:
        estimates = completeness_of(found)
    else:
        estimates = dict.fromkeys((each.topic.pk for each in found), Completeness("", None, None, None, TOO_MANY))
    return {each.topic.pk: StoppingRow(each, estimates[each.topic.pk], None) for each in found}


def stopping_frame(rows: Sequence[StoppingRow]) -> "pd.DataFrame":
    """Return one row per topic with all figures, unrounded; NA where one is undefined, with a reason."""
    import pandas as pd  # slow to import

    return pd.DataFrame([_values(row) for row in rows], columns=list(COLUMNS)).astype(COLUMNS)


def completeness_sentence(rows: Sequence[StoppingRow]) -> str:
    """Say in how many topics completeness is high, and where it is lowest; empty without topics."""
    known = [(row.completeness.value, row.gain.topic.query_id) for row in rows if row.completeness.value is not None]
    if not known:
        return f"No topic has an estimate yet: {rows[0].completeness.reason}." if rows else ""
    lowest = min(value for value, _ in known)
    topics = [query_id for value, query_id in known if value == lowest]
    others = f" and {count(len(topics) - 1, 'other')}" if len(topics) > 1 else ""
    n_high, n_without = sum(value >= HIGH for value, _ in known), len(rows) - len(known)
    sentence = (
        f"In {n_high:,} of {count(len(rows), 'topic')}, completeness is at least {HIGH:g}; "
        f"the lowest is {lowest:.3f} (topic {topics[0]}{others})."
    )
    without = f" {count(n_without, 'topic')} {'has' if n_without == 1 else 'have'} no estimate."
    return sentence + without if n_without else sentence


def share_text(value: float | None, low: float | None, high: float | None, reason: str) -> str:
    """Return a share with its interval, or why it is undefined."""
    if value is None:
        return f"undefined ({reason})"
    return f"{value:.3f} ({low:.3f} to {high:.3f})"


def recall_text(estimate: "RecallEstimate") -> str:
    return share_text(estimate.value, estimate.low, estimate.high, estimate.reason)


def rule_text(rule: "StoppingRule") -> str:
    """Return what a stopping rule says."""
    if rule.n_needed is None:
        return f"undefined ({rule.reason})"
    reached = f"{rule.n_reached:,} of {rule.n_needed:,} sampled relevant documents reached"
    if rule.stop_after is None:
        return f"continue: {reached}"
    return f"may stop after {count(rule.stop_after, 'document')}: {reached}"


def _values(row: StoppingRow) -> dict[str, Any]:
    gain, estimate = row.gain, row.completeness
    values: dict[str, Any] = {
        "query_id": gain.topic.query_id,
        "n_pooled": gain.n_pooled,
        "n_judged": gain.n_judged,
        "n_relevant": gain.n_relevant,
        "n_since_relevant": gain.since_relevant,
        "completeness": estimate.value,
        "completeness_low": estimate.low,
        "completeness_high": estimate.high,
        "completeness_reason": estimate.reason,
        "compared": estimate.compared,
    }
    if row.figures is None:
        reasons = dict.fromkeys(("recall_reason", "quantile_reason", "target_reason"), NO_SAMPLE)
        statuses = dict.fromkeys(("quantile_status", "target_status"), "undefined")
        return values | reasons | statuses | {"population": ""}
    return values | _sample_values(row.figures)


def _sample_values(figures: SampleFigures) -> dict[str, Any]:
    sample, recall = figures.sample, figures.recall
    values: dict[str, Any] = {
        "population": sample.population,
        "population_size": sample.population_size,
        "seed": sample.seed,
        "n_sampled": sample.size,
        "n_sampled_judged": figures.n_judged,
        "n_sampled_relevant": figures.n_relevant,
        "n_sampled_reached": figures.n_reached,
        "n_sampled_fixed": sample.fixed_size,
        "recall": recall.value,
        "recall_low": recall.low,
        "recall_high": recall.high,
        "recall_reason": recall.reason,
    }
    for name, rule in (("quantile", figures.quantile), ("target", figures.target)):
        values |= {f"{name}_status": rule.status, f"{name}_reason": rule.reason}
        values |= {f"{name}_needed": rule.n_needed, f"{name}_reached": rule.n_reached}
        values[f"{name}_stop_after"] = rule.stop_after
    return values

"""How well a test collection or a measure separates systems, and how many topics it needs.

| function | question |
|---|---|
| `discriminative_power` | which share of the pairs of systems does a measure separate? |
| `error_rate_by_topics`, `swap_rate_by_topics` | how often do fewer topics lead to another order of two systems? |
| `tau_by_topics` | how similar are the rankings on two sets of topics? |
| `topics_for_t_test`, `topics_for_anova`, `topics_for_interval` | how many topics are needed? |
| `score_variance`, `difference_variance` | the variance of a pilot, for these designs |
"""

from agreement.meta_evaluation.discriminative_power import DiscriminativePower, discriminative_power
from agreement.meta_evaluation.topic_set_size import (
    TopicSetSize,
    difference_variance,
    score_variance,
    topics_for_anova,
    topics_for_interval,
    topics_for_t_test,
)
from agreement.meta_evaluation.topic_subsets import error_rate_by_topics, swap_rate_by_topics, tau_by_topics

__all__ = [
    "DiscriminativePower",
    "TopicSetSize",
    "difference_variance",
    "discriminative_power",
    "error_rate_by_topics",
    "score_variance",
    "swap_rate_by_topics",
    "tau_by_topics",
    "topics_for_anova",
    "topics_for_interval",
    "topics_for_t_test",
]

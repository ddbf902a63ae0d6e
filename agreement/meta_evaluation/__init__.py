"""How well a test collection or a measure separates systems, and how many topics it needs.

| function | question |
|---|---|
| `discriminative_power` | which share of the pairs of systems does a measure separate? |
| `error_rate_by_topics`, `swap_rate_by_topics` | how often do fewer topics lead to another order of two systems? |
| `tau_by_topics` | how similar are the rankings on two sets of topics? |
| `variance_components` | does the variance of the scores come from systems, topics, or their interaction? |
| `topic_difficulty` | how hard is each topic, and how well does it separate the systems? |
| `decisive_topics` | which topics decide the comparison of two systems? |
| `topics_for_t_test`, `topics_for_anova`, `topics_for_interval` | how many topics are needed? |
| `score_variance`, `difference_variance` | the variance of a pilot, for these designs |
"""

from agreement.meta_evaluation.decisive_topics import DecisiveTopics, decisive_topics
from agreement.meta_evaluation.discriminative_power import DiscriminativePower, discriminative_power
from agreement.meta_evaluation.topic_difficulty import TopicDifficulty, topic_difficulty
from agreement.meta_evaluation.topic_set_size import (
    TopicSetSize,
    difference_variance,
    score_variance,
    topics_for_anova,
    topics_for_interval,
    topics_for_t_test,
)
from agreement.meta_evaluation.topic_subsets import error_rate_by_topics, swap_rate_by_topics, tau_by_topics
from agreement.meta_evaluation.variance_components import VarianceComponents, variance_components

__all__ = [
    "DecisiveTopics",
    "DiscriminativePower",
    "TopicDifficulty",
    "TopicSetSize",
    "VarianceComponents",
    "decisive_topics",
    "difference_variance",
    "discriminative_power",
    "error_rate_by_topics",
    "score_variance",
    "swap_rate_by_topics",
    "tau_by_topics",
    "topic_difficulty",
    "topics_for_anova",
    "topics_for_interval",
    "topics_for_t_test",
    "variance_components",
]

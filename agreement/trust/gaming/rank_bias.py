"""Is the judge's error the same for the best systems as for the others?

A judge can be fair on average and wrong at the top. The effect is the judge's score minus the people's score, mean over
the best third of the systems, less the mean over the others. A negative effect means that the judge underrates the best
systems. For each topic, the best systems are those with the highest scores on the other topics, the mean of the
people's and the judge's. If people alone decided, on the same topics, the luck of the best systems would make every
judge look unfair (regression to the mean).

A judge that errs as often as people has no effect. One that errs more compresses all scores, which underrates the best.
"""

from math import ceil

import numpy as np

from agreement.rank_correlation.orders import TIE
from agreement.trust.gaming.finding import Finding, TopicMean
from agreement.trust.scored_judges import ONLY_DRAWN, ScoredJudges

SHARE = 1 / 3
TEST, QUESTION = "bias at the top", "Does the judge underrate the best systems?"
FEWEST = 4


def rank_bias(judges: ScoredJudges, model: str, *, confidence: float = 0.95) -> Finding:
    """Return the bias of a model for the best systems.

    Parameters
    ----------
    judges : ScoredJudges
    model : str
        The name of the model.
    confidence : float, optional
        Level of the interval.

    Returns
    -------
    Finding
        Undefined with fewer than four systems or two topics, and if people graded only a draw.
    """
    if judges.only_drawn:
        return Finding(TEST, QUESTION, reason=ONLY_DRAWN)
    tables = judges.compared(model)
    people, judge = (table.to_numpy() for table in tables)
    n_systems, n_topics = people.shape
    if n_systems < FEWEST or n_topics < 2:
        return Finding(TEST, QUESTION, reason=f"fewer than {FEWEST} systems or 2 topics")
    both = people + judge
    others = both.sum(axis=1, keepdims=True) - both
    least = np.sort(others, axis=0)[-ceil(SHARE * n_systems)]
    best = others >= least - TIE
    if best.all():
        return Finding(TEST, QUESTION, reason="all systems are tied")
    bias = judge - people
    n_best, n_others = best.sum(axis=0), np.maximum((~best).sum(axis=0), 1)
    by_topic = (bias * best).sum(axis=0) / n_best - (bias * ~best).sum(axis=0) / n_others
    mean = TopicMean.of(by_topic, confidence)
    sentence = f"The judge scores the best third of the systems {mean.mean:+.3f} against the others."
    return Finding(TEST, QUESTION, mean.mean, mean.low, mean.high, mean.p, mean.n, sentence)

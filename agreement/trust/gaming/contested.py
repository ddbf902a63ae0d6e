"""Where people differ, does the judge side with the majority?

Documents that three or more people judged, and on whose relevance they differ without a tie. The effect is the share on
which the judge says what the majority says, mean over topics, less one half.
"""

import pandas as pd

from agreement.trust.gaming.finding import Finding, TopicMean
from agreement.trust.scored_judges import PAIR, ScoredJudges

TEST, QUESTION = "contested documents", "Does the judge side with the majority?"


def contested(judges: ScoredJudges, model: str, cuts: tuple[float, float], *, confidence: float = 0.95) -> Finding:
    """Return how often a model sides with the majority of people where they differ.

    Parameters
    ----------
    judges : ScoredJudges
    model : str
        The name of the model.
    cuts : tuple of float
        Lowest grade that counts as relevant, of people and of the model.
    confidence : float, optional
        Level of the interval.

    Returns
    -------
    Finding
        Undefined without a document on which three people differ.
    """
    votes = pd.concat(judges.people.values(), ignore_index=True)
    counted = (
        (votes["relevance"] >= cuts[0]).groupby([votes[column] for column in PAIR]).agg(["size", "sum"]).reset_index()
    )
    differ = counted[
        (counted["sum"] > 0) & (counted["sum"] < counted["size"]) & (2 * counted["sum"] != counted["size"])
    ]
    both = differ.merge(judges.models[model], on=PAIR)
    if both.empty:
        return Finding(TEST, QUESTION, reason="no document on which three people differ")
    right = (2 * both["sum"] > both["size"]) == (both["relevance"] >= cuts[1])
    mean = TopicMean.of(right.groupby(both["query_id"]).mean().to_numpy() - 0.5, confidence)
    sentence = (
        f"Of {len(both):,} documents on which people differ, the judge sides with the majority on {right.mean():.0%}."
    )
    return Finding(TEST, QUESTION, mean.mean, mean.low, mean.high, mean.p, mean.n, sentence)

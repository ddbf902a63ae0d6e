"""The result of `pooling.replay`."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pooling.adaptive.active_sampling import inclusion_probabilities
from pooling.assignment.number_checks import is_whole_within
from pooling.result import Figure, Result
from pooling.text_tables import rounded
from pooling.words import count


@dataclass(frozen=True, eq=False, repr=False)
class Replay(Result):
    """The relevant documents that a strategy finds by number of judgements; the result of `replay`.

    Attributes
    ----------
    strategy : str
        The name of the strategy with its parameters.
    per : {"topic", "collection", "best_topic"}
        Whether the budget applies to each topic or to all topics together.
    rel : float
        The lowest relevant grade.
    judgements : DataFrame
        One row per judgement, with the columns

        - query_id, doc_id (str);
        - relevance: as in the qrels; 0 if they do not contain the document;
        - relevant (bool): whether the relevance is at least `rel`;
        - known (bool): whether the qrels contain the document;
        - budget (int64): the smallest budget with which the document is judged;
        - draw_probability (float64), n_documents (int64): only for active sampling, the probability with which the
          document was drawn, and the number of documents of the topic.

        The rows are topic by topic if the budget is per topic, otherwise in judging order.
    found : DataFrame
        One row per budget from 0, with the columns budget; spent (judgements over all topics); found (relevant ones of
        these); share (of all relevant documents of the qrels, 0 to 1); unknown (judgements of documents that the qrels
        do not contain); n_topics; n_relevant.
    by_topic : DataFrame
        One row per judgement of a topic, and one at budget 0, with the columns query_id, budget, spent, found; share
        (Float64; NA if the topic has no relevant document); reason (why there is no share, otherwise ""); unknown;
        n_relevant.
    scores : DataFrame or None
        The scores of the systems with the judgements of some budgets: system, budget, spent, value. Topics without a
        judgement (possible with a budget per collection) are not part of the gold. None without a scoring function.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import replay
    >>> rows = [("s", "1", "a", 2.0), ("s", "1", "b", 1.0), ("t", "1", "b", 5.0), ("t", "1", "c", 4.0)]
    >>> runs = pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])
    >>> qrels = pd.DataFrame({"query_id": "1", "doc_id": ["a", "b", "c"], "relevance": [0, 1, 0]})
    >>> replay("rrf", runs, qrels, budget=2).gold_at(1)
      query_id doc_id  relevance
    0        1      b          1
    """

    strategy: str
    per: str
    rel: float
    judgements: pd.DataFrame
    found: pd.DataFrame
    by_topic: pd.DataFrame
    scores: pd.DataFrame | None = None

    def to_frame(self) -> pd.DataFrame:
        """Return `found`."""
        return self.found

    def plot(self) -> Figure:
        """Draw the relevant documents found against the judgements spent.

        Returns
        -------
        Figure
            A notebook shows it; `save(path)` writes SVG.
        """
        from pooling.evaluation.found_curves import found_curves  # importing matplotlib takes a second

        points = {self.strategy: self.found[["spent", "found"]].to_numpy()}
        return Figure(lambda kind: found_curves(points, int(self.found["n_relevant"].iloc[0]), kind=kind))

    def _sentence(self) -> str:
        end = self.found.iloc[-1]
        scope = "per topic" if self.per == "topic" else "over all topics"
        spent, n_topics = count(int(end["spent"]), "judgement"), count(int(end["n_topics"]), "topic")
        relevant = f"{int(end['found']):,} of {count(int(end['n_relevant']), 'relevant document')}"
        return (
            f"{self.strategy} finds {relevant} in {spent} (budget {int(end['budget']):,} {scope}, {n_topics},"
            f" relevant from grade {self.rel:g})"
        )

    def _paper_table(self) -> pd.DataFrame:
        """What is found after tenths of the budget."""
        rows = sorted({len(self.found[1:]) * tenth // 10 for tenth in range(1, 11)})
        return rounded(self.found.loc[rows, ["budget", "spent", "found", "share", "unknown"]])

    def gold_at(self, budget: int) -> pd.DataFrame:
        """Select the judgements that are made within a budget.

        Parameters
        ----------
        budget : int
            The budget, from 0 to that of the replay.

        Returns
        -------
        DataFrame
            Columns query_id, doc_id and relevance. With active sampling, also inclusion_probability (0 < p <= 1): a
            document represents 1 / p documents. It depends on the budget.

        Raises
        ------
        ValueError
            If `budget` is not a whole number from 0 to the budget of the replay.
        """
        replayed = int(self.found["budget"].iloc[-1])
        if not is_whole_within(budget, 0, replayed + 1):
            raise ValueError(
                f"budget must be a whole number from 0 to {replayed}, the budget of this replay, not {budget!r}"
            )
        rows = self.judgements[self.judgements["budget"] <= budget]
        gold = rows[["query_id", "doc_id", "relevance"]]
        if "draw_probability" in rows.columns:
            gold = gold.assign(inclusion_probability=_inclusion_probabilities(rows))
        return gold.reset_index(drop=True)


def _inclusion_probabilities(judgements: pd.DataFrame) -> "pd.Series[Any]":
    """The inclusion probability of each judgement, from the draws of its topic among them."""
    probabilities = pd.Series(np.nan, index=judgements.index)
    for _, topic in judgements.groupby("query_id"):
        drawn, n_documents = topic["draw_probability"].to_numpy(), int(topic["n_documents"].iloc[0])
        probabilities[topic.index] = inclusion_probabilities(drawn, n_documents)
    return probabilities

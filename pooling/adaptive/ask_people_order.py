"""The order of `ask_people`: whenever judging stops, the judged documents are a random sample with known probabilities.

Documents are sorted by u / q, ascending, where u is the random number of a document and q its share by what its grade
teaches about the ranking of the systems (`pooling.strategies.gains`). Judgements change nothing. If the first n
documents of a topic are judged, they are the documents that the strategy `ask_people` draws with size n, the same seed,
depth, tau and gain, and have the same inclusion probabilities. The number n must not depend on the judgements: decide
it before, or use intervals that stay valid when one looks.

N. Duffield, C. Lund and M. Thorup, Priority sampling for estimation of arbitrary subset sums, Journal of the ACM 54(6),
2007, article 32. T. Zrnic and E. J. Candès, Active statistical inference, ICML 2024, arXiv 2403.03208.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from pooling.adaptive.rankings import Rankings
from pooling.adaptive.state import State
from pooling.adaptive.strategy import Adaptive, checked_seed, position_of_highest
from pooling.strategies.gains import TAU, Gains, check_gain, check_tau, rank_gains, sample_probabilities, shares
from pooling.strategies.lots import random_numbers


@dataclass(frozen=True, kw_only=True)
class AskPeopleOrder(Adaptive):
    """The order of ask_people: at random, sooner if a grade teaches more; the judged documents are a sample.

    Parameters
    ----------
    seed : int
        Seed of the random numbers, from 0. Required.
    tau : float
        The share of the probability that all documents of a topic have alike, 0 < tau <= 1.
    gain : mapping of str to mapping of str to float, optional
        The gains, from 0, by query_id and doc_id. A document without a gain has 0. By default they come from the ranks
        of a document: the sum over all pairs of systems of the difference of their 1 / log2(rank + 1).
    rel : float
        Documents with this relevance or more are relevant; above 0. The order does not depend on it.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.

    Raises
    ------
    ValueError
        If a parameter is missing or not allowed.
    """

    name = "ask_people_order"
    seed: int | None = None  # None is refused
    tau: float = TAU
    gain: Gains | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "seed", checked_seed(self.name, self.seed))
        check_tau(self.tau)
        check_gain(self.gain)

    def inclusion_probabilities(self, state: State) -> dict[str, float]:
        """The inclusion probability of each judged document.

        Parameters
        ----------
        state : State
            The current state.

        Returns
        -------
        dict of str to float
            The inclusion probability by doc_id, 0 < p <= 1, in the order of judging. A document represents 1 / p
            documents. The probabilities change with each further judgement.

        Raises
        ------
        ValueError
            If the state was made by another strategy, or a document was judged before one that comes sooner.
        """
        if not state.n_judged:
            self._check_state(state)
            return {}
        sample = self.sample(state).set_index("doc_id")["inclusion_probability"]
        return {doc_id: float(sample[doc_id]) for doc_id in state.judged}

    def sample(self, state: State, among: Iterable[str] | None = None) -> pd.DataFrame:
        """The judged documents as a random sample of all documents.

        Parameters
        ----------
        state : State
            The current state.
        among : iterable of str, optional
            The doc_ids of the documents that could be judged, for example a pool. By default all of the rankings.

        Returns
        -------
        DataFrame
            One row for each document, ascending by doc_id as bytes: doc_id, inclusion_probability and drawn (bool).

        Raises
        ------
        ValueError
            If the state was made by another strategy, no document is judged, one is judged that is not in `among`, or
            a document was judged before one that comes sooner.
        """
        self._check_state(state)
        doc_ids = state.rankings.doc_ids
        members = set(doc_ids) if among is None else set(among)
        positions = np.array([at for at, doc_id in enumerate(doc_ids) if doc_id in members], dtype=np.int64)
        n_judged = int(np.isin(positions, state.history).sum())
        if not n_judged or n_judged < state.n_judged:
            what = "no document is judged yet" if not n_judged else "a judged document is not among those to draw from"
            raise ValueError(f"topic {state.rankings.query_id!r} has no sample: {what}")
        share = self._shares(state.rankings)[positions]
        drawn, probability = sample_probabilities(state.memory["keys"][positions], share, n_judged)
        self._refuse_early(state, positions[drawn])
        names = [doc_ids[position] for position in positions]
        return pd.DataFrame({"doc_id": names, "inclusion_probability": probability, "drawn": drawn})

    def _refuse_early(self, state: State, drawn: np.ndarray) -> None:
        """Raise ValueError if others were judged than the first documents of the order."""
        early = [int(position) for position in state.history if position not in drawn]
        if early:
            doc_ids = state.rankings.doc_ids
            missed = doc_ids[next(position for position in drawn if position not in state.history)]
            raise ValueError(
                f"document {doc_ids[early[0]]!r} of topic {state.rankings.query_id!r} was judged before {missed!r},"
                f" which comes sooner, so the judged documents are not a sample; judge {missed!r}"
            )

    def _shares(self, rankings: Rankings) -> np.ndarray:
        if self.gain is None:
            return shares(rank_gains(rankings.positions, rankings.n_documents), self.tau)
        of_topic = {str(doc_id): gain for doc_id, gain in self.gain.get(rankings.query_id, {}).items()}
        return shares(np.array([of_topic.get(doc_id, 0.0) for doc_id in rankings.doc_ids]), self.tau)

    def _initial_memory(self, rankings: Rankings) -> dict[str, np.ndarray]:
        numbers = random_numbers(int(self.seed or 0), [rankings.query_id] * rankings.n_documents, rankings.doc_ids)
        return {"keys": numbers / self._shares(rankings)}

    def _updated_memory(self, before: State, after: State) -> dict[str, np.ndarray]:  # noqa: ARG002
        return dict(before.memory)

    def _choose(self, state: State, available: np.ndarray) -> int:
        scores = np.append(-state.memory["keys"], -np.inf)
        return position_of_highest(scores, available, state.rankings, self.seed)

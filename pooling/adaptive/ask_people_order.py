"""The order of `ask_people`: whenever judging stops, the judged documents are a random sample with known probabilities.

Documents are sorted by u / q, ascending, where u is the random number of a document and q its share by what its grade
teaches about the ranking of the systems (`pooling.strategies.gains`). Judgements change nothing. If the first n
documents of a topic are judged, they are the documents that the strategy `ask_people` draws with size n, the same seed,
depth, tau and gain, and have the same inclusion probabilities. The number n must not depend on the judgements: decide
it before, or use intervals that stay valid when one looks.
"""

from dataclasses import dataclass, field

import numpy as np

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
        self._check_state(state)
        keys, share = state.memory["keys"], self._shares(state.rankings)
        drawn, probability = sample_probabilities(keys, share, state.n_judged)
        doc_ids = state.rankings.doc_ids
        if not drawn[state.history].all():
            early = next(int(position) for position in state.history if not drawn[position])
            missed = next(position for position in np.flatnonzero(drawn) if position not in state.history)
            raise ValueError(
                f"document {doc_ids[early]!r} was judged before {doc_ids[missed]!r}, which comes sooner, so the judged"
                f" documents are not a sample; judge {doc_ids[missed]!r}"
            )
        return {doc_ids[position]: float(probability[position]) for position in state.history}

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

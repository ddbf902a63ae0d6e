"""Active sampling: documents are drawn at random, from runs in proportion to how well they have done so far.

A run s is chosen with probability p(s), then a document of it by the AP weight of its rank, W_s(r)
(`pooling.strategies.ap_weights`). So a document d is drawn with probability P(d) = sum over runs of p(s) W_s(r_s(d)).
At first, p is the same for all runs. After judgements, p(s) is in proportion to the sum, over the judged relevant
documents of s, of 1 / r + 1 / (r + 1) + ... + 1 / n_s, where r is the rank of the document and n_s the length of the
run: good runs are sampled more. Because every probability is known, measures can be estimated.

D. Li and E. Kanoulas, Active sampling for large-scale information retrieval evaluation, CIKM 2017, 49-58; the
probability of a run is that of their software (github.com/dli1/activesampling, weight type AP). Deviations:

1. They draw batches with replacement, and estimate with the inclusion probability 1 - prod over draws of (1 - P(d)).
   That product is the inclusion probability only if the judgements do not change P. As they do, the estimates are
   biased: in a case with two runs and 2 relevant documents, the estimate of this number is 1.82 on average after two
   draws. Here documents are drawn one by one, without replacement, and weighted by the estimator of S. Farquhar, Y. Gal
   and T. Rainforth, On statistical bias in active learning: how and when to fix it, ICLR 2021 (R_LURE). If M of N
   documents are drawn, and the m-th was drawn with probability q, it represents

       w = N / M (1 + (N - M) / (N - m) (1 / ((N - m + 1) q) - 1))

   documents (1 if M = N). Whatever the judgements, the sum of w over the drawn relevant documents is an unbiased
   estimate of their number, if M does not depend on the judgements.
2. q is at most N / (m (N - m + 1)); the excess is shared by the other documents in proportion. Then w is at least 1,
   and 1 / w is recorded as inclusion probability: the measures that take inclusion probabilities use only 1 / p.
3. The share `uniform` of p(s) is always the same for all runs. So every document can still be drawn, as unbiased
   estimates require. Theirs can give a run, and the documents that it alone has, the probability 0.
4. They approximate W_s(r) by log(n_s / r), which is 0 at the last rank of a run.

The probability of a draw is known only if the document is the one that `next` proposes, without `exclude`. `step`
refuses another document.
"""

from dataclasses import dataclass

import numpy as np

from pooling.adaptive.rankings import Rankings
from pooling.adaptive.state import UNJUDGED, State
from pooling.adaptive.strategy import Adaptive, checked_seed, rng_for
from pooling.strategies.ap_weights import ap_weights


@dataclass(frozen=True, kw_only=True)
class ActiveSampling(Adaptive):
    """Active sampling: random documents of runs that have done well, with known probabilities (Li and Kanoulas 2017).

    Parameters
    ----------
    seed : int
        Seed of the random numbers, from 0. Required.
    uniform : float
        The share of the probability of runs that is always the same for all, 0 < uniform <= 1. With 1, judgements do
        not change the probabilities.
    rel : float
        Documents with this relevance or more are relevant; above 0.
    depth : int, optional
        Draw only from the first `depth` ranks of each run, at least 1. By default all ranks are used.

    Raises
    ------
    ValueError
        If a parameter is missing or not allowed.
    """

    name = "active_sampling"
    seed: int | None = None  # None is refused
    uniform: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "seed", checked_seed(self.name, self.seed))
        self._normalise_number("uniform", lambda share: 0 < share <= 1, "above 0 and at most 1")

    def draw_probabilities(self, state: State) -> np.ndarray:
        """The probability with which each judged document was drawn.

        Parameters
        ----------
        state : State
            The current state.

        Returns
        -------
        ndarray of float, shape (n_judged,)
            The probabilities, in the order of judging.

        Raises
        ------
        ValueError
            If the state was made by another strategy.
        """
        self._check_state(state)
        return np.array(state.memory["drawn"])

    def inclusion_probabilities(self, state: State) -> dict[str, float]:
        """The inclusion probability of each judged document, for estimates from the judgements so far.

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
            If the state was made by another strategy.
        """
        probabilities = inclusion_probabilities(self.draw_probabilities(state), state.rankings.n_documents)
        return dict(zip(state.judged, probabilities.tolist(), strict=True))

    def _check_draw(self, state: State, position: int) -> None:
        drawn = self.next(state)
        if (doc_id := state.rankings.doc_ids[position]) != drawn:
            raise ValueError(
                f"document {doc_id!r} was not drawn, so its inclusion probability is unknown; judge {drawn!r}, which"
                " strategy 'active_sampling' proposes next without exclude"
            )

    def _initial_memory(self, rankings: Rankings) -> dict[str, np.ndarray]:
        return {"success": np.zeros(rankings.n_runs), "drawn": np.array([], dtype=np.float64)}

    def _updated_memory(self, before: State, after: State) -> dict[str, np.ndarray]:
        success = before.memory["success"].copy()
        if after.verdicts[after.latest]:
            runs, ranks = before.rankings.runs_with(after.latest)
            lengths = before.rankings.lengths[runs]
            weights = ap_weights(lengths, before.rankings.positions.shape[1])[np.arange(len(runs)), ranks - 1]
            success[runs] += 2 * lengths * weights - 1
        unjudged = before.verdicts == UNJUDGED
        drawn = np.append(before.memory["drawn"], self._probabilities(before, unjudged)[after.latest])
        return {"success": success, "drawn": drawn}

    def _choose(self, state: State, available: np.ndarray) -> int:
        positions = np.flatnonzero(available)
        steps = np.cumsum(self._probabilities(state, available)[positions])
        number = rng_for(self.seed, state).random() * steps[-1]
        # Rounding may put the number at the end of the last step.
        return int(positions[min(np.searchsorted(steps, number, side="right"), len(positions) - 1)])

    def _probabilities(self, state: State, available: np.ndarray) -> np.ndarray:
        """The probability with which each document is drawn next; shape (n_documents + 1,)."""
        rankings, success = state.rankings, state.memory["success"]
        not_empty = rankings.lengths > 0
        same = not_empty / not_empty.sum()
        learnt = success / success.sum() if success.any() else same
        runs = self.uniform * same + (1 - self.uniform) * learnt
        weights = ap_weights(rankings.lengths, rankings.positions.shape[1])
        documents = np.where(available, rankings.sum_by_document(runs[:, None] * weights), 0.0)
        n, number = rankings.n_documents, state.n_judged + 1
        return capped(documents / documents.sum(), n / (number * (n - number + 1)))


def inclusion_probabilities(drawn: np.ndarray, n_documents: int) -> np.ndarray:
    """The inclusion probabilities of documents that were drawn one by one.

    Shapes: `drawn`, the result (n_drawn,).
    """
    n_drawn = len(drawn)
    number = np.arange(1, n_drawn + 1)
    if n_drawn in (0, n_documents):
        return np.ones(n_drawn)
    factor = (n_documents - n_drawn) / (n_documents - number)
    weights = n_documents / n_drawn * (1 + factor * (1 / ((n_documents - number + 1) * drawn) - 1))
    return np.asarray(np.minimum(1 / weights, 1.0))  # a probability at its limit gives 1 and a rounding error


def capped(probabilities: np.ndarray, limit: float) -> np.ndarray:
    """Reduce probabilities to a limit, and increase the others in proportion, so that the sum stays 1.

    Shapes: `probabilities`, the result (n,).
    """
    at_limit = np.zeros(len(probabilities), dtype=bool)
    # Again, because increasing the others may lift some above the limit.
    while True:
        rest = probabilities[~at_limit].sum()
        scaled = probabilities * ((1 - limit * at_limit.sum()) / rest if rest else 0.0)
        result = np.where(at_limit, limit, scaled)
        above = (result > limit) & ~at_limit
        if not above.any():
            return result
        at_limit |= above

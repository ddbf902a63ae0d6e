"""Continuous active learning: a classifier on the documents' text learns from each judgement which to show next.

The documents of the runs are tf-idf vectors. A logistic regression learns from the judged ones, from the topic's own
words as one more relevant document, and from `presumed` unjudged documents drawn at random that are taken as not
relevant for this once. The B documents that it finds most relevant go next; then it learns anew, and B, from 1, grows
by a tenth, rounded up. Where the topic's words are not known, documents go by reciprocal ranks (the sum of
1 / (60 + rank) over runs) until there is a relevant one. Ties by THE order.

However large `presumed` is, at most a tenth of the unjudged documents is drawn, rounded down, and at least 1. A pool is
no whole collection: many of its documents are relevant. Of about 105 documents a topic, 100 presumed ones are nearly
all of them, and the strategy found fewer relevant ones than chance does.

G. V. Cormack and M. R. Grossman, Evaluation of machine-learning protocols for technology-assisted review in electronic
discovery, SIGIR 2014, 153-162; Autonomy and reliability of continuous active learning for technology-assisted review,
arXiv:1504.06868, 2015 (the seed, the documents presumed not relevant, the growing B). Theirs goes over a whole
collection; this one over what the runs brought.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from pooling.adaptive.document_sums import summed_by_document
from pooling.adaptive.rankings import Rankings
from pooling.adaptive.state import UNJUDGED, State, begun
from pooling.adaptive.strategy import Adaptive, chance, highest
from pooling.adaptive.text_features import TextFeatures, Texts, relevance_scores, text_features
from pooling.ranking import check_whole

RRF_K = 60
KEPT_TOPICS = 16


@dataclass(frozen=True, kw_only=True)
class CAL(Adaptive):
    """Parameters: `rel`, `depth`, and those of the learner. It needs scikit-learn.

    The documents of a topic are made into vectors once, and kept in mind for the last 16 topics: a strategy that
    lives on is faster than a new one for each judgement.

    Parameters
    ----------
    texts : mapping of str to str, or callable
        The text of each document of the runs, by doc_id; neither a part of the state nor of its name.
    queries : mapping of str to str, or None
        The words of each topic, by query_id.
    seed : int
        The source of chance, from 0.
    presumed : int
        From 1; at most a tenth of the unjudged documents are drawn (at least 1), however large it is.
    c : float
        Inverse strength of the regression's regularisation, above 0.
    """

    name = "cal"
    texts: Texts = field(default=None, repr=False, compare=False)  # None is refused
    queries: dict[str, str] | None = field(default=None, repr=False, compare=False)
    seed: int = None  # None is refused
    presumed: int = 100
    c: float = 1.0
    _features: dict = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self):
        super().__post_init__()
        self._settle_seed()
        check_whole("presumed", self.presumed)
        self._settle_number("c", lambda c: c > 0, "it is a number above 0")
        if self.texts is None:
            raise ValueError("strategy 'cal' needs the parameter 'texts'; none was given")
        if not isinstance(self.texts, Mapping) and not callable(self.texts):
            raise ValueError(f"texts of type {type(self.texts).__name__} are not allowed; a mapping or a function is")
        if self.queries is not None and not isinstance(self.queries, Mapping):
            raise ValueError(f"queries of type {type(self.queries).__name__} are not allowed; a mapping is")

    def _first_memory(self, rankings: Rankings) -> dict[str, np.ndarray]:
        ranks = np.arange(1, rankings.positions.shape[1] + 1)
        weights = np.broadcast_to(1 / (RRF_K + ranks), rankings.positions.shape)
        learnt = self._learnt(begun(str(self), rankings, {}))
        scores = summed_by_document(rankings, weights)[:-1] if learnt is None else learnt
        return {"scores": scores, "batch": np.array([1, 0], dtype=np.int32)}

    def _memory_after(self, before: State, after: State) -> dict[str, np.ndarray]:
        batch, learnt_at = before.memory["batch"].tolist()
        if after.n_judged - learnt_at < batch:
            return dict(before.memory)
        learnt = self._learnt(after)
        if learnt is None:
            return dict(before.memory)
        grown = np.array([batch + -(-batch // 10), after.n_judged], dtype=np.int32)
        return {"scores": learnt, "batch": grown}

    def _choice(self, state: State, available: np.ndarray) -> int:
        return highest(np.append(state.memory["scores"], 0.0), available)

    def _learnt(self, state: State) -> np.ndarray | None:
        """The scores by what is judged; None where there is nothing to learn from."""
        judged = state.verdicts[:-1] != UNJUDGED
        unjudged = np.flatnonzero(~judged)
        drawn = chance(self.seed, state).permutation(unjudged)[: min(self.presumed, max(len(unjudged) // 10, 1))]
        rows = np.concatenate([np.flatnonzero(judged), np.sort(drawn)])
        relevant = np.maximum(state.verdicts[rows], 0)
        return relevance_scores(self._features_of(state.rankings), rows, relevant, self.c)

    def _features_of(self, rankings: Rankings) -> TextFeatures:
        key = rankings.query_id, rankings.doc_ids
        if key not in self._features:
            query = None if self.queries is None else self.queries.get(rankings.query_id)
            found = text_features(rankings.doc_ids, self.texts, query)
            if len(self._features) >= KEPT_TOPICS:
                self._features.pop(next(iter(self._features)))
            self._features[key] = found
        return self._features[key]

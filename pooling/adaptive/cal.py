"""Continuous active learning (CAL): a text classifier learns from each judgement which document to propose next.

The documents of the runs are tf-idf vectors. A logistic regression is trained on the judged documents, on the words of
the topic as one more relevant document, and on `presumed` unjudged documents, drawn at random, that are presumed not
relevant for this training. The B documents with the highest scores are next. Then the classifier is trained again, and
B, initially 1, grows by a tenth, rounded up. If the words of the topic are unknown, documents go by reciprocal rank
fusion (the sum of 1 / (60 + rank) over runs) until a relevant one is found. Ties are resolved by lot
(`pooling.strategies.lots`).

At most a tenth of the unjudged documents are presumed not relevant (rounded down, at least 1), however large `presumed`
is. Many documents of a pool are relevant: with about 105 documents per topic, 100 presumed documents are nearly all of
them, and the strategy found fewer relevant documents than random order.

G. V. Cormack and M. R. Grossman, Evaluation of machine-learning protocols for technology-assisted review in electronic
discovery, SIGIR 2014, 153-162; Autonomy and reliability of continuous active learning for technology-assisted review,
arXiv:1504.06868, 2015 (the topic as a document, the presumed documents, the growing B). Their version searches a whole
collection; this one searches the documents of the runs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from pooling.adaptive.rankings import Rankings
from pooling.adaptive.state import UNJUDGED, State, initial_state
from pooling.adaptive.strategy import Adaptive, checked_seed, position_of_highest, rng_for
from pooling.adaptive.text_features import TextFeatures, Texts, relevance_scores, text_features
from pooling.ranking import check_whole

RRF_K = 60
CACHED_TOPICS = 16


@dataclass(frozen=True, kw_only=True)
class CAL(Adaptive):
    """Continuous active learning: the documents that a text classifier finds most relevant (Cormack and Grossman 2015).

    It needs scikit-learn. The vectors of a topic's documents are computed once and cached for the latest 16 topics, so
    reusing a strategy object is faster than creating one per judgement.

    Parameters
    ----------
    texts : mapping of str to str, or callable
        The text of each document of the runs by doc_id. Required. It is not part of states or of the strategy's name.
    queries : mapping of str to str, optional
        The words of each topic by query_id.
    seed : int
        Seed of the random numbers, from 0. Required.
    presumed : int
        Number of unjudged documents presumed not relevant, at least 1; at most a tenth of the unjudged documents.
    c : float
        Inverse strength of the regularisation of the regression, above 0.
    rel : float
        Documents with this relevance or more are relevant; above 0.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.

    Raises
    ------
    ValueError
        If a parameter is missing or not allowed.
    """

    name = "cal"
    texts: Texts | None = field(default=None, repr=False, compare=False)  # None is refused
    queries: Mapping[str, str] | None = field(default=None, repr=False, compare=False)
    seed: int | None = None  # None is refused
    presumed: int = 100
    c: float = 1.0
    _features: dict[Any, TextFeatures] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "seed", checked_seed(self.name, self.seed))
        check_whole("presumed", self.presumed)
        self._normalise_number("c", lambda c: c > 0, "a number above 0")
        if self.texts is None:
            raise ValueError("strategy 'cal' needs the parameter 'texts'")
        if not isinstance(self.texts, Mapping) and not callable(self.texts):
            raise ValueError(f"texts must be a mapping or a function, not {type(self.texts).__name__}")
        if self.queries is not None and not isinstance(self.queries, Mapping):
            raise ValueError(f"queries must be a mapping, not {type(self.queries).__name__}")

    def _initial_memory(self, rankings: Rankings) -> dict[str, np.ndarray]:
        ranks = np.arange(1, rankings.positions.shape[1] + 1)
        weights = np.broadcast_to(1 / (RRF_K + ranks), rankings.positions.shape)
        learnt = self._learnt_scores(initial_state(str(self), rankings, {}))
        scores = rankings.sum_by_document(weights)[:-1] if learnt is None else learnt
        return {"scores": scores, "batch": np.array([1, 0], dtype=np.int32)}

    def _updated_memory(self, before: State, after: State) -> dict[str, np.ndarray]:
        batch, learnt_at = before.memory["batch"].tolist()
        if after.n_judged - learnt_at < batch:
            return dict(before.memory)
        learnt = self._learnt_scores(after)
        if learnt is None:
            return dict(before.memory)
        larger = np.array([batch + -(-batch // 10), after.n_judged], dtype=np.int32)
        return {"scores": learnt, "batch": larger}

    def _choose(self, state: State, available: np.ndarray) -> int:
        return position_of_highest(np.append(state.memory["scores"], 0.0), available, state.rankings, self.seed)

    def _learnt_scores(self, state: State) -> np.ndarray | None:
        """The scores of all documents from what is judged; None if there is nothing to learn from."""
        judged = state.verdicts[:-1] != UNJUDGED
        unjudged = np.flatnonzero(~judged)
        drawn = rng_for(self.seed, state).permutation(unjudged)[: min(self.presumed, max(len(unjudged) // 10, 1))]
        rows = np.concatenate([np.flatnonzero(judged), np.sort(drawn)])
        relevant = np.maximum(state.verdicts[rows], 0)
        return relevance_scores(self._features_of(state.rankings), rows, relevant, self.c)

    def _features_of(self, rankings: Rankings) -> TextFeatures:
        key = rankings.query_id, rankings.doc_ids
        if key not in self._features:
            query = None if self.queries is None else self.queries.get(rankings.query_id)
            features = text_features(rankings.doc_ids, cast(Texts, self.texts), query)  # __post_init__ refuses None
            if len(self._features) >= CACHED_TOPICS:
                self._features.pop(next(iter(self._features)))
            self._features[key] = features
        return self._features[key]

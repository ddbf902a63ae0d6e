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
collection; this one searches the documents of the runs. `collection_rankings` makes a collection look like a run.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from pooling.adaptive.rankings import Rankings
from pooling.adaptive.state import UNJUDGED, State, initial_state
from pooling.adaptive.strategy import Adaptive, checked_seed, position_of_highest, positions_by_score, rng_for
from pooling.adaptive.text_features import TextFeatures, Texts, relevance_scores, text_features
from pooling.ranking import check_whole

RRF_K = 60
CACHED_SETS = 16  # of documents


@dataclass(frozen=True, kw_only=True)
class CAL(Adaptive):
    """Continuous active learning: the documents that a text classifier finds most relevant (Cormack and Grossman 2015).

    It needs scikit-learn. The vectors of a topic's documents are computed once and cached for the latest 16 sets of
    documents, so reusing a strategy object is faster than creating one per judgement.

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

    def learn(self, rankings: Rankings, judged: Mapping[str, float], batch: int = 1) -> State:
        """Learn from all judgements at once.

        `step` trains the classifier again whenever a batch is complete, so a state is the result of many trainings. The
        latest one alone decides what is proposed: this method repeats it.

        Parameters
        ----------
        rankings : Rankings
            The documents to choose from.
        judged : mapping of str to float
            The relevance (from 0) by doc_id of the documents judged so far, in the order of judging. Documents that are
            not in the rankings are ignored.
        batch : int
            The number of judgements after which `step` trains again, at least 1.

        Returns
        -------
        State
            The state after these judgements.

        Raises
        ------
        ValueError
            If a doc_id is neither a string nor a whole number, a relevance is not a number from 0, or `batch` is not a
            whole number from 1.

        Examples
        --------
        >>> from pooling.adaptive import ADAPTIVE, collection_rankings
        >>> texts = {"a": "ships", "b": "bread and butter", "c": "cake and butter", "d": "harbours"}
        >>> strategy = ADAPTIVE["cal"](texts=texts, queries={"1": "cake"}, seed=1)
        >>> strategy.ranking(strategy.learn(collection_rankings("1", texts), {"b": 1}), 1)
        ['c']
        """
        check_whole("batch", batch)
        state = initial_state(str(self), rankings, {})
        for position, relevant in self._verdicts(state, judged).items():
            state.verdicts[position] = relevant
        history = np.array(list(self._verdicts(state, judged)), dtype=np.int32)
        state = replace(state, history=history)
        learnt = self._learnt_scores(state)
        scores = self._scores_by_rank(rankings) if learnt is None else learnt
        return replace(state, memory={"scores": scores, "batch": np.array([batch, len(history)], dtype=np.int32)})

    def ranking(self, state: State, limit: int | None = None, exclude: Iterable[str | int] = ()) -> list[str]:
        """Rank the documents that are not judged, as `next` proposes them one after the other.

        Parameters
        ----------
        state : State
            The current state.
        limit : int, optional
            The most documents to return, at least 1. By default all.
        exclude : iterable of str or int
            The doc_ids of documents that must not be proposed.

        Returns
        -------
        list of str
            The doc_ids, the next document first.

        Raises
        ------
        ValueError
            If the state was made by another strategy, `limit` is not a whole number from 1, or `exclude` is a single
            string or has a value of another type.
        """
        self._check_state(state)
        if limit is not None:
            check_whole("limit", limit)
        scores, available = np.append(state.memory["scores"], 0.0), state.available(exclude)
        rankings = state.rankings
        return [rankings.doc_ids[p] for p in positions_by_score(scores, available, rankings, self.seed, limit)]

    def _initial_memory(self, rankings: Rankings) -> dict[str, np.ndarray]:
        learnt = self._learnt_scores(initial_state(str(self), rankings, {}))
        scores = self._scores_by_rank(rankings) if learnt is None else learnt
        return {"scores": scores, "batch": np.array([1, 0], dtype=np.int32)}

    def _scores_by_rank(self, rankings: Rankings) -> np.ndarray:
        ranks = np.arange(1, rankings.positions.shape[1] + 1)
        return rankings.sum_by_document(np.broadcast_to(1 / (RRF_K + ranks), rankings.positions.shape))[:-1]

    def _updated_memory(self, before: State, after: State) -> dict[str, np.ndarray]:
        batch, learnt_at = before.memory["batch"].tolist()
        if after.n_judged - learnt_at < batch:
            return dict(before.memory)
        learnt = self._learnt_scores(after)
        if learnt is None:
            return dict(before.memory)
        larger = np.array([next_batch(batch), after.n_judged], dtype=np.int32)
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
        query = None if self.queries is None else self.queries.get(state.rankings.query_id)
        return relevance_scores(self._features_of(state.rankings.doc_ids), rows, relevant, self.c, query)

    def _features_of(self, doc_ids: tuple[str, ...]) -> TextFeatures:
        if doc_ids not in self._features:
            features = text_features(doc_ids, cast(Texts, self.texts))  # __post_init__ refuses None
            if len(self._features) >= CACHED_SETS:
                self._features.pop(next(iter(self._features)))
            self._features[doc_ids] = features
        return self._features[doc_ids]


def next_batch(batch: int) -> int:
    """The size of the batch after one of this size: a tenth more, rounded up."""
    return batch + -(-batch // 10)


def collection_rankings(query_id: str, doc_ids: Iterable[str]) -> Rankings:
    """Let a strategy choose from the documents of a collection, whether a run has them or not.

    Parameters
    ----------
    query_id : str
        The topic.
    doc_ids : iterable of str
        The documents, in any order.

    Returns
    -------
    Rankings
        The documents as one run, in the order of their UTF-8 bytes.
    """
    ordered = tuple(sorted(doc_ids, key=str.encode))
    positions = np.arange(len(ordered), dtype=np.int32)[np.newaxis]
    positions.flags.writeable = False
    return Rankings(query_id, ordered, positions)

"""One budget for all topics: the next judgement goes to the topic of which the strategy expects most.

Each topic has a state of its own. The runs of all topics compete: the topic is next whose next document comes from the
run with the highest score, such as the posterior mean of `maxmean`. If topics are tied, the one with the fewest
judgements is next, then the one with the smallest query_id. So topics with many relevant documents get more judgements.

G. V. Cormack, C. R. Palmer and C. L. A. Clarke, Efficient construction of large test collections, SIGIR 1998, 282-289
(global move-to-front; here `move_to_front`). With the bandits of D. E. Losada, J. Parapar and A. Barreiro (SAC 2016,
1027-1034), who judge each topic on its own, the same rule is ours, and so is the order of tied topics.
"""

from collections.abc import Iterable, Mapping

from pooling.adaptive.state import State
from pooling.adaptive.strategy import Adaptive
from pooling.errors import refuse_unless


def next_task(
    strategy: Adaptive, states: Mapping[str, State], exclude: Mapping[str, Iterable[str]] | None = None
) -> tuple[str, str] | None:
    """Propose the next document to judge, of the topic of which a strategy expects most.

    Parameters
    ----------
    strategy : Adaptive
        A strategy that chooses runs: one of the bandits, `maxmean`, `maxmean_ns` or `move_to_front`.
    states : mapping of str to State
        The state of each topic by query_id.
    exclude : mapping of str to iterable of str, optional
        The doc_ids of documents that must not be proposed, by query_id.

    Returns
    -------
    tuple of str, or None
        The query_id and the doc_id; None if no document is left.

    Raises
    ------
    ValueError
        If the strategy has no expectation that can be compared between topics, a state was made by another strategy,
        or the documents to exclude of a topic are a single string.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import ADAPTIVE, next_task
    >>> rows = [("s", "1", "a", 2.0), ("s", "1", "b", 1.0), ("s", "2", "c", 2.0), ("s", "2", "d", 1.0)]
    >>> runs = pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])
    >>> strategy = ADAPTIVE["maxmean"](seed=1)
    >>> states = {query_id: strategy.start(runs, query_id) for query_id in ("1", "2")}
    >>> next_task(strategy, states)
    ('1', 'a')
    >>> states["1"] = strategy.step(states["1"], {"a": 0})
    >>> next_task(strategy, states)
    ('2', 'c')
    """
    refuse_unless(strategy, Adaptive, "strategy", "an adaptive strategy")
    refuse_unless(states, Mapping, "states", "a dictionary with the state of each topic")
    excluded = {} if exclude is None else exclude
    urgent = {}
    for query_id in sorted(states):
        value = urgency(strategy, states[query_id], excluded.get(query_id, ()))
        if value is not None:
            urgent[query_id] = value
    if not urgent:
        return None
    query_id = max(urgent, key=urgent.__getitem__)
    doc_id = strategy.next(states[query_id], excluded.get(query_id, ()))
    return None if doc_id is None else (query_id, doc_id)


def urgency(strategy: Adaptive, state: State, exclude: Iterable[str] = ()) -> tuple[float, int] | None:
    """What decides which topic is next, the largest first; None if no document of the topic is left."""
    expectation = strategy.expectation(state, exclude)
    return None if expectation is None else (expectation, -state.n_judged)

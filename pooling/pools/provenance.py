"""How a pool was made: its strategy, parameters and seed, also if it was made of two pools or extended.

A sample records the inclusion probability of the documents in it, but not of the other documents. So two samples
cannot be combined: the probability with which one sample drew a document of the other is unknown.

A top-up leaves out what is judged already. Its parameter `judged` describes these judgements: `documents` is the number
of judged pairs of topic and document, `left_out` the number of these that the strategy selected again, and `sha256` the
checksum of the sorted lines "query_id doc_id" of all judged pairs in UTF-8, each with a line feed.
"""

import hashlib
from typing import Any, Protocol

import pandas as pd

from pooling.strategies import NEED_SEED, STRATEGIES
from pooling.strategies.lots import DEFAULT_SEED
from pooling.words import count

ADDED = ("hand", "search")
CHANGES = frozenset({"added", "judged"})  # parameters that are not those of the strategy
SET_OPERATIONS = ("union", "difference")
TWO_SAMPLES = (
    "both pools were drawn at random, and the inclusion probabilities of documents that only the other pool drew are"
    " unknown; draw one stratified sample instead"
)
SUBTRACTED_SAMPLE = (
    "the pool to subtract was drawn at random, and the inclusion probabilities of documents that it did not draw are"
    " unknown; draw one stratified sample instead"
)


class Made(Protocol):
    """What this module reads of a pool."""

    @property
    def frame(self) -> pd.DataFrame: ...
    @property
    def strategy(self) -> str: ...
    @property
    def parameters(self) -> dict[str, Any]: ...
    @property
    def seed(self) -> int | None: ...
    @property
    def inputs(self) -> dict[str, str]: ...
    @property
    def score_precision(self) -> str | None: ...


def added_counts(pool: Made, how: str, n_new: int, n_made_certain: int) -> dict[str, int]:
    """The parameter `added` of a pool after an addition: documents added by hand, by search, and made certain."""
    before = pool.parameters.get("added", {})
    counts = {how: n_new, "made_certain": n_made_certain}
    added = {name: before.get(name, 0) + counts.get(name, 0) for name in (*ADDED, "made_certain")}
    return {name: number for name, number in added.items() if number}


def judged_record(judged: pd.MultiIndex, n_left_out: int) -> dict[str, int | str]:
    """The parameter `judged` of a pool that leaves out the judged pairs of query_id and doc_id."""
    lines = sorted(f"{query_id} {doc_id}\n" for query_id, doc_id in judged)
    digest = hashlib.sha256("".join(lines).encode()).hexdigest()
    return {"documents": len(lines), "left_out": n_left_out, "sha256": digest}


def is_sample(pool: Made) -> bool:
    """Whether chance decided what is in the pool.

    A pool that was changed after the draw may no longer contain a document with a probability below 1. Then the
    strategies of its provenance decide. The lots of tied documents do not make a pool a sample.
    """
    changed = pool.strategy in SET_OPERATIONS or not CHANGES.isdisjoint(pool.parameters)
    return bool((pool.frame["inclusion_probability"] < 1).any()) or (changed and _was_drawn(provenance(pool)))


def combined(first: Made, second: Made) -> tuple[dict[str, Any], dict[str, str], str | None]:
    """The parameters, inputs and score precision of a union or difference of two pools."""
    changed = sorted(name for name in first.inputs.keys() & second.inputs if first.inputs[name] != second.inputs[name])
    if changed:
        raise ValueError(f"the two pools were made from different files named {changed[0]!r}; pool the same runs")
    precision = first.score_precision if first.score_precision == second.score_precision else None
    return {"first": provenance(first), "second": provenance(second)}, first.inputs | second.inputs, precision


def describe(recipe: dict[str, Any]) -> str:
    """A strategy with its parameters in words, such as "rrf (size 100, k 60)"."""
    parameters = recipe["parameters"]
    if recipe["strategy"] in SET_OPERATIONS:
        return f"{recipe['strategy']} of {describe(parameters['first'])} and {describe(parameters['second'])}"
    named = {name: value for name, value in parameters.items() if name not in CHANGES and value is not None}
    named |= {} if recipe["seed"] is None else {"seed": recipe["seed"]}
    return f"{recipe['strategy']} ({', '.join(f'{name} {_shown(value)}' for name, value in named.items())})"


def _shown(value: Any) -> Any:
    """A parameter in words; gains by query_id and doc_id are counted."""
    return f"of {count(sum(map(len, value.values())), 'document')}" if isinstance(value, dict) else value


def provenance(pool: Made) -> dict[str, Any]:
    """What is needed to make the pool again from the same files: strategy, parameters, seed and score precision."""
    made_by = {"strategy": pool.strategy, "parameters": pool.parameters, "seed": pool.seed}
    return made_by if pool.score_precision is None else made_by | {"score_precision": pool.score_precision}


def lot_seed(recipe: dict[str, Any]) -> int:
    """The seed of the lots that order tied documents: that of the (first) pool, or 0 if it has none."""
    if recipe["strategy"] in SET_OPERATIONS:
        return lot_seed(recipe["parameters"]["first"])
    seed: int | None = recipe["seed"]
    return DEFAULT_SEED if seed is None else seed


def _was_drawn(recipe: dict[str, Any]) -> bool:
    if recipe["strategy"] in SET_OPERATIONS:
        return any(_was_drawn(recipe["parameters"][part]) for part in ("first", "second"))
    return recipe["strategy"] in NEED_SEED or (recipe["strategy"] not in STRATEGIES and recipe["seed"] is not None)

"""Check the name and the parameters of a strategy before any run is read."""

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import pandas as pd

from pooling.ranking import RankedRuns, prepare
from pooling.strategies import NEED_SEED, STRATEGIES
from pooling.strategies.selection import Selection


def checked_strategy(
    name: str, seed: int | None, parameters: dict[str, Any]
) -> tuple[Callable[..., Selection], dict[str, Any]]:
    """The strategy called `name`, and all its parameters including defaults and seed."""
    if name not in STRATEGIES:
        raise ValueError(_unknown(name))
    strategy = STRATEGIES[name]
    options = _with_defaults(name, strategy, parameters | _seed_option(name, strategy, seed))
    strategy(_one_document(), **options)
    return strategy, options


def _unknown(name: str) -> str:
    from pooling.adaptive import ADAPTIVE  # imported late: nothing else in this module needs it

    if name in ADAPTIVE:
        return f"strategy {name!r} is adaptive and needs judgements; use pooling.ADAPTIVE or pooling.replay"
    return f"strategy {name!r} is unknown; choose from: {', '.join(sorted(STRATEGIES))}"


def _seed_option(name: str, strategy: Callable[..., Selection], seed: int | None) -> dict[str, int]:
    if seed is None:
        if name in NEED_SEED:
            raise ValueError(f"strategy {name!r} draws at random and needs a seed")
        return {}  # the default of the strategy applies
    if "seed" not in inspect.signature(strategy).parameters:
        raise ValueError(f"strategy {name!r} does not draw at random and takes no seed")
    return {"seed": seed}


def _with_defaults(name: str, strategy: Callable[..., Selection], parameters: dict[str, Any]) -> dict[str, Any]:
    known = {p.name: p for p in inspect.signature(strategy).parameters.values() if p.kind is p.KEYWORD_ONLY}
    for parameter in parameters:
        if parameter not in known:
            raise ValueError(f"strategy {name!r} has no parameter {parameter!r}; it has: {', '.join(known)}")
    for required in known.values():
        if required.default is required.empty and required.name not in parameters:
            raise ValueError(f"strategy {name!r} needs the parameter {required.name!r}")
    return {option.name: parameters.get(option.name, option.default) for option in known.values()}


@cache
def _one_document() -> RankedRuns:
    return prepare(pd.DataFrame({"system": ["s"], "query_id": ["q"], "doc_id": ["d"], "score": [0.0]}), True)

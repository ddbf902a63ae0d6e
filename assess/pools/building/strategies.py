"""The strategies that build a pool without judgements, and their parameters, in plain English.

Which parameters a strategy has, their types and their defaults, come from its function in `pooling.STRATEGIES`. This
module adds the words, and `every_document`, which needs no runs and has no parameters. A strategy without words here is
described by the first line of its docstring, and a parameter without words by its name. This module does not load
pandas before a function needs the strategies.
"""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from assess.pools.building.every_document import EVERY_DOCUMENT

DEFAULT_STRATEGY = "depth"
MOST_DOCUMENTS = 1_000_000
MOST_RANKS = 10_000
MOST_K = 1_000_000
MOST_SEED = 2**31 - 1

SUMMARIES = {
    "depth": "The first documents of every run",
    "ntcir": "The first documents of every run; documents of most runs are judged first",
    "take": "A fixed number over all topics, by best rank in any run",
    "fair_take": "Like take; the last rank goes to the documents that most runs have",
    "rrf": "The sum of 1 / (k + rank)",
    "combsum": "The largest sums of the runs' scores",
    "combmnz": "The largest sums of scores, times the number of runs with the document",
    "combmax": "The largest score of any run",
    "combmin": "The largest of the smallest scores",
    "combmed": "The largest median score",
    "combanz": "The largest mean score",
    "borda": "Borda count: points for each rank",
    "condorcet": "Condorcet: the majority of the runs decides between two documents",
    "dcg": "The sum of 1 / log2(rank + 1)",
    "rbp": "The sum of the rank-biased weights (1 - p) p^(rank - 1)",
    "random": "A random sample of each topic",
    "stratified": "A random sample of each range of ranks, at a rate of its own",
    "stat_ap": "A random sample, drawn in proportion to the contribution to average precision",
    "ask_people": "A random sample that prefers documents whose grades move the ranking of the systems",
    EVERY_DOCUMENT: "All imported documents for every topic, also those that no run retrieved",
}


Kind = type[int] | type[float] | type[bool] | type[str]
KINDS: tuple[Kind, ...] = (int, float, bool, str)


@dataclass(frozen=True)
class Parameter:
    """A parameter of a strategy. `words` describe a value in a sentence. `initial` is what the form suggests."""

    name: str
    label: str
    help_text: str
    words: str
    kind: Kind
    least: float | None = None
    most: float | None = None
    initial: int | float | str | None = None


PARAMETERS = {
    parameter.name: parameter
    for parameter in (
        Parameter(
            "size",
            "Documents per topic",
            "A topic with fewer documents gives all of them.",
            "{} documents per topic",
            *(int, 1, MOST_DOCUMENTS, 50),
        ),
        Parameter(
            "budget",
            "Documents in total",
            "Over all topics. Topics on which the runs disagree get more.",
            "{} documents in total",
            *(int, 1, MOST_DOCUMENTS, 500),
        ),
        Parameter(
            "strata",
            "Ranges of ranks and their rates",
            "The last rank of each range and the share to draw, from the top: 10:1 100:0.1 takes all documents of "
            "ranks 1 to 10 and a tenth of those of ranks 11 to 100.",
            "ranges {}",
            *(str, None, None, "10:1 100:0.1"),
        ),
        Parameter("k", "k", "The larger k is, the less the first ranks dominate.", "k = {}", int, 0, MOST_K),
        Parameter("p", "p", "Between 0 and 1. The larger p is, the more deeper ranks count.", "p = {}", float, 0, 1),
        Parameter(
            "depth",
            "Ranks of each run",
            "How many documents from the top of each run count.",
            "the first {} of each run",
            *(int, 1, MOST_RANKS, 10),
        ),
        Parameter(
            "tau",
            "Share drawn from all alike",
            "Above 0 and at most 1. A small share lets a few documents count for many; with 1, all are as likely.",
            "a share of {} from all alike",
            *(float, 0, 1),
        ),
        Parameter(
            "seed",
            "Seed",
            "The same seed gives the same pool. It decides random draws, and which of several tied documents enter.",
            "seed {}",
            *(int, 0, MOST_SEED, 0),
        ),
    )
}


IMPORTED = "imported"  # a pool that was imported from a file, so that no strategy selects it again


def names() -> list[str]:
    """Return the names of all strategies that need no judgements."""
    from pooling.strategies import STRATEGIES  # loads pandas

    return [*STRATEGIES, EVERY_DOCUMENT]


def summary(strategy: str) -> str:
    """Return a strategy in one line."""
    from pooling.strategies import STRATEGIES  # loads pandas

    if strategy in SUMMARIES:
        return SUMMARIES[strategy]
    return (inspect.getdoc(STRATEGIES[strategy]) or strategy).partition("\n")[0].rstrip(".")


def parameters_of(strategy: str) -> dict[str, Parameter]:
    """Return the parameters that a form can ask for, in the order of the form; the seed comes last."""
    known = {name: _parameter(name, kind) for name, kind in _kinds(strategy).items() if kind is not None}
    order = [*PARAMETERS, *(name for name in known if name not in PARAMETERS)]
    return {name: known[name] for name in sorted(known, key=lambda name: (name == "seed", order.index(name)))}


def options_of(strategy: str) -> dict[str, Any]:
    """Return the defaults of the parameters that a form can ask for, in its order; `...` marks a required one."""
    defaults = _defaults(strategy)
    return {name: defaults[name] for name in parameters_of(strategy)}


def required_without_field(strategy: str) -> list[str]:
    """Return the parameters that are required and have a type that no field of a form can hold."""
    kinds = _kinds(strategy)
    return [name for name, default in _defaults(strategy).items() if default is ... and kinds[name] is None]


def _defaults(strategy: str) -> dict[str, Any]:
    """Return all parameters of a strategy with their defaults; `...` marks a required one."""
    from pooling.strategies import STRATEGIES  # loads pandas

    if strategy == EVERY_DOCUMENT:
        return {}
    options = inspect.signature(STRATEGIES[strategy]).parameters.values()
    return {
        option.name: ... if option.default is option.empty else option.default
        for option in options
        if option.kind is option.KEYWORD_ONLY
    }


def _kinds(strategy: str) -> dict[str, Kind | None]:
    """Return the kind of value of each parameter; None if no field of a form can hold it."""
    from pooling.strategies import STRATEGIES  # loads pandas

    defaults = _defaults(strategy)
    types = get_type_hints(STRATEGIES[strategy]) if defaults else {}
    return {name: _kind(name, types.get(name, type(default))) for name, default in defaults.items()}


def _kind(name: str, annotation: Any) -> Kind | None:
    """Return the kind of an annotation such as `int` or `float | None`. The form reads `strata` from a text."""
    if name == "strata":
        return str
    alternatives = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else [annotation]
    wanted = [each for each in alternatives if each is not NoneType]
    return next((kind for kind in KINDS if wanted == [kind]), None)


def _parameter(name: str, kind: Kind) -> Parameter:
    """Return a parameter with its words; its name if it has none, or if the words are for another kind of value."""
    if name in PARAMETERS and PARAMETERS[name].kind is kind:
        return PARAMETERS[name]
    limits = (-MOST_SEED, MOST_SEED) if kind is int else (None, None)
    label = name.replace("_", " ").strip()
    return Parameter(name, label[:1].upper() + label[1:], "", f"{name} = {{}}", kind, *limits)


def growing_parameter(strategy: str) -> str | None:
    """Return the parameter that the pool grows with; None if the strategy has no single one."""
    from pooling.planning import pool_size

    try:
        return pool_size.growing_parameter(strategy)
    except ValueError:
        return None


def parse_strata(text: str) -> list[list[float]]:
    """Parse ranges such as "10:1 100:0.1". Raises ValueError with a sentence."""
    strata: list[list[float]] = []
    for part in text.replace(",", " ").split():
        end, _, rate = part.partition(":")
        try:
            strata.append([int(end), float(rate)])
        except ValueError:
            raise ValueError(f"{part[:40]!r} must be a last rank and a rate, such as 10:1.") from None
    return strata


def format_strata(strata: list[list[float]]) -> str:
    """Format ranges as the form shows them."""
    return " ".join(f"{end}:{rate:g}" for end, rate in strata)


def describe(strategy: str, parameters: Mapping[str, Any]) -> str:
    """Describe a pool building in words, such as "rrf: 50 documents per topic, k = 60, seed 0".

    `parameters` are those that a pool building stores. Class exercises store others, which are left out.
    """
    known = PARAMETERS
    if parameters.keys() - PARAMETERS.keys() - {"score_precision"} and strategy in names():
        known = parameters_of(strategy)
    words = [
        parameter.words.format(_value(name, parameters[name]))
        for name, parameter in known.items()
        if parameters.get(name) is not None
    ]
    return f"{strategy}: {', '.join(words)}" if words else strategy


def _value(name: str, value: Any) -> str:
    if name == "strata":
        return format_strata(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) and name != "seed" else f"{value}"

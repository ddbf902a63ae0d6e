"""Measures by name, in the grammar of ir_measures: `AP(rel=2)`, `nDCG@10`, `P(rel=2)@10`.

====== =========================== =================================
name   parameters                  module
====== =========================== =================================
AP     rel (1), cutoff (none)      `agreement.effectiveness.average_precision`
nDCG   cutoff (none)               `agreement.effectiveness.ndcg`
P      rel (1), cutoff (required)  `agreement.effectiveness.precision`
====== =========================== =================================

`@10` is short for `cutoff=10`. A measure is called as ir_measures writes it: without parameters that have the
default, `AP` for `MAP(rel=1)`. Whatever else is named is refused, with a list of what there is.
"""

from collections.abc import Callable
from dataclasses import dataclass

import ir_measures
import numpy as np

from agreement.effectiveness.average_precision import average_precision
from agreement.effectiveness.matrix import GradeMatrix
from agreement.effectiveness.ndcg import ndcg
from agreement.effectiveness.precision import precision


@dataclass(frozen=True)
class Measure:
    """A measure with its parameters; called with a GradeMatrix, it scores every ranking."""

    name: str
    function: Callable[..., np.ndarray]
    parameters: dict

    def __call__(self, matrix: GradeMatrix) -> np.ndarray:
        """Scores, shape (n_systems, n_topics)."""
        return self.function(matrix, **self.parameters)


# Name: function, parameters with their least value, and those that are required. Parameters are whole numbers.
MEASURES = {
    "AP": (average_precision, {"rel": 0, "cutoff": 1}, set()),
    "nDCG": (ndcg, {"cutoff": 1}, set()),
    "P": (precision, {"rel": 0, "cutoff": 1}, {"cutoff"}),
}
THERE_ARE = "AP, AP@k, AP(rel=r), AP(rel=r)@k, nDCG, nDCG@k, P@k and P(rel=r)@k, with whole k from 1 and r from 0"
LONGEST = 100


def parse_measure(name: str) -> Measure:
    """The measure of a name.

    Raises
    ------
    ValueError
        The name is not in the grammar, or names a measure or parameter that there is not.
    """
    name = str(name)
    try:
        # What is longer is no name, and the parser below runs out of memory on deep nesting.
        parsed = ir_measures.parse_measure(name if len(name) <= LONGEST else "")
    except (NameError, KeyError, ValueError) as problem:
        raise ValueError(_refusal(name)) from problem
    if parsed.NAME not in MEASURES:
        raise ValueError(_refusal(name))
    function, least, required = MEASURES[parsed.NAME]
    given = parsed.params
    if not (required <= set(given) <= set(least) and all(_whole(given[key], least[key]) for key in given)):
        raise ValueError(_refusal(name))
    return Measure(str(parsed), function, dict(given))


def _whole(value, least: int) -> bool:
    return type(value) is int and value >= least


def _refusal(name: str) -> str:
    return f"there is no measure {name[:LONGEST]!r}; there are {THERE_ARE}"

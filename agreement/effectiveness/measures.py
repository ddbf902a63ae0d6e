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


# Name: function, parameters, and whether the cutoff is required.
MEASURES = {
    "AP": (average_precision, ("rel", "cutoff"), False),
    "nDCG": (ndcg, ("cutoff",), False),
    "P": (precision, ("rel", "cutoff"), True),
}
THERE_ARE = "there are AP, AP@k, AP(rel=r), AP(rel=r)@k, nDCG, nDCG@k, P@k, P(rel=r)@k"


def parse_measure(name: str) -> Measure:
    """The measure of a name.

    Raises
    ------
    ValueError
        The name is not in the grammar, or names a measure or parameter that there is not.
    """
    try:
        parsed = ir_measures.parse_measure(str(name))
    except (NameError, KeyError, ValueError) as problem:
        raise ValueError(f"there is no measure {str(name)!r}; {THERE_ARE}") from problem
    if parsed.NAME not in MEASURES:
        raise ValueError(f"there is no measure {str(name)!r}; {THERE_ARE}")
    function, parameters, needs_cutoff = MEASURES[parsed.NAME]
    unknown = set(parsed.params) - set(parameters)
    if unknown or (needs_cutoff and "cutoff" not in parsed.params) or parsed.params.get("cutoff", 1) < 1:
        raise ValueError(f"measure {str(name)!r} has other parameters than there are; {THERE_ARE}, k from 1")
    return Measure(str(parsed), function, dict(parsed.params))

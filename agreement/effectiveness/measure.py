"""Measures by name, in the grammar of ir_measures: `AP(rel=2)`, `nDCG@10`, `P(rel=2)@10`.

`@10` is short for `cutoff=10`. The name of a measure is the one that ir_measures writes, without parameters that have
their default value: `AP` for `MAP(rel=1)`. `agreement.effectiveness.registry` has the measures that are computed here.
They also take `judged_only=True`, which removes unjudged documents from the rankings. ir_measures computes all other
measures that it supports. trec_eval's names, such as `ndcg_cut_10`, mean the same measures. Any other name is refused,
with a suggestion or a list of the names.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

import ir_measures
import numpy as np
from ir_measures.measures import registry as ir_registry

from agreement.effectiveness import by_ir_measures
from agreement.effectiveness.measure_names import (
    LONGEST,
    from_trec_eval,
    function_to_call,
    joined_name,
    split_name,
    suggestion,
)
from agreement.effectiveness.parameters import FLAG, REQUIRED, Parameter
from agreement.effectiveness.ranked_runs import GradeMatrix
from agreement.effectiveness.registry import MEASURES, Entry
from pooling.errors import refuse_unless

# How to give what a measure needs, by the field of GradeMatrix.
NEEDED_OPTIONS = {
    "highest": "the declared scale: pass scale, the grades with the lowest first",
    "collection_size": "the size of the collection: pass collection_size, a number of documents",
    "known": "the documents that the reader knew: pass known, a table of query_id and doc_id",
}


@dataclass(frozen=True)
class Measure:
    """A measure with its parameters; returned by `parse_measure`. Call it with a GradeMatrix to score every ranking.

    Attributes
    ----------
    name : str
        Name with parameters, such as "P(rel=2)@10".
    function : callable
        Takes a GradeMatrix and the parameters, and returns scores, shape (n_systems, n_topics).
    parameters : dict
        Parameters of the name, except `judged_only`.
    needs : tuple of str
        Fields of GradeMatrix that must be set: highest, collection_size or known.
    judged_only : bool
        Whether unjudged documents are removed from the rankings.
    lower_is_better : bool
        Whether a lower score is better.

    Examples
    --------
    >>> from agreement import parse_measure
    >>> measure = parse_measure("P(rel=2)@10")
    >>> measure.name, measure.depth, measure.lower_is_better
    ('P(rel=2)@10', 10, False)
    """

    name: str
    function: Callable[..., np.ndarray]
    parameters: Mapping[str, Any]
    needs: tuple[str, ...] = field(default=())
    judged_only: bool = False
    lower_is_better: bool = False

    def __repr__(self) -> str:
        return f"Measure({self.name!r})"

    def __call__(self, matrix: GradeMatrix) -> np.ndarray:
        """Score every ranking.

        Parameters
        ----------
        matrix : GradeMatrix
            Grades of the rankings, from `RankedRuns.under`.

        Returns
        -------
        ndarray of float, shape (n_systems, n_topics)

        Raises
        ------
        ValueError
            The matrix lacks something that the measure needs, such as a declared scale.
        """
        for needed in self.needs:
            if getattr(matrix, needed) is None:
                raise ValueError(f"{self.name} needs {NEEDED_OPTIONS[needed]}.")
        return self.function(matrix.judged_only() if self.judged_only else matrix, **self.parameters)

    @property
    def depth(self) -> int | None:
        """The last rank that the measure uses; None if it may use any rank."""
        return None if self.judged_only else self.parameters.get("cutoff")


# What every function of this library accepts as a measure, and as one or several.
MeasureLike: TypeAlias = str | Measure | ir_measures.Measure
Measures: TypeAlias = MeasureLike | Iterable[MeasureLike]


def parse_measures(measure: Measures) -> list[Measure]:
    """Return the measures of one name or object, or of several."""
    if isinstance(measure, (str, Measure, ir_measures.Measure)):
        return [parse_measure(measure)]
    refuse_unless(measure, Iterable, "measure", "the name of a measure or several names")
    return [parse_measure(one) for one in measure]


def parse_measure(name: MeasureLike) -> Measure:
    """Return the measure of a name.

    Parameters
    ----------
    name : str, ir_measures.Measure, or Measure
        `Name`, `Name@cutoff` or `Name(key=value, ...)@cutoff`, such as "AP", "nDCG@10" or "P(rel=2)@5", or the name in
        trec_eval, such as "map" or "ndcg_cut_10". `docs/measures.md` lists the names and their parameters. A `Measure`
        is returned unchanged.

    Returns
    -------
    Measure

    Raises
    ------
    ValueError
        The name cannot be parsed; the measure or a parameter is unknown; a parameter is missing or out of range; the
        measure belongs to ir_measures, and the package that computes it is not installed.

    Examples
    --------
    >>> from agreement import parse_measure
    >>> parse_measure("MAP(rel=1)").name
    'AP'
    >>> parse_measure("P_10").name
    'P@10'
    >>> parse_measure("nDCG@10").parameters
    {'cutoff': 10}
    """
    if isinstance(name, Measure):
        return name
    if not isinstance(name, (str, ir_measures.Measure)):
        raise TypeError(f"measure must be a name such as 'AP' or 'nDCG@10', or a measure of ir_measures, not {name!r}.")
    name = str(name)
    if sentence := function_to_call(name):
        raise ValueError(sentence)
    try:
        base, given, at = split_name(from_trec_eval(name) or name)
    except ValueError as problem:
        raise ValueError(_unknown(name)) from problem
    preset = ir_registry[base].params if base in ir_registry else {}
    canonical = ir_registry[base].NAME if base in ir_registry else base
    entry = MEASURES.get(canonical)
    if entry is None and base not in ir_registry:
        raise ValueError(_unknown(name))
    after_at = entry.at if entry else ir_registry[base].AT_PARAM
    if at is not None and after_at in given:
        raise ValueError(_invalid(name, f"{after_at} must occur once"))
    given = preset | given | ({} if at is None else {after_at: at})
    if entry is None or _needs_ir_measures(entry, given, base):
        return _computed_by_ir_measures(name, base, given)
    return _computed_here(name, canonical, entry, given)


def _computed_here(name: str, canonical: str, entry: Entry, given: dict[str, Any]) -> Measure:
    known = entry.parameters | {"judged_only": FLAG}
    if unknown := [key for key in given if key not in known]:
        raise ValueError(_invalid(name, f"{canonical} has no parameter {unknown[0]}. It has {_parameters(entry)}"))
    if missing := [key for key, one in entry.parameters.items() if one.default is REQUIRED and key not in given]:
        raise ValueError(_invalid(name, f"{canonical} needs {missing[0]}. It has {_parameters(entry)}"))
    values = _checked_values(name, known, given)
    not_default = {key: value for key, value in values.items() if value != known[key].default}
    judged_only = values.pop("judged_only", False)
    return Measure(
        name=joined_name(canonical, not_default, entry.at),
        function=entry.function,
        parameters=values,
        needs=tuple(needed for needed, unless in entry.needs.items() if unless not in values),
        judged_only=judged_only,
        lower_is_better=entry.lower_is_better,
    )


def _checked_values(name: str, known: dict[str, Parameter], given: dict[str, Any]) -> dict[str, Any]:
    values = {}
    for key in known:
        if key in given:
            try:
                values[key] = known[key].value(given[key], key)
            except ValueError as problem:
                raise ValueError(_invalid(name, str(problem))) from None
    return values


def _needs_ir_measures(entry: Entry, given: dict[str, Any], base: str) -> bool:
    """Return whether ir_measures has a parameter that the function here lacks, such as the gains of nDCG."""
    missing = [key for key in given if key not in entry.parameters and key != "judged_only"]
    return bool(missing) and base in ir_registry and all(key in ir_registry[base].SUPPORTED_PARAMS for key in missing)


def _computed_by_ir_measures(name: str, base: str, given: dict[str, Any]) -> Measure:
    try:
        measure = by_ir_measures.ir_measure(base, given)
    except by_ir_measures.NotInstalledError:
        raise
    except ValueError as problem:
        raise ValueError(_invalid(name, str(problem))) from problem
    return Measure(str(measure), partial(_score_by_ir_measures, measure), dict(measure.params))


def _score_by_ir_measures(
    measure: ir_measures.Measure,
    matrix: GradeMatrix,
    **parameters: Any,  # noqa: ARG001 (they are part of the measure)
) -> np.ndarray:
    return by_ir_measures.scores(measure, matrix)


def _parameters(entry: Entry) -> str:
    described = [f"{key} ({one.allowed})" for key, one in entry.parameters.items()]
    return ", ".join([*described, f"judged_only ({FLAG.allowed})"])


def _unknown(name: str) -> str:
    others = [one for one in by_ir_measures.computed_names() if one not in MEASURES]
    names = f"{', '.join(MEASURES)}, and by ir_measures {', '.join(others)}"
    question = suggestion(name[:LONGEST], [*MEASURES, *others])
    return f"Unknown measure {name[:LONGEST]!r}.{question or f' The measures are {names}.'}"


def _invalid(name: str, reason: str) -> str:
    return f"Invalid measure {name[:LONGEST]!r}: {reason}."

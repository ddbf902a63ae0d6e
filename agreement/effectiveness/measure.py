"""Measures by name, in the grammar of ir_measures: `AP(rel=2)`, `nDCG@10`, `P(rel=2)@10`.

`@10` is short for `cutoff=10`. A measure is called as ir_measures writes it: without parameters that have the
default, `AP` for `MAP(rel=1)`. `agreement.effectiveness.registry` has the measures that are computed here; each of
them takes `judged_only=True` too, and then sees the rankings without unjudged documents. What else ir_measures can
compute, it computes. Whatever else is named is refused, with a list of what there is.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from ir_measures.measures import registry as theirs

from agreement.effectiveness import by_ir_measures
from agreement.effectiveness.measure_names import LONGEST, joined_name, split_name
from agreement.effectiveness.parameters import FLAG, REQUIRED
from agreement.effectiveness.ranked_runs import GradeMatrix
from agreement.effectiveness.registry import MEASURES, Entry

TOLD = {
    "highest": "the declared scale: give scale, the grades with the lowest first",
    "collection_size": "the size of the collection: give collection_size, a number of documents",
    "known": "what the reader knew: give known, a table of query_id and doc_id",
}


@dataclass(frozen=True)
class Measure:
    """A measure with its parameters; called with a GradeMatrix, it scores every ranking.

    Attributes
    ----------
    name : str
    function : callable
        From a GradeMatrix and the parameters to scores, shape (n_systems, n_topics).
    parameters : dict
        Those that were given, but for `judged_only`.
    needs : tuple of str
        What a matrix has to have been given: highest, collection_size, known.
    judged_only : bool
        Whether rankings are seen without their unjudged documents.
    lower_is_better : bool
    """

    name: str
    function: Callable[..., np.ndarray]
    parameters: Mapping[str, Any]
    needs: tuple[str, ...] = field(default=())
    judged_only: bool = False
    lower_is_better: bool = False

    def __call__(self, matrix: GradeMatrix) -> np.ndarray:
        """Scores, shape (n_systems, n_topics); ValueError where the matrix lacks what the measure needs."""
        for needed in self.needs:
            if getattr(matrix, needed) is None:
                raise ValueError(f"{self.name} needs {TOLD[needed]}")
        return self.function(matrix.judged_only() if self.judged_only else matrix, **self.parameters)

    @property
    def depth(self) -> int | None:
        """The last rank that is looked at; None where it may be any."""
        return None if self.judged_only else self.parameters.get("cutoff")


def parse_measure(name: str) -> Measure:
    """The measure of a name.

    Raises
    ------
    ValueError
        The name is not in the grammar; it names a measure or parameter that there is not; ir_measures has the
        measure, and what computes it is not installed.
    """
    name = str(name)
    try:
        called, given, at = split_name(name)
    except ValueError as problem:
        raise ValueError(_refusal(name, _there_are())) from problem
    preset = theirs[called].params if called in theirs else {}
    canonical = theirs[called].NAME if called in theirs else called
    entry = MEASURES.get(canonical)
    if entry is None and called not in theirs:
        raise ValueError(_refusal(name, _there_are()))
    behind_at = entry.at if entry else theirs[called].AT_PARAM
    if at is not None and behind_at in given:
        raise ValueError(_refusal(name, f"{behind_at} comes once"))
    given = preset | given | ({} if at is None else {behind_at: at})
    if entry is None or _only_theirs(entry, given, called):
        return _handed_on(name, called, given)
    return _ours(name, canonical, entry, given)


def _ours(name: str, canonical: str, entry: Entry, given: dict) -> Measure:
    known = entry.parameters | {"judged_only": FLAG}
    if unknown := [key for key in given if key not in known]:
        raise ValueError(_refusal(name, f"{canonical} has no {unknown[0]}, but {_parameters(entry)}"))
    if lacking := [key for key, one in entry.parameters.items() if one.default is REQUIRED and key not in given]:
        raise ValueError(_refusal(name, f"{canonical} needs {lacking[0]}; it has {_parameters(entry)}"))
    values = {}
    for key in known:
        if key in given:
            try:
                values[key] = known[key].value(given[key], key)
            except ValueError as problem:
                raise ValueError(_refusal(name, str(problem))) from None
    told = {key: value for key, value in values.items() if value != known[key].default}
    judged_only = values.pop("judged_only", False)
    return Measure(
        name=joined_name(canonical, told, entry.at),
        function=entry.function,
        parameters=values,
        needs=tuple(needed for needed, unless in entry.needs.items() if unless not in values),
        judged_only=judged_only,
        lower_is_better=entry.lower_is_better,
    )


def _only_theirs(entry: Entry, given: dict, called: str) -> bool:
    """Whether ir_measures has a parameter that the fast engine lacks, such as the gains of nDCG."""
    lacking = [key for key in given if key not in entry.parameters and key != "judged_only"]
    return bool(lacking) and called in theirs and all(key in theirs[called].SUPPORTED_PARAMS for key in lacking)


def _handed_on(name: str, called: str, given: dict) -> Measure:
    try:
        measure = by_ir_measures.ir_measure(called, given)
    except by_ir_measures.NotInstalledError:
        raise
    except ValueError as problem:
        raise ValueError(_refusal(name, str(problem))) from problem
    return Measure(str(measure), partial(_by_ir_measures, measure), dict(measure.params))


def _by_ir_measures(measure, matrix: GradeMatrix, **parameters) -> np.ndarray:  # noqa: ARG001 (they are in the measure)
    return by_ir_measures.scores(measure, matrix)


def _parameters(entry: Entry) -> str:
    said = [f"{key} ({one.allowed})" for key, one in entry.parameters.items()]
    return ", ".join([*said, f"judged_only ({FLAG.allowed})"])


def _there_are() -> str:
    handed_on = [name for name in by_ir_measures.computed_here() if name not in MEASURES]
    return f"there are {', '.join(MEASURES)}, and by ir_measures {', '.join(handed_on)}"


def _refusal(name: str, why: str) -> str:
    return f"there is no measure {name[:LONGEST]!r}; {why}"

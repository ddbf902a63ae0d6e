"""Judges with different numbers of grades: at which threshold they are compared, and the sentences that say so.

Kappa of a judge who can only give 0 and 1 and of a judge with grades 0 to 3 says little: grade by grade, the first can
never agree on 2 and 3; and from grade 2 on, nothing is relevant to the first, so kappa is 0.
"""

from collections.abc import Collection, Mapping, Sequence

import pandas as pd

BINARY = 2


def used_grades(judgements: pd.DataFrame) -> dict[str, tuple[int, ...]]:
    """The different grades that each judge gave, ascending."""
    graded = judgements[judgements["relevance"] >= 0]
    return {str(name): tuple(sorted(map(int, rows.unique()))) for name, rows in graded.groupby("assessor")["relevance"]}


def declared_grades(
    own_scale: Sequence[int] | None, mapping: Mapping[str, int], used: Sequence[int]
) -> tuple[int, ...]:
    """The grades of a judge after the mapping, if the judge's own scale or a mapping is declared.

    Examples
    --------
    >>> from agreement.judge_files.compared import declared_grades
    >>> declared_grades((0, 1), {"1": 2}, used=(0,)), declared_grades(None, {"1": 2}, used=(0, 2))
    ((0, 2), (0, 2))
    >>> declared_grades(None, {}, used=(0, 1))
    ()
    """
    if own_scale:
        return tuple(sorted({mapping.get(str(grade), grade) for grade in own_scale}))
    return tuple(used) if mapping else ()


def declared_threshold(
    declared: Mapping[str, Sequence[int]], judges: Sequence[str], scale: Sequence[int]
) -> int | None:
    """The threshold at which judges with two declared grades can be compared with judges who have more."""
    sizes = {len(declared.get(judge, scale)) for judge in judges}
    thresholds = {judge: grades[-1] for judge, grades in declared.items() if len(grades) == BINARY}
    if len(sizes) < 2 or not thresholds:
        return None
    if len(set(thresholds.values())) > 1:
        listed = ", ".join(f"{judge} from {grade} on" for judge, grade in thresholds.items())
        raise ValueError(f"The judges with two grades have different thresholds ({listed}); choose one with --rel N.")
    return next(iter(thresholds.values()))


def seemingly_binary(
    used: Mapping[str, Sequence[int]], declared: Mapping[str, Sequence[int]], scale: Sequence[int]
) -> list[str]:
    """The judges who gave two grades, declared nothing, and are compared with a judge who has more grades."""
    most = max((len(declared.get(judge, grades)) for judge, grades in used.items()), default=0)
    if most <= BINARY or len(scale) <= BINARY:
        return []
    return [judge for judge, grades in used.items() if not declared.get(judge) and len(grades) == BINARY]


def comparison_notes(
    used: Mapping[str, Sequence[int]],
    declared: Mapping[str, Sequence[int]],
    scale: Sequence[int],
    rel: int | None,
    from_files: Collection[str],
) -> list[str]:
    """Sentences about judges with fewer grades than the scale: how they are compared with the others."""
    binary = set(seemingly_binary(used, declared, scale)) & set(from_files)
    notes = []
    for judge, grades in used.items():
        known = tuple(declared.get(judge, ()))
        if known and len(known) < len(scale):
            notes.append(f"{judge} has {len(known)} grades ({_listed(known)}), the scale has {len(scale)}. {_how(rel)}")
        elif judge in binary:
            notes.append(f"{judge} gave only the grades {_listed(grades)} of the scale {_listed(scale)}. {_how(rel)}")
        if rel is not None and grades and grades[-1] < rel:
            notes.append(f"{judge} gave no grade from {rel} on, so kappa with this judge is not meaningful.")
    return notes


def _how(rel: int | None) -> str:
    if rel is None:
        return "Grades are compared one by one, without a threshold, so judges may disagree because of their scales."
    return f"The judges are compared at the threshold {rel}: grade {rel} and above is relevant."


def _listed(grades: Sequence[int]) -> str:
    return ", ".join(map(str, grades))

"""The sentences about files of judgements: what was read, changed and left out, and at which threshold judges compare.

Kappa of a judge who can only give 0 and 1 and of a judge with grades 0 to 3 says little: grade by grade, the first can
never agree on 2 and 3; and from grade 2 on, nothing is relevant to the first, so kappa is 0.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pandas as pd

COUNTS = (
    "lines",
    "judgements",
    "invalid",
    "other_kinds",
    "empty",
    "number_ids",
    "no_judgement",
    "decimals",
    "rounded",
    "not_judged",
    "mapped",
    "off_scale",
    "clipped",
    "dropped",
    "identical_pairs",
    "contradicting_pairs",
    "repeated",
)
SENTENCE_PARTS = {
    "invalid": "{n} invalid {line} left out",
    "other_kinds": "{n} {row} of decisions, norming, practice or checks left out",
    "empty": "{n} empty {cell} read as no judgement",
    "number_ids": "{n} {row} with ids that are numbers, read as whole numbers",
    "no_judgement": "{n} {row} without a judgement left out",
    "decimals": "{n} whole {label} written with decimals",
    "rounded": "{n} {label} rounded ({rounding})",
    "not_judged": "{n} negative {label} read as not judged",
    "mapped": "{n} {label} mapped ({mapping})",
    "clipped": "{n} {label} off the scale clipped",
    "dropped": "{n} {label} off the scale dropped",
    "identical_pairs": "{n} {document} repeated with the same grade",
    "contradicting_pairs": "{n} {document} repeated with different grades ({duplicates})",
}
NOUNS = ("cell", "line", "row", "label", "document")
RULES = {"error": "the first was kept", "median": "the median was taken"}
BINARY = 2


def counts_sentence(counts: Mapping[str, int], options: Mapping[str, Any]) -> str:
    """What was unusual about a judge's lines: "2 labels off the scale clipped"; empty if nothing was.

    Parameters
    ----------
    counts : mapping of str to int
        The counts in `COUNTS`; a missing one is 0.
    options : mapping of str to object
        The options as `LabelOptions.to_dict` returns them.

    Returns
    -------
    str
        Parts separated by commas.
    """
    rule = options.get("duplicates", "error")
    words: dict[str, Any] = {
        "rounding": options.get("rounding", ""),
        "mapping": mapping_text(options.get("mapping", {})),
        "duplicates": RULES.get(rule, f"the {rule} was kept"),
    }
    parts = []
    for name, text in SENTENCE_PARTS.items():
        if n := counts.get(name, 0):
            nouns = {noun: noun if n == 1 else f"{noun}s" for noun in NOUNS}
            parts.append(text.format(n=f"{n:,}", **nouns, **words))
    return ", ".join(parts)


def options_sentence(options: Mapping[str, Any]) -> str:
    """The options of a judge that are not the default, without the scale: "off-scale clip, mapping 1=2".

    Parameters
    ----------
    options : mapping of str to object
        The options as `LabelOptions.to_dict` returns them.

    Returns
    -------
    str
        Parts separated by commas.
    """
    parts = []
    for name, value in options.items():
        if name == "mapping":
            value = mapping_text(value)
        elif name == "own_scale":
            value = " ".join(map(str, value))
        if name != "scale":
            parts.append(f"{name.replace('_', ' ')} {str(value).replace('_', ' ')}")
    return ", ".join(parts)


def mapping_text(mapping: Mapping[Any, int]) -> str:
    """A mapping as it is written on the command line: "1=2,2=3"."""
    return ",".join(f"{grade}={other}" for grade, other in mapping.items())


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
    >>> from agreement.judge_files.notes import declared_grades
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

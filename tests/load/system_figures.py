"""Every text with a number on the last step of the class screen, about the systems, in the order of the page."""

from collections import Counter
from statistics import fmean

import agreement
from tests.load.class_data import MEASURE, ClassData, best_systems, joined, number
from tests.load.lesson_material import RUNS, TITLES

MIXED_DRAWS = 2000


def ranking_texts(data: ClassData) -> list[str]:
    options = {"draws": MIXED_DRAWS, "seed": 0, "min_topics": 1, "min_judged": 0}
    mixed = agreement.mixed_golds(data.runs, data.golds, MEASURE, **options)
    assert mixed.exhaustive, "the seed of the exercise would be part of the sentence"
    judged = agreement.judged_share(data.runs, {name: data.gold_of(name) for name in data.names})
    share = judged["judged"].sum() / judged["retrieved"].sum()
    basis = (
        f"golds: judgements of {len(data.names)} students AP, relevant: grade 1 and above {len(RUNS)} systems "
        f"{len(TITLES)} topics {share:.0%} of the first ten documents judged"
    )
    shares = mixed.top_changes.set_index("system")["share"]
    rows = [f"{text} {shares.get(system, 0):.0%}" for system, text in system_rows(data)]
    return [_best_sentence(data), basis, *rows, f"In this exercise: {mixed.summary(digits=2)}", *_tau_notes(data)]


def _best_sentence(data: ClassData) -> str:
    tops = sorted(Counter(data.tops.values()).items(), key=lambda item: (-item[1], item[0]))
    (first, n), *others = tops
    taus = [tau for tau in data.taus.values() if tau is not None]
    mean = f"The mean tau_b between the rankings of two students is {number(fmean(taus))}."
    if not others:
        all_students = f"under the judgements of all {len(data.names)} students."
        return f"{best_systems(first)} of {len(RUNS)} systems {all_students} {mean}"
    rest = list(dict.fromkeys(system for top, _ in others for system in top if system not in first) or first)
    changed = fmean(data.tops[a] != data.tops[b] for a, b in data.taus)
    return (
        f"{best_systems(first)} under the judgements of {n} of {len(data.names)} students, {joined(rest)} under the "
        f"others; the best systems differ in {changed:.0%} of the pairs of students. {mean}"
    )


def system_rows(data: ClassData) -> list[tuple[str, str]]:
    """Return each system and its row without the last cell; the system that is best most often comes first."""
    ranks = {system: [int(data.ranks[name][system]) for name in data.names] for system in RUNS}
    order = sorted(RUNS, key=lambda system: (-ranks[system].count(1), min(ranks[system]), max(ranks[system]), system))
    rows = []
    for system in order:
        best, least, most = ranks[system].count(1), min(ranks[system]), max(ranks[system])
        shown = str(least) if least == most else f"{least} to {most}"
        rows.append((system, f"{system} {best} ({best / len(data.names):.0%}) {shown}"))
    return rows


def _tau_notes(data: ClassData) -> list[str]:
    defined = {pair: tau for pair, tau in data.taus.items() if tau is not None}
    pair = min(defined, key=lambda pair: defined[pair])
    skipped = len(data.taus) - len(defined)
    notes = [f"The lowest tau_b is {number(defined[pair])}, between {joined(pair)}."]
    return notes + ([f"{skipped} pair{'s' if skipped > 1 else ''} of students without a tau_b"] if skipped else [])

"""Which system is best? The exercise's systems, ranked with each student as the gold."""

from collections import Counter
from dataclasses import dataclass
from statistics import fmean

import agreement
from agreement.estimate import undefined
from agreement.rank_correlation import competition_ranks
from assess.analysis import shift as shifting
from assess.collections import runfiles
from assess.errors import Refused
from assess.models import Seat
from assess.teaching.reveal.material import Material
from assess.teaching.reveal.words import count, listed, number, share

MIXED_DRAWS = 2000


@dataclass(frozen=True)
class SystemLine:
    """One system: under how many students it is best, and where it ranks among them."""

    system: str
    n_best: int
    share_best: str
    best_rank: int
    worst_rank: int
    mixed_share: str
    bar: float

    @property
    def ranks(self) -> str:
        return str(self.best_rank) if self.best_rank == self.worst_rank else f"{self.best_rank} to {self.worst_rank}"


@dataclass(frozen=True)
class Ranking:
    """The systems under every student's gold.

    `tops` says how often which systems share the first place, the most frequent first. `n_changed` of `n_pairs` pairs
    of students do not name the same best system. `taus` is the mean of tau_b over the pairs of students, `least` the
    least of them and between whom.
    """

    measure: str
    rel: int
    systems: list[SystemLine]
    tops: list[tuple[tuple[str, ...], int]]
    n_judges: int
    n_pairs: int
    n_changed: int
    taus: agreement.Estimate
    least: tuple[float, str, str] | None
    mixed: str
    judged: str
    n_topics: int

    @property
    def sentence(self) -> str:
        """Who is best, and how much that is a matter of whom one asks."""
        told = self._top
        if self.n_changed:
            told += f"; in {share(self.n_changed, self.n_pairs)} of the pairs two of you name different ones"
        return f"{told}, and {self._tau}."

    @property
    def _top(self) -> str:
        (first, n), *others = self.tops
        named = _best(first)
        if not others:
            return f"{named} of {count(len(self.systems), 'system')}, whichever of {self.n_judges} of you is the gold"
        rest = listed(dict.fromkeys(system for top, _ in others for system in top if system not in first) or first)
        return f"{named} with {n} of {self.n_judges} of you as the gold, and with the others {rest}"

    @property
    def _tau(self) -> str:
        if not self.taus.defined:
            return f"tau_b between two students is {self.taus.shown()}"
        return f"tau_b between two students' rankings is {number(self.taus.value)} on average"

    @property
    def told_of_tau(self) -> str:
        """Between whom it is least, and which pairs have none."""
        told = []
        if self.least:
            value, a, b = self.least
            told.append(f"The least tau_b is {number(value)}, between {a} and {b}.")
        if self.taus.skipped:
            without = count(len(self.taus.skipped), "pair")
            told.append(f"{without} of students without a tau_b left out: one of the two ties all systems.")
        return " ".join(told)

    @property
    def basis(self) -> list[str]:
        return [
            f"gold: each of {count(self.n_judges, 'student')}",
            f"{self.measure}, relevant from grade {self.rel} on",
            count(len(self.systems), "system"),
            count(self.n_topics, "topic"),
            f"{self.judged} of the first ten documents judged",
        ]


@dataclass(frozen=True)
class OwnRanking:
    """What one student as the gold makes of the systems."""

    best: tuple[str, ...]
    n_same: int
    n_others: int
    mean: agreement.Estimate
    measure: str

    @property
    def sentence(self) -> str:
        told = f"With you as the gold {_best(self.best)}, as with {self.n_same} of the {self.n_others} others"
        if not self.mean.defined:
            return f"{told}; tau_b of your ranking with theirs is {self.mean.shown()}."
        return f"{told}; tau_b of your ranking with theirs is {number(self.mean.value)} on average."

    @property
    def basis(self) -> list[str]:
        return [self.measure, f"{count(self.n_others, 'other student')}"]


def figures(material: Material, _asked) -> Ranking:
    material.need_two()
    return material.kept(_ranking)


def own(material: Material, seat: Seat) -> OwnRanking:
    material.need_two()
    found = material.kept(_owns).get(seat.nickname)
    if found is None:
        raise Refused("You judged nothing, so that you are no gold.")
    return found


def _measure(material: Material) -> str:
    return f"AP(rel={material.threshold})"


def _shift(material: Material) -> agreement.RankingShift:
    """The systems under each student."""
    if not material.collection.runs.exists():
        raise Refused(
            "This exercise has no runs of systems, so that there is no ranking that could move; an exercise made from "
            "a collection with runs has one."
        )
    rules = [f"judge:{name}" for name in material.names]
    return shifting.shift(material.collection, _measure(material), rules)


def _ranking(material: Material) -> Ranking:
    found, mixed = _shift(material), _mixed(material)
    ranks = _ranks(found)
    judged, retrieved = (sum(numbers) for numbers in zip(*map(found.judged_counts, found.golds), strict=True))
    return Ranking(
        measure=found.measure,
        rel=material.threshold,
        tops=_tops_counted(ranks),
        systems=_systems(ranks, mixed),
        n_judges=len(found.golds),
        n_pairs=sum(pair.top_changed is not None for pair in found.pairs),
        n_changed=sum(bool(pair.top_changed) for pair in found.pairs),
        taus=_mean_tau(found.pairs),
        least=_least(found.pairs),
        mixed=mixed.summary(),
        judged=share(judged, retrieved),
        n_topics=mixed.n_topics,
    )


def _ranks(found: agreement.RankingShift) -> dict[str, dict[str, int]]:
    """The rank of every system under every student, each on all topics that the student judged."""
    ranks = {}
    for gold in found.golds:
        means = found.scores[gold].mean(axis=1)
        ranks[gold] = dict(zip(means.index, competition_ranks(means.to_numpy()).tolist(), strict=True))
    return ranks


def _tops(ranks: dict[str, dict[str, int]]) -> dict[str, tuple[str, ...]]:
    """By student the systems at rank 1."""
    return {gold: tuple(sorted(system for system, rank in of.items() if rank == 1)) for gold, of in ranks.items()}


def _tops_counted(ranks: dict[str, dict[str, int]]) -> list[tuple[tuple[str, ...], int]]:
    counted = Counter(_tops(ranks).values())
    return sorted(counted.items(), key=lambda item: (-item[1], item[0]))


def _mixed(material: Material) -> agreement.MixedGolds:
    runs = map(runfiles.load, material.collection.runs.all())
    try:
        return agreement.mixed_golds(
            runs, material.judgements, _measure(material), draws=MIXED_DRAWS, seed=material.exercise.seed
        )
    except ValueError as error:
        raise Refused(str(error)) from None


def _systems(ranks: dict[str, dict[str, int]], mixed: agreement.MixedGolds) -> list[SystemLine]:
    """The system that is best most often comes first."""
    at_top = dict(zip(mixed.top_changes["system"], mixed.top_changes["share"], strict=True))
    lines = [
        _system(system, [of[system] for of in ranks.values()], at_top.get(system, 0.0)) for system in mixed.systems
    ]
    return sorted(lines, key=lambda line: (-line.n_best, line.best_rank, line.worst_rank, line.system))


def _system(system: str, ranks: list[int], at_top: float) -> SystemLine:
    n_best = ranks.count(1)
    return SystemLine(
        system=system,
        n_best=n_best,
        share_best=share(n_best, len(ranks)),
        best_rank=min(ranks),
        worst_rank=max(ranks),
        mixed_share=f"{at_top:.0%}",
        bar=round(100 * n_best / len(ranks), 1),
    )


def _mean_tau(pairs) -> agreement.Estimate:
    """The mean of tau_b where it is defined; who is left out is told by name and reason."""
    values = [pair.tau_b.value for pair in pairs if pair.tau_b.defined]
    skipped = tuple(
        (f"{_student(pair.gold_a)} and {_student(pair.gold_b)}", pair.tau_b.reason)
        for pair in pairs
        if not pair.tau_b.defined
    )
    if not values:
        return undefined("tau_b", skipped[0][1] if skipped else "one_assessor", skipped=skipped, n_averaged=0)
    return agreement.Estimate(fmean(values), "tau_b", n=pairs[0].n_systems, n_averaged=len(values), skipped=skipped)


def _least(pairs) -> tuple[float, str, str] | None:
    defined = [pair for pair in pairs if pair.tau_b.defined]
    if not defined:
        return None
    pair = min(defined, key=lambda pair: pair.tau_b.value)
    return pair.tau_b.value, _student(pair.gold_a), _student(pair.gold_b)


def _owns(material: Material) -> dict[str, OwnRanking]:
    found = _shift(material)
    tops = _tops(_ranks(found))
    return {_student(gold): _own_ranking(found, gold, tops) for gold in found.golds}


def _own_ranking(found: agreement.RankingShift, gold: str, tops: dict[str, tuple[str, ...]]) -> OwnRanking:
    pairs = [pair for pair in found.pairs if gold in (pair.gold_a, pair.gold_b)]
    same = sum(tops[gold] == tops[other] for other in tops if other != gold)
    return OwnRanking(tops[gold], same, len(tops) - 1, _mean_tau(pairs), found.measure)


def _best(systems: tuple[str, ...]) -> str:
    return f"{listed(systems)} {'is' if len(systems) == 1 else 'are tied for'} the best"


def _student(gold: str) -> str:
    return gold.removeprefix("judge:")

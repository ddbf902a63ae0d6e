"""Which system is best? The systems of the exercise, ranked with each student as the gold."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from django.conf import settings

import agreement
from agreement.estimate import undefined
from agreement.rank_correlation import competition_ranks
from assess.analysis.measures import scale_for
from assess.analysis.shift import collection_shift
from assess.collections import runfiles
from assess.errors import Refused
from assess.models import Seat
from assess.teaching.reveal.class_judgements import ClassJudgements, Students
from assess.teaching.reveal.query import RevealQuery
from assess.teaching.reveal.words import figure, joined_names, number, share
from pooling.words import count, percent

MIXED_DRAWS = 2000

Ranks = Mapping[str, Mapping[str, int]]  # by gold and system
Tops = Mapping[str, tuple[str, ...]]  # by gold


@dataclass(frozen=True)
class SystemLine:
    """One system: with how many students as the gold it is best, and the range of its ranks."""

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
class RankingFigures:
    """The ranking of the systems with every student as the gold.

    `tops` are the sets of systems that share the first place, each with its number of students, the most frequent set
    first. `n_changed` of `n_pairs` pairs of students have different best systems. `taus` is the mean of tau_b over the
    pairs of students, and `least` is the lowest tau_b and its two students.
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
    too_few_judged: str
    n_topics: int
    students: Students
    early: "list[OwnRankingFigures]"

    @property
    def sentence(self) -> str:
        """Which system is best, and how far that depends on the student who is the gold."""
        if self.students.is_enough and self.too_few_judged:
            return self.too_few_judged
        result = self._best_system
        if self.n_changed:
            result += f"; the best systems differ in {share(self.n_changed, self.n_pairs)} of the pairs of students"
        return self.students.headline(f"{result}. {self._mean_tau}")

    @property
    def mixed_sentence(self) -> str:
        """Whether the ranking depends on the judge of each topic, if there is enough data."""
        return f"In this exercise: {self.mixed}" if self.students.is_enough and not self.too_few_judged else ""

    @property
    def left_out(self) -> str:
        """The students who are not compared, with their numbers."""
        if not self.early:
            return ""
        figures = "; ".join(f"{own.name}: {_best(own.best)}, mean tau_b {own.shown_tau}" for own in self.early)
        return f"{self.students.left_out()} Under their judgements: {figures}."

    @property
    def _best_system(self) -> str:
        (first, n), *others = self.tops
        best = _best(first)
        if not others:
            return (
                f"{best} of {count(len(self.systems), 'system')} under the judgements of all {self.n_judges} students"
            )
        rest = dict.fromkeys(system for top, _ in others for system in top if system not in first) or first
        return f"{best} under the judgements of {n} of {self.n_judges} students, {joined_names(rest)} under the others"

    @property
    def _mean_tau(self) -> str:
        if not self.taus.defined:
            return f"Tau_b between the rankings of two students is {self.taus.shown()}."
        return f"The mean tau_b between the rankings of two students is {number(self.taus.value)}."

    @property
    def tau_notes(self) -> str:
        """The lowest tau_b, and how many pairs have none."""
        notes = []
        if self.least:
            value, a, b = self.least
            notes.append(f"The lowest tau_b is {number(value)}, between {a} and {b}.")
        if self.taus.skipped:
            skipped = count(len(self.taus.skipped), "pair")
            notes.append(f"{skipped} of students without a tau_b left out: one of the students ties all systems.")
        return " ".join(notes)

    @property
    def basis(self) -> list[str]:
        return [
            f"golds: judgements of {count(self.n_judges, 'student')}",
            f"{self.measure}, relevant: grade {self.rel} and above",
            count(len(self.systems), "system"),
            count(self.n_topics, "topic"),
            f"{self.judged} of the first ten documents judged",
        ]


@dataclass(frozen=True)
class OwnRankingFigures:
    """The ranking of the systems with one student as the gold, compared with the other students."""

    name: str
    best: tuple[str, ...]
    n_same: int
    n_others: int
    mean: agreement.Estimate
    measure: str
    too_early: str

    @property
    def shown_tau(self) -> str:
        """The mean tau_b, or why it is undefined."""
        return figure(self.mean)

    @property
    def sentence(self) -> str:
        if self.too_early:
            return self.too_early
        result = (
            f"In this exercise, under your judgements, {_best(self.best)}. The result is the same for {self.n_same} of "
            f"the {count(self.n_others, 'other student')}."
        )
        if not self.mean.defined:
            return f"{result} Tau_b between your ranking and theirs is {self.mean.shown()}."
        return f"{result} The mean tau_b between your ranking and theirs is {number(self.mean.value)}."

    @property
    def basis(self) -> list[str]:
        return [self.measure, f"{count(self.n_others, 'other student')}"]


def figures(data: ClassJudgements, _query: RevealQuery) -> RankingFigures:
    data.check_two_students()
    return data.cached(_ranking_figures)


def own_figures(data: ClassJudgements, seat: Seat) -> OwnRankingFigures:
    data.check_two_students()
    own = data.cached(_by_student).get(seat.nickname)
    if own is None:
        raise Refused("You judged no documents, so there is no ranking under your judgements.")
    return own


def _measure(data: ClassJudgements) -> str:
    return f"AP(rel={data.threshold})"


def _golds(data: ClassJudgements) -> list[str]:
    """Return the golds that are compared: of the students who judged enough, or of all if these are too few."""
    names = data.students.compared if data.students.is_enough else data.names
    return [f"judge:{name}" for name in names]


def _shift(data: ClassJudgements) -> agreement.RankingShift:
    """Return the scores of the systems with each student as the gold."""
    if not data.collection.runs.exists():
        raise Refused(
            "This exercise has no runs of systems, so there is no ranking to compare. An exercise that is created "
            "from a collection with runs has one."
        )
    rules = [f"judge:{name}" for name in data.names]
    return collection_shift(data.collection, _measure(data), rules, rules[0])  # every two golds are compared


def _ranking_figures(data: ClassJudgements) -> RankingFigures:
    shift, mixed, golds = _shift(data), _mixed_golds(data), _golds(data)
    ranks = {gold: by_system for gold, by_system in _ranks(shift).items() if gold in golds}
    pairs = [pair for pair in shift.pairs if pair.gold_a in golds and pair.gold_b in golds]
    judged, retrieved = _judged_counts(shift, golds)
    return RankingFigures(
        measure=shift.measure,
        rel=data.threshold,
        tops=_count_tops(ranks),
        systems=_system_lines(ranks, mixed),
        n_judges=len(golds),
        n_pairs=sum(pair.top_changed is not None for pair in pairs),
        n_changed=sum(bool(pair.top_changed) for pair in pairs),
        taus=_mean_tau(pairs),
        least=_lowest_tau(pairs),
        mixed=mixed.summary(digits=2),  # like all figures of the class screen
        judged=share(judged, retrieved),
        too_few_judged=_too_few_judged(judged, retrieved),
        n_topics=mixed.n_topics,
        students=data.students,
        early=[own for gold, own in _own_rankings(data, shift).items() if gold not in golds],
    )


def _ranks(shift: agreement.RankingShift) -> Ranks:
    """Return the rank of every system by gold, over all topics that the student judged."""
    ranks = {}
    for gold in shift.golds:
        means = shift.scores[gold].mean(axis=1)
        ranks[gold] = dict(zip(means.index, competition_ranks(means.tolist()).tolist(), strict=True))
    return ranks


def _tops(ranks: Ranks) -> dict[str, tuple[str, ...]]:
    """Return the systems at rank 1, by gold."""
    return {
        gold: tuple(sorted(system for system, rank in by_system.items() if rank == 1))
        for gold, by_system in ranks.items()
    }


def _count_tops(ranks: Ranks) -> list[tuple[tuple[str, ...], int]]:
    counts = Counter(_tops(ranks).values())
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _mixed_golds(data: ClassJudgements) -> agreement.MixedGolds:
    """Mix the judgements of the compared students. A class has its own rule for enough data, so all topics count."""
    runs = map(runfiles.load, data.collection.runs.all())
    judgements = data.judgements[("judge:" + data.judgements["assessor"]).isin(_golds(data))]
    seed = data.exercise.seed
    try:
        return agreement.mixed_golds(
            runs,
            judgements,
            _measure(data),
            draws=MIXED_DRAWS,
            seed=seed,
            min_topics=1,
            min_judged=0,
            scale=scale_for(data.collection, _measure(data)),
        )
    except ValueError as error:
        raise Refused(str(error)) from None


def _system_lines(ranks: Ranks, mixed: agreement.MixedGolds) -> list[SystemLine]:
    """Return a line for every system; the system that is best most often comes first."""
    top_shares = dict(zip(mixed.top_changes["system"], mixed.top_changes["share"], strict=True))
    lines = [
        _system_line(system, [by_system[system] for by_system in ranks.values()], top_shares.get(system, 0.0))
        for system in mixed.systems
    ]
    return sorted(lines, key=lambda line: (-line.n_best, line.best_rank, line.worst_rank, line.system))


def _system_line(system: str, ranks: Sequence[int], top_share: float) -> SystemLine:
    n_best = list(ranks).count(1)
    return SystemLine(
        system=system,
        n_best=n_best,
        share_best=share(n_best, len(ranks)),
        best_rank=min(ranks),
        worst_rank=max(ranks),
        mixed_share=f"{top_share:.0%}",
        bar=round(100 * n_best / len(ranks), 1),
    )


def _mean_tau(pairs: Sequence[agreement.GoldPair]) -> agreement.Estimate:
    """Return the mean of tau_b where it is defined; `skipped` has the other pairs with their reasons."""
    values = [pair.tau_b.value for pair in pairs if pair.tau_b.value is not None]
    skipped = tuple(
        (f"{_student(pair.gold_a)} and {_student(pair.gold_b)}", reason)
        for pair in pairs
        if (reason := pair.tau_b.reason)
    )
    if not values:
        return undefined(
            "tau_b", skipped[0][1] if skipped else "one_assessor", skipped=skipped, n_averaged=0, averaged="pair"
        )
    return agreement.Estimate(
        fmean(values), "tau_b", n=pairs[0].n_systems, n_averaged=len(values), averaged="pair", skipped=skipped
    )


def _lowest_tau(pairs: Sequence[agreement.GoldPair]) -> tuple[float, str, str] | None:
    taus = [
        (pair.tau_b.value, _student(pair.gold_a), _student(pair.gold_b))
        for pair in pairs
        if pair.tau_b.value is not None
    ]
    return min(taus, key=lambda tau: tau[0], default=None)


def _judged_counts(shift: agreement.RankingShift, golds: Sequence[str]) -> tuple[int, int]:
    """Return how many of the systems' first ten documents these golds judge, and how many there are."""
    judged, retrieved = zip(*map(shift.judged_counts, golds), strict=True)
    return sum(judged), sum(retrieved)


def _too_few_judged(judged: int, retrieved: int) -> str:
    """Return why the systems cannot be compared; empty if they can."""
    if judged >= settings.EXERCISE_MIN_TOP_JUDGED * retrieved:
        return ""
    return (
        f"Too early to say in this exercise: {share(judged, retrieved)} of the first ten documents of the systems are "
        f"judged, and {percent(settings.EXERCISE_MIN_TOP_JUDGED)} are needed."
    )


def _by_student(data: ClassJudgements) -> dict[str, OwnRankingFigures]:
    return {own.name: own for own in _own_rankings(data, _shift(data)).values()}


def _own_rankings(data: ClassJudgements, shift: agreement.RankingShift) -> dict[str, OwnRankingFigures]:
    """Compare the gold of each student with the golds of the others who judged enough."""
    tops, golds = _tops(_ranks(shift)), _golds(data)
    return {gold: _own_ranking(data, shift, gold, golds, tops) for gold in shift.golds}


def _own_ranking(
    data: ClassJudgements, shift: agreement.RankingShift, gold: str, golds: Sequence[str], tops: Tops
) -> OwnRankingFigures:
    name, others = _student(gold), [other for other in golds if other != gold]
    return OwnRankingFigures(
        name=name,
        best=tops[gold],
        n_same=sum(tops[gold] == tops[other] for other in others),
        n_others=len(others),
        mean=_mean_tau([shift.pair(gold, other) for other in others]),
        measure=shift.measure,
        too_early=data.students.too_early_for_own(name) or _too_few_judged(*_judged_counts(shift, golds)),
    )


def _best(systems: Sequence[str]) -> str:
    return f"{joined_names(systems)} {'is' if len(systems) == 1 else 'are tied for'} the best"


def _student(gold: str) -> str:
    return gold.removeprefix("judge:")

"""My partner and I: the contingency table of two students, calculated step by step."""

from dataclasses import dataclass

import agreement
from agreement.coefficients.worked import Step
from assess.analysis.agreement import grade_labels
from assess.errors import Refused
from assess.models import Seat
from assess.teaching.pairing import partner_of
from assess.teaching.reveal.class_judgements import ClassJudgements
from assess.teaching.reveal.query import RevealQuery
from assess.teaching.reveal.words import figure, number
from pooling.words import count


@dataclass(frozen=True)
class PairFigures:
    """The table of two students with every step of the calculation."""

    a: str
    b: str
    worked: agreement.Worked
    basis: list[str]
    too_early: str

    @property
    def observed(self) -> str:
        return number(self.worked.pooled.observed)

    @property
    def pooled(self) -> str:
        return figure(self.worked.pooled)

    @property
    def unpooled(self) -> str:
        return figure(self.worked.unpooled)

    @property
    def steps(self) -> list[tuple[Step, str]]:
        """The steps of the calculation, each with its value as all screens round it."""
        return [(step, step.shown if step.exact is None else number(step.value)) for step in self.worked.steps]

    @property
    def sentence(self) -> str:
        """The observed agreement, the agreement expected by chance, and kappa."""
        return self.too_early or f"In this exercise, {self._result}"

    @property
    def _result(self) -> str:
        n, pooled = self.worked.n, self.worked.pooled
        if not n:
            return f"{self.a} and {self.b} judged no document in common, so there is nothing to compare."
        agreed = sum(counts[place] for place, (_, counts, _) in enumerate(self.worked.rows))
        agreement_part = f"{self.a} and {self.b} give the same grade to {agreed} of {count(n, 'document')}"
        if not pooled.defined:
            return (
                f"{agreement_part}, and kappa is {pooled.shown()}: students who use only one grade agree by chance "
                "alone."
            )
        return (
            f"{agreement_part}, {pooled.observed:.0%}. Chance alone would give {pooled.expected:.0%}. Pooled kappa, "
            f"the agreement beyond chance, is {number(pooled.value)} ({pooled.band})."
        )


def figures(data: ClassJudgements, query: RevealQuery) -> PairFigures:
    data.check_two_students()
    if query.a is None or query.b is None:
        raise Refused("Choose two students.")
    return data.cached(_pair, query.a.nickname, query.b.nickname)


def own_figures(data: ClassJudgements, seat: Seat) -> PairFigures:
    data.check_two_students()
    partner = partner_of(seat, data.participants)
    if partner is None or seat.nickname not in data.names:
        raise Refused("You judged no documents, so there is nothing to compare with your partner.")
    return data.cached(_pair, seat.nickname, partner.nickname)


def _pair(data: ClassJudgements, a: str, b: str) -> PairFigures:
    labels = grade_labels(data.collection, data.rel)
    worked = agreement.worked(data.ratings.table(a, b), labels=labels, judges=(a, b))
    observed = agreement.percent_agreement(data.ratings, a, b)
    basis = [
        f"{count(worked.n, 'document')} judged by both",
        f"{observed.n_dropped} judged by only one, left out",
        f"{count(len(observed.topics), 'topic')} in one table",
    ]
    return PairFigures(a, b, worked, basis, data.students.too_early_for(a, b))

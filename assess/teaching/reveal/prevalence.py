"""How prevalence changes kappa: the class's kappa, and the kappa of the same agreement at other prevalences.

The curve is Fleiss' kappa of judges who agree as often as the class does and find a given share of documents relevant.
It passes through the kappa of the class. Judges who disagree on a share d of the documents find at least d / 2 and at
most 1 - d / 2 relevant, so the curve ends there.

Kappa and the numbers of judgements are those of the documents with two or more judgements.
"""

from dataclasses import dataclass
from fractions import Fraction

import pandas as pd
from django.utils.safestring import SafeString

import agreement
from assess.analysis.figures import inline_svg
from assess.errors import Refused
from assess.models import Seat
from assess.teaching.reveal.class_judgements import ClassJudgements, Students
from assess.teaching.reveal.query import RevealQuery
from assess.teaching.reveal.words import figure, number, share
from pooling.words import count

CHART_LABEL = "Fleiss' kappa of the same agreement at every prevalence. The table shows the same figures."
PHONE = 2.95  # inches of a figure whose text has 12 pixels on a phone
STEPS = (5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95)  # percent


@dataclass(frozen=True)
class Point:
    """A prevalence, and the kappa of the class's agreement there; None if that agreement is impossible there."""

    prevalence: float
    kappa: float | None

    @property
    def shown(self) -> str:
        return number(self.kappa) if self.kappa is not None else "not possible"

    @property
    def percent(self) -> str:
        return f"{self.prevalence:.0%}"


@dataclass(frozen=True)
class TopicLine:
    """The prevalence and agreement of one topic, in the documents with two or more judgements."""

    title: str
    n_relevant: int
    n_judgements: int
    fleiss: agreement.Estimate

    @property
    def share(self) -> str:
        return share(self.n_relevant, self.n_judgements)

    @property
    def observed(self) -> str:
        return number(self.fleiss.observed)

    @property
    def kappa(self) -> str:
        return figure(self.fleiss)


@dataclass(frozen=True)
class PrevalenceFigures:
    """The kappa of the class, the curve, and each topic, from the documents with two or more judgements."""

    n_relevant: int
    n_judgements: int
    n_judges: int
    rel: int
    fleiss: agreement.Estimate
    points: list[Point]
    chart: SafeString
    chart_for_phone: SafeString
    topics: list[TopicLine]
    students: Students

    @property
    def share_relevant(self) -> float:
        return self.n_relevant / self.n_judgements

    @property
    def sentence(self) -> str:
        fleiss = self.fleiss
        if fleiss.observed is None:
            return self.students.headline(
                f"the effect of prevalence cannot be calculated: Fleiss' kappa is {fleiss.shown()}."
            )
        kappa = figure(fleiss)
        result = self.students.headline(
            f"you agree on {fleiss.observed:.0%} of the documents judged by two or more (P(A)), and "
            f"{self.share_relevant:.0%} of their judgements are relevant. Fleiss' kappa is {kappa}."
        )
        rare, even = self._rarest, next((point for point in self.points if point.percent == "50%"), None)
        if not self.students.is_enough or rare is None or even is None or even.kappa is None or rare is even:
            return result
        return (
            f"{result} The same agreement gives a kappa of {number(even.kappa)} if half of the documents are relevant, "
            f"and of {number(rare.kappa)} if {rare.percent} are."
        )

    @property
    def agreed(self) -> str:
        return "–" if self.fleiss.observed is None else f"{self.fleiss.observed:.0%}"

    @property
    def _rarest(self) -> Point | None:
        return next((point for point in self.points if point.kappa is not None), None)

    @property
    def basis(self) -> list[str]:
        return [
            count(self.n_judges, "student"),
            f"{count(self.fleiss.n or 0, 'document')} judged by two or more",
            f"{self.fleiss.n_dropped:,} judged by only one, left out",
            f"{self.n_relevant} of {count(self.n_judgements, 'judgement')} relevant (grade {self.rel} and above)",
            "pooled",
        ]


@dataclass(frozen=True)
class OwnPrevalenceFigures:
    """The share of all their documents that one student found relevant, and the share of the class."""

    n_relevant: int
    n: int
    whole_class: PrevalenceFigures

    @property
    def sentence(self) -> str:
        own = f"you found {self.n_relevant} of {count(self.n, 'document')} relevant, {share(self.n_relevant, self.n)}"
        if not self.whole_class.n_judgements:
            return f"In this exercise, {own}; no document was judged by two or more."
        return (
            f"In this exercise, {own}; of all judgements of documents judged by two or more, "
            f"{self.whole_class.share_relevant:.0%} are relevant."
        )

    @property
    def basis(self) -> list[str]:
        return [f"relevant: grade {self.whole_class.rel} and above"]


def figures(data: ClassJudgements, _query: RevealQuery) -> PrevalenceFigures:
    data.check_two_students()
    return data.cached(_prevalence_figures)


def own_figures(data: ClassJudgements, seat: Seat) -> OwnPrevalenceFigures:
    data.check_two_students()
    counts = data.cached(_counts_by_student).get(seat.nickname)
    if counts is None:
        raise Refused("You judged no documents, so you have no share of relevant judgements.")
    return OwnPrevalenceFigures(*counts, data.cached(_prevalence_figures))


def _prevalence_figures(data: ClassJudgements) -> PrevalenceFigures:
    ratings = _binary_ratings(data)
    shared = ratings.shared
    fleiss = agreement.fleiss_kappa(ratings)
    agreed = None if fleiss.observed is None else Fraction(fleiss.observed)
    return PrevalenceFigures(
        n_relevant=_n_relevant(shared),
        n_judgements=shared.n_judgements,
        n_judges=len(data.names),
        rel=data.threshold,
        fleiss=fleiss,
        points=[_point(agreed, Fraction(percent, 100)) for percent in STEPS],
        chart=_chart(agreed, _share_of_kappa(shared), fleiss.value),
        chart_for_phone=_chart(agreed, _share_of_kappa(shared), fleiss.value, PHONE),
        topics=_topic_lines(data, ratings),
        students=data.students,
    )


def _share_of_kappa(shared: agreement.Ratings) -> float:
    """Return the share of relevant judgements from which kappa is computed, so that the class is on the curve.

    It is the mean over the documents with two judgements or more. If their numbers of judgements differ, it is not
    exactly the share of all judgements.
    """
    counts = shared.counts
    return float((counts[:, 1] / counts.sum(axis=1)).mean()) if len(counts) else 0.0


def _chart(
    agreed: Fraction | None, share_relevant: float, kappa: float | None, width: float | None = None
) -> SafeString:
    """Draw the curve, and the class as a dot if its kappa is defined."""
    from agreement import plots  # loads matplotlib

    curve = [_point(agreed, Fraction(step, 200)) for step in range(201)]
    points = pd.DataFrame({"prevalence": [p.prevalence for p in curve], "kappa": [p.kappa for p in curve]}, dtype=float)
    mark = None if kappa is None else (share_relevant, kappa)
    return inline_svg(plots.prevalence_curve(points, mark, title="", width=width), CHART_LABEL)


def _binary_ratings(data: ClassJudgements) -> agreement.Ratings:
    """Return binary ratings, whatever the screen shows, because prevalence is a share of relevant documents."""
    return data.graded_ratings.binary(data.threshold)


def _point(agreed: Fraction | None, prevalence: Fraction) -> Point:
    """Return the kappa of judges who agree this often and both find this share relevant."""
    if agreed is None or not (1 - agreed) / 2 <= prevalence <= (1 + agreed) / 2:
        return Point(float(prevalence), None)
    kappa = agreement.kappa_from_proportions(agreed, prevalence, prevalence, "pooled")
    return Point(float(prevalence), kappa.value)


def _n_relevant(ratings: agreement.Ratings) -> int:
    """Return the number of judgements with the grade relevant."""
    _nonrelevant, relevant = ratings.counts.sum(axis=0).tolist()
    return int(relevant)


def _topic_lines(data: ClassJudgements, ratings: agreement.Ratings) -> list[TopicLine]:
    titles = dict(data.collection.topics.values_list("query_id", "title"))
    return [
        TopicLine(
            titles[query_id],
            _n_relevant(part.shared),
            part.shared.n_judgements,
            agreement.fleiss_kappa(part),
        )
        for query_id, part in ratings.by_topic().items()
    ]


def _counts_by_student(data: ClassJudgements) -> dict[str, tuple[int, int]]:
    """Return for every student how many documents were relevant, and how many were judged."""
    ratings = _binary_ratings(data)
    rows = {name: ratings.row(name) for name in ratings.assessors}
    return {name: (int((row == 1).sum()), int((row >= 0).sum())) for name, row in rows.items()}

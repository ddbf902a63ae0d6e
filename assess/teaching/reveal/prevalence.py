"""What prevalence does to kappa: the class's own, and what the same agreement is worth at others.

The curve is Fleiss' kappa of judges who agree as often as the class does and find a given share relevant. It passes
through the class's own figure. Judges who differ on a share d of the documents find at least d / 2 and at most
1 - d / 2 relevant, so that the curve ends there.
"""

from dataclasses import dataclass
from fractions import Fraction

import agreement
from assess.errors import Refused
from assess.models import Seat
from assess.teaching.reveal.everybody import PI_ITEMS
from assess.teaching.reveal.material import Material
from assess.teaching.reveal.words import count, number, share

STEPS = (5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95)  # percent
WIDTH, HEIGHT = 600, 240  # of the drawing, in its own units


@dataclass(frozen=True)
class Point:
    """A prevalence, and what the class's agreement is worth there; None where it cannot be."""

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
    """One topic's own prevalence and agreement."""

    title: str
    n_relevant: int
    n_judgements: int
    fleiss: agreement.Estimate

    @property
    def share(self) -> str:
        return share(self.n_relevant, self.n_judgements)


@dataclass(frozen=True)
class Prevalence:
    """The class's own point, the curve, and topic by topic."""

    n_relevant: int
    n_judgements: int
    n_judges: int
    rel: int
    fleiss: agreement.Estimate
    points: list[Point]
    curve: list[Point]
    topics: list[TopicLine]

    @property
    def own(self) -> float:
        return self.n_relevant / self.n_judgements

    @property
    def sentence(self) -> str:
        fleiss = self.fleiss
        if fleiss.observed is None:
            return f"What prevalence does cannot be told: Fleiss' kappa is {fleiss.shown()}."
        kappa = number(fleiss.value) if fleiss.defined else fleiss.shown()
        told = (
            f"You agree on {fleiss.observed:.0%} and found {self.own:.0%} relevant, which makes Fleiss' kappa {kappa}"
        )
        rare, even = self._rarest, next((point for point in self.points if point.percent == "50%"), None)
        if even is None or even.kappa is None or rare is even:
            return f"{told}."
        return (
            f"{told}; the very same agreement is worth {number(even.kappa)} where half is relevant and "
            f"{number(rare.kappa)} where {rare.percent} is."
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
            count(self.fleiss.n, "document"),
            f"{self.n_relevant} of {count(self.n_judgements, 'judgement')} relevant (from grade {self.rel} on)",
            "pooled",
        ]

    @property
    def bottom(self) -> float:
        """Where the drawing's axis begins."""
        least = min([0.0, *(point.kappa for point in self.curve if point.kappa is not None)])
        return 0.0 if least >= 0 else max(-1.0, least // 0.25 * 0.25)

    @property
    def line(self) -> str:
        """The curve as the points of an SVG polyline."""
        places = [self._place(each.prevalence, each.kappa) for each in self.curve if each.kappa is not None]
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)

    @property
    def dot(self) -> tuple[float, float] | None:
        """Where the class stands."""
        return self._place(self.own, self.fleiss.value) if self.fleiss.defined else None

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """Heights of the grid's lines, and the kappas that they stand for."""
        steps = round((1 - self.bottom) / 0.25)
        values = [self.bottom + step * 0.25 for step in range(steps + 1)]
        return [(self._place(0, value)[1], number(value)) for value in values]

    def _place(self, prevalence: float, kappa: float) -> tuple[float, float]:
        return round(WIDTH * prevalence, 1), round(HEIGHT * (1 - kappa) / (1 - self.bottom), 1)


@dataclass(frozen=True)
class OwnPrevalence:
    """How much one student found relevant, and how much the class did."""

    n_relevant: int
    n: int
    among: Prevalence

    @property
    def sentence(self) -> str:
        return (
            f"You found {self.n_relevant} of {count(self.n, 'document')} relevant, {share(self.n_relevant, self.n)}; "
            f"all of you together {share(self.among.n_relevant, self.among.n_judgements)}."
        )

    @property
    def basis(self) -> list[str]:
        return [f"relevant from grade {self.among.rel} on"]


def figures(material: Material, _asked) -> Prevalence:
    material.need_two()
    return material.kept(_prevalence)


def own(material: Material, seat: Seat) -> OwnPrevalence:
    material.need_two()
    found = material.kept(_found_relevant).get(seat.nickname)
    if found is None:
        raise Refused("You judged nothing, so that there is no share of yours.")
    return OwnPrevalence(*found, material.kept(_prevalence))


def _prevalence(material: Material) -> Prevalence:
    ratings = _binary(material)
    fleiss = agreement.fleiss_kappa(ratings, pi_items=PI_ITEMS)
    _, n_relevant = _uses(ratings)
    agreed = None if fleiss.observed is None else Fraction(fleiss.observed)
    return Prevalence(
        n_relevant=n_relevant,
        n_judgements=ratings.n_judgements,
        n_judges=len(material.names),
        rel=material.threshold,
        fleiss=fleiss,
        points=[_point(agreed, Fraction(step, 100)) for step in STEPS],
        curve=[_point(agreed, Fraction(step, 200)) for step in range(201)],
        topics=_topics(material, ratings),
    )


def _binary(material: Material) -> agreement.Ratings:
    """Prevalence is of what is relevant: grades are cut in two, whatever the screen shows."""
    return material.every_grade.binary(material.threshold)


def _point(agreed: Fraction | None, prevalence: Fraction) -> Point:
    """Kappa of judges who agree so often, both with so large a share of relevant documents."""
    apart = None if agreed is None else 1 - agreed
    if apart is None or not apart / 2 <= prevalence <= 1 - apart / 2:
        return Point(float(prevalence), None)
    found = agreement.kappa_from_proportions(agreed, prevalence, prevalence, "pooled")
    return Point(float(prevalence), found.value)


def _uses(ratings: agreement.Ratings) -> tuple[int, int]:
    """How many judgements found nonrelevant, and relevant."""
    nonrelevant, relevant = ratings.counts.sum(axis=0).tolist()
    return int(nonrelevant), int(relevant)


def _topics(material: Material, ratings: agreement.Ratings) -> list[TopicLine]:
    titles = dict(material.collection.topics.values_list("query_id", "title"))
    return [
        TopicLine(
            titles[query_id],
            _uses(part)[1],
            part.n_judgements,
            agreement.fleiss_kappa(part, pi_items=PI_ITEMS),
        )
        for query_id, part in ratings.by_topic().items()
    ]


def _found_relevant(material: Material) -> dict[str, tuple[int, int]]:
    """Of every student: how many found relevant, of how many judged."""
    ratings = _binary(material)
    rows = {name: ratings.row(name) for name in ratings.assessors}
    return {name: (int((row == 1).sum()), int((row >= 0).sum())) for name, row in rows.items()}

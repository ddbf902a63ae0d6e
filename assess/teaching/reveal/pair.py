"""My partner and I: the contingency table of two students, worked out step by step."""

from dataclasses import dataclass

import agreement
from assess.analysis.agreement import grade_labels
from assess.errors import Refused
from assess.models import Seat
from assess.teaching.pairing import partner_of
from assess.teaching.reveal.material import Material
from assess.teaching.reveal.words import count, number


@dataclass(frozen=True)
class Pair:
    """Two students' table with every number of its working."""

    a: str
    b: str
    worked: agreement.Worked
    basis: list[str]

    @property
    def sentence(self) -> str:
        """How often the two say the same, what chance would give, and what is left of it."""
        n, pooled = self.worked.n, self.worked.pooled
        if not n:
            return f"{self.a} and {self.b} judged no document in common, so that there is nothing to compare."
        agreed = sum(counts[place] for place, (_, counts, _) in enumerate(self.worked.rows))
        told = f"{self.a} and {self.b} say the same of {agreed} of {n} documents"
        if not pooled.defined:
            return f"{told}, and kappa is {pooled.shown()}: who only ever gives one grade agrees by chance alone."
        return (
            f"{told}, {pooled.observed:.0%}; chance alone would give {pooled.expected:.0%}, and pooled kappa, what "
            f"is left beyond chance, is {number(pooled.value)} ({pooled.band})."
        )


def figures(material: Material, asked) -> Pair:
    material.need_two()
    return material.kept(_pair, asked.a.nickname, asked.b.nickname)


def own(material: Material, seat: Seat) -> Pair:
    material.need_two()
    if seat.nickname not in material.names:
        raise Refused("You judged nothing, so that there is nothing to compare with your partner.")
    partner = partner_of(seat, material.seats)
    return material.kept(_pair, seat.nickname, partner.nickname)


def _pair(material: Material, a: str, b: str) -> Pair:
    labels = grade_labels(material.collection, material.rel)
    worked = agreement.worked(material.ratings.table(a, b), labels=labels, judges=(a, b))
    observed = agreement.percent_agreement(material.ratings, a, b)
    basis = [
        f"{count(worked.n, 'document')} judged by both",
        f"{observed.n_dropped} by one only, left out",
        f"{count(len(observed.topics), 'topic')} in one table",
    ]
    return Pair(a, b, worked, basis)

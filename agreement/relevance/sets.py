"""How far the relevant sets of assessors coincide: overlap, and one set retrieved against another.

With A and B the documents that assessors a and b found relevant, among those that both judged:

    overlap      |A and B| / |A or B|      range 0 to 1; the same for a and b
    precision    |A and B| / |A|           of what a found relevant, how much b did
    recall       |A and B| / |B|           of what b found relevant, how much a did

Overlap is Jaccard's coefficient. For more than two assessors it is the size of the intersection of all their
sets over the size of the union, among the documents that all of them judged. Precision and recall take a's
set as what a system retrieved and b's as the truth: they bound what a system can reach that is built to one
person's judgements and measured with another's. Their harmonic mean is positive agreement
(`agreement.relevance.specific_agreement`). None of these is corrected for chance.

Undefined, reason `no_relevant`: the set that is divided by is empty. Other undefined cases are those of
`agreement.estimate`.

References
----------
M. E. Lesk and G. Salton (1968). Relevance assessments and retrieval system evaluation. Information Storage
and Retrieval 4(4), 343-359.
E. M. Voorhees (2000). Variations in relevance judgments and the measurement of retrieval effectiveness.
Information Processing and Management 36(5), 697-716, section 3: overlap, and one assessor's precision and
recall measured with another's judgements.
"""

from dataclasses import dataclass

from agreement.estimate import Estimate, undefined
from agreement.ratings import MISSING, Ratings
from agreement.relevance.two_by_two import fourfold, relevant_from, said_relevant, share


@dataclass(frozen=True)
class PrecisionRecall:
    """The relevant set of one assessor as a system's answer, and another's as the truth."""

    precision: Estimate
    recall: Estimate


def overlap(data, a: str | None = None, b: str | None = None, rel=None) -> Estimate:
    """Intersection over union of the relevant sets, of two assessors or of all together. Range 0 to 1.

    Parameters
    ----------
    data : Ratings, or array of int of shape (n_grades, n_grades)
    a, b : str, optional
        Two assessors of the Ratings. Left out, all who judged anything are compared together.
    rel : grade, optional
        The lowest grade that is relevant; may be left out where there are two grades.

    Returns
    -------
    Estimate
        `n` counts the items that all the compared assessors judged, `n_dropped` those that only some of them
        did, and `convention` tells the sizes of intersection and union.

    Raises
    ------
    ValueError
        As for `agreement.relevance.two_by_two.fourfold`.
    """
    together = isinstance(data, Ratings) and len(data.assessors) > 2 and a is None and b is None
    if together:
        return _overlap_of_all(data, relevant_from(data.scale, rel))
    pair = fourfold(data, a, b, rel)
    return pair.share("overlap", pair.both, pair.both + pair.only_a + pair.only_b)


def cross_precision_recall(data, a: str | None = None, b: str | None = None, rel=None) -> PrecisionRecall:
    """Precision and recall of a's relevant set where b's is the truth. Range 0 to 1 each.

    Parameters and errors are those of `agreement.relevance.two_by_two.fourfold`; with a table, rows are a's grades.

    Returns
    -------
    PrecisionRecall
        Precision is undefined where a found nothing relevant, recall where b did.
    """
    pair = fourfold(data, a, b, rel)
    return PrecisionRecall(
        precision=pair.share("precision", pair.both, pair.both + pair.only_a),
        recall=pair.share("recall", pair.both, pair.both + pair.only_b),
    )


def _overlap_of_all(ratings: Ratings, rel) -> Estimate:
    judged = ratings.codes != MISSING
    busy, some, convention = judged.any(axis=1), int(judged.any(axis=0).sum()), said_relevant(rel)
    if busy.sum() < 2:
        reason = "one_assessor" if busy.any() else "empty"
        fields = {"n": 0, "n_values": 0, "n_dropped": some, "assessors": ratings.assessors}
        return undefined("overlap", reason, convention=convention, **fields)
    by_all = judged[busy].all(axis=0)
    n = int(by_all.sum())
    fields = {
        "n": n,
        "n_values": n * int(busy.sum()),
        "n_dropped": some - n,
        "assessors": tuple(name for name in ratings.assessors if name not in ratings.idle),
        "topics": ratings.topics_of(by_all),
    }
    relevant = ratings.codes[busy][:, by_all] >= ratings.scale.index(rel)
    part, whole = int(relevant.all(axis=0).sum()), int(relevant.any(axis=0).sum())
    return share("overlap", part, whole, "no_relevant" if n else "no_overlap", convention, fields)

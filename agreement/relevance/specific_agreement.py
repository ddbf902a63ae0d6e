"""Agreement on the relevant and on the not relevant documents, each by itself.

Where relevant documents are rare, assessors agree on most documents whatever they think of the few that
matter. Positive agreement looks at the relevant ones alone, negative agreement at the others. In the words of
`agreement.relevance.two_by_two`:

    positive agreement   2 both / (2 both + only_a + only_b)
    negative agreement   2 neither / (2 neither + only_a + only_b)

Range 0 to 1. Positive agreement is the harmonic mean of precision and recall of one relevant set against the
other (F1, Dice's coefficient), and 2 J / (1 + J) of the overlap J. Neither is corrected for chance.

Undefined: nobody found anything relevant (reason `no_relevant`), or nobody anything not relevant
(`no_nonrelevant`). Other undefined cases are those of `agreement.estimate`.

References
----------
D. V. Cicchetti and A. R. Feinstein (1990). High agreement but low kappa: II. Resolving the paradoxes. Journal
of Clinical Epidemiology 43(6), 551-558: p_pos and p_neg.
"""

from agreement.estimate import Estimate
from agreement.relevance.two_by_two import fourfold


def positive_agreement(data, a: str | None = None, b: str | None = None, rel=None) -> Estimate:
    """Agreement on what is relevant. Range 0 to 1.

    Parameters and errors are those of `agreement.relevance.two_by_two.fourfold`.
    """
    pair = fourfold(data, a, b, rel)
    return pair.share("positive_agreement", 2 * pair.both, 2 * pair.both + pair.only_a + pair.only_b)


def negative_agreement(data, a: str | None = None, b: str | None = None, rel=None) -> Estimate:
    """Agreement on what is not relevant. Range 0 to 1.

    Parameters and errors are those of `agreement.relevance.two_by_two.fourfold`.
    """
    pair = fourfold(data, a, b, rel)
    whole = 2 * pair.neither + pair.only_a + pair.only_b
    return pair.share("negative_agreement", 2 * pair.neither, whole, "no_nonrelevant")

"""How many relevant documents exist, from what independent sources found of them: capture-recapture.

Two sources found n1 and n2 relevant documents, m of them both. If they are independent, the second source finds the
same share of all N relevant documents as of those that the first one found: m / n1 = n2 / N. Hence

    Lincoln and Petersen   N = n1 n2 / m                              undefined if m = 0
    Chapman                N = (n1 + 1) (n2 + 1) / (m + 1) - 1        nearly unbiased; exactly if n1 + n2 >= N

The interval contains each N under which m, or a more extreme number, has a probability above (1 - confidence) / 2 by
the hypergeometric distribution with margins n1 and n2. It is exact: its coverage is at least the confidence. It has no
upper limit if m = 0.

The assumption is independence: whether one source finds a relevant document does not depend on whether the other one
finds it, and within one source all are equally likely. Retrieval systems violate it. Documents that one system finds
easily are easy for others, so they share more than independent sources would, and N is too small: read it as a number
that at least exist, and completeness as an upper estimate. Sources of different kinds (systems, searchers, a learner)
are nearer to the assumption.

F. C. Lincoln, Calculating waterfowl abundance on the basis of banding returns, USDA Circular 118, 1930; D. G. Chapman,
Some properties of the hypergeometric distribution with applications to zoological sample censuses, University of
California Publications in Statistics 1, 1951, 131-160; G. A. F. Seber, The effects of trap response on tag recapture
estimates, Biometrics 26, 1970, 13-22 (the standard error).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import isinf, sqrt
from typing import Any, TypeAlias

import pandas as pd

from pooling.id_lists import id_set
from pooling.result import Result
from pooling.stopping.exact_limits import check_share, total_limits
from pooling.words import count

ASSUMPTION = (
    "Capture-recapture assumes that the sources are independent. Systems tend to find the same documents; then there"
    " are more relevant documents than estimated, and completeness is lower."
)
AGAINST = ("each", "others")
Ids: TypeAlias = frozenset[str]
OTHERS = "all others"
COLUMNS = {
    **dict.fromkeys(("source", "other"), "str"),
    **dict.fromkeys(("n_source", "n_other", "n_common", "n_found"), "int64"),
    **dict.fromkeys(("lincoln_petersen", "chapman", "standard_error", "low", "high", "completeness"), "Float64"),
    **dict.fromkeys(("completeness_low", "completeness_high"), "Float64"),
    "reason": "str",
}


@dataclass(frozen=True, eq=False, repr=False)
class CaptureRecapture(Result):
    """The estimated number of relevant documents; the result of `capture_recapture`.

    Attributes
    ----------
    pairs : DataFrame
        One row per pair of sources, with the columns

        - source, other (str): the two sources; other is "all others" if each source is compared with all others;
        - n_source, n_other, n_common, n_found (int64): relevant documents of each, of both, and of either;
        - lincoln_petersen (Float64): N = n1 n2 / m; NA if nothing is in common;
        - chapman, standard_error (Float64): Chapman's estimate of N, and its standard error (Seber 1970);
        - low, high (Float64): the limits of N; high is NA if nothing is in common, because there is no upper limit;
        - completeness, completeness_low, completeness_high (Float64): `n_found / N` with Chapman's N and the limits, 0
          to 1; the lower limit is 0 if N has no upper limit;
        - reason (str): why values are NA; "" if all are defined.
    n_found : int
        The number of relevant documents that any source found.
    confidence : float
        The confidence level of the intervals.
    assumption : str
        What the estimates assume.

    Examples
    --------
    >>> from pooling import capture_recapture
    >>> result = capture_recapture({"systems": {"a", "b"}, "searchers": {"b", "c"}})
    >>> result.n_found, result.assumption.split(".")[0]
    (3, 'Capture-recapture assumes that the sources are independent')
    """

    pairs: pd.DataFrame
    n_found: int
    confidence: float
    assumption: str = ASSUMPTION

    def to_frame(self) -> pd.DataFrame:
        """Return `pairs`."""
        return self.pairs

    def _sentence(self) -> str:
        known = self.pairs["completeness"].dropna()
        basis = f"{count(self.n_found, 'relevant document')} found; {count(len(self.pairs), 'comparison')}"
        if not len(known):
            return f"completeness is undefined ({basis})"
        share = f"{known.min():.3f}" if len(known) == 1 else f"{known.min():.3f} to {known.max():.3f}"
        return f"completeness {share} ({basis}). {self.assumption}"


def capture_recapture(
    found: Mapping[str, Collection[str]], *, against: str = "each", confidence: float = 0.95
) -> CaptureRecapture:
    """Estimate the number of relevant documents from the overlap of independent sources.

    The estimators are those of Lincoln and Petersen and of Chapman (1951); the interval is exact under independence.
    The estimate assumes that the sources are independent. If they tend to find the same documents, as retrieval systems
    do, more relevant documents exist than estimated.

    Parameters
    ----------
    found : mapping of str to collection of str
        The doc_ids of the relevant documents that each source found; two sources or more. A source is a system, all
        systems together, the searchers or a learner.
    against : {"each", "others"}
        Whether each source is compared with each other one, or with all others together.
    confidence : float
        The confidence level of the intervals, between 0 and 1.

    Returns
    -------
    CaptureRecapture
        The estimates of each comparison, in the order of the sources. They are undefined, with a reason, if a source
        found nothing. Lincoln and Petersen's is undefined if nothing is in common.

    Raises
    ------
    ValueError
        If there are fewer than two sources, a source is not a collection of ids, or an option is not allowed.

    Examples
    --------
    >>> from pooling import capture_recapture
    >>> systems, searchers = {"a", "b", "c", "d"}, {"c", "d", "e"}
    >>> pair = capture_recapture({"systems": systems, "searchers": searchers}).pairs.iloc[0]
    >>> [float(pair[name]) for name in ("n_common", "n_found", "lincoln_petersen")], f"{pair['chapman']:.3f}"
    ([2.0, 5.0, 6.0], '5.667')
    """
    if not isinstance(found, Mapping):
        raise ValueError(f"found must be a dictionary with the ids of each source, not {type(found).__name__}")
    if len(found) < 2:
        raise ValueError(f"capture-recapture needs two sources or more, not {len(found)}")
    if against not in AGAINST:
        raise ValueError(f"against must be one of {', '.join(map(repr, AGAINST))}, not {against!r}")
    check_share("confidence", confidence)
    documents = {str(source): _documents(source, ids) for source, ids in found.items()}
    rows = [_row(*pair, confidence) for pair in _compared(documents, against)]
    frame = pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)
    return CaptureRecapture(frame, len(frozenset().union(*documents.values())), confidence)


def _documents(source: str, ids: Any) -> Ids:
    return id_set(f"the documents of source {source!r}", ids)


def _compared(documents: dict[str, Ids], against: str) -> list[tuple[str, str, Ids, Ids]]:
    if against == "each":
        return [(one, other, documents[one], documents[other]) for one, other in combinations(documents, 2)]
    return [
        (source, OTHERS, ids, frozenset().union(*(other for name, other in documents.items() if name != source)))
        for source, ids in documents.items()
    ]


def _row(source: str, other: str, first: Ids, second: Ids, confidence: float) -> dict[str, Any]:
    n1, n2, m = len(first), len(second), len(first & second)
    row: dict[str, Any] = {"source": source, "other": other, "n_source": n1, "n_other": n2, "n_common": m}
    row["n_found"] = n1 + n2 - m
    if not n1 or not n2:
        return row | {"reason": f"{other if n1 else source} found no relevant document"}
    return row | _estimates(n1, n2, m, confidence)


def _estimates(n1: int, n2: int, m: int, confidence: float) -> dict[str, Any]:
    n_found = n1 + n2 - m
    chapman = (n1 + 1) * (n2 + 1) / (m + 1) - 1
    variance = (n1 + 1) * (n2 + 1) * (n1 - m) * (n2 - m) / ((m + 1) ** 2 * (m + 2))
    low, high = total_limits(n1, n2, m, confidence)
    return {
        "lincoln_petersen": n1 * n2 / m if m else None,
        "chapman": chapman,
        "standard_error": sqrt(variance),
        "low": low,
        "high": None if isinf(high) else high,
        "completeness": n_found / chapman,
        "completeness_low": n_found / high,
        "completeness_high": n_found / low,
        "reason": "" if m else "nothing is in common, so there is no upper limit",
    }

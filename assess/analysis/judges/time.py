"""Agreement in the order of judging."""

import pandas as pd

import agreement
from assess.analysis.data import with_times
from assess.analysis.selection import Selection, is_graded, judge_kinds
from assess.collections.scale import scale_of
from assess.models import Collection

KAPPA = "pooled_kappa"
WINDOWS, FEWEST_DOCUMENTS = 10, 20


def time_frame(collection: Collection, selection: Selection, _reference: str | None = None) -> pd.DataFrame:
    """Return the mean pooled kappa of the pairs in about ten windows, each with at least 20 documents if possible.

    Columns: window, first_at, last_at, items, n (a document counts once for each pair), observed, pooled_kappa and
    pooled_kappa_reason.
    """
    kinds = judge_kinds(collection)
    judgements = with_times(is_graded(selection.judgements(collection)))
    judgements = judgements[[selection.kind in ("", kinds[name]) for name in judgements["assessor"]]]
    shared = int((judgements.groupby(["query_id", "doc_id"]).size() > 1).sum())
    window = max(FEWEST_DOCUMENTS, -(-shared // WINDOWS))
    frame = agreement.over_time(judgements, scale_of(collection), selection.rel, KAPPA, window)
    return frame.drop(columns=f"{KAPPA}_status")

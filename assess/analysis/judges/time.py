"""Agreement in the order of judging."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

import agreement
from agreement.diagnostics.judgement_counts import judgement_counts
from assess.analysis.data import with_times
from assess.analysis.judges.habits import JudgesFigures, judges_figures
from assess.analysis.selection import Selection, is_graded, judge_kinds
from assess.collections.scale import scale_of
from assess.models import Collection

KAPPA = "pooled_kappa"
WINDOWS, FEWEST_DOCUMENTS = 10, 20


@dataclass(frozen=True)
class TimeFigures:
    """The content of the page about time.

    `windows` are those of `time_frame`, `judges` have their pace, and `counts` has assessor, judged_at and n, the
    judgements of the assessor so far.
    """

    windows: pd.DataFrame
    judges: JudgesFigures
    counts: pd.DataFrame

    @property
    def has_order(self) -> bool:
        """Whether judgements have times of their own. With those of imports, windows are drawn by chance."""
        times = self.counts.groupby("assessor")["judged_at"].nunique() if len(self.counts) else pd.Series(dtype=int)
        if len(times) and times.max() == 1:
            return False
        return len(self.windows) < 2 or self.windows["last_at"].iloc[0] < self.windows["first_at"].iloc[-1]


def time_figures(collection: Collection, selection: Selection, _reference: str | None = None) -> TimeFigures:
    """Return the agreement in the order of judging, and the judges with their pace."""
    counts = judgement_counts(_judgements(collection, selection))
    return TimeFigures(time_frame(collection, selection), judges_figures(collection, selection), counts)


def time_frame(collection: Collection, selection: Selection) -> pd.DataFrame:
    """Return the mean pooled kappa of the pairs in about ten windows, each with at least 20 documents if possible.

    Columns: window, first_at, last_at, items, n (a document counts once for each pair), observed, pooled_kappa and
    pooled_kappa_reason.
    """
    judgements = _judgements(collection, selection)
    frame = agreement.over_time(judgements, scale_of(collection), selection.rel, KAPPA, _size(judgements))
    return frame.drop(columns=f"{KAPPA}_status")


def window_documents(collection: Collection, selection: Selection, number: int) -> pd.DataFrame:
    """Return query_id and doc_id of the documents in a window of `time_frame`; none if there is no such window."""
    judgements = _judgements(collection, selection)
    windows = agreement.time_windows(judgements, _size(judgements))
    return windows.loc[windows["window"] == number, ["query_id", "doc_id"]]


def _judgements(collection: Collection, selection: Selection) -> pd.DataFrame:
    kinds = judge_kinds(collection)
    judgements = with_times(is_graded(selection.judgements(collection)))
    chosen = [selection.kind in ("", kinds[name]) for name in judgements["assessor"]]
    return judgements[np.array(chosen, dtype=bool)]  # an empty list would select no columns


def _size(judgements: pd.DataFrame) -> int:
    """Return the number of documents in a window."""
    shared = int((judgements.groupby(["query_id", "doc_id"]).size() > 1).sum())
    return max(FEWEST_DOCUMENTS, -(-shared // WINDOWS))

"""What assessors did with documents whose grade is known: their grades, and their accuracy over time."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assess.models import Collection, Judgement, JudgementKind
from assess.pools.tasks import SETTLED

if TYPE_CHECKING:
    import pandas as pd

WINDOW = 10  # checks of which the accuracy over time is the mean


def known_and_given(collection: Collection, kind: JudgementKind, query_ids: Sequence[str] = ()) -> "pd.DataFrame":
    """Return a row for each judgement of a document with a known grade, in the order of judging.

    With `query_ids`, only documents of these topics count.

    The columns are judge, query_id, doc_id, relevance (NA if it could not be judged), known, hit (0 or 1) and
    judged_at (in UTC).
    """
    import pandas as pd

    rows = Judgement.objects.filter(
        member__collection=collection, repeat=kind, state__in=SETTLED, task__known_grade__isnull=False
    ).order_by("judged_at", "pk")
    if query_ids:
        rows = rows.filter(task__topic__query_id__in=query_ids)
    columns = ["judge", "query_id", "doc_id", "relevance", "known", "judged_at"]
    names = ("member__name", "task__topic__query_id", "task__document__doc_id", "relevance")
    frame = pd.DataFrame(list(rows.values_list(*names, "task__known_grade__relevance", "judged_at")), columns=columns)
    frame = frame.astype({"relevance": "Int64", "known": "int64"})
    frame["judged_at"] = pd.to_datetime(frame["judged_at"], utc=True)
    frame.insert(5, "hit", (frame["relevance"] == frame["known"]).fillna(False).astype("int64"))
    return frame


def accuracy_over_time(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Return the share of hits of each judge in windows of ten checks, in the order of judging.

    The columns are judge, window (from 1), first_at, last_at, n, hits and accuracy.
    """
    numbered = frame.assign(window=frame.groupby("judge").cumcount() // WINDOW + 1)
    windows = numbered.groupby(["judge", "window"], as_index=False).agg(
        first_at=("judged_at", "first"), last_at=("judged_at", "last"), n=("hit", "size"), hits=("hit", "sum")
    )
    return windows.assign(accuracy=(windows["hits"] / windows["n"]).astype("Float64"))

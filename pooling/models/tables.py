"""Answers as a table of grades, for the statistics of `agreement` and for qrels."""

from collections.abc import Iterable

import pandas as pd

from pooling.models.answers import Answer

COLUMNS = ["query_id", "doc_id", "repeat", "relevance", "reason"]
CANNOT_JUDGE = -1


def answers_frame(answers: Iterable[Answer]) -> pd.DataFrame:
    """Return answers as a table, in the order of topic, document and repeat.

    Parameters
    ----------
    answers : iterable of Answer
        Of one judge.

    Returns
    -------
    DataFrame
        Columns query_id, doc_id, repeat, relevance and reason. relevance is -1 ("not judged") if an answer has no
        grade; reason then says why.

    Examples
    --------
    >>> from pooling.models import Answer, answers_frame
    >>> answers = [Answer("k2", "1", "d2", grade=2), Answer("k1", "1", "d1", reason="refusal")]
    >>> answers_frame(answers).drop(columns="reason")
      query_id doc_id  repeat  relevance
    0        1     d1       0         -1
    1        1     d2       0          2
    """
    rows = [
        (each.query_id, each.doc_id, each.repeat, CANNOT_JUDGE if each.grade is None else each.grade, each.reason)
        for each in answers
    ]
    types = {"query_id": "str", "doc_id": "str", "repeat": "int64", "relevance": "int64", "reason": "str"}
    frame = pd.DataFrame(rows, columns=COLUMNS).astype(types)
    return frame.sort_values(COLUMNS[:3], ignore_index=True)

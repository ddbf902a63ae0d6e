"""The list of judged documents as a table with one column for each judge."""

import pandas as pd

from assess.analysis.data import collection_judgements
from assess.models import Collection

CELL = ["query_id", "doc_id"]


def documents_table(collection: Collection, documents: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of `listing.listed`, and the grade of each judge in a column `judge:NAME`."""
    judgements = collection_judgements(collection).merge(documents[CELL], on=CELL)
    grades = judgements.pivot(index=CELL, columns="assessor", values="relevance").astype("Int64")
    grades.columns = [f"judge:{name}" for name in grades.columns]
    return documents.drop(columns=["task", "topic"]).merge(grades, left_on=CELL, right_index=True, how="left")

"""The topics of qrels of classic collections, whose files are imported as they are (`pooling.formats.smart`).

The queries of a file may count the topics of the collection. Queries without a topic are left out and named, and so are
topics without a judgement: CACM and CISI have both.
"""

from typing import TYPE_CHECKING

from assess.errors import Refused
from assess.transfer.judgement_lines import Checks, FileOfJudgements
from pooling.formats.smart.shapes import SAMPLE_BYTES, qrels_form
from pooling.words import count, first_names

if TYPE_CHECKING:
    import pandas as pd


def with_topics(file: FileOfJudgements, content: bytes, labels: "pd.DataFrame", checks: Checks) -> "pd.DataFrame":
    """Return the labels with the ids of their topics, and add notes to the file.

    Raises OpenQuestionError if the queries can be read in two ways.
    """
    from pooling.formats.smart.numbering import match_topics

    labels = match_topics(labels, checks.query_order, checks.number_by or None, name=file.name, notes=file.notes)
    if qrels_form(content[:SAMPLE_BYTES].decode(errors="replace")):
        return _of_known_topics(file, labels, checks)
    if len(labels) > 1 and (labels["label"] == "0").all():
        file.notes.append(
            f"{file.name}: all {len(labels):,} grades are 0, so nothing is relevant. If the file lists the relevant "
            "documents, say so with --listed-relevant."
        )
    return labels


def _of_known_topics(file: FileOfJudgements, labels: "pd.DataFrame", checks: Checks) -> "pd.DataFrame":
    known = labels["query_id"].isin(checks.query_ids)
    if len(labels) and not known.any():
        topics = f"topics such as {checks.query_order[0]!r}" if checks.query_order else "no topics"
        example = labels["query_id"].iloc[0]
        raise Refused(
            f"{file.name}: no query has a topic; the file has queries such as {example!r}, and {checks.collection} has "
            f"{topics}. Import the topics first."
        )
    unknown = list(dict.fromkeys(labels.loc[~known, "query_id"]))
    if unknown:
        queries = f"{len(unknown):,} {'query' if len(unknown) == 1 else 'queries'}"
        file.notes.append(
            f"{file.name}: without a topic, and left out: {queries} ({first_names(unknown)}) with "
            f"{count(int((~known).sum()), 'judgement')}."
        )
    judged = set(labels["query_id"])
    unjudged = [query_id for query_id in checks.query_order if query_id not in judged]
    if unjudged:
        file.notes.append(
            f"{file.name}: without a judgement: {count(len(unjudged), 'topic')} ({first_names(unjudged)})."
        )
    return labels[known]

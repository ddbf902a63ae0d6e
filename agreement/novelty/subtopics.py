"""Subtopics from answers about marginal relevance.

Links lead from a document to those that it repeats; links to documents that are not in the table are ignored. A
document *begins* a subtopic if its answer is "new" or "partly", or if it has none. A document *covers* the subtopics
that it begins, and all that the documents cover which it repeats. So a document with nothing new covers exactly what
the named documents cover, and where each names one document, the documents that are connected by such links are one
subtopic. A document that repeats several subtopics does not join them: it covers each of them.

Later changes can leave documents with nothing new that lead to no document that begins a subtopic. Of those that one
of them reaches, the document that reaches the fewest begins a subtopic; of several, the first of the table.
"""

from collections.abc import Mapping, Sequence

import pandas as pd

from agreement.novelty.answers import Answer, rows_by_topic

SUBTOPIC_COLUMNS = ("query_id", "subtopic", "doc_id")


def make_subtopics(answers: pd.DataFrame) -> pd.DataFrame:
    """Subtopics that the relevant documents of one judge cover.

    Parameters
    ----------
    answers : DataFrame
        One row for each relevant document of the judge, in the order in which they were judged: query_id, doc_id,
        answer ("new", "partly", "nothing", or "" without an answer) and repeats (list of the doc_ids that it repeats).

    Returns
    -------
    DataFrame
        One row for each document and subtopic that it covers: query_id, subtopic ("1", "2", ... within the topic, in
        the order of the documents that begin them) and doc_id. Each document covers at least one subtopic. The rows
        are in the order of the topics and documents of `answers`.

    Raises
    ------
    ValueError
        A column is missing, an answer is unknown, a document occurs twice in a topic or repeats itself, or the
        documents that it repeats do not fit its answer.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.novelty import make_subtopics
    >>> rows = [("1", "a", "new", []), ("1", "b", "new", []), ("1", "c", "nothing", ["a", "b"]),
    ...         ("1", "d", "partly", ["b"])]
    >>> print(make_subtopics(pd.DataFrame(rows, columns=["query_id", "doc_id", "answer", "repeats"])))
      query_id subtopic doc_id
    0        1        1      a
    1        1        2      b
    2        1        1      c
    3        1        2      c
    4        1        2      d
    5        1        3      d
    """
    covered = [
        (query_id, str(subtopic), doc_id)
        for query_id, rows in rows_by_topic(answers)
        for doc_id, subtopics in _covered(rows).items()
        for subtopic in subtopics
    ]
    return pd.DataFrame(covered, columns=list(SUBTOPIC_COLUMNS), dtype="str")


def _covered(rows: Sequence[Answer]) -> dict[str, list[int]]:
    """Return the numbers of the subtopics of each document of a topic."""
    documents = {row.doc_id for row in rows}
    links = {row.doc_id: row.repeats & documents for row in rows}
    reached = {doc_id: _reached(doc_id, links) for doc_id in links}
    begin = {row.doc_id for row in rows if row.answer != "nothing"}
    begin |= _first_of_those_without_beginning(reached, begin)
    numbers = {doc_id: number for number, doc_id in enumerate((each for each in links if each in begin), 1)}
    return {doc_id: sorted(numbers[each] for each in reached[doc_id] & begin) for doc_id in links}


def _first_of_those_without_beginning(reached: Mapping[str, frozenset[str]], begin: set[str]) -> set[str]:
    position = {doc_id: index for index, doc_id in enumerate(reached)}
    return {
        min(documents, key=lambda each: (len(reached[each]), position[each]))
        for documents in reached.values()
        if not documents & begin
    }


def _reached(doc_id: str, links: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the document and all that links lead to from it."""
    reached, waiting = {doc_id}, [doc_id]
    while waiting:
        new = links[waiting.pop()] - reached
        reached |= new
        waiting += new
    return frozenset(reached)

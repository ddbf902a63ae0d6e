"""Diversity qrels, the format of TREC's diversity tasks.

One line for each document and subtopic that it covers, with four fields separated by a space:

    query_id subtopic doc_id relevance

The relevance is 1: programs that read the format distinguish only covered and not covered. Documents that cover no
subtopic have no line. The lines are sorted by query_id and doc_id (as bytes), then by the number of the subtopic.
"""

import pandas as pd

from agreement.checks import plain
from agreement.novelty.subtopics import SUBTOPIC_COLUMNS
from pooling.errors import refuse_unless
from pooling.ids import id_text
from pooling.trec import id_problem


def diversity_qrels(subtopics: pd.DataFrame) -> str:
    """Subtopics as the text of a diversity qrels file.

    Measures such as alpha_nDCG of ir_measures read the file with ``ir_measures.read_trec_qrels``.

    Parameters
    ----------
    subtopics : DataFrame
        As `make_subtopics` returns it: query_id, subtopic (the digits of a positive number) and doc_id. Whole numbers
        count as the strings of their digits.

    Returns
    -------
    str
        The lines, each with a line end. Empty without rows.

    Raises
    ------
    ValueError
        A column is missing, an id is neither a string nor a whole number, or cannot stand in a file whose fields are
        separated by white space, or a subtopic is not a number.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.novelty import diversity_qrels
    >>> rows = [("1", "1", "a"), ("1", "2", "b"), ("1", "1", "c"), ("1", "2", "c")]
    >>> print(diversity_qrels(pd.DataFrame(rows, columns=["query_id", "subtopic", "doc_id"])), end="")
    1 1 a 1
    1 2 b 1
    1 1 c 1
    1 2 c 1
    """
    refuse_unless(subtopics, pd.DataFrame, "subtopics", "a table")
    if missing := [name for name in SUBTOPIC_COLUMNS if name not in subtopics.columns]:
        raise ValueError(f"the subtopics have no column {missing[0]!r}; they need {', '.join(SUBTOPIC_COLUMNS)}")
    rows = [_checked(*row) for row in zip(*(subtopics[name] for name in SUBTOPIC_COLUMNS), strict=True)]
    ordered = sorted(rows, key=lambda row: (row[0].encode(), row[2].encode(), row[1]))
    return "".join(f"{query_id} {subtopic} {doc_id} 1\n" for query_id, subtopic, doc_id in ordered)


def _checked(*values: object) -> tuple[str, int, str]:
    query_id, subtopic, doc_id = (id_text(*each) for each in zip(SUBTOPIC_COLUMNS, map(plain, values), strict=True))
    for name, value in (("query_id", query_id), ("doc_id", doc_id)):
        if problem := id_problem(value):
            raise ValueError(f"{name} {value!r} {problem}")
    if not (subtopic.isascii() and subtopic.isdigit() and int(subtopic)):
        raise ValueError(f"the subtopic must be a positive number, not {subtopic!r} (topic {query_id!r})")
    return query_id, int(subtopic), doc_id

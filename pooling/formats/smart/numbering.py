"""Match the queries of qrels with topics, by their ids or by the order of the topics.

The topics of Cranfield have the numbers 001, 002, 004 and so on up to 365, and its qrels count them from 1 to 225. If
both are joined by their numbers, many topics get the judgements of another one. So the caller has to choose if

- all queries and topics have numbers, and those of the queries are counted from 1 without a gap, or are not higher than
  the number of topics, as in a part of such a file;
- and more queries have a topic by order than have one with the same id.

The readings are:

- by id, a query is the topic with the same id, or the only one with the same number (1 is 001);
- by order, query 1 is the first topic, query 2 the second, and so on.

A query without a topic keeps its id by id, and is left out by order, because its number could be the id of another
topic.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pooling.choices import NUMBER_BY
from pooling.errors import Choice, OpenQuestionError, refuse_unless
from pooling.words import count, first_names

if TYPE_CHECKING:
    import pandas as pd

LEAST = 2  # queries; one query says nothing about how they are counted


@dataclass(frozen=True)
class Readings:
    """The topic of each query in both readings. `n_equal` queries have a topic with exactly their id."""

    queries: tuple[str, ...]
    by_id: Mapping[str, str]
    by_order: Mapping[str, str]
    n_equal: int
    is_counted: bool
    has_no_gap: bool  # in the numbers of the queries, from 1

    @property
    def is_open(self) -> bool:
        """Whether the caller has to choose between the readings."""
        return self.is_counted and len(self.by_order) > self.n_equal

    def describe(self, number_by: str) -> str:
        """How many queries have a topic in a reading, and one of them as an example."""
        found = self.by_order if number_by == "order" else self.by_id
        matching = f"{len(found):,} of {count(len(self.queries), 'query').replace('querys', 'queries')}"
        example = next((query for query in reversed(list(found)) if found[query] != query), "")
        shown = f" (query {example} is topic {found[example]})" if example else ""
        return f"{matching} have a topic{shown}"


def readings(queries: Iterable[str], topics: Sequence[str]) -> Readings:
    """Both readings of the queries of qrels; `topics` are the ids of all topics in the order of their file.

    Examples
    --------
    >>> from pooling.formats.smart.numbering import readings
    >>> found = readings(["1", "2"], ["001", "004"])
    >>> found.is_open, dict(found.by_id), dict(found.by_order)
    (True, {'1': '001'}, {'1': '001', '2': '004'})
    """
    listed = tuple(dict.fromkeys(queries))
    known = set(topics)
    numbers = {query: int(query) for query in listed if _is_number(query)}
    by_order = {query: topics[number - 1] for query, number in numbers.items() if 0 < number <= len(topics)}
    all_numbers = len(numbers) == len(listed) >= LEAST and all(_is_number(topic) for topic in topics)
    has_no_gap = set(numbers.values()) == set(range(1, len(listed) + 1))
    return Readings(
        listed,
        _by_id(listed, numbers, topics),
        by_order,
        n_equal=sum(query in known for query in listed),
        is_counted=all_numbers and (has_no_gap or len(by_order) == len(listed)),
        has_no_gap=has_no_gap,
    )


def _by_id(listed: Sequence[str], numbers: Mapping[str, int], topics: Sequence[str]) -> dict[str, str]:
    known = set(topics)
    taken = known.intersection(listed)
    values = [int(topic) for topic in topics if _is_number(topic)]
    occurs = Counter(values)
    same = {int(topic): topic for topic in topics if _is_number(topic) and topic not in taken}
    found = {query: query if query in known else same.get(numbers.get(query, -1)) for query in listed}
    return {query: topic for query, topic in found.items() if topic and (topic == query or occurs[int(topic)] == 1)}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def open_question(found: Readings, file: str) -> OpenQuestionError:
    """The question by what the queries of a file are numbered."""
    highest = max(int(query) for query in found.queries)
    what = f"the queries are counted from 1 to {highest:,}, and the topics have other numbers"
    allowed = f"choose --number-by order: {found.describe('order')}; or --number-by id: {found.describe('id')}"
    labels = {"order": "By the order of the topics", "id": "By id"}
    choices = [Choice(each, f"{labels[each]}: {found.describe(each)}.") for each in NUMBER_BY]
    return OpenQuestionError(what, allowed, file, option="number_by", choices=choices)


def match_topics(
    qrels: "pd.DataFrame",
    topics: Iterable[str],
    number_by: str | None = None,
    *,
    name: str = "qrels",
    notes: list[str] | None = None,
) -> "pd.DataFrame":
    """Give the queries of qrels the ids of their topics.

    Parameters
    ----------
    qrels : DataFrame
        With the column query_id (str).
    topics : iterable of str
        The ids of all topics, in the order of their file.
    number_by : {"order", "id"}, optional
        "order": query 1 is the first topic. "id": a query is the topic with the same number. By default only the same
        ids match, and qrels that can be read in both ways are refused.
    name : str
        The name of the file in errors and notes.
    notes : list of str, optional
        Collects a sentence about how the queries were matched.

    Returns
    -------
    DataFrame
        The rows with the ids of the topics; by order, without those of queries that have no topic.

    Raises
    ------
    OpenQuestionError
        If `number_by` is None and the queries seem to count the topics, which have other numbers.
    ValueError
        If `number_by` is unknown.

    Examples
    --------
    >>> from pooling import match_topics, read_qrels
    >>> qrels = read_qrels(b"1 0 184 2\\n2 0 29 1\\n")
    >>> match_topics(qrels, ["001", "004"], "order")["query_id"].tolist()
    ['001', '004']
    """
    if number_by is not None and number_by not in NUMBER_BY:
        raise ValueError(f"number_by {number_by!r} is unknown; choose from: {', '.join(NUMBER_BY)}")
    import pandas as pd  # slow to import

    refuse_unless(qrels, pd.DataFrame, "qrels", "a table")
    if "query_id" not in qrels:
        raise ValueError("The qrels have no column query_id.")
    refuse_unless(topics, Iterable, "topics", "a list of query_ids")
    found = readings(qrels["query_id"], list(topics))
    if number_by is None:
        if found.is_open:
            raise open_question(found, name)
        return qrels
    chosen = found.by_order if number_by == "order" else found.by_id
    without = [query for query in found.queries if query not in chosen]
    if notes is not None:
        notes.append(f"{name} is read by {number_by}: {found.describe(number_by)}.")
        if number_by == "order" and without:
            notes.append(f"{name}: without a topic, and left out: query {first_names(without)}.")
    kept = qrels[qrels["query_id"].isin(chosen)] if number_by == "order" else qrels
    return kept.assign(query_id=kept["query_id"].map(lambda query: chosen.get(query, query)).astype("str"))

"""The groups of near-duplicates whose documents got different grades for the same topic. Loads pandas."""

from collections.abc import Collection as Items
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from assess.analysis.data import collection_judgements
from assess.analysis.selection import Selection
from assess.models import Collection, GroupMember, Task
from assess.near_duplicates.groups import shown_texts
from pooling import inconsistent_groups
from pooling.duplicates.consistency import OVERALL

NO_TOPIC = ""


@dataclass(frozen=True)
class InconsistentGroup:
    """A group of a topic. `judges` names those who contradict themselves; none if only different judges differ.

    Each of `documents` has task (its key), doc_id, title, text, grades (pairs of grade and name of the judge), and
    whether it is `settled`: in an adjudication.
    """

    query_id: str
    judges: list[str]
    documents: list[dict[str, Any]]


def inconsistent_table(collection: Collection, hidden: Items[int] = (), topics: tuple[str, ...] = ()) -> pd.DataFrame:
    """Return the rows of `pooling.inconsistent_groups` for the accepted groups, with the key of each group.

    Groups with one of the `hidden` tasks are left out: the list shows their grades. With `topics`, only judgements of
    these query_ids count.
    """
    judgements = collection_judgements(collection, selection=Selection(topics=topics))
    tables = []
    for query_id, groups in _groups(collection).items():
        chosen = judgements if query_id == NO_TOPIC else judgements[judgements["query_id"] == query_id]
        rows = inconsistent_groups(list(groups.values()), chosen)
        keys = [list(groups)[at] for at in rows["group"]]
        tables.append(rows.assign(group=pd.Series(keys, index=rows.index, dtype="int64")))  # also without rows
    table = pd.concat(tables, ignore_index=True) if tables else inconsistent_groups([], judgements)
    table = table.sort_values(["query_id", "group", "judge"], kind="stable", ignore_index=True)
    return _without(table, collection, hidden)


def csv_table(table: pd.DataFrame) -> pd.DataFrame:
    """Return one line for each group and judge, with documents and grades separated by spaces."""
    joined = {name: [" ".join(map(str, values)) for values in table[name]] for name in ("doc_ids", "judges", "grades")}
    judges = table["judge"].where(table["judge"] != OVERALL, "all")
    return table.assign(judge=judges, **joined)


def described(collection: Collection, table: pd.DataFrame, first: int, end: int) -> list[InconsistentGroup]:
    """Return some of the groups of a table, from position `first` to before `end`, with texts and grades."""
    rows = table[table["judge"] == OVERALL].iloc[first:end].to_dict("records")
    tasks = _tasks(collection, [(row["query_id"], doc_id) for row in rows for doc_id in row["doc_ids"]])
    texts = shown_texts({task.document_id for task in tasks.values()})
    by_group = table[table["judge"] != OVERALL].groupby(["query_id", "group"])["judge"].agg(list).to_dict()
    groups = []
    for row in rows:
        judges = by_group.get((row["query_id"], row["group"]), [])
        groups.append(InconsistentGroup(row["query_id"], judges, _documents(row, tasks, texts)))
    return groups


def _documents(
    row: dict[Hashable, Any], tasks: dict[tuple[str, str], Task], texts: dict[int, dict[str, str]]
) -> list[dict[str, Any]]:
    """Return the documents of a group with their grades, those with the highest grade first."""
    votes: dict[str, list[tuple[int, str]]] = {}
    for doc_id, judge, grade in zip(row["doc_ids"], row["judges"], row["grades"], strict=True):
        votes.setdefault(doc_id, []).append((grade, judge))
    documents = []
    for doc_id, grades in sorted(votes.items(), key=lambda item: -max(item[1])[0]):
        task = tasks[row["query_id"], doc_id]
        in_adjudication = hasattr(task, "adjudicated")
        documents.append(texts[task.document_id] | {"task": task.pk, "grades": grades, "settled": in_adjudication})
    return documents


def tasks_of(collection: Collection, table: pd.DataFrame) -> list[int]:
    """Return the keys of the tasks whose grades a table has."""
    names = zip(table["query_id"], table["doc_ids"], strict=True)
    tasks = _tasks(collection, [(query_id, doc_id) for query_id, doc_ids in names for doc_id in doc_ids])
    return [task.pk for task in tasks.values()]


def _groups(collection: Collection) -> dict[str, dict[int, list[str]]]:
    """Return the doc_ids of each group, by query_id and key of the group."""
    rows = GroupMember.objects.filter(group__collection=collection).order_by("group", "pk")
    groups: dict[str, dict[int, list[str]]] = {}
    for query_id, group, doc_id in rows.values_list("group__topic__query_id", "group", "document__doc_id"):
        groups.setdefault(query_id or NO_TOPIC, {}).setdefault(group, []).append(doc_id)
    return groups


def _without(table: pd.DataFrame, collection: Collection, hidden: Items[int]) -> pd.DataFrame:
    tasks = Task.objects.filter(topic__collection=collection, pk__in=hidden)
    secret = set(tasks.values_list("topic__query_id", "document__doc_id"))
    rows = table[table["judge"] == OVERALL]
    left_out = {
        (query_id, group)
        for query_id, group, doc_ids in zip(rows["query_id"], rows["group"], rows["doc_ids"], strict=True)
        if any((query_id, doc_id) in secret for doc_id in doc_ids)
    }
    shown = [key not in left_out for key in zip(table["query_id"], table["group"], strict=True)]
    return table[pd.Series(shown, index=table.index, dtype=bool)].reset_index(drop=True)


def _tasks(collection: Collection, names: list[tuple[str, str]]) -> dict[tuple[str, str], Task]:
    query_ids, doc_ids = ({name[part] for name in names} for part in (0, 1))
    tasks = Task.objects.filter(topic__collection=collection, topic__query_id__in=query_ids)
    rows = tasks.filter(document__doc_id__in=doc_ids).select_related("topic", "document", "adjudicated")
    wanted = set(names)
    by_name = {(task.topic.query_id, task.document.doc_id): task for task in rows}
    return {name: task for name, task in by_name.items() if name in wanted}

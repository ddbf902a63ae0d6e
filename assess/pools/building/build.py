"""Build the pool of a collection: the tasks to be judged. `assign` and `claims` decide who judges them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connection

from assess.collections.archive import lock_active
from assess.collections.score_precision import common_precision, notes_on_precision
from assess.lib.batches import column_values, insert_rows, save_planned
from assess.lib.long_work import report
from assess.models import Collection, PoolBuilding, PoolChange, Provenance
from assess.pools.building.every_document import EVERY_DOCUMENT, check_no_parameters, exhaustive_pool
from assess.pools.building.searched import entered_tasks, lock_searched
from assess.pools.building.strategies import describe
from assess.pools.claims import open_new_tasks
from assess.pools.new_tasks import Pair, RowSet, TaskPlan, plan_tasks, row_set, task_sets
from assess.pools.pooled_documents import documents_without_text
from assess.pools.tasks import pooled_tasks

if TYPE_CHECKING:
    import pandas as pd

    from assess.pools.building.runs import CollectionRuns, Recipe

Origin = tuple[Any, int, int]  # systems as they are stored, best rank, task
NO_RANK = 0  # the best rank of a document that no run retrieved


class Selected(NamedTuple):
    """A document that a strategy pools, with the systems that retrieved it; without any, the rank is NO_RANK."""

    pair: Pair
    systems: Sequence[str]
    best_rank: int


@dataclass(frozen=True)
class BuildResult:
    """The pool after one call of `build_pool`: its strategy in words, its size, and `notes` for the user."""

    description: str
    pooled: int
    added: int
    without_text: int
    notes: list[str]
    topics_without_pool: list[str]
    query_ids_without_topic: list[str]


def build_pool(
    collection: Collection,
    strategy: str = "depth",
    *,
    seed: int | None = None,
    documents_per_topic: float | None = None,
    systems: Sequence[str] = (),
    **parameters: Any,
) -> BuildResult:
    """Pool documents by a strategy. Tasks that exist already stay, so a pool only grows.

    The strategy is one of `pooling.STRATEGIES`, which select from the runs, or `every_document`. The arguments are
    those of `pooling.pool`; `documents_per_topic` is that of `pooling.largest_pool`, in place of the parameter that the
    pool grows with. With `systems`, only their runs are pooled. Topics of the runs that the collection does not have
    are left out before the strategy selects.
    """
    if strategy == EVERY_DOCUMENT:
        check_no_parameters({"seed": seed, "documents_per_topic": documents_per_topic, **parameters})
        return _build_exhaustive(collection)
    from assess.pools.building.runs import checked_recipe, ranked_runs  # loads pandas; pages that count tasks do not

    recipe = checked_recipe(strategy, seed, parameters, documents_per_topic)
    source = ranked_runs(collection, recipe, systems=systems)
    recipe = recipe.fitted(source.ranked)
    report("Selecting the documents")
    pooled = recipe.pool(source.ranked).frame
    building = _save_selected(collection, _selected(pooled), _record(recipe, source))
    without_pool = sorted(set(collection.topics.values_list("query_id", flat=True)) - set(pooled["query_id"]))
    return _result(building, notes_on_precision(source.runs), without_pool, source.unknown)


def _build_exhaustive(collection: Collection) -> BuildResult:
    """Pool every document. Tasks that runs had retrieved keep their systems and best ranks."""
    report("Selecting the documents")
    selected = [Selected(pair, (), NO_RANK) for pair in exhaustive_pool(collection).pairs()]
    record = {"strategy": EVERY_DOCUMENT, "parameters": {}, "run_checksums": {}}
    return _result(_save_selected(collection, selected, record), [], [], [])


def _selected(pooled: "pd.DataFrame") -> list[Selected]:
    pairs = zip(pooled["query_id"], pooled["doc_id"], strict=True)
    rows = zip(pairs, pooled["systems"], pooled["best_rank"].tolist(), strict=True)
    return [Selected(pair, systems, best_rank) for pair, systems, best_rank in rows]


def _save_selected(collection: Collection, selected: Sequence[Selected], record: dict[str, Any]) -> PoolBuilding:
    report("Saving the pool")
    return save_planned(
        lambda: plan_pool(collection, selected), lambda: lock_pool(collection), lambda plan: save_pool(plan, record)
    )


def lock_pool(collection: Collection) -> None:
    """Let nothing else change the pool until the caller's transaction ends."""
    lock_active(collection)
    lock_searched(collection)


def _result(building: PoolBuilding, notes: list[str], without_pool: list[str], unknown: list[str]) -> BuildResult:
    return BuildResult(
        description=describe(building.strategy, building.parameters),
        pooled=pooled_tasks(building.collection).count(),
        added=building.tasks_added,
        without_text=documents_without_text(building.collection).count(),
        notes=notes,
        topics_without_pool=without_pool,
        query_ids_without_topic=unknown,
    )


def _record(recipe: "Recipe", source: "CollectionRuns") -> dict[str, Any]:
    """Return how the pool was made, as a pool building stores it."""
    return {
        "strategy": recipe.strategy,
        "parameters": recipe.stored() | {"score_precision": common_precision(source.runs)},
        "run_checksums": source.checksums,
    }


@dataclass(frozen=True)
class PoolPlan:
    """The rows of a pool.

    `new` and `changed` are the systems and best ranks of tasks, by key; `before` those that the changed tasks had,
    or all known tasks.
    """

    collection: Collection
    tasks: TaskPlan
    new: list[Origin]
    changed: list[Origin]
    before: list[Origin]
    basis: tuple[RowSet | tuple[int, ...], ...]

    def is_current(self) -> bool:
        return self.basis == _basis(self.collection)


def _basis(collection: Collection) -> tuple[RowSet | tuple[int, ...], ...]:
    return *task_sets(collection), row_set(collection.pool_buildings.all()), entered_tasks(collection)


def plan_pool(collection: Collection, selected: Sequence[Selected], records_all: bool = False) -> PoolPlan:
    """Plan the tasks, and add their systems to those recorded before, so that a shallower pool loses nothing.

    With `records_all`, tasks that stay as they are count among `before` too, so that the building says what it has
    selected.
    """
    basis = _basis(collection)  # before the rest is read
    tasks = plan_tasks(collection, [each.pair for each in selected])
    rows = Provenance.objects.filter(task__topic__collection=collection).values_list("task", "systems", "best_rank")
    known = {task: (systems, best_rank) for task, systems, best_rank in rows}
    new, changed, before = [], [], []
    for each in selected:
        key = tasks.keys[each.pair]
        if key not in known:
            new.append((sorted(each.systems), each.best_rank, key))
        else:
            origin = _united(each, *known[key])
            changed += [(*origin, key)] if origin != known[key] else []
            before += [(*known[key], key)] if records_all or origin != known[key] else []
    return PoolPlan(collection, tasks, _stored(new), _stored(changed), _stored(before), basis)


def _united(selected: Selected, systems: list[str], best_rank: int) -> tuple[list[str], int]:
    """Return the systems and the best rank of a task that was in the pool before."""
    return sorted({*selected.systems, *systems}), selected.best_rank or best_rank


def _stored(origins: Sequence[tuple[list[str], int, int]]) -> list[Origin]:
    """Return the rows with their systems as the database stores them. Many rows have the same systems."""
    stored = cache(lambda systems: column_values(Provenance, {"systems": list(systems)})["systems"])
    return [(stored(tuple(systems)), best_rank, key) for systems, best_rank, key in origins]


def save_pool(plan: PoolPlan, record: dict[str, Any]) -> PoolBuilding:
    """Save what was planned, inside the caller's transaction. `record` has the other columns of the pool building."""
    plan.tasks.save()
    insert_rows(Provenance, ("systems", "best_rank", "task_id"), plan.new)
    with connection.cursor() as cursor:
        statement = "UPDATE assess_provenance SET systems = %s, best_rank = %s WHERE task_id = %s"
        cursor.executemany(statement, plan.changed)
    open_new_tasks(plan.collection)
    building = PoolBuilding.objects.create(
        collection=plan.collection, tasks_added=len(plan.new), tasks_changed=len(plan.changed), **record
    )
    _save_changes(plan, building)
    return building


def _save_changes(plan: PoolPlan, building: PoolBuilding) -> None:
    """Store what the building changed, so that it can be undone."""
    created = {key for key, *_ in plan.tasks.new_tasks}
    changes: list[tuple[Any, ...]] = [(building.pk, key, key in created, None, None) for _, _, key in plan.new]
    changes += [(building.pk, key, False, systems, best_rank) for systems, best_rank, key in plan.before]
    columns = ("building_id", "task_id", "is_new", "systems_before", "best_rank_before")
    insert_rows(PoolChange, columns, changes)

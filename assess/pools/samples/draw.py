"""Draw a random sample for each topic, and put its documents into the pool as ordinary tasks.

A draw is a pool building of the strategy `collection_sample` or `pool_sample`, so it is undone like others, and taken
back in earlier releases. A later draw enlarges the sample of a topic: it continues the same random order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from assess.errors import Refused
from assess.lib.batches import insert_rows, save_planned
from assess.lib.long_work import report
from assess.models import (
    Collection,
    Judgement,
    PoolBuilding,
    Role,
    SampledFrom,
    SampledTask,
    State,
    Topic,
    TopicSample,
)
from assess.pools.building.build import NO_RANK, PoolPlan, Selected, lock_pool, plan_pool, save_pool
from assess.pools.new_tasks import RowSet, row_set
from assess.pools.samples.population import Population, drawn_positions, populations, topics_of
from assess.pools.tasks import pooled_tasks
from pooling.words import count

MOST_TASKS = 500_000  # of one draw
MOST_SEED = 2**31 - 1


@dataclass(frozen=True)
class TopicDraw:
    """The documents that a draw adds to the sample of a topic, which has `start` documents already."""

    topic: Topic
    seed: int
    population: Population
    start: int
    doc_ids: Sequence[str]

    @property
    def size(self) -> int:
        """The number of documents of the sample after the draw."""
        return self.start + len(self.doc_ids)


@dataclass(frozen=True)
class DrawPreview:
    """What a draw would do: documents drawn, of them new in the pool, and of them without a grade from a person."""

    draws: Sequence[TopicDraw]
    drawn: int
    new: int
    unjudged: int


@dataclass(frozen=True)
class DrawResult:
    """What a draw did. `size` is the largest sample of a topic, `complete` the topics whose documents all are in it."""

    topics: int
    drawn: int
    added: int
    size: int
    complete: int
    seed: int
    population: str


def previewed_sentence(preview: DrawPreview) -> str:
    have = "1 is" if preview.new == 1 else f"{preview.new:,} are"
    return (
        f"{count(preview.drawn, 'document')} would be drawn in {count(len(preview.draws), 'topic')}: {have} not in the "
        f"pool yet, and {preview.unjudged:,} have no grade."
    )


def drawn_sentence(result: DrawResult) -> str:
    return (
        f"Drew {count(result.drawn, 'document')} in {count(result.topics, 'topic')} with seed {result.seed}; "
        f"{result.added:,} of them {'is' if result.added == 1 else 'are'} new in the pool. "
        f"The sample of a topic has {'up to ' * (result.complete > 0)}{count(result.size, 'document')}."
    )


def draw_sample(
    collection: Collection,
    size: int,
    *,
    query_ids: Sequence[str] = (),
    population: str = SampledFrom.COLLECTION,
    seed: int | None = None,
    actor: int | None = None,
) -> DrawResult:
    """Draw documents until the sample of each topic has `size`, or all documents of the population.

    `query_ids` are the topics; if empty, all. `population` is one of `SampledFrom`. Without a `seed`, a sample has that
    of the collection, and an enlarged one its own. `actor` is the primary key of the user who draws.
    """
    arguments = (size, query_ids, population, seed)
    building, plan = save_planned(
        lambda: _plan(collection, *arguments), lambda: lock_pool(collection), lambda plan: (_save(plan, actor), plan)
    )
    draws = plan.draws
    complete = sum(draw.size == len(draw.population.doc_ids) for draw in draws)
    drawn, largest = sum(len(draw.doc_ids) for draw in draws), max(draw.size for draw in draws)
    return DrawResult(len(draws), drawn, building.tasks_added, largest, complete, draws[0].seed, population)


def preview_sample(
    collection: Collection,
    size: int,
    *,
    query_ids: Sequence[str] = (),
    population: str = SampledFrom.COLLECTION,
    seed: int | None = None,
) -> DrawPreview:
    """Return what `draw_sample` with these arguments would do. Nothing is changed."""
    draws = planned_draws(collection, size, query_ids, population, seed, is_page=True)
    drawn = {(draw.topic.pk, doc_id) for draw in draws for doc_id in draw.doc_ids}
    pooled = pooled_tasks(collection).values_list("topic", "document__doc_id")
    judged = _judgements([draw.topic for draw in draws]).values_list("task__topic", "task__document__doc_id")
    return DrawPreview(draws, len(drawn), len(drawn.difference(pooled)), len(drawn.difference(judged)))


def planned_draws(
    collection: Collection,
    size: int,
    query_ids: Sequence[str],
    population: str,
    seed: int | None,
    is_page: bool = False,
) -> list[TopicDraw]:
    """Return the draws of the topics whose samples are smaller. Refused if there is none."""
    _check_numbers(size, population, seed)
    topics = topics_of(collection, query_ids)
    if size * len(topics) > MOST_TASKS:
        raise Refused(
            f"{count(size, 'document')} in each of {count(len(topics), 'topic')} are too many; a draw has at most "
            f"{MOST_TASKS:,}. Choose a smaller size or fewer topics."
        )
    earlier: dict[int, list[TopicSample]] = {}
    for sample in TopicSample.objects.filter(topic__in=topics).order_by("start"):
        earlier.setdefault(sample.topic_id, []).append(sample)
    report("Drawing the sample")
    found = populations(collection, topics, population, is_page)
    draws = [_draw(topic, each, earlier.get(topic.pk, []), size, population, seed) for topic, each in found]
    needed = [draw for draw in draws if draw.doc_ids]
    if not needed:
        documents = count(size, "document")
        raise Refused(f"The samples of these topics have {documents} or more, or all. Choose a larger size.")
    if len(seeds := sorted({draw.seed for draw in needed})) > 1:
        listed = ", ".join(map(str, seeds))
        raise Refused(f"The samples of these topics have different seeds: {listed}. Enlarge those of each separately.")
    return needed


def _check_numbers(size: int, population: str, seed: int | None) -> None:
    if size < 1:
        raise Refused(f"size must be at least 1, not {size}.")
    if population not in SampledFrom.values:
        raise Refused(f"population must be one of {', '.join(SampledFrom.values)}, not {population[:20]!r}.")
    if seed is not None and not 0 <= seed <= MOST_SEED:
        raise Refused(f"seed must be between 0 and {MOST_SEED}, not {seed}.")


def _draw(
    topic: Topic, population: Population, earlier: list[TopicSample], size: int, kind: str, seed: int | None
) -> TopicDraw:
    start = sum(sample.size for sample in earlier)
    if earlier and start >= size:
        return TopicDraw(topic, earlier[0].seed, population, start, [])
    if not population.doc_ids:
        raise Refused(f"There is no document from which a sample of topic {topic.query_id} could be drawn.")
    if earlier:
        seed = _seed_of(earlier[0], topic, population, kind, seed)
    elif seed is None:
        seed = topic.collection.seed
    wanted = min(size, len(population.doc_ids))
    positions = drawn_positions(seed, topic.query_id, len(population.doc_ids), wanted)
    return TopicDraw(topic, seed, population, start, [population.doc_ids[at] for at in positions[start:]])


def _seed_of(first: TopicSample, topic: Topic, population: Population, kind: str, seed: int | None) -> int:
    """Return the seed of a sample that is enlarged. Refused if the order could not continue."""
    name = f"The sample of topic {topic.query_id}"
    if first.population != kind:
        raise Refused(f"{name} was drawn from the {first.population}, so it cannot continue with the {kind}.")
    if seed not in (None, first.seed):
        raise Refused(f"{name} was drawn with seed {first.seed}, so it cannot continue with seed {seed}.")
    if first.population_hash != population.hash:
        raise Refused(
            f"{name} was drawn from {count(first.population_size, 'document')}, and the {kind} has changed since, so "
            "it cannot be enlarged."
        )
    return first.seed


@dataclass(frozen=True)
class _Plan:
    collection: Collection
    population: str
    size: int
    draws: list[TopicDraw]
    pool: PoolPlan
    basis: tuple[RowSet, ...]

    def is_current(self) -> bool:
        return self.pool.is_current() and self.basis == _basis(self.collection)


def _basis(collection: Collection) -> tuple[RowSet, ...]:
    """Return what changes if documents get or lose their text, or enter the pool without a pool building."""
    return row_set(collection.documents.filter(content__isnull=False)), row_set(pooled_tasks(collection))


def _plan(collection: Collection, size: int, query_ids: Sequence[str], population: str, seed: int | None) -> _Plan:
    basis = _basis(collection)  # before the rest is read
    draws = planned_draws(collection, size, query_ids, population, seed)
    selected = [Selected((draw.topic.query_id, doc_id), (), NO_RANK) for draw in draws for doc_id in draw.doc_ids]
    return _Plan(collection, population, size, draws, plan_pool(collection, selected), basis)


def _save(plan: _Plan, actor: int | None) -> PoolBuilding:
    building = save_pool(plan.pool, _record(plan))
    sampled = _judgements([draw.topic for draw in plan.draws]).filter(task__sampled__isnull=False)
    seen = set(sampled.values_list("task__topic", flat=True))
    for draw in plan.draws:
        sample = TopicSample.objects.create(
            building=building,
            topic=draw.topic,
            seed=draw.seed,
            population=plan.population,
            population_size=len(draw.population.doc_ids),
            population_hash=draw.population.hash,
            start=draw.start,
            size=len(draw.doc_ids),
            was_unseen=draw.topic.pk not in seen,
            drawn_by_id=actor,
        )
        keys = (plan.pool.tasks.keys[draw.topic.query_id, doc_id] for doc_id in draw.doc_ids)
        rows = ((key, sample.pk, draw.start + at) for at, key in enumerate(keys))
        insert_rows(SampledTask, ("task_id", "sample_id", "position"), rows)
    return building


def _record(plan: _Plan) -> dict[str, Any]:
    """Return how the sample was drawn, as a pool building stores it: topics with the sizes of their populations."""
    topics = {draw.topic.query_id: len(draw.population.doc_ids) for draw in plan.draws}
    parameters = {"size": plan.size, "seed": plan.draws[0].seed, "population_sizes": topics}
    return {"strategy": f"{plan.population}_sample", "parameters": parameters, "run_checksums": {}}


def _judgements(topics: Sequence[Topic]) -> QuerySet[Judgement]:
    """Return the grades that assessors gave in these topics."""
    judged = Judgement.objects.filter(task__topic__in=topics, state=State.JUDGED, repeat=0)
    return judged.filter(member__role=Role.ASSESSOR).order_by()

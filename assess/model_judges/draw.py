"""Random draws of pairs of the pool for people, from which estimates with few human grades are made.

A draw is a sample from the pool (`assess.pools.samples`): a simple random sample of each topic, in an order that seed
and topic decide, recorded with the size and the hash of its population. So each pair of a topic has the same known
inclusion probability, the size of the sample divided by that of the pool.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from assess import audit
from assess.analysis.data import collection_gold
from assess.analysis.selection import Selection
from assess.errors import Refused
from assess.models import Action, Collection, PoolBuilding, SampledFrom, SampledTask, Topic, User
from assess.pools.assign import AssignResult, assign
from assess.pools.building.undo import last_building
from assess.pools.samples.draw import DrawResult, draw_sample
from assess.pools.samples.drawn import DrawnSample, samples_of
from assess.pools.samples.population import hash_of
from assess.pools.tasks import pooled_tasks
from pooling.draws import Draw
from pooling.draws.draw import COLUMNS
from pooling.words import count

PAIR = ["query_id", "doc_id"]


@dataclass(frozen=True)
class DrawForPeople:
    """A recorded draw and the grades that people gave to its pairs.

    `grades` has the columns query_id, doc_id and relevance. `n_open` drawn pairs have no grade yet. `was_enlarged` if
    the sample of a topic grew after the first of its pairs was judged: intervals are too narrow if what the grades say
    decides when to stop. `is_whole_pool` if people graded all pairs, drawn or not.
    """

    draw: Draw
    grades: pd.DataFrame
    n_open: int
    was_enlarged: bool
    is_whole_pool: bool


def draw_for_people(
    collection: Collection, per_topic: int, *, seed: int | None = None, actor: User | None = None
) -> tuple[DrawResult, PoolBuilding]:
    """Draw pairs of the pool until each topic has `per_topic` of them, or all. Returns what was drawn, and the record.

    The pairs are tasks of the pool already. `assign_drawn` assigns them alone; otherwise they are assigned and claimed
    like the others.
    """
    topics = sorted(pooled_tasks(collection).order_by().values_list("topic__query_id", flat=True).distinct())
    if not topics:
        raise Refused(f"{collection} has no pool yet. Build it first: documents are drawn from the pool.")
    key = actor.pk if actor else None
    result = draw_sample(collection, per_topic, query_ids=topics, population=SampledFrom.POOL, seed=seed, actor=key)
    building = last_building(collection)
    if building is None:  # undone at the same time
        raise Refused("The draw was undone at the same time.")
    details = {"topics": result.topics, "drawn": result.drawn, "seed": result.seed}
    audit.record(Action.SAMPLE_DRAWN, actor=actor, collection=collection, details=details)
    return result, building


def assign_drawn(collection: Collection, judges: int) -> AssignResult:
    """Assign the drawn pairs to `judges` different assessors each. Refused if the collection is open to claims."""
    return assign(collection, judges, sampled=True)


def drawn_for_people(collection: Collection, rule: str, topics: Sequence[str] = ()) -> DrawForPeople:
    """Return the draw of the topics that have one, and the grades by a gold of people. `topics` are all if empty.

    Refused if no topic has a draw from the pool, or if a pool has changed since.
    """
    rows = collection.topics.order_by("pk")
    sampled = topics_with_draw([topic for topic in rows if not topics or topic.query_id in set(topics)])
    pool = pooled_tasks(collection).filter(topic__in=[topic.pk for topic, _ in sampled])
    pairs = pool.order_by().values_list("topic__query_id", "document__doc_id")
    query_ids = tuple(sorted(topic.query_id for topic, _ in sampled))
    gold = collection_gold(collection, rule, selection=Selection(topics=query_ids))
    return draw_with_grades(sampled, pd.DataFrame(list(pairs), columns=PAIR), gold)


def topics_with_draw(
    topics: Sequence[Topic], buildings: Sequence[int] | None = None
) -> list[tuple[Topic, DrawnSample]]:
    """Return the topics with a sample from the pool, and the samples. All have one seed, or they are no draw.

    `buildings` are the primary keys of the pool buildings whose draws count; None means all.
    """
    samples = samples_of(topics, buildings)
    found = [(topic, samples[topic.pk]) for topic in topics if topic.pk in samples]
    found = [(topic, sample) for topic, sample in found if sample.population == SampledFrom.POOL]
    if not found:
        raise Refused("No documents were drawn from the pool for people yet. Draw them first.")
    if len(seeds := sorted({sample.seed for _, sample in found})) > 1:
        listed = ", ".join(map(str, seeds))
        raise Refused(f"The topics were drawn with different seeds: {listed}. An estimate needs one draw.")
    return found


def draw_with_grades(
    sampled: Sequence[tuple[Topic, DrawnSample]], pool: pd.DataFrame, gold: pd.DataFrame
) -> DrawForPeople:
    """Return the draw from the pairs of a pool, and the grades of a gold.

    Refused if the pool is not the one from which the samples were drawn.
    """
    frame = _frame(sampled, pool)
    draw = Draw(frame, is_fixed=True, drawn_topics=None, seed=sampled[0][1].seed)
    graded = frame[PAIR].merge(gold.loc[gold["relevance"] >= 0, [*PAIR, "relevance"]], on=PAIR)
    # The grades of pairs that were not drawn may not enter an estimate.
    grades = draw.drawn[PAIR].merge(graded, on=PAIR)
    was_enlarged = any(sample.was_enlarged for _, sample in sampled)
    return DrawForPeople(draw, grades, len(draw) - len(grades), was_enlarged, len(graded) == len(frame))


def _frame(sampled: Sequence[tuple[Topic, DrawnSample]], pool: pd.DataFrame) -> pd.DataFrame:
    """Return all pairs of the pools of these topics, drawn or not."""
    doc_ids: dict[str, list[str]] = defaultdict(list)
    for query_id, doc_id in zip(pool["query_id"], pool["doc_id"], strict=True):
        doc_ids[query_id].append(doc_id)
    in_samples = SampledTask.objects.filter(sample__topic__in=[topic.pk for topic, _ in sampled])
    names = dict(in_samples.values_list("task", "task__document__doc_id"))
    parts = [_of_topic(topic, sample, sorted(doc_ids[topic.query_id]), names) for topic, sample in sampled]
    return pd.concat(parts, ignore_index=True).sort_values(["query_id", "doc_id"], ignore_index=True)[COLUMNS]


def _of_topic(topic: Topic, sample: DrawnSample, doc_ids: list[str], names: Mapping[int, str]) -> pd.DataFrame:
    """Return all pairs of a topic. Refused if the pool is not the one from which the sample was drawn."""
    if hash_of(doc_ids) != sample.population_hash:
        raise Refused(
            f"The pool of topic {topic.query_id} has changed since its documents were drawn from "
            f"{count(sample.population_size, 'document')}, so their probabilities are not those of the pool now. Undo "
            "the later pool building, or choose topics without it."
        )
    drawn = {names[task] for task in sample.tasks}
    columns = {
        "query_id": topic.query_id,
        "doc_id": doc_ids,
        "stratum": topic.query_id,
        "inclusion_probability": sample.size / sample.population_size,
        "drawn": [doc_id in drawn for doc_id in doc_ids],
    }
    return pd.DataFrame(columns)

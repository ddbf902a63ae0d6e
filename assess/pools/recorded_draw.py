"""The random draw of a collection: the documents that people judge, with known inclusion probabilities.

Estimates from few grades of people (`agreement.trust`) need it. There are two ways to draw in a collection:

- The pool was built once, by a strategy that draws at random: `random`, `stratified` or `ask_people`. Assessors judge
  the whole pool, in any order.
- The order is `ask_people_order`. Then the documents judged so far are the sample, in each topic out of its pool. How
  many are judged in a topic must not depend on the grades.

Nothing is stored for it: the runs, the strategy, its parameters and its seed give the same probabilities again. Loads
pandas.
"""

import pandas as pd

import pooling
from assess.errors import Refused, as_sentence
from assess.models import AdaptiveOrder, Collection, PoolBuilding, Task
from assess.pools.building.repeat import recorded_runs, repeated_pool
from assess.pools.learning.decided import decided_documents
from pooling.adaptive import AskPeopleOrder, Rankings
from pooling.draws.draw import COLUMNS, Draw
from pooling.draws.of_pools import DRAWN_BY
from pooling.draws.pairs import sorted_by_bytes

ORDER = AskPeopleOrder.name


def recorded_draw(collection: Collection) -> Draw:
    """Return the draw of a collection. Refuse if no draw, or more than one, decided what people judge."""
    orders = AdaptiveOrder.objects.filter(topic__collection=collection, strategy=ORDER).select_related("topic")
    try:
        return _of_orders(list(orders.order_by("topic"))) if orders else _of_pool(collection)
    except ValueError as error:
        raise Refused(as_sentence(error)) from None


def _of_pool(collection: Collection) -> Draw:
    buildings = list(collection.pool_buildings.order_by("pk"))
    if len(buildings) != 1 or buildings[0].strategy not in DRAWN_BY:
        built = ", ".join(building.strategy for building in buildings) or "nothing"
        raise Refused(
            f"The pool is not one random draw: it was built by {built}. An estimate needs a pool that {DRAWN_BY[0]},"
            f" {DRAWN_BY[1]} or {DRAWN_BY[2]} drew once, or the order {ORDER}."
        )
    building = buildings[0]
    ranked = recorded_runs(collection, building)
    whole = pooling.pool(ranked, "depth", depth=_depth(building, ranked))
    return Draw.from_pools(whole, repeated_pool(collection, building), ranked)


def _depth(building: PoolBuilding, ranked: pooling.RankedRuns) -> int:
    """Return the last rank from which the strategy could draw."""
    if building.strategy == "stratified":
        return int(building.parameters["strata"][-1][0])
    return int(building.parameters.get("depth") or ranked.items.shape[2])


def _of_orders(orders: list[AdaptiveOrder]) -> Draw:
    frame = sorted_by_bytes(pd.concat(map(_sample_of, orders), ignore_index=True))
    return Draw(frame[COLUMNS], is_fixed=False, drawn_topics=None, seed=int(orders[0].parameters["seed"]))


def _sample_of(order: AdaptiveOrder) -> pd.DataFrame:
    """Return the pooled documents of a topic, with their probability and whether they are judged."""
    strategy = AskPeopleOrder(**order.parameters)
    rankings = Rankings.from_bytes(bytes(order.rankings))
    tasks = Task.objects.filter(topic=order.topic, provenance__isnull=False)
    pooled = tasks.values_list("document__doc_id", flat=True)
    judged, _ = decided_documents(order.topic_id, order.rule, order.parameters["rel"])
    sample = strategy.sample(strategy.step(strategy.begin(rankings), judged), pooled)
    return sample.assign(query_id=order.topic.query_id, stratum=order.topic.query_id).astype({"doc_id": "str"})

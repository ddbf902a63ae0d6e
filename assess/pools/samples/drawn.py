"""The samples of topics that have one, in the order of drawing."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from assess.models import SampledTask, Topic, TopicSample
from assess.pools.samples.population import describe_population


@dataclass(frozen=True)
class DrawnSample:
    """The sample of a topic. `tasks` are primary keys in the order of drawing.

    `fixed_size` is the number of documents of the sample before the first of them was judged. A sample that was
    enlarged afterwards is larger.
    """

    seed: int
    population: str
    population_size: int
    population_hash: str
    tasks: tuple[int, ...]
    fixed_size: int
    drawn_at: datetime
    drawn_by: str

    @property
    def size(self) -> int:
        return len(self.tasks)

    @property
    def was_enlarged(self) -> bool:
        return self.fixed_size < self.size

    @property
    def has_everything(self) -> bool:
        return self.size == self.population_size

    @property
    def described_population(self) -> str:
        return describe_population(self.population, self.population_size)


def samples_of(topics: Iterable[Topic], buildings: Sequence[int] | None = None) -> dict[int, DrawnSample]:
    """Return the sample of each topic that has one, by the topic's key. It sends two queries.

    `buildings` are the primary keys of the pool buildings whose draws count; None means all.
    """
    draws: dict[int, list[TopicSample]] = defaultdict(list)
    rows = TopicSample.objects.filter(topic__in=topics).select_related("building", "drawn_by")
    if buildings is not None:
        rows = rows.filter(building__in=buildings)
    for sample in rows.order_by("start"):
        draws[sample.topic_id].append(sample)
    tasks: dict[int, list[int]] = defaultdict(list)
    if draws:
        parts = [part.pk for drawn in draws.values() for part in drawn]
        order = SampledTask.objects.filter(sample__in=parts).order_by("position")
        for topic, task in order.values_list("sample__topic", "task"):
            tasks[topic].append(task)
    return {topic: _sample(parts, tuple(tasks[topic])) for topic, parts in draws.items()}


def _sample(parts: list[TopicSample], tasks: tuple[int, ...]) -> DrawnSample:
    first, last = parts[0], parts[-1]
    fixed = 0
    for part in parts:
        if part is not first and not part.was_unseen:
            break
        fixed += part.size
    return DrawnSample(
        seed=first.seed,
        population=first.population,
        population_size=first.population_size,
        population_hash=last.population_hash,
        tasks=tasks,
        fixed_size=fixed,
        drawn_at=last.building.built_at,
        drawn_by=last.drawn_by.username if last.drawn_by else "",
    )

"""What the first documents of runs lack: judgements, tasks, and people who will judge. Loads pandas."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import pandas as pd
from django.db.models import Count

import pooling
from assess.analysis.data import collection_judgements
from assess.collections import runfiles
from assess.errors import Refused
from assess.living.new_runs import check_depth, new_runs
from assess.models import Assignment, Collection, Run, Task
from assess.work.counts import judges_of
from assess.work.monitor import overall_pace
from pooling.errors import shown
from pooling.words import count, first_names

MOST_RUNS = 100  # that are read for a page


@dataclass(frozen=True)
class RunHoles:
    """How many of the first documents of a run are not judged, over all topics, and on how many topics."""

    system: str
    holes: int
    documents: int
    topics: int

    @property
    def judged(self) -> float:
        """The share that is judged, from 0 to 1."""
        return 1 - self.holes / self.documents if self.documents else 1.0

    @property
    def judged_percent(self) -> float:
        """The share in percent."""
        return 100 * self.judged


@dataclass(frozen=True)
class LivingState:
    """The unjudged documents among the first `depth` of some runs.

    `to_judge` counts the documents without judgement, each once; `waiting` of them are in the pool already. `judges` is
    how many assessors each gets, `people` who they are, and `hours` the time at the pace so far, if there is one.
    """

    systems: list[str]
    depth: int
    runs: list[RunHoles]
    holes: pd.DataFrame = field(repr=False)
    to_judge: int = 0
    waiting: int = 0
    judges: int = 1
    people: list[str] = field(default_factory=list)
    hours: float | None = None

    @property
    def new(self) -> int:
        """The documents that a top-up adds to the pool."""
        return self.to_judge - self.waiting

    def sentence(self) -> str:
        """Return the state in a sentence."""
        if not self.systems:
            return "No run is newer than the pool."
        runs = f"{count(len(self.systems), 'run')} ({first_names(self.systems)})"
        verb = "has" if len(self.systems) == 1 else "have"
        if not self.to_judge:
            return f"{runs} {verb} no unjudged document in the first {self.depth:,} of a topic."
        return f"{runs} {verb} {count(self.to_judge, 'unjudged document')} in the first {self.depth:,} of the topics."

    def shares(self) -> pd.DataFrame:
        """Return the share that is judged: a row for each system and a column for each topic."""
        rows = self.holes[self.holes["n_documents"] > 0]
        judged = 1 - rows["holes"] / rows["n_documents"]
        return rows.assign(judged=judged).pivot_table(index="system", columns="query_id", values="judged")


def living_state(collection: Collection, systems: Sequence[str] = (), depth: int = 10) -> LivingState:
    """Return what the first documents of these runs lack; of the new runs, if none is named."""
    check_depth(depth)
    runs = _runs(collection, systems)
    names = [run.system for run in runs]
    judges, people = judges_per_document(collection), [member.name for member in judges_of(collection)]
    if not runs:
        return LivingState(names, depth, [], pd.DataFrame(), judges=judges, people=people)
    ranked = _ranked(collection, runs, depth)
    judged = collection_judgements(collection).drop_duplicates(["query_id", "doc_id"])
    gold = judged[["query_id", "doc_id", "relevance"]]
    gold = gold[gold["query_id"].isin(set(ranked["query_id"]))]
    holes = pooling.holes_at(ranked, gold, depth)
    documents = pooling.hole_documents(ranked, gold, depth)
    missing = set(zip(documents["query_id"], documents["doc_id"], strict=True))
    pooled = set(Task.objects.filter(topic__collection=collection).values_list("topic__query_id", "document__doc_id"))
    return LivingState(
        names,
        depth,
        [_run_holes(name, rows) for name, rows in holes.groupby("system", sort=True)],
        holes,
        len(missing),
        len(missing & pooled),
        judges,
        people,
        _hours(collection, len(missing) * judges),
    )


def judges_per_document(collection: Collection) -> int:
    """Return how many assessors a document usually gets: as stated for claims, or as most documents have."""
    if collection.open_to_claims:
        return collection.judges_per_task or 1
    tasks = Assignment.objects.filter(task__topic__collection=collection, repeat=0).order_by()
    numbers = Counter(tasks.values("task").annotate(n=Count("pk")).values_list("n", flat=True))
    return max(numbers, key=lambda number: (numbers[number], number), default=1)


def _runs(collection: Collection, systems: Sequence[str]) -> list[Run]:
    if not systems:
        return new_runs(collection)[:MOST_RUNS]
    runs = list(collection.runs.filter(system__in=systems).order_by("pk"))
    if unknown := sorted(set(systems) - {run.system for run in runs}):
        raise Refused(f"{collection} has no run of system {shown(unknown[0])}.")
    return runs


def _ranked(collection: Collection, runs: Sequence[Run], depth: int) -> pd.DataFrame:
    """Return the first documents of the runs on the topics of the collection."""
    query_ids = set(collection.topics.values_list("query_id", flat=True))
    frames = [pooling.ranked(runfiles.load(run)) for run in runs]
    first = [frame[(frame["rank"] <= depth) & frame["query_id"].isin(query_ids)] for frame in frames]
    ranked = pd.concat(first, ignore_index=True)
    if ranked.empty:
        raise Refused(f"The runs have no topic of {collection}.")
    return ranked


def _run_holes(system: object, rows: pd.DataFrame) -> RunHoles:
    holes, documents = int(rows["holes"].sum()), int(rows["n_documents"].sum())
    return RunHoles(str(system), holes, documents, int((rows["holes"] > 0).sum()))


def _hours(collection: Collection, judgements: int) -> float | None:
    pace = overall_pace(collection)
    return judgements / pace if pace and judgements else None

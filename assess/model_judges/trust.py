"""The report on the model judges of a collection: may they replace people, for the ranking of its systems?

The reference is a gold of people; every other person is compared with it too, so that the report can say what people do
to the same ranking. A combined gold contains the grades of these people, who look closer to it than to another person.

The report takes some seconds, so a job computes it unless the collection is small. Loads pandas.
"""

from collections.abc import Callable
from typing import Any

import pandas as pd

from agreement.effectiveness.ranked_runs import RankedRuns, Runs, prepare_for
from agreement.trust import TrustReport, trust_report
from assess.analysis.data import collection_gold, judgements_state
from assess.analysis.reference import JUDGE, Judges, judges_of
from assess.analysis.selection import Selection
from assess.collections import runfiles
from assess.collections.run_groups import groups_by_system
from assess.collections.scale import lowest_relevant_grade, scale_of
from assess.documents.texts import document_texts
from assess.errors import Refused
from assess.jobs import results
from assess.jobs.pending import Started, known_or_pending
from assess.model_judges.choices import ModelChoices
from assess.model_judges.draw import DrawForPeople, drawn_for_people
from assess.model_judges.to_grade import PageReport, with_to_grade
from assess.models import Collection, Judgement, Run, TopicSample, User
from pooling.draws.draw import Draw
from pooling.words import count

SEED = 1  # of the report; the page says so
MOST_MODELS = 40
# Together they take about a second.
RUN_LINES_AT_ONCE, JUDGEMENTS_AT_ONCE = 20_000, 3_000
MOST_TEXTS = 20_000  # documents whose length is compared
Golds = tuple[dict[str, pd.DataFrame], dict[str, pd.DataFrame]]  # of people and of models, by name


def trust_or_pending(collection: Collection, user: User, choices: ModelChoices, key: str = "") -> PageReport | None:
    """Return the report, or raise Pending while a job computes it. None without people, models or runs.

    `key` is `trust_key`, if the caller has computed it.
    """
    if not (choices.people and choices.judges):
        return None
    key = key or trust_key(collection, choices)
    if (known := results.get(key)) is not None:
        return known  # type: ignore[no-any-return]
    if not (runs := list(collection.runs.all())):
        return None
    inputs = _inputs(choices)
    if _is_small(collection, runs):
        return _kept(collection, key, **inputs)
    return known_or_pending("trust", collection, user, key, inputs)  # type: ignore[no-any-return]


def trust_key(collection: Collection, choices: ModelChoices) -> str:
    """The key of the report in the cache of results: it changes with every judgement, run, group and draw."""
    groups = sorted(groups_by_system(collection).items())
    samples = TopicSample.objects.filter(topic__collection=collection).order_by("pk")
    drawn = list(samples.values_list("pk", "population_hash"))
    state = judgements_state(collection, list(collection.runs.all()))
    return results.key_of("trust", state, groups, drawn, _inputs(choices))


def _inputs(choices: ModelChoices) -> dict[str, Any]:
    return {"people": choices.people, "measure": choices.measure, "topics": list(choices.topics)}


def compute_trust(collection: Collection, key: str, **inputs: Any) -> Started:
    """Compute the report for the cache of results: the function of the job `trust`."""
    _kept(collection, key, **inputs)
    return Started(key)


def _is_small(collection: Collection, runs: list[Run]) -> bool:
    lines = sum(run.line_count for run in runs)
    judgements = Judgement.objects.filter(member__collection=collection)
    return lines <= RUN_LINES_AT_ONCE and judgements.count() <= JUDGEMENTS_AT_ONCE


def _kept(collection: Collection, key: str, **inputs: Any) -> PageReport:
    report = _report(collection, **inputs)
    results.keep(key, report)
    return report


def _report(collection: Collection, people: str, measure: str, topics: list[str]) -> PageReport:
    judges, selection = judges_of(collection, tuple(topics)), Selection(topics=tuple(topics))
    golds = golds_of(judges, people, lambda rule: collection_gold(collection, rule, selection=selection))
    runs = _ranked(collection, golds)
    report = report_on(
        runs,
        golds,
        measure,
        scale=scale_of(collection),
        rel=lowest_relevant_grade(collection),
        draw=finished_draw(people, lambda: drawn_for_people(collection, people, topics)),
        groups=groups_by_system(collection) or None,
        documents=_texts(collection, set(golds[0][people]["doc_id"])),
        topics=dict(collection.topics.values_list("query_id", "title")),
    )
    return with_to_grade(report, runs, golds[0][people], golds[1])


def _ranked(collection: Collection, golds: Golds) -> RankedRuns:
    """Return the runs, ranked on the topics of the golds."""
    of_people, of_models = golds
    try:
        return prepare_for(map(runfiles.load, collection.runs.all()), [*of_people.values(), *of_models.values()])
    except ValueError as error:
        raise Refused(str(error)) from None


def report_on(runs: Runs, golds: Golds, measure: str, **options: Any) -> TrustReport:
    """Return the report on the golds of people and of models, or refuse; the options are those of `trust_report`."""
    try:
        return trust_report(runs, *golds, measure, seed=SEED, **options)
    except ValueError as error:
        raise Refused(str(error)) from None


def finished_draw(people: str, find_draw: Callable[[], DrawForPeople]) -> Draw | None:
    """Return the draw whose pairs people have all graded; None if there is none.

    Refused while people grade it, and if it grew while they did: the documents that they did not grade are unknown,
    and a ranking would count them as not relevant.
    """
    try:
        drawn = find_draw()
    except Refused:
        return None
    if drawn.n_open:
        graded = f"{len(drawn.grades):,} of {count(len(drawn.draw), 'drawn document')}"
        raise Refused(f"The report waits for the draw: {people} has graded {graded}.")
    if drawn.was_enlarged and not drawn.is_whole_pool:
        raise Refused(
            "The draw was enlarged after its first document was graded, so intervals from it would be too narrow. "
            "Grade the whole pool, or undo the later draw."
        )
    return None if drawn.was_enlarged else drawn.draw


def golds_of(judges: Judges, people: str, gold: Callable[[str], pd.DataFrame]) -> Golds:
    """Return the gold of people and of every other person, and those of the models. `gold` returns that of a rule."""
    if len(judges.models) > MOST_MODELS:
        raise Refused(f"The report compares at most {MOST_MODELS} models, not {len(judges.models)}.")
    others = [name for name in judges.people if f"{JUDGE}{name}" != people]
    of_people = {people: gold(people)} | {name: gold(f"{JUDGE}{name}") for name in others}
    return of_people, {name: gold(f"{JUDGE}{name}") for name in judges.models}


def _texts(collection: Collection, used: set[str]) -> dict[str, str] | None:
    """Return the texts of the documents that people judged; None if they are too many."""
    if len(used) > MOST_TEXTS:
        return None
    texts = {doc_id: text for doc_id, text in document_texts(collection) if doc_id in used}
    return texts or None

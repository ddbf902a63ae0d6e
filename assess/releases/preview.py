"""What a release would contain, and what readers of the release should know. Nothing is saved. Loads pandas."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import pandas as pd
from django.db.models import QuerySet
from django.utils import timezone

from assess.analysis.data import collection_decisions, collection_judgements
from assess.judging.checkpoints import chains_of
from assess.models import Collection, Judgement, JudgementKind, State
from assess.releases.changes import counts_sentence, log_entry
from assess.releases.choices import ReleaseChoices, check_choices
from assess.releases.figures import RELEASED
from assess.releases.freeze import release_source
from assess.releases.source import ReleaseSource
from assess.releases.trust import has_trust
from pooling.words import count

MOST_RUN_LINES = 250_000  # of which the preview scores the first documents


@dataclass(frozen=True)
class ReleasePreview:
    """`contents` and `warnings` are sentences."""

    name: str
    version: int
    contents: list[str]
    warnings: list[str]


class CurrentJudgements(ReleaseSource):
    """The judgements as they are now, which is faster than reading the ledger up to a checkpoint."""

    @cached_property
    def votes(self) -> pd.DataFrame:
        return self._in_topics(collection_judgements(self.collection, [*self._judges]))

    @cached_property
    def decisions(self) -> pd.DataFrame:
        return self._in_topics(collection_decisions(self.collection))

    @property
    def _judges(self) -> list[str]:
        return [member.name for member in self.spec.members if member.is_judge]

    def _in_topics(self, frame: pd.DataFrame) -> pd.DataFrame:
        return frame[frame["query_id"].isin(self.spec.query_ids)]

    @property
    def judgements(self) -> QuerySet[Judgement]:
        members = [member.pk for member in self.spec.members]
        return Judgement.objects.filter(member__in=members, task__topic__query_id__in=self.spec.query_ids)


def preview_release(collection: Collection, choices: ReleaseChoices) -> ReleasePreview:
    """Return what the release would contain, or refuse what cannot be released."""
    check_choices(collection, choices)
    planned = release_source(collection, choices, timezone.now(), chains_of(collection))
    source = CurrentJudgements(planned.spec, collection, planned.previous_qrels)
    contents = list(_contents(source))
    return ReleasePreview(source.spec.name, source.spec.version, contents, list(_warnings(source)))


def _contents(source: CurrentJudgements) -> Iterator[str]:
    content = source.qrels()
    topics, gold = count(source.gold["query_id"].nunique(), "topic"), source.gold
    counts = gold["relevance"].value_counts().sort_index()
    by_grade = ", ".join(f"{number:,} with grade {grade:g}" for grade, number in counts.items())
    yield f"The gold by {source.spec.rule}: {count(len(gold), 'document')} in {topics}, {by_grade}."
    rows, members = count(source.judgements.count(), "row"), count(len(source.spec.members), "member")
    yield f"The raw judgements of {members} under pseudonyms: {rows}, “cannot judge” and decisions included."
    versions = count(len(source.guidelines), "version")
    yield f"The pool, the checksums of {count(len(source.runs), 'run')}, and {versions} of the guidelines."
    yield "Reports and figures, a methods paragraph and tables, and descriptions for other tools."
    if has_trust(source, source.runs):
        yield "The report on model judges, with the gold of people as the reference."
    if source.spec.previous:
        yield counts_sentence(log_entry(source.spec, source.previous_qrels, content))


def _warnings(source: CurrentJudgements) -> Iterator[str]:
    """Yield what readers of the release should know about its judgements."""
    facts = source.spec.facts
    if not_blind := facts.decided - facts.blind:
        yield (
            f"{count(not_blind, 'decision')} of {facts.decided:,} {'was' if not_blind == 1 else 'were'} not blind: the "
            "adjudicator had seen the grades. The methods paragraph says so."
        )
    if facts.undecided:
        yield f"{count(facts.undecided, 'document')} in adjudications {'is' if facts.undecided == 1 else 'are'} open."
    if facts.researching_judges:
        yield f"{count(facts.researching_judges, 'judge')} had access to the runs as researchers of the collection."
    yield from _too_little(source)
    if later := source.judgements.filter(repeat=JudgementKind.REGULAR, state=State.LATER).count():
        yield f"{count(later, 'judgement')} put off until later {'has' if later == 1 else 'have'} no grade."


def _too_little(source: CurrentJudgements) -> Iterator[str]:
    """Yield where the gold has less data than a sentence that compares golds needs."""
    topics = source.gold["query_id"].nunique()
    if topics < source.spec.min_topics:
        yield (
            f"The gold has {count(topics, 'topic')}. Sentences that compare golds need {source.spec.min_topics}, so "
            "the release calls them preliminary."
        )
    pooled, graded = source.pool.frame[["query_id", "doc_id"]], source.gold[["query_id", "doc_id"]]
    if missing := len(pooled) - len(pooled.merge(graded)):
        yield f"{missing:,} of {count(len(pooled), 'pooled document')} have no grade in this gold."
    yield from _judged_share(source)
    yield from source.pool.notes


def _judged_share(source: CurrentJudgements) -> Iterator[str]:
    """Yield the share of the first documents that are graded if it is low. Large runs take too long for a preview."""
    if sum(run.line_count for run in source.runs) > MOST_RUN_LINES or source.shift is None:
        return
    judged, retrieved = source.shift.judged_counts(RELEASED)
    if judged < source.spec.min_judged * retrieved:
        yield (
            f"{judged:,} of {retrieved:,} documents ({judged / retrieved:.0%}) among the first ten of each run have a "
            f"grade. Sentences that compare golds need {source.spec.min_judged:.0%}."
        )

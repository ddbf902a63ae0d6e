"""What a release would contain, and what readers of the release should know. Nothing is saved. Loads pandas."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils import timezone

from assess.errors import Refused
from assess.judging.checkpoints import chains_of
from assess.models import Collection, JudgementKind
from assess.releases.changes import counts_sentence, log_entry
from assess.releases.choices import ReleaseChoices, check_choices
from assess.releases.contents import qrels
from assess.releases.freeze import release_source
from assess.releases.source import ReleaseSource
from pooling.words import count


@dataclass(frozen=True)
class ReleasePreview:
    """`contents` and `warnings` are sentences."""

    name: str
    version: int
    contents: list[str]
    warnings: list[str]


def preview_release(collection: Collection, choices: ReleaseChoices) -> ReleasePreview:
    """Return what the release would contain, or refuse what cannot be released."""
    check_choices(collection, choices)
    source = release_source(collection, choices, timezone.now(), chains_of(collection))
    if source.gold.empty:
        raise Refused(f"There is no gold to release: the rule {choices.rule} gives no grade to any document yet.")
    return ReleasePreview(
        name=source.spec.name,
        version=source.spec.version,
        contents=list(_contents(source)),
        warnings=list(warnings_of(source)),
    )


def _contents(source: ReleaseSource) -> Iterator[str]:
    files = qrels.files(source)
    topics = count(source.gold["query_id"].nunique(), "topic")
    counts = source.gold["relevance"].value_counts().sort_index()
    by_grade = ", ".join(f"{number:,} with grade {grade:g}" for grade, number in counts.items())
    yield f"The gold by {source.spec.rule}: {count(len(source.gold), 'document')} in {topics}, {by_grade}."
    yield (
        f"{count(len(source.rows), 'judgement')} of {count(len(source.spec.members), 'member')} under pseudonyms, "
        f"{len(files['judgements.csv']):,} bytes."
    )
    versions = count(len(source.guidelines), "version")
    yield f"The pool, the checksums of {count(len(source.runs), 'run')}, and {versions} of the guidelines."
    yield "Reports and figures, a methods paragraph and tables, and descriptions for other tools."
    entry = log_entry(source.spec, source.previous_qrels, files["qrels.txt"])
    if source.spec.previous:
        yield counts_sentence(entry)


def warnings_of(source: ReleaseSource) -> Iterator[str]:
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
    regular = [row for row in source.rows if row.kind == JudgementKind.REGULAR]
    if any(row.state == "later" for row in regular):
        yield f"{count(sum(row.state == 'later' for row in regular), 'judgement')} put off until later have no grade."


def _too_little(source: ReleaseSource) -> Iterator[str]:
    """Yield where the gold has less data than a sentence that compares golds needs."""
    topics = source.gold["query_id"].nunique()
    if topics < source.spec.min_topics:
        yield (
            f"The gold has {count(topics, 'topic')}. Sentences that compare golds need {source.spec.min_topics}, so "
            "the release says that it is too early to say."
        )
    pooled, graded = source.pool.frame[["query_id", "doc_id"]], source.gold[["query_id", "doc_id"]]
    missing = len(pooled) - len(pooled.merge(graded))
    if missing:
        yield f"{missing:,} of {len(pooled):,} pooled documents have no grade in this gold."
    yield from source.pool.notes

"""The methods paragraph of a paper, in Markdown and LaTeX. Every number is counted in the rows of the release.

The paragraph says what was measured, and leaves out what was not: agreement with one judge, a shift with one system.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Any

from agreement.reports.agreement_summary import agreement_summary
from agreement.version import VERSION
from assess.models import Input, JudgeKind, JudgementKind, State, TopicSet
from assess.pools.building.strategies import describe
from assess.releases.source import ReleaseSource
from assess.releases.spec import IMPORTED, PERSON, ReleasedMember
from assess.releases.state.ledger_rows import FIELDS, Row
from pooling.errors import shown
from pooling.text_tables import latex
from pooling.words import count, with_article

NOUNS = {  # the others are nouns themselves
    JudgeKind.HUMAN: "imported human judge",
    JudgeKind.CROWD: "crowd judge",
    JudgeKind.DERIVED: "judge derived from other data",
    IMPORTED: "imported judge",
}
JUDGED_AT, GUIDELINES, INPUT = (FIELDS.index(name) for name in ("judged_at", "guidelines_version", "input"))


def files(source: ReleaseSource) -> dict[str, bytes]:
    sentences = methods(source)
    return {
        "paper/methods.md": (" ".join(sentences) + "\n").encode(),
        "paper/methods.tex": (latex(" ".join(sentences)) + "\n").encode(),
    }


def methods(source: ReleaseSource) -> list[str]:
    """Return the sentences of the paragraph."""
    return [
        *_collection(source),
        *_judging(source),
        *_agreement(source),
        *adjudication_sentences(source),
        *_gold(source),
        *_shift(source),
        *_ledger(source),
    ]


def _collection(source: ReleaseSource) -> Iterator[str]:
    baselines = sum(run.is_baseline for run in source.runs)
    computed = f", {baselines:,} of them baselines computed with Assay" if baselines else ""
    topics, runs = count(len(source.topics), "topic"), count(len(source.runs), "run")
    yield f"{source.spec.title} has {topics} and {runs}{computed}."
    yield from _topic_sets(source)
    frame = source.pool.frame
    if len(frame):
        how = "; ".join(describe(each.strategy, each.parameters) for each in source.pool.buildings)
        documents = count(frame["doc_id"].nunique(), "document")
        yield f"The pool has {count(len(frame), 'topic-document pair')} of {documents} ({how})."
    yield from source.pool.notes


def _topic_sets(source: ReleaseSource) -> Iterator[str]:
    """Yield how many topics the development and the test set have, if there are any."""
    if not (counts := Counter(source.spec.topic_sets.values())):
        return
    sets = [f"the {TopicSet(name).label} has {count(counts[name], 'topic')}" for name in TopicSet.values]
    without = len(source.topics) - counts.total()
    rest = f"; {count(without, 'topic')} {'belongs' if without == 1 else 'belong'} to no set" if without else ""
    yield f"{sets[0].capitalize()} and {sets[1]}{rest}. The file topics.jsonl names the set of each topic."


def _judging(source: ReleaseSource) -> Iterator[str]:
    judges = {member.pk: member for member in source.spec.members if member.is_judge}
    regular = [row for row in source.rows if row.kind == JudgementKind.REGULAR and row.member in judges]
    graded = [row for row in regular if row.state == State.JUDGED]
    kinds = Counter(judges[pk].kind for pk in {row.member for row in graded})
    described = ", ".join(_judges(kind, number) for kind, number in sorted(kinds.items()))
    scale = ", ".join(f"{grade.value} {grade.name}" for grade in source.grades)
    pairs = len({(row.query_id, row.doc_id) for row in graded})
    yield (
        f"{count(kinds.total(), 'judge')} ({described}) made {count(len(graded), 'judgement')} of "
        f"{count(pairs, 'topic-document pair')}{_between(graded)}, on a scale of {len(source.grades)} grades ({scale})."
    )
    yield from _models(judges.values())
    yield from source.spec.about_models
    yield from _several(graded)
    yield from _other_rows(source, regular)
    if versions := sorted({row.values[GUIDELINES] for row in graded if row.values[GUIDELINES] is not None}):
        noun = "version" if len(versions) == 1 else "versions"
        yield f"The judges saw {noun} {', '.join(map(str, versions))} of the guidelines."


def _models(judges: Iterable[ReleasedMember]) -> Iterator[str]:
    """Yield what is recorded about each model judge."""
    for judge in sorted(judges, key=attrgetter("name")):
        prompt = f"prompt {shown(judge.record['prompt'])}" if "prompt" in judge.record else ""
        version = f"prompt version {judge.record['prompt_version']}" if "prompt_version" in judge.record else ""
        day = f"graded until {judge.record['graded_on']}" if "graded_on" in judge.record else ""
        known = (judge.record.get("model", ""), version or prompt, judge.record.get("parameters", ""), day)
        if any(known):
            yield f"The judge {judge.name} is a model: {', '.join(part for part in known if part)}."


def _judges(kind: str, number: int) -> str:
    return f"{number:,} people" if kind == PERSON and number > 1 else count(number, NOUNS.get(kind, kind))


def _between(rows: list[Row]) -> str:
    days = sorted(f"{row.values[JUDGED_AT]:%Y-%m-%d}" for row in rows)
    if not days:
        return ""
    return f" on {days[0]}" if days[0] == days[-1] else f" between {days[0]} and {days[-1]}"


def _several(graded: list[Row]) -> Iterator[str]:
    judges = Counter((row.query_id, row.doc_id) for row in graded)
    several = sum(number > 1 for number in judges.values())
    if judges:
        yield f"Two or more judges graded {several:,} of these pairs ({several / len(judges):.1%})."


def _other_rows(source: ReleaseSource, regular: list[Row]) -> Iterator[str]:
    cannot = sum(row.state == State.CANNOT_JUDGE for row in regular)
    if cannot:
        yield f"In {count(cannot, 'case')}, a judge could not judge the document."
    judged = [row for row in source.rows if row.state == State.JUDGED]
    by_group = sum(row.values[INPUT] == Input.GROUP for row in judged)
    if by_group:
        yield f"In {count(by_group, 'case')}, the grade is the one that the judge gave to a near-duplicate."
    repeats = sum(row.kind == JudgementKind.REPEAT for row in judged)
    if repeats:
        yield f"{count(repeats, 'hidden repeat')} of judged documents count for self-agreement only."
    norming = sum(row.kind in (JudgementKind.NORMING_BEFORE, JudgementKind.NORMING_AFTER) for row in judged)
    if norming:
        yield f"{count(norming, 'judgement')} of norming rounds count for no gold."
    if source.spec.facts.researching_judges:
        judges = count(source.spec.facts.researching_judges, "judge")
        yield f"{judges} also had access to the systems' runs as researchers of the collection."
    for name, role in sorted(source.spec.sighted.items()):
        as_whom = f"as {with_article(role)}"
        yield f"{name} could see the runs {as_whom} before judging, which an owner of the collection allowed."
    if source.spec.suggestions:
        shown = " or ".join(source.spec.suggestions)
        graded = [row for row in regular if row.state == State.JUDGED]
        assisted = sum(bool(row.assistance.assisted) for row in graded)
        made = f"{assisted:,} of {count(len(graded), 'grade')} {'was' if assisted == 1 else 'were'} given with one"
        yield f"Assessors saw the grades of {shown} as suggestions next to documents: {made}."


def _agreement(source: ReleaseSource) -> Iterator[str]:
    if source.agreement_report is None:  # there is one judge
        return
    rel = source.spec.agreement_rel
    compared = "all grades" if rel is None else f"relevance from grade {rel}"
    pairs = source.pairs_of_judges
    summary = agreement_summary(pairs, source.spec.min_topics, source.spec.min_documents)
    if any(pair.kappa is not None for pair in summary.compared):
        yield f"Agreement is measured on {compared}. {summary.headline()}"
    if summary.early and not summary.preliminary:
        yield f"The figures of {count(len(summary.early), 'pair')} of judges are preliminary."
    if apart := int((pairs["n"] == 0).sum()):
        yield f"{count(apart, 'pair')} of judges graded no document in common."
    estimates = {row["coefficient"]: row for row in source.agreement_report["all_judges"]}
    alpha = estimates.get("krippendorff_alpha")
    if alpha and alpha["value"] is not None:
        level = alpha["convention"].partition(";")[0]
        value = f"{alpha['value']:.3f}{_limits(alpha)}"
        yield f"Krippendorff's alpha over all judges ({level}) is {value}, n = {alpha['n']:,}."


def _limits(estimate: dict[str, Any]) -> str:
    if estimate["low"] is None:
        return ""
    return f" (95% interval {estimate['low']:.3f} to {estimate['high']:.3f}, jackknife over topics)"


def adjudication_sentences(source: ReleaseSource) -> Iterator[str]:
    """Yield how decisions came about, with the number of those that were not blind."""
    facts = source.spec.facts
    if facts.decided:
        open_ones = facts.decided - facts.blind
        how = (
            "all of them blind to the grades of the judges"
            if not open_ones
            else f"{facts.blind:,} of them blind to the grades of the judges, and {open_ones:,} not blind"
        )
        yield f"{count(facts.decided, 'document')} {'was' if facts.decided == 1 else 'were'} adjudicated, {how}."
    if facts.undecided:
        yield f"The adjudication of {count(facts.undecided, 'document')} is not decided yet."


def _gold(source: ReleaseSource) -> Iterator[str]:
    gold, rel = source.gold, source.spec.rel
    threshold = "" if rel is None else f", relevant from grade {rel}"
    pairs, topics = count(len(gold), "pair"), count(gold["query_id"].nunique(), "topic")
    yield f"The gold is derived by the rule {source.spec.rule}{threshold}; it grades {pairs} of {topics}."
    grades = gold["relevance"].value_counts().sort_index()
    shares = ", ".join(f"{grade:g}: {number:,} ({number / len(gold):.1%})" for grade, number in grades.items())
    yield f"Its grades are {shares}."


def _shift(source: ReleaseSource) -> Iterator[str]:
    shift = source.shift
    if shift is not None and shift.farthest and len(shift.systems) > 1:
        yield f"{count(len(shift.systems), 'system')} are ranked by {shift.measure}. {shift.headline()}"
        if (early := len(shift.others) - len(shift.enough)) and not shift.preliminary:
            yield f"The rankings under {count(early, 'gold')} are preliminary."


def _ledger(source: ReleaseSource) -> Iterator[str]:
    spec = source.spec
    yield (
        f"The judgements are those of a ledger of {count(spec.events, 'event')} at the checkpoint "
        f"{spec.checkpoint[:12]}. All figures were computed with Assay {VERSION}; the seed of the collection is "
        f"{spec.seed}."
    )

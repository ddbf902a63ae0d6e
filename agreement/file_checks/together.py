"""What files say about each other: ids that match nothing, topics without documents, and what is judged."""

from collections.abc import Iterable, Iterator, Sequence

from agreement.file_checks.contents import TOP, Contents, RunContents
from agreement.file_checks.findings import NOTE, WARNING, Finding
from pooling.unmatched import unmatched
from pooling.words import count, first_names, percent

MANY_TIES = 0.1  # share of the documents of a run; scores of few digits tie now and then
MIN_JUDGED = 0.5  # share of the first ten: below it, a ranking says little


def findings_of(contents: Contents, option: str = "--repair-ids {repair}") -> list[Finding]:
    """Everything that the files say about each other, warnings first. `option` is how a user asks for a repair."""
    found = [
        *_unmatched_ids(contents, option),
        *_missing_topics(contents),
        *_empty_texts(contents),
        *_ties(contents),
        *_without_relevant(contents),
        *_judged_shares(contents),
        *_scales(contents),
    ]
    return sorted(found, key=lambda finding: finding.severity != WARNING)


def _unmatched_ids(contents: Contents, option: str) -> Iterator[Finding]:
    """Ids of one kind of file that the other kind does not have."""
    topics, documents, run_topics = contents.titles, contents.documents, contents.run_topics()
    known, others = (topics, "the topics") if topics else (run_topics, "the runs")
    if topics:
        yield from _unmatched("topic", run_topics, known, "the runs", others, option)
    for judge, grades in contents.judgements.items():
        yield from _unmatched("topic", {query_id for query_id, _ in grades}, known, judge, others, option)
        yield from _unmatched("document", {doc_id for _, doc_id in grades}, documents, judge, "the documents", option)
    yield from _unmatched("document", contents.run_documents, documents, "the runs", "the documents", option)
    judges = list(contents.judgements)
    for judge in judges[1:]:
        yield from _no_overlap(contents, judges[0], judge)


def _unmatched(
    noun: str, ids: Iterable[str], known: Iterable[str], side: str, other: str, option: str
) -> Iterator[Finding]:
    known = set(known)
    if not known:
        return
    found = unmatched(ids, known)
    if found.ids:
        sentence = found.sentence(noun, side, other, option.format(repair=found.repair))
        counts = {"unmatched": len(found.ids), "total": found.total, "repaired": len(found.pairs)}
        yield Finding(WARNING, f"{noun}s that match nothing", sentence, counts)


def _no_overlap(contents: Contents, first: str, second: str) -> Iterator[Finding]:
    common = contents.judgements[first].keys() & contents.judgements[second].keys()
    if not common:
        sentence = f"{first} and {second} have no judged document in common, so no agreement can be computed."
        yield Finding(WARNING, "judges without a common document", sentence, {"common": 0})


def _missing_topics(contents: Contents) -> Iterator[Finding]:
    """Topics that a run lacks, and topics without judgements. Runs that lack the same topics share a sentence."""
    wanted = set(contents.titles) or contents.run_topics()
    lacking: dict[tuple[str, ...], list[str]] = {}
    for system, run in contents.runs.items():
        lacking.setdefault(tuple(sorted(wanted - run.query_ids)), []).append(system)
    for topics, systems in lacking.items():
        if topics:
            have = "has" if len(systems) == 1 else "have"
            sentence = f"{first_names(systems, 3)} {have} no document for {_of(topics, wanted, 'topic')}; they score 0."
            counts = {"missing": len(topics), "total": len(wanted), "runs": len(systems)}
            yield Finding(WARNING, "topics without a run", sentence, counts)
    missing = sorted(set(contents.titles) - contents.judged_topics())
    if contents.judgements and missing:
        sentence = f"Nothing is judged for {_of(missing, contents.titles, 'topic')}."
        yield Finding(NOTE, "topics without judgements", sentence, {"missing": len(missing)})


def _of(some: Sequence[str], every: Iterable[str], noun: str) -> str:
    return f"{len(some):,} of {count(len(set(every)), noun)} ({first_names(some, 3)})"


def _empty_texts(contents: Contents) -> Iterator[Finding]:
    empty = sorted(doc_id for doc_id, has_text in contents.documents.items() if not has_text)
    if empty:
        sentence = f"The text is empty in {_of(empty, contents.documents, 'document')}; nobody can judge them."
        yield Finding(WARNING, "empty texts", sentence, {"empty": len(empty), "total": len(contents.documents)})
    untitled = sorted(query_id for query_id, title in contents.titles.items() if not title.strip())
    if untitled:
        sentence = f"The title is empty in {_of(untitled, contents.titles, 'topic')}."
        yield Finding(WARNING, "empty titles", sentence, {"empty": len(untitled)})


def _ties(contents: Contents) -> Iterator[Finding]:
    for system, run in contents.runs.items():
        if run.tied >= MANY_TIES * run.documents:
            share = percent(round(run.tied / run.documents, 3))
            sentence = (
                f"{system}: {run.tied:,} of {count(run.documents, 'document')} ({share}) have the score of another "
                "document of the topic; their order is that of their ids, descending."
            )
            yield Finding(WARNING, "ties", sentence, {"tied": run.tied, "documents": run.documents})


def _without_relevant(contents: Contents) -> Iterator[Finding]:
    """Topics of a judge without a relevant document; a judge without any is a warning."""
    for judge, grades in contents.judgements.items():
        topics = {query_id for query_id, _ in grades}
        relevant = {query_id for (query_id, _), grade in grades.items() if grade > 0}
        missing = sorted(topics - relevant)
        if topics and not relevant:
            sentence = f"{judge} found nothing relevant in {count(len(grades), 'judgement')}."
            yield Finding(WARNING, "nothing relevant", sentence, {"judgements": len(grades)})
        elif missing:
            sentence = f"{judge} found nothing relevant for {_of(missing, topics, 'topic')}."
            yield Finding(NOTE, "topics without relevant documents", sentence, {"missing": len(missing)})


def _judged_shares(contents: Contents) -> Iterator[Finding]:
    judged = contents.judged()
    shares = {system: _judged_share(run, judged) for system, run in contents.runs.items()} if judged else {}
    if not shares:
        return
    lowest = min(shares, key=lambda system: shares[system])
    mean = sum(shares.values()) / len(shares)
    sentence = (
        f"Of the first {TOP} documents of each topic, {percent(round(mean, 3))} are judged; least in {lowest}: "
        f"{percent(round(shares[lowest], 3))}."
    )
    severity = WARNING if shares[lowest] < MIN_JUDGED else NOTE
    yield Finding(severity, "judged in the first ten", sentence, {"mean": mean, "least": shares[lowest]})


def _judged_share(run: RunContents, judged: set[tuple[str, str]]) -> float:
    """Over the topics with a judgement: of a topic that nobody has judged, nothing can be judged."""
    topics = {query_id for query_id, _ in judged}
    top = [pair for pair in run.top if pair[0] in topics]
    return sum(pair in judged for pair in top) / len(top) if top else 0.0


def _scales(contents: Contents) -> Iterator[Finding]:
    """The grades of each judge, and a warning if a judge gave one grade only or grades differ between judges."""
    used = {judge: contents.grades(judge) for judge in contents.judgements}
    for judge, grades in used.items():
        listed = ", ".join(f"{grade} ({number:,})" for grade, number in sorted(grades.items()))
        yield Finding(NOTE, "grades", f"{judge} gave the grades {listed}.", {str(key): n for key, n in grades.items()})
        if len(grades) == 1:
            sentence = f"{judge} gave one grade only, so kappa with this judge is undefined or 0."
            yield Finding(WARNING, "one grade only", sentence, {"judgements": grades.total()})
    binary = [judge for judge, grades in used.items() if max(grades, default=0) <= 1]
    graded = [judge for judge in used if judge not in binary]
    if binary and graded:
        sentence = (
            f"{first_names(binary, 3)} gave grades up to 1, and {first_names(graded, 3)} higher ones. Declare the "
            "scale, and which grade a 1 means."
        )
        yield Finding(WARNING, "different scales", sentence, {"binary": len(binary), "graded": len(graded)})

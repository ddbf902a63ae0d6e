"""The ids of golds that match nothing in the runs, their repair, and what the headline says about them.

A topic of a gold that no run has scores the same for all systems. It says nothing about their ranking, so the headline
does not count it. Documents are compared only if a repair is asked for, or if the runs have none of the first documents
of a gold: most golds judge documents that the runs do not retrieve.
"""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

import pandas as pd

from agreement.effectiveness.ranked_runs import RankedRuns, prepare_for
from agreement.shift.figures import ShiftFigures
from agreement.shift.gold_pairs import GoldPair
from pooling import ranking
from pooling.id_repair import IDS, IdMatch, check_repair, match_ids
from pooling.words import count

Frames: TypeAlias = ranking.RankedRuns | pd.DataFrame | Iterator[pd.DataFrame]
Golds: TypeAlias = dict[str, pd.DataFrame]
Matches: TypeAlias = dict[str, IdMatch]

OTHER = "the runs"
SAMPLE = 1_000  # documents that show whether any document of a gold matches
MOST_NAMED = 2  # golds in a sentence; the others are counted


def matched_golds(frames: Frames, golds: Golds, repair: str | None) -> tuple[RankedRuns, Golds, Matches]:
    """Return the runs on the topics of the golds, the golds with repaired ids, and how the ids of each gold match.

    Raises ValueError if the repair is unknown, or if a gold has no topic in common with the runs.
    """
    check_repair(repair)
    if repair:
        whole = frames if isinstance(frames, ranking.RankedRuns | pd.DataFrame) else list(frames)
        known = _ids_of(whole)
        matched = {name: match_ids(gold, known, name, OTHER, repair) for name, gold in golds.items()}
        golds = {name: gold for name, (gold, _) in matched.items()}
        runs, matches = prepare_for(whole, golds.values()), {name: match for name, (_, match) in matched.items()}
    else:
        topics: set[str] = set()
        runs = prepare_for(_noting_topics(frames, topics), golds.values())
        matches = {name: _match(name, gold, runs, topics | set(runs.query_ids)) for name, gold in golds.items()}
    for name, gold in golds.items():
        _check_common_topic(runs, gold, matches[name])
    return runs, golds, matches


def repaired_like(golds: Golds, matches: Mapping[str, IdMatch]) -> Golds:
    """Return golds with the repairs of the golds of the same name."""
    return {
        name: gold.assign(**{column: gold[column].replace(pairs) for column, pairs in matches[name].repaired.items()})
        if name in matches
        else gold
        for name, gold in golds.items()
    }


def matched_topics(shift: ShiftFigures, pair: GoldPair) -> int:
    """Return how many compared topics of two golds the runs have."""
    if shift.from_scores:  # there are no runs in which a topic could be missing
        return pair.n_topics
    missing = [set(shift.matches[gold].unmatched["query_id"].ids) for gold in (pair.gold_a, pair.gold_b)]
    lost = set.intersection(*missing) if shift.topics == "common" else set.union(*missing)
    return pair.n_topics - len(lost)


def unmatched_sentences(shift: ShiftFigures) -> list[str]:
    """Return what the headline does not count: a sentence for each gold of which more than 2 % match nothing."""
    notes = [match.unmatched_notes() for match in shift.id_matches]
    sentences = [f"{' '.join(each)} The headline does not count them." for each in notes if each]
    if n_others := len(sentences[MOST_NAMED:]):
        verb = "has" if n_others == 1 else "have"
        sentences[MOST_NAMED:] = [f"{count(n_others, 'other gold')} {verb} such ids as well."]
    return sentences


def ids_frame(shift: ShiftFigures) -> pd.DataFrame:
    """Return the numbers of ids of each gold, of those that match nothing in the runs, and of those repaired.

    Columns: gold, ids (topic or document), n, unmatched, example, repair (the one applied, or else the one that would
    make most match), applied and repaired. No row for ids that all match and were not repaired.
    """
    rows = []
    for match in shift.id_matches:
        for column, found in match.unmatched.items():
            repaired = len(match.repaired.get(column, {}))
            if found.ids or repaired:
                repair, example = match.repair or found.repair or "", found.ids[0] if found.ids else ""
                applied = match.repair is not None
                rows.append((match.side, IDS[column], found.total, len(found.ids), example, repair, applied, repaired))
    columns = ["gold", "ids", "n", "unmatched", "example", "repair", "applied", "repaired"]
    return pd.DataFrame(rows, columns=columns)


def _ids_of(runs: ranking.RankedRuns | pd.DataFrame | list[pd.DataFrame]) -> dict[str, set[str]]:
    if isinstance(runs, ranking.RankedRuns):
        return {"query_id": set(runs.query_ids), "doc_id": set(runs.documents)}
    frames = [runs] if isinstance(runs, pd.DataFrame) else runs
    return {column: {text for frame in frames for text in _unique(frame, column)} for column in IDS}


def _noting_topics(frames: Frames, topics: set[str]) -> Frames:
    """The same runs; in frames, the topics are noted as well, because only those of the golds are prepared."""
    if isinstance(frames, ranking.RankedRuns):
        return frames
    if isinstance(frames, pd.DataFrame):
        topics.update(_unique(frames, "query_id"))
        return frames
    return _each_noted(frames, topics)


def _each_noted(frames: Iterator[pd.DataFrame], topics: set[str]) -> Iterator[pd.DataFrame]:
    for frame in frames:
        topics.update(_unique(frame, "query_id"))
        yield frame


def _unique(frame: pd.DataFrame, column: str) -> list[str]:
    """The ids of a column; a missing column and missing ids are refused elsewhere."""
    return list(frame[column].dropna().astype("str").unique()) if column in frame.columns else []


def _match(name: str, gold: pd.DataFrame, runs: RankedRuns, topics: set[str]) -> IdMatch:
    sample = pd.Index(_unique(gold, "doc_id")[:SAMPLE], dtype="str")
    known: dict[str, set[str]] = {"query_id": topics}
    if len(sample) and (runs.documents.get_indexer(sample) < 0).all():
        known["doc_id"] = set(runs.documents)
    return match_ids(gold, known, name, OTHER)[1]


def _check_common_topic(runs: RankedRuns, gold: pd.DataFrame, match: IdMatch) -> None:
    try:
        ranking.check_common_topic(runs, gold.get("query_id", ()), f"the gold {match.side!r}")
    except ValueError as error:
        found = match.unmatched["query_id"]
        hint = f" {match.unmatched_notes()[0]}" if found.repair else ""
        raise ValueError(f"{error}{hint}") from None

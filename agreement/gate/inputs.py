"""The two runs and the golds of the gate, and what their topics have in common."""

from collections.abc import Iterator, Mapping

import pandas as pd

from agreement.frames import checked_frame
from agreement.golds.make_gold import as_golds
from pooling.inputs import Input, as_runs
from pooling.words import count, first_names

BASELINE, CANDIDATE = "baseline", "candidate"  # also the names of the systems while they are scored
IDS = ["query_id", "doc_id"]
Runs = Mapping[str, pd.DataFrame]
Golds = dict[str, pd.DataFrame]


def named_run(run: Input, role: str) -> tuple[str, pd.DataFrame]:
    """Return the name of a run and its rows, in which the system has the name of its role.

    Examples
    --------
    >>> from agreement.gate.inputs import named_run
    >>> named_run({"new": {"1": {"d7": 1.5}}}, "candidate")
    ('new',       system query_id doc_id  score
    0  candidate        1     d7    1.5)
    """
    frames = as_runs(run)
    rows = pd.concat(list(frames), ignore_index=True) if isinstance(frames, Iterator) else frames
    names = list(rows["system"].astype("str").unique())
    if len(names) != 1:
        several = f"systems {first_names(names)}" if names else "no rows"
        raise ValueError(f"The {role} must be the run of one system; it has {several}.")
    return names[0], rows.assign(system=role)


def common_golds(golds: Input) -> tuple[Golds, list[str]]:
    """Return the golds on the topics that all of them have, and a note for each that has others."""
    given = as_golds(golds)
    named = {name: checked_frame(gold, IDS, "relevance", f"the gold {name!r}") for name, gold in given.items()}
    topics = {name: set(gold["query_id"]) for name, gold in named.items()}
    common = set.intersection(*topics.values())
    if not common and any(topics.values()):
        raise ValueError(f"The golds {', '.join(named)} have no topic in common.")
    others = {name: sorted(own - common) for name, own in topics.items()}
    notes = [
        f"{count(len(left), 'topic')} of {name} {_is_not(left)} in every gold and left out: {first_names(left)}."
        for name, left in others.items()
        if left
    ]
    return {name: gold[gold["query_id"].isin(common)].reset_index(drop=True) for name, gold in named.items()}, notes


def refuse_other_topics(runs: Runs, golds: Golds) -> None:
    """Raise ValueError if a run has none of the topics of the golds: all of its scores would be 0."""
    topics = _topics(golds)
    for role, run in runs.items():
        own = set(run["query_id"].astype("str"))
        if topics and not own & topics:
            raise ValueError(
                f"The {role} and the golds have no topic in common: a topic of the {role} is {min(own)!r}, and a topic "
                f"of the golds is {min(topics)!r}. Topics are compared as strings."
            )


def topic_notes(runs: Runs, golds: Golds) -> list[str]:
    """Return a note for each run that lacks topics of the golds, and one for topics that no gold has."""
    topics, notes = _topics(golds), []
    which = "every gold" if len(golds) > 1 else "the gold"
    for role, run in runs.items():
        own = set(run["query_id"].astype("str"))
        if missing := sorted(topics - own):
            scores = "it scores" if len(missing) == 1 else "they score"
            has = f"The {role} has no document for {count(len(missing), 'topic')}"
            notes.append(f"{has}, so that {scores} 0: {first_names(missing)}.")
        if unused := sorted(own - topics):
            left = f"{count(len(unused), 'topic')} of the {role} {_is_not(unused)} in {which}"
            notes.append(f"{left}, and not used: {first_names(unused)}.")
    return notes


def _topics(golds: Golds) -> set[str]:
    return {topic for gold in golds.values() for topic in gold["query_id"]}


def _is_not(topics: list[str]) -> str:
    return "is not" if len(topics) == 1 else "are not"

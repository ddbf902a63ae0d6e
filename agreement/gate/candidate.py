"""The gate: may a candidate run replace the baseline?

Both runs are scored on all topics of the gold; a topic that a run lacks scores 0 and is named. The interval of the mean
difference decides (`agreement.gate.difference`, `agreement.gate.decision`): the question is not whether the candidate
is better, but whether it is worse by more than the margin, which is a test of non-inferiority at the one-sided level
alpha / 2. Then the unjudged documents are examined (`agreement.gate.bounds`), and the golds are compared.

A gold has too much unjudged if more than the share `max_unjudged` of the first k documents of a run is unjudged, or if
the decision would be another one with the lowest or with the highest difference on every topic that judgements of these
documents could give. Several golds are compared on the topics that all of them have, so that their decisions do not
differ because of the topics.
"""

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from agreement.checks import checked_frame, choice, level, number
from agreement.choices import GATE_BOUNDS, MARGIN, MAX_UNJUDGED
from agreement.effectiveness.measure import Measure, MeasureLike, parse_measure
from agreement.effectiveness.ranked_runs import prepare_for
from agreement.gate.decision import combined
from agreement.gate.result import Gate
from agreement.gate.under_gold import GateOptions, judge_shift, under_gold
from agreement.golds.make_gold import as_golds
from pooling.inputs import Input, as_runs
from pooling.words import count, first_names

BASELINE, CANDIDATE = "baseline", "candidate"  # also the names of the systems while they are scored
IDS = ["query_id", "doc_id"]
Runs = Mapping[str, pd.DataFrame]
Golds = dict[str, pd.DataFrame]


def gate_candidate(
    baseline: Input,
    candidate: Input,
    golds: Input,
    measure: MeasureLike = "nDCG@10",
    *,
    margin: float = MARGIN,
    alpha: float = 0.05,
    max_unjudged: float = MAX_UNJUDGED,
    bounds: str = GATE_BOUNDS[0],
    scale: Sequence[float] | None = None,
) -> Gate:
    """Decide whether a candidate run is worse than the baseline by more than a margin.

    Parameters
    ----------
    baseline, candidate : table, path or dictionary
        One run each, with the columns system, query_id, doc_id and score.
    golds : table, path, dictionary, or iterable of these
        Relevance grades with the columns query_id, doc_id and relevance. The name comes from the mapping, or else from
        a column gold. Several golds are compared on the topics that all of them have.
    measure : str, ir_measures.Measure, or Measure
        A measure such as "AP", "nDCG@10" or "P(rel=2)@5", of which more is better.
    margin : float
        How much worse the candidate may be, at least 0, in units of the measure.
    alpha : float
        1 - the level of the two-sided intervals, between 0 and 1. Each of the two decisions "win_or_tie" and "loss" is
        wrong with a probability of at most alpha / 2.
    max_unjudged : float
        Largest share of unjudged documents among the first k of a run, from 0 to 1. k is the cutoff of the measure, or
        10.
    bounds : {"decide", "report"}
        Whether the decision is "too_many_unjudged" if judgements of these documents could change it, or whether their
        bounds are reported only.
    scale : sequence of numbers, optional
        Declared grades, lowest first. Without it, the bounds assume the grades from 0 to the highest one of the gold.

    Returns
    -------
    Gate
        `decision` is "win_or_tie", "loss", "inconclusive", "too_many_unjudged" or "depends_on_the_judge", and `code`
        its exit code from 0 to 4. With one topic, or the same difference on every topic, there is no interval, and the
        interval's decision is "inconclusive". Runs with the same score on every topic have the interval from 0 to 0.

    Raises
    ------
    ValueError
        An option is out of range, less of the measure is better, a run has several systems or no topic of the golds,
        the golds have no topic in common, or runs or golds are invalid.

    References
    ----------
    S. A. Julious (2004). Sample sizes for clinical trials with normal data. Statistics in Medicine 23(12), 1921-1986.
    A. Moffat and J. Zobel (2008). Rank-biased precision for measurement of retrieval effectiveness. ACM TOIS 27(1),
    article 2 (what unjudged documents could change).

    Examples
    --------
    >>> from agreement import gate_candidate
    >>> gold = {str(topic): {"a": 1, "b": 0, "c": 0} for topic in range(1, 6)}
    >>> old = {str(topic): {"a": 3.0, "b": 2.0, "c": 1.0} for topic in range(1, 6)}
    >>> new = {str(topic): {"b": 3.0, "a": 2.0 if topic > 1 else 0.5, "c": 1.0} for topic in range(1, 6)}
    >>> gate = gate_candidate(old, new, gold, "RR", margin=0.1)
    >>> gate.decision, gate.code, round(gate.golds[0].low, 3), round(gate.golds[0].high, 3)
    ('loss', 1, -0.626, -0.441)
    """
    options = _checked(measure, margin, alpha, max_unjudged, bounds, scale)
    (old_name, old), (new_name, new) = named_run(baseline, BASELINE), named_run(candidate, CANDIDATE)
    if old_name == new_name:
        old_name, new_name = BASELINE, CANDIDATE
    named, notes = common_golds(golds)
    by_role = {BASELINE: old, CANDIDATE: new}
    refuse_other_topics(by_role, named)
    runs = prepare_for([old, new], named.values())
    found = [under_gold(runs, name, gold, options) for name, gold in named.items()]
    tables = [table for _, table in found]
    return Gate(
        decision=combined(figures.decision for figures, _ in found),
        baseline=old_name,
        candidate=new_name,
        measure=options.measure.name,
        margin=options.margin,
        alpha=options.alpha,
        k=options.k,
        max_unjudged=options.max_unjudged,
        bounds=bounds,
        golds=tuple(figures for figures, _ in found),
        shifts=tuple(judge_shift(tables[0], table, options.alpha) for table in tables[1:]),
        topics=pd.concat(tables, ignore_index=True),
        notes=(*notes, *topic_notes(by_role, named)),
    )


def _checked(
    measure: MeasureLike, margin: float, alpha: float, max_unjudged: float, bounds: str, scale: Sequence[float] | None
) -> GateOptions:
    """Return the options; ValueError if one is out of range."""
    return GateOptions(
        measure=_checked_measure(measure),
        margin=number("margin", margin, "a number of at least 0", lambda value: 0 <= value < float("inf")),
        alpha=level("alpha", alpha, 0.05),
        max_unjudged=number("max_unjudged", max_unjudged, "a share from 0 to 1", lambda share: 0 <= share <= 1),
        bounds=choice("bounds", bounds, GATE_BOUNDS),
        scale=scale,
    )


def _checked_measure(measure: MeasureLike) -> Measure:
    """Return the measure; ValueError if less of it is better."""
    parsed = parse_measure(measure)
    if parsed.lower_is_better:
        instead = " Use F, which is 1 - E." if parsed.name.startswith("E") else ""
        raise ValueError(f"The gate needs a measure of which more is better, but less of {parsed.name} is.{instead}")
    return parsed


def named_run(run: Input, role: str) -> tuple[str, pd.DataFrame]:
    """Return the name of a run and its rows, in which the system has the name of its role.

    Examples
    --------
    >>> from agreement.gate.candidate import named_run
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

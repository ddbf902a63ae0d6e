"""The report of the gate as plain text and as Markdown.

The names of runs, golds and topics come from files. A character that cannot be printed is replaced, so that a name
cannot start a line of its own or control a terminal; in Markdown, punctuation is escaped, so that it cannot become a
link or an image.
"""

import re
from dataclasses import replace

import pandas as pd

from agreement.choices import GATE_BOUNDS
from agreement.estimate import format_value
from agreement.gate.decision import INCONCLUSIVE, words
from agreement.gate.result import Gate, JudgeShift, RunsUnderGold
from agreement.significance.pairs import REASONS
from agreement.significance.power import POWER
from pooling.text_tables import heading, render, rounded
from pooling.words import count, percent

MOST_TOPICS = 5  # in the table of the topics on which the candidate loses most
PUNCTUATION = re.compile(r"([\\`*_{}\[\]<>()#+!|~&@])")
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def printable(name: str) -> str:
    """Return a name in which each character that cannot be printed is replaced.

    Examples
    --------
    >>> from agreement.gate.text import printable
    >>> ascii(printable("new\\n::error::"))
    "'new\\\\ufffd::error::'"
    """
    return "".join(character if character.isprintable() else REPLACEMENT for character in name)


def gate_text(gate: Gate, style: str = "plain") -> str:
    """Return the report: the decision, a paragraph for each gold, the judge shift, the worst topics, and notes.

    Parameters
    ----------
    gate : Gate
        The decision.
    style : {"plain", "markdown"}
        The format.

    Returns
    -------
    str

    Examples
    --------
    >>> from agreement import gate_candidate
    >>> from agreement.gate.text import gate_text
    >>> gold = {str(topic): {"a": 1, "b": 0} for topic in range(4)}
    >>> old = {str(topic): {"a": 2.0, "b": 1.0} for topic in range(4)}
    >>> print(gate_text(gate_candidate({"old": old}, {"new": old}, {"nist": gold}, "RR")))
    Win or tie: new is not worse than old by more than 0.01 of RR. Exit code 0.
    <BLANKLINE>
    Under nist, 4 topics: new 1.000, old 1.000, difference 0.000, 95% interval [0.000, 0.000]: win or tie.
    Power: unknown, because both runs have the same score on every topic.
    Unjudged among the first 10: 0% of old, 0% of new; at most 20% are allowed.
    Bounds: judgements of these documents cannot change the difference.
    <BLANKLINE>
    """
    is_markdown = style == "markdown"
    gate = _with_shown_names(gate, is_markdown)
    first = f"{gate.summary()} Exit code {gate.code}."
    parts = [f"## Gate: {words(gate.decision)}\n\n{first}" if is_markdown else first]
    parts += [_joined(gold_sentences(gate, gold), is_markdown) for gold in gate.golds]
    parts += [_shift_sentence(shift, gate) for shift in gate.shifts]
    parts += _worst_topics(gate, style)
    parts += [_joined(gate.notes, is_markdown)] if gate.notes else []
    return "\n\n".join(parts) + "\n"


def gold_sentences(gate: Gate, gold: RunsUnderGold) -> list[str]:
    """Return what one gold says: scores and interval, power, unjudged documents, and their bounds."""
    scores = f"{gate.candidate} {format_value(gold.candidate)}, {gate.baseline} {format_value(gold.baseline)}"
    found = f"{scores}, difference {format_value(gold.difference)}, {_interval(gate, gold)}"
    start = f"Under {gold.gold}, {count(gold.n_topics, 'topic')}: {found}: {words(gold.interval_decision)}."
    return [start, _power_sentence(gold), _unjudged_sentence(gate, gold), _bounds_sentence(gate, gold)]


def _interval(gate: Gate, gold: RunsUnderGold) -> str:
    if gold.low is None or gold.high is None:
        return f"no interval ({REASONS[gold.reason or 'one_topic']})"
    return f"{percent(1 - gate.alpha)} interval [{format_value(gold.low)}, {format_value(gold.high)}]"


def _power_sentence(gold: RunsUnderGold) -> str:
    if gold.power is None:
        why = "both runs have the same score on every topic" if gold.reason == "no_difference" else None
        return f"Power: unknown, because {why or 'there is no interval'}."
    power = f"Power: if both runs are equally good, the gate says so with a probability of {gold.power:.0%}."
    if gold.interval_decision != INCONCLUSIVE:
        return power
    if gold.topics_needed is None:
        return f"{power} No number of topics gives {percent(POWER)} with this margin."
    return f"{power} For {percent(POWER)}, {count(gold.topics_needed, 'topic')} are needed."


def _unjudged_sentence(gate: Gate, gold: RunsUnderGold) -> str:
    shares = {gate.baseline: gold.baseline_unjudged, gate.candidate: gold.candidate_unjudged}
    found = ", ".join(f"{_share(share, gate.max_unjudged)} of {name}" for name, share in shares.items())
    allowed = f"at most {percent(gate.max_unjudged)} are allowed"
    over = any(share is not None and share > gate.max_unjudged for share in shares.values())
    return f"Unjudged among the first {gate.k}: {found}; {allowed}{': too many unjudged' if over else ''}."


def _share(share: float | None, most: float) -> str:
    """Return a share in percent; one above the threshold is never rounded down to it."""
    if share is None:
        return "nothing retrieved"
    return f"{share:.1%}" if share > most >= round(share, 2) else f"{share:.0%}"


def _bounds_sentence(gate: Gate, gold: RunsUnderGold) -> str:
    if gold.lowest is None or gold.highest is None:
        return f"Bounds: none for {gate.measure}; only the share of unjudged documents is checked."
    if gold.lowest == gold.highest:
        return "Bounds: judgements of these documents cannot change the difference."
    ends = f"from {format_value(gold.lowest)} to {format_value(gold.highest)}"
    start = f"Bounds: with judgements of these documents, the difference is {ends}"
    ways = {gold.lowest_decision, gold.highest_decision} - {gold.interval_decision}
    outer = f" On {count(gold.n_outer, 'topic')}, the bounds may be wider than necessary." if gold.n_outer else ""
    if not ways:
        return f"{start}; the decision is the same at both ends.{outer}"
    low, high = words(gold.lowest_decision or ""), words(gold.highest_decision or "")
    effect = "too many unjudged" if gate.bounds == GATE_BOUNDS[0] else "reported only"
    return f"{start}: {low} at the lowest, {high} at the highest: {effect}.{outer}"


def _shift_sentence(shift: JudgeShift, gate: Gate) -> str:
    interval = "no interval"
    if shift.low is not None and shift.high is not None:
        limits = f"[{format_value(shift.low)}, {format_value(shift.high)}]"
        interval = f"{percent(1 - gate.alpha)} interval {limits}"
    moved = f"the difference under {shift.gold} is {format_value(shift.shift)} away from that under {shift.reference}"
    return f"Judge shift: {moved}, {interval}, {count(shift.n_topics, 'topic')}."


def _worst_topics(gate: Gate, style: str) -> list[str]:
    first = gate.topics[(gate.topics["gold"] == gate.golds[0].gold) & (gate.topics["difference"] < 0)]
    worst = first.sort_values(["difference", "query_id"], kind="stable").head(MOST_TOPICS)
    if worst.empty:
        return []
    table = rounded(worst[["query_id", "baseline", "candidate", "difference"]].rename(columns={"query_id": "topic"}))
    return [heading(f"Largest losses under {gate.golds[0].gold}", style), render(table, style)]


def _joined(sentences: list[str] | tuple[str, ...], is_markdown: bool) -> str:
    return "\n".join(f"- {sentence}" if is_markdown else sentence for sentence in sentences)


def _with_shown_names(gate: Gate, is_markdown: bool) -> Gate:
    """Return the gate with names that are safe to print."""

    def shown(name: str) -> str:
        clean = printable(name)
        return PUNCTUATION.sub(r"\\\1", clean) if is_markdown else clean

    def cell(name: str) -> str:  # a table escapes its own separator
        return shown(name).replace(r"\|", "|")

    topics = gate.topics.assign(gold=gate.topics["gold"].map(shown), query_id=gate.topics["query_id"].map(cell))
    return replace(
        gate,
        baseline=shown(gate.baseline),
        candidate=shown(gate.candidate),
        measure=shown(gate.measure),
        golds=tuple(replace(gold, gold=shown(gold.gold)) for gold in gate.golds),
        shifts=tuple(replace(one, gold=shown(one.gold), reference=shown(one.reference)) for one in gate.shifts),
        topics=pd.DataFrame(topics),
        notes=tuple(map(shown, gate.notes)),
    )

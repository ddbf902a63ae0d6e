"""`python -m agreement topics --run runs/*.gz --gold nist=a.qrels --measure AP`: how hard each topic is.

For each gold and measure, the report states how much of the variance of the scores comes from systems, topics and their
interaction, and lists the topics, the hardest first. `--pair A B` adds which topics decide the comparison of two
systems. `--csv` prints the table of topics only, with the columns of the pair if there is one.

Runs, golds and `--scores` are read as by `assay shift`. All topics of a gold count.
"""

import argparse
import sys

import pandas as pd

from agreement.cli.shift import compared
from agreement.meta_evaluation import decisive_topics, topic_difficulty, variance_components
from agreement.shift.result import RankingShift
from pooling.result import Result
from pooling.text_tables import csv_table, heading, prose, render


def topics(options: argparse.Namespace) -> str:
    """Return the report, or its table of topics as CSV."""
    shift, notes, *_ = compared(options)
    if options.csv:
        sys.stderr.writelines(f"{options.prog}: {note}\n" for note in notes)
        frame = pd.concat([_frame(shift, view, options) for view in shift.golds], ignore_index=True)
        return csv_table(frame)
    sections = [prose(note, options.style) for note in notes]
    for view in shift.golds:
        sections += [heading(_title(shift, view), options.style)]
        sections += [_section(result, options.style) for result in _results(shift, view, options)]
    return "\n\n".join(sections) + "\n"


def _title(shift: RankingShift, view: str) -> str:
    return f"Topics under {view}" if shift.several_measures else f"Topics under {view} by {shift.measure}"


def _results(shift: RankingShift, view: str, options: argparse.Namespace) -> list[Result]:
    scores, lower = shift.scores[view], view in shift.lower_is_better
    results: list[Result] = [variance_components(scores), topic_difficulty(scores, lower_is_better=lower)]
    if options.pair:
        a, b = options.pair
        results += [decisive_topics(scores, a, b, options.alpha, lower_is_better=lower)]
    return results


def _section(result: Result, style: str) -> str:
    """Return the sentences and the table of a result."""
    table = result._paper_table()
    text = prose(result._sentence(), style)
    return f"{text}\n\n{render(table, style)}" if len(table) else text


def _frame(shift: RankingShift, view: str, options: argparse.Namespace) -> pd.DataFrame:
    """Return the topics of a gold, the hardest first, with the figures of the pair."""
    _, difficulty, *pair = _results(shift, view, options)
    frame = difficulty.to_frame()
    if pair:
        frame = frame.merge(pair[0].to_frame(), on="query_id", suffixes=("", "_of_pair"), validate="one_to_one")
    frame.insert(0, "gold", view)
    return frame

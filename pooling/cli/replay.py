"""The option `--replay QRELS`: the relevant documents that every strategy would have found."""

import argparse
from pathlib import Path
from typing import Any

import pandas as pd
from tqdm import tqdm

from pooling.adaptive import ADAPTIVE
from pooling.adaptive.run_chooser import RunChooser
from pooling.cli.inputs import open_runs
from pooling.cli.options import parameters_of, rel_of
from pooling.cli.pool import refuse_out
from pooling.evaluation.replay import replay
from pooling.evaluation.replay_order import refuse_unused_seed, takes_seed
from pooling.evaluation.replay_result import Replay
from pooling.pools.files import write_whole
from pooling.ranking import check_whole, prepare
from pooling.strategies import STRATEGIES
from pooling.trec import read_qrels

SEED = 1
SCOPES = {
    "topic": "per topic",
    "collection": "over all topics",
    "best_topic": "over all topics, each for the topic of which the strategy expects most",
}
NEED_MORE = {"cal": "the texts of the documents", "stratified": "--stratum"}


def compare(options: argparse.Namespace) -> str:
    """Replay the strategies, write the figure to `--figure`, and return the report."""
    per, budget, parameters = _checked_options(options)
    names = _names(options.strategy, per)
    seed = SEED if options.seed is None else options.seed
    qrels = read_qrels(options.replay)
    with open_runs(options.runs, options.score_precision) as frames:
        runs = prepare(frames, keep_scores=True)
    replays = {}
    for name in tqdm(names, desc="strategies", disable=None, leave=False):
        seeded = parameters | ({"seed": seed} if takes_seed(name) else {})
        replays[name] = replay(name, runs, qrels, budget, rel=rel_of(options), per=per, **seeded)
    if options.figure is not None:
        write_whole(options.figure, _figure(replays))
    return _text(replays, seed, options.strategy is None and per != "best_topic")


def _checked_options(options: argparse.Namespace) -> tuple[str, int, dict[str, Any]]:
    """The scope and size of the budget, and the other parameters; ValueError if they are invalid."""
    parameters = parameters_of(options)
    size, budget = parameters.pop("size", None), parameters.pop("budget", None)
    if (size is None) == (budget is None):
        raise ValueError(
            "--replay needs either --size N (judgements per topic) or --budget N (judgements over all topics)"
        )
    check_whole("--budget" if size is None else "--size", budget if size is None else size)
    if options.strategy is None and parameters:
        raise ValueError(f"--{min(parameters)} is a parameter of some strategies only; choose one with --strategy")
    named = options.strategy
    if options.seed is not None and (named in STRATEGIES or named in ADAPTIVE):
        refuse_unused_seed(named, options.seed)
    if options.out is not None or options.report:
        raise ValueError("--replay makes no pool and cannot be combined with --out or --report")
    refuse_out(argparse.Namespace(out=options.figure, runs=[*options.runs, options.replay]))
    if options.figure is not None and Path(options.figure).suffix != ".svg":
        raise ValueError(f"{options.figure}: the figure is an SVG; choose a name that ends in .svg")
    if budget is None:
        return "topic", size, parameters
    return "best_topic" if options.best_topic else "collection", budget, parameters


def _names(strategy: str | None, per: str) -> list[str]:
    """The strategies to replay: the given one, or all that need no other input."""
    if strategy is not None:
        return [strategy]
    if per == "best_topic":
        return [name for name, choose in ADAPTIVE.items() if issubclass(choose, RunChooser)]
    return [name for name in [*STRATEGIES, *ADAPTIVE] if name not in NEED_MORE]


def _text(replays: dict[str, Replay], seed: int, has_all: bool) -> str:
    """A summary sentence, the table, and notes."""
    table = _table(replays)
    first = next(iter(replays.values()))
    total, n_topics = first.found[["n_relevant", "n_topics"]].iloc[-1]
    scope = SCOPES[first.per]
    budget = f"{first.found['budget'].iloc[-1]:,} judgements {scope}"
    most, least = table["found"].max(), table["found"].min()
    sentence = f"With {budget}, {most:,} of {total:,} relevant documents are found by {_strategies_with(table, most)}"
    sentence += f" (the most), and {least:,} by {_strategies_with(table, least)} (the fewest)." if least < most else "."
    notes = [f"{n_topics} topics; relevant from grade {first.rel}; seed {seed} for random choices and ties."]
    notes += ["Unknown: judgements of documents that the qrels do not contain; they count as not relevant."]
    if has_all:
        notes += [f"Left out: {', '.join(f'{name} (needs {what})' for name, what in NEED_MORE.items())}."]
    shown = table.assign(**{column: table[column].map("{:.1%}".format) for column in table.columns[4:]})
    return f"{sentence}\n\n{shown.to_string(index=False)}\n\n" + "\n".join(notes) + "\n"


def _strategies_with(table: pd.DataFrame, found: int) -> str:
    """The strategies that found this number of relevant documents."""
    return ", ".join(table["strategy"][table["found"] == found])


def _table(replays: dict[str, Replay]) -> pd.DataFrame:
    """The documents that each strategy found, and its share after parts of the budget; the most first."""
    rows = []
    for name, result in replays.items():
        end = result.found.iloc[-1]
        row = {"strategy": name, "spent": int(end["spent"]), "found": int(end["found"]), "unknown": int(end["unknown"])}
        for part in (10, 25, 50, 100):
            row[f"at {part}%"] = result.found["share"].iloc[len(result.found[1:]) * part // 100]
        rows.append(row)
    return pd.DataFrame(rows).sort_values("found", ascending=False, kind="stable", ignore_index=True)


def _figure(replays: dict[str, Replay]) -> bytes:
    from pooling.evaluation.found_curves import found_curves  # matplotlib, imported only when a figure is drawn

    points = {name: replay.found[["spent", "found"]].to_numpy() for name, replay in replays.items()}
    total = int(next(iter(replays.values())).found["n_relevant"].iloc[0])
    return found_curves(points, total)

"""`--replay QRELS`: what every strategy would have found, had it chosen what was judged."""

import argparse
import inspect
from dataclasses import fields
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from pooling.adaptive import ADAPTIVE
from pooling.cli.inputs import reading
from pooling.cli.options import parameters_of, rel_of
from pooling.cli.pool import refuse_out
from pooling.evaluation.replay import Replay, replay
from pooling.pools.files import write_whole
from pooling.ranking import check_whole, prepare
from pooling.strategies import STRATEGIES
from pooling.trec import read_qrels

SEED = 1
NEED_MORE = {"cal": "the texts of the documents", "stratified": "--stratum"}


def compare(options: argparse.Namespace) -> str:
    """Replay the strategies, write the figure where a file is named, and return the table."""
    per, budget, parameters = _asked(options)
    names = _names(options.strategy)
    seed = SEED if options.seed is None else options.seed
    qrels = read_qrels(options.replay)
    with reading(options.runs, options.score_precision) as frames:
        runs = prepare(frames, keep_scores=True)
    replays = {}
    for name in tqdm(names, desc="strategies", disable=None, leave=False):
        own = parameters | ({"seed": seed} if _draws(name) else {})
        replays[name] = replay(name, runs, qrels, budget, rel=rel_of(options), per=per, **own)
    if options.figure is not None:
        write_whole(options.figure, _figure(replays))
    return _text(replays, seed, options.strategy is None)


def _asked(options: argparse.Namespace) -> tuple[str, int, dict]:
    """What the budget is for, how large it is, and the parameters that are left."""
    parameters = parameters_of(options)
    size, budget = parameters.pop("size", None), parameters.pop("budget", None)
    if (size is None) == (budget is None):
        raise ValueError("--replay takes --size N, judgements of each topic, or --budget N, of all topics together")
    check_whole("--budget" if size is None else "--size", budget if size is None else size)
    if options.strategy is None and parameters:
        raise ValueError(f"{min(parameters)} is a parameter of some strategies: name one with --strategy")
    named = options.strategy
    if options.seed is not None and (named in STRATEGIES or named in ADAPTIVE) and not _draws(named):
        raise ValueError(f"strategy {named!r} leaves nothing to chance; it takes no seed")
    if options.out is not None or options.report:
        raise ValueError("--replay makes no pool; give neither --out nor --report (the figure goes to --figure)")
    refuse_out(argparse.Namespace(out=options.figure, runs=[*options.runs, options.replay]))
    if options.figure is not None and Path(options.figure).suffix != ".svg":
        raise ValueError(f"{options.figure}: the figure is an SVG; give a name that ends in .svg")
    return ("topic", size, parameters) if budget is None else ("collection", budget, parameters)


def _names(strategy: str | None) -> list[str]:
    """The strategies to replay: the one that is named, or all that need nothing more."""
    if strategy is not None:
        return [strategy]
    return [name for name in [*STRATEGIES, *ADAPTIVE] if name not in NEED_MORE]


def _draws(name: str) -> bool:
    if name in ADAPTIVE:
        return "seed" in {field.name for field in fields(ADAPTIVE[name])}
    return name in STRATEGIES and "seed" in inspect.signature(STRATEGIES[name]).parameters


def _text(replays: dict[str, Replay], seed: int, all_of_them: bool) -> str:
    """One sentence, the table, and what it rests on."""
    table = _table(replays)
    told = next(iter(replays.values()))
    total, n_topics = told.found[["n_relevant", "n_topics"]].iloc[-1]
    budget = f"{told.found['budget'].iloc[-1]:,} judgements {'a topic' if told.per == 'topic' else 'over all topics'}"
    most, least = table["found"].max(), table["found"].min()
    sentence = f"With {budget}, most is found by {_those(table, most)}: {most:,} of {total:,} relevant documents"
    sentence += f"; least by {_those(table, least)}: {least:,}." if least < most else "."
    notes = [f"{n_topics} topics; relevant from grade {told.rel}; seed {seed} where a strategy draws."]
    notes += ["Unknown: judgements spent on documents that the qrels do not hold; they count as not relevant."]
    if all_of_them:
        notes += [f"Left out: {', '.join(f'{name} (needs {what})' for name, what in NEED_MORE.items())}."]
    shown = table.assign(**{column: table[column].map("{:.1%}".format) for column in table.columns[4:]})
    return f"{sentence}\n\n{shown.to_string(index=False)}\n\n" + "\n".join(notes) + "\n"


def _those(table: pd.DataFrame, found: int) -> str:
    """The strategies that found so much."""
    return ", ".join(table["strategy"][table["found"] == found])


def _table(replays: dict[str, Replay]) -> pd.DataFrame:
    """What each strategy found in the end, and its share after parts of the budget; most first."""
    rows = []
    for name, told in replays.items():
        end = told.found.iloc[-1]
        row = {"strategy": name, "spent": int(end["spent"]), "found": int(end["found"]), "unknown": int(end["unknown"])}
        for part in (10, 25, 50, 100):
            row[f"at {part}%"] = told.found["share"].iloc[len(told.found[1:]) * part // 100]
        rows.append(row)
    return pd.DataFrame(rows).sort_values("found", ascending=False, kind="stable", ignore_index=True)


def _figure(replays: dict[str, Replay]) -> bytes:
    from pooling.cli.curves import found_curves  # matplotlib, imported only when a figure is drawn

    points = {name: replay.found[["spent", "found"]].to_numpy() for name, replay in replays.items()}
    total = int(next(iter(replays.values())).found["n_relevant"].iloc[0])
    return found_curves(points, total)

"""The coverage of a pool as text: a summary in a few sentences, then the tables.

Numbers are rounded only here.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from pooling.evaluation.coverage import (
    CUTOFFS,
    contributions,
    judged_at,
    pool_size_summary,
    pool_sizes,
    shared_documents,
)
from pooling.evaluation.leave_one_out_result import named
from pooling.inputs import Input
from pooling.ranking import Runs, check_whole, prepare
from pooling.words import count

STYLES = ("plain", "markdown")


def coverage_text(
    runs: Runs,
    gold: Input | None = None,
    depth: int = 100,
    *,
    groups: Mapping[str, str] | None = None,
    k: Sequence[int] = CUTOFFS,
    rel: int = 1,
    style: str = "plain",
) -> str:
    """Describe the coverage of a depth pool."""
    if style not in STYLES:
        raise ValueError(f"style {style!r} is unknown; choose from: {', '.join(STYLES)}")
    check_whole("depth", depth)
    ranked = prepare(runs, depth=max([depth, *k]))
    sizes = pool_size_summary(pool_sizes(ranked, [cut for cut in CUTOFFS if cut < depth] + [depth]))
    by_run = contributions(ranked, gold, depth, rel=rel)
    sentences = [_size_sentence(sizes.iloc[-1], len(ranked.systems)), _unique_sentences(by_run)]
    tables = {"Size of the pool by depth": _size_table(sizes)}
    if gold is not None:
        judged = judged_at(ranked, gold, k)
        sentences.append(_judged_sentence(judged, depth))
        tables["Share of the first k that is judged, mean over topics"] = _judged_table(judged)
    tables[f"Contributions of each run to depth {depth:,}"] = _contribution_table(by_run)
    if groups is not None:
        by_group = contributions(ranked, gold, depth, groups=groups, rel=rel)
        tables[f"Contributions of each group to depth {depth:,}"] = _contribution_table(by_group)
    if len(ranked.systems) > 1:
        tables[f"Overlap of the runs to depth {depth:,}"] = _overlap_table(shared_documents(ranked, depth))
    parts = [" ".join(sentences), *(part for title, frame in tables.items() for part in _section(title, frame, style))]
    return "\n\n".join(parts) + "\n"


def _size_sentence(deepest: pd.Series, n_systems: int) -> str:
    verb = "contributes" if n_systems == 1 else "contribute"
    return (
        f"To depth {deepest['depth']:,.0f}, {count(n_systems, 'run')} {verb}"
        f" {count(int(deepest['total']), 'different document')} in {count(int(deepest['n_topics']), 'topic')}:"
        f" {deepest['mean']:,.1f} per topic on average,"
        f" {deepest['smallest']:,.0f} to {deepest['largest']:,.0f}."
        f" If no two runs had a document in common, there would be {deepest['n_contributed']:,.0f}."
    )


def _unique_sentences(by_run: pd.DataFrame) -> str:
    n_without = int((by_run["n_unique"] == 0).sum())
    most = by_run["n_unique"].max()
    if most == 0:
        return "No run contributes a document that no other run has."
    leaders = by_run["system"][by_run["n_unique"] == most]
    names, verb = named(leaders), "has" if len(leaders) == 1 else "have"
    have = "has" if n_without == 1 else "have"
    others = "Every run has at least one." if not n_without else f"{count(n_without, 'run')} {have} none."
    sentence = f"{names} {verb} the most documents that no other run has ({most:,}). {others}"
    if by_run["n_unique_relevant"].isna().any():
        return sentence
    unique = int(by_run["n_unique_relevant"].sum())
    verb = "comes" if unique == 1 else "come"
    return f"{sentence} In total, {count(unique, 'relevant document')} {verb} from a single run."


def _judged_sentence(judged: pd.DataFrame, depth: int) -> str:
    """About the largest k that the pool reaches, or the smallest k if it reaches none."""
    reached = judged["k"][judged["k"] <= depth]
    cutoff = int(reached.max() if len(reached) else judged["k"].min())
    at = judged[judged["k"] == cutoff]
    least = at["judged"].min()
    names = named(at["system"][at["judged"] == least]) if (at["judged"] > least).any() else "the same for all runs"
    return (
        f"judged@{cutoff} is {at['judged'].mean():.1%} on average over runs and"
        f" {count(int(at['n_topics'].iloc[0]), 'topic')}, and {least:.1%} for the lowest run ({names})."
    )


def _size_table(sizes: pd.DataFrame) -> pd.DataFrame:
    shown = sizes.assign(mean=sizes["mean"].map("{:,.1f}".format), median=sizes["median"].map("{:,.1f}".format))
    whole = ["depth", "total", "smallest", "largest", "n_contributed", "n_topics"]
    return shown.assign(**{name: shown[name].map("{:,}".format) for name in whole})


def _judged_table(judged: pd.DataFrame) -> pd.DataFrame:
    table = judged.pivot(index="system", columns="k", values="judged").map("{:.3f}".format)
    counts = judged.groupby("system")["n_topics"].first()
    return table.rename(columns="judged@{}".format).assign(n_topics=counts).reset_index()


def _contribution_table(contributed: pd.DataFrame) -> pd.DataFrame:
    filled = contributed.dropna(axis=1, how="all")
    counts = [str(name) for name in filled if str(name).startswith("n_")]
    return filled.assign(**{name: filled[name].map("{:,}".format) for name in counts})


def _overlap_table(common: pd.DataFrame) -> pd.DataFrame:
    """For each run: the mean share of its documents that another run has, and the run that has most of them."""
    sizes = np.diag(common)
    others = common.to_numpy() / sizes[:, None]
    np.fill_diagonal(others, -1.0)
    best = others.max(axis=1)
    names = [named(common.index[row == most]) for row, most in zip(others, best, strict=True)]
    mean = (others.sum(axis=1) + 1) / (len(common) - 1)
    columns = {"mean overlap": mean, "largest overlap": best}
    shown = {name: [f"{value:.3f}" for value in values] for name, values in columns.items()}
    return pd.DataFrame({"system": common.index, "n_contributed": sizes, **shown, "most similar run": names})


def _section(title: str, frame: pd.DataFrame, style: str) -> tuple[str, str]:
    return (f"## {title}" if style == "markdown" else title), _table(frame, style)


def _table(frame: pd.DataFrame, style: str) -> str:
    columns = [[str(name), *map(str, frame[name])] for name in frame]
    right = [all(cell[:1] in "0123456789-" for cell in column[1:]) for column in columns]
    if style == "markdown":
        columns = [[cell.replace("|", r"\|") for cell in column] for column in columns]
    widths = [max(map(len, column)) for column in columns]
    rows = [
        [
            cell.rjust(width) if flush else cell.ljust(width)
            for cell, width, flush in zip(row, widths, right, strict=True)
        ]
        for row in zip(*columns, strict=True)
    ]
    if style == "plain":
        return "\n".join("  ".join(row).rstrip() for row in [rows[0], ["-" * width for width in widths], *rows[1:]])
    rule = ["-" * (width - 1) + (":" if flush else "-") for width, flush in zip(widths, right, strict=True)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [rows[0], rule, *rows[1:]])

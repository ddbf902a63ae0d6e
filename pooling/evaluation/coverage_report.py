"""The coverage of a pool as text: the answer in a few sentences, then the tables that it comes from.

Figures are rounded here and nowhere before.
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
from pooling.evaluation.judged_items import Runs
from pooling.evaluation.leave_one_out.result import named
from pooling.ranking import check_whole, prepare

STYLES = ("plain", "markdown")


def coverage_text(
    runs: Runs,
    gold: pd.DataFrame | None = None,
    depth: int = 100,
    *,
    groups: Mapping[str, str] | None = None,
    k: Sequence[int] = CUTOFFS,
    rel: int = 1,
    style: str = "plain",
) -> str:
    """What a depth pool of the runs covers.

    Parameters
    ----------
    runs : RankedRuns, DataFrame or iterable of DataFrame
    gold : DataFrame, optional
        query_id, doc_id, relevance; without it nothing is said of judgements.
    depth : int
        Of the pool.
    groups : mapping of str to str, optional
        The group of each system; adds what each group brings alone.
    k : sequence of int
        Of judged@k.
    rel : int
        A document is relevant from this grade.
    style : {"plain", "markdown"}

    Returns
    -------
    str
        Ends in a line end.

    Raises
    ------
    ValueError
        An argument is not allowed.
    """
    if style not in STYLES:
        raise ValueError(f"style {style!r} is unknown; there are: {', '.join(STYLES)}")
    check_whole("depth", depth)
    ranked = prepare(runs, depth=max([depth, *k]))
    sizes = pool_size_summary(pool_sizes(ranked, [cut for cut in CUTOFFS if cut < depth] + [depth]))
    brought = contributions(ranked, gold, depth, rel=rel)
    sentences = [_of_size(sizes.iloc[-1], len(ranked.systems)), _of_uniques(brought)]
    tables = {"Size of the pool by depth": _sizes(sizes)}
    if gold is not None:
        judged = judged_at(ranked, gold, k)
        sentences.append(_of_judged(judged, depth))
        tables["Share judged of the first k, mean over topics"] = _judged(judged)
    tables[f"What each run brings to depth {depth:,}"] = _brought(brought)
    if groups is not None:
        tables[f"What each group brings to depth {depth:,}"] = _brought(
            contributions(ranked, gold, depth, groups=groups, rel=rel)
        )
    if len(ranked.systems) > 1:
        tables[f"How alike the runs are to depth {depth:,}"] = _alike(shared_documents(ranked, depth))
    parts = [" ".join(sentences), *(part for title, frame in tables.items() for part in _section(title, frame, style))]
    return "\n\n".join(parts) + "\n"


def _of_size(deepest: pd.Series, n_systems: int) -> str:
    return (
        f"To depth {deepest['depth']:,.0f}, {_counted(n_systems, 'run')} {'brings' if n_systems == 1 else 'bring'}"
        f" {_counted(int(deepest['total']), 'different document')} in {_counted(int(deepest['n_topics']), 'topic')}:"
        f" {deepest['mean']:,.1f} a topic in the mean,"
        f" {deepest['smallest']:,.0f} to {deepest['largest']:,.0f}; if no two runs had a document in common it would be"
        f" {deepest['n_brought']:,.0f}."
    )


def _of_uniques(brought: pd.DataFrame) -> str:
    n_without = int((brought["n_unique"] == 0).sum())
    most = brought["n_unique"].max()
    if most == 0:
        return "No run brings a document that no other has."
    names = named(brought["system"][brought["n_unique"] == most])
    sentence = (
        f"Most documents that no other run has come from {names} ({most:,}); {n_without:,} of the runs bring none."
    )
    if brought["n_unique_relevant"].isna().any():
        return sentence
    unique = int(brought["n_unique_relevant"].sum())
    return f"{sentence} In all, {_counted(unique, 'relevant document')} came from a single run."


def _of_judged(judged: pd.DataFrame, depth: int) -> str:
    """Of the largest k that the pool reaches; of the smallest where it reaches none."""
    reached = judged["k"][judged["k"] <= depth]
    cutoff = int(reached.max() if len(reached) else judged["k"].min())
    at = judged[judged["k"] == cutoff]
    least = at["judged"].min()
    names = named(at["system"][at["judged"] == least]) if (at["judged"] > least).any() else "all alike"
    return (
        f"judged@{cutoff} is {at['judged'].mean():.1%} in the mean over runs and"
        f" {_counted(int(at['n_topics'].iloc[0]), 'topic')}, and {least:.1%} at least ({names})."
    )


def _sizes(sizes: pd.DataFrame) -> pd.DataFrame:
    shown = sizes.assign(mean=sizes["mean"].map("{:,.1f}".format), median=sizes["median"].map("{:,.1f}".format))
    whole = ["depth", "total", "smallest", "largest", "n_brought", "n_topics"]
    return shown.assign(**{name: shown[name].map("{:,}".format) for name in whole})


def _judged(judged: pd.DataFrame) -> pd.DataFrame:
    table = judged.pivot(index="system", columns="k", values="judged").map("{:.3f}".format)
    counts = judged.groupby("system")["n_topics"].first()
    return table.rename(columns="judged@{}".format).assign(n_topics=counts).reset_index()


def _brought(brought: pd.DataFrame) -> pd.DataFrame:
    filled = brought.dropna(axis=1, how="all")
    return filled.assign(**{name: filled[name].map("{:,}".format) for name in filled if name.startswith("n_")})


def _alike(common: pd.DataFrame) -> pd.DataFrame:
    """For each run the mean share that another run has of it, and the run that has most."""
    sizes = np.diag(common)
    others = (common / sizes[:, None]).to_numpy(copy=True)
    np.fill_diagonal(others, -1.0)
    best = others.max(axis=1)
    names = [named(common.index[row == most]) for row, most in zip(others, best, strict=True)]
    mean = (others.sum(axis=1) + 1) / (len(common) - 1)
    columns = {"mean share": mean, "largest share": best}
    shown = {name: [f"{value:.3f}" for value in values] for name, values in columns.items()}
    return pd.DataFrame({"system": common.index, "n_brought": sizes, **shown, "most alike": names})


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


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"

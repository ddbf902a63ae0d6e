"""What `assay draw` draws: the pairs of the options with their strata, the design, and its description."""

import argparse
from typing import Any

import numpy as np
import pandas as pd

from pooling.draws.designs import draw_by_stratum, draw_two_stage
from pooling.draws.draw import Draw
from pooling.draws.poisson import TAU, draw_poisson
from pooling.draws.tables import read_pairs
from pooling.paths import matching_paths
from pooling.pools.files import read_pool
from pooling.text_tables import prose, render
from pooling.trec import read_runs
from pooling.words import count

RANK_ENDS = (3, 10, 30, 100, 300, 1000)  # the last ranks of the strata of --by rank
WITHOUT_RANK, WITHOUT_GRADE = "no rank", "no grade"
STRATUM, NUMBER = "stratum", "number"


def drawn(options: argparse.Namespace) -> Draw:
    """The draw that the options describe."""
    if options.sample is not None:
        return _of_sample(options)
    pairs = read_pairs(options.pairs) if options.pool is None else read_pool(options.pool).frame
    by = [name for name in options.by or ["topic"] if options.topics is None or name != "topic"]
    pairs = _with_strata(pairs, by, options.model)
    if options.poisson is not None:
        return _by_itself(pairs, options)
    if options.topics is None:
        return draw_by_stratum(pairs, options.size, seed=options.seed, strata=STRATUM)
    strata = STRATUM if by and by != ["all"] else "query_id"
    return draw_two_stage(pairs, options.topics, options.size, seed=options.seed, strata=strata)


def _of_sample(options: argparse.Namespace) -> Draw:
    sample = read_pool(options.sample)
    if sample.strategy == "ask_people" and options.run is None:
        raise ValueError("a sample of strategy 'ask_people' needs --run, the runs that were pooled")
    runs = None if options.run is None else read_runs(matching_paths(options.run))
    return Draw.from_pools(read_pool(options.pool), sample, runs)


def _with_strata(pairs: pd.DataFrame, by: list[str], model: str | None) -> pd.DataFrame:
    """The pairs with the column of the strata: the values of `by`, separated by blanks."""
    parts = [_values(pairs, name, model) for name in by] or [pd.Series("all", index=pairs.index)]
    stratum = parts[0]
    for part in parts[1:]:
        stratum = stratum + " " + part
    kept = [name for name in ("query_id", "doc_id") if name in pairs.columns]
    return pairs[kept].assign(**{STRATUM: stratum})


def _values(pairs: pd.DataFrame, name: str, model: str | None) -> "pd.Series[str]":
    if name == "all":
        return pd.Series("all", index=pairs.index)
    if name == "topic":
        return pairs["query_id"]
    return _ranks(pairs) if name == "rank" else _grades(pairs, model)


def _ranks(pairs: pd.DataFrame) -> "pd.Series[str]":
    if "best_rank" not in pairs.columns:
        raise ValueError("the strata by rank need a pool, or pairs with the column best_rank")
    ranks = pd.to_numeric(pairs["best_rank"], errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    starts = [1, *(end + 1 for end in RANK_ENDS)]
    names = [f"ranks {start}-{end}" for start, end in zip(starts, RANK_ENDS, strict=False)]
    names += [f"ranks from {starts[-1]}", WITHOUT_RANK]
    place = np.where(np.isnan(ranks), len(names) - 1, np.searchsorted(RANK_ENDS, np.nan_to_num(ranks)))
    return pd.Series(np.array(names, dtype=object)[place], index=pairs.index)


def _grades(pairs: pd.DataFrame, model: str | None) -> "pd.Series[str]":
    if model is None:
        if "grade" not in pairs.columns:
            raise ValueError("the strata by grade need a file of a model's grades, or pairs with the column grade")
        grades = pairs["grade"]
    else:
        grades = _joined(pairs, read_pairs(model), "grade", model)
    return pd.Series([_grade_name(grade) for grade in grades], index=pairs.index)


def _grade_name(grade: Any) -> str:
    if pd.isna(grade) or (isinstance(grade, (int, float)) and grade < 0):
        return WITHOUT_GRADE
    return f"grade {grade:g}" if isinstance(grade, (int, float)) else f"grade {grade}"


def _joined(pairs: pd.DataFrame, table: pd.DataFrame, column: str, file: str) -> "pd.Series[Any]":
    """The value of each pair in a table; missing for a pair that the table does not have."""
    if column not in table.columns:
        raise ValueError(f"{file}: the table needs the column {column}; the columns are {', '.join(table.columns)}")
    twice = table.duplicated(["query_id", "doc_id"])
    if twice.any():
        row = table[twice].iloc[0]
        raise ValueError(f"{file}: document {row['doc_id']!r} of topic {row['query_id']!r} occurs twice")
    joined = pairs[["query_id", "doc_id"]].merge(table, on=["query_id", "doc_id"], how="left", validate="m:1")
    if joined[column].isna().all():
        one, other = pairs.iloc[0], table.iloc[0]
        raise ValueError(
            f"{file}: it has none of the pairs to draw from: one of them is document {one['doc_id']!r} of topic"
            f" {one['query_id']!r}, and one of the file is {other['doc_id']!r} of topic {other['query_id']!r}"
        )
    return joined[column].set_axis(pairs.index)


def _by_itself(pairs: pd.DataFrame, options: argparse.Namespace) -> Draw:
    column = "probability" if options.size is None else "gain"
    numbers = _joined(pairs, read_pairs(options.poisson), column, options.poisson)
    # Pairs that the file lacks are drawn by their share of tau only.
    pairs = pairs.assign(**{column: numbers.fillna(0)})
    tau = TAU if options.tau is None else options.tau
    return draw_poisson(pairs, column, seed=options.seed, size=options.size, tau=tau, strata=STRATUM)


def described(draw: Draw, style: str, most_rows: int) -> str:
    """The design in a sentence, its design effect, and a table of the strata."""
    table = _table(draw)
    parts = [prose(f"{draw._sentence()} {_effect(draw)}", style), render(table.head(most_rows), style)]
    if left := table[most_rows:].shape[0]:
        parts.append(prose(f"{left:,} more {'stratum' if left == 1 else 'strata'}.", style))
    return "\n\n".join(parts) + "\n"


def _effect(draw: Draw) -> str:
    effect = draw.design_effect
    if effect < 1.005:
        return "Design effect 1.00: all pairs count alike."
    equal = count(round(draw.expected_size / effect), "grade")
    return (
        f"Design effect {effect:.2f}: where grades do not follow the probabilities, the draw is as precise as {equal}"
        " drawn with equal probability."
    )


def _table(draw: Draw) -> pd.DataFrame:
    frame = draw.frame.assign(weight=1 / draw.frame["inclusion_probability"])
    strata = frame.groupby("stratum", sort=True)
    rows = strata.agg(pairs=("drawn", "size"), expected=("inclusion_probability", "sum"), drawn=("drawn", "sum"))
    rows = rows.assign(least=strata["weight"].min(), most=strata["weight"].max())
    each = [_each(least, most) for least, most in zip(rows["least"], rows["most"], strict=True)]
    total = [f"{number:.1f}" for number in rows["expected"]]
    columns = {"stratum": rows.index, "pairs": rows["pairs"].astype(str), "expected": total}
    columns |= {"drawn": rows["drawn"].astype(str), "pairs for each grade": each}
    return pd.DataFrame(columns).reset_index(drop=True)


def _each(least: float, most: float) -> str:
    return f"{least:.2f}" if most - least < 0.005 else f"{least:.2f} to {most:.2f}"

"""Scores of blocks of systems, one after the other or several at the same time.

A block needs only its rankings and the grades of a gold by item, so blocks can be scored anywhere. The blocks and the
arithmetic of each ranking do not depend on the executor, so that the scores are the same bytes.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from agreement.effectiveness.grade_matrix import GradeMatrix, GradesByItem
from agreement.effectiveness.ranked_runs import RankedRuns, Runs, converted, prepare_for
from pooling.ranking import check_common_topic
from pooling.run_cache import CachedRuns, Executor, check_executor

Measure: TypeAlias = Callable[[GradeMatrix], np.ndarray]  # also any other statistic of rankings

BLOCK_CELLS = 4_000_000  # systems, topics and ranks of a block in memory


@dataclass(frozen=True, eq=False)
class Scored:
    """The scores of systems under a gold.

    Attributes
    ----------
    values : list of ndarray, shape (n_systems, n_topics)
        The scores by each measure.
    retrieved : ndarray of int, shape (n_systems, n_topics)
        The length of each ranking.
    """

    values: list[np.ndarray]
    retrieved: np.ndarray


@dataclass(frozen=True, eq=False)
class MemoryBlock:
    """Rankings in memory; the attributes are those of `RankedRuns`."""

    systems: tuple[str, ...]
    items: np.ndarray
    retrieved: np.ndarray

    def matrix(self, grades: GradesByItem) -> GradeMatrix:
        """The grades of the rankings."""
        return grades.matrix(self.systems, self.items, self.retrieved)


@dataclass(frozen=True, eq=False)
class FileBlock:
    """Rankings in a cache.

    Attributes
    ----------
    runs : CachedRuns
        The runs; only names, so that a block is small to send.
    position : int
        The position of the block among the blocks of the runs.
    """

    runs: CachedRuns
    position: int

    def matrix(self, grades: GradesByItem) -> GradeMatrix:
        """The grades of the rankings."""
        block, folder = self.runs.blocks[self.position], self.runs.folder
        items = block.items(folder)
        if block.n_ranks < self.runs.n_ranks:  # sums over equally many ranks have the same rounding
            ends = ((0, 0), (0, 0), (0, self.runs.n_ranks - block.n_ranks))
            items = np.pad(items, ends, constant_values=block.n_items)
        of_block = grades.of_block(pd.Index(block.query_ids, dtype="str"), self.runs.numbers()[self.position])
        return of_block.matrix(block.systems, items, block.retrieved(folder))


AnyBlock: TypeAlias = MemoryBlock | FileBlock


@dataclass(frozen=True, eq=False)
class Blocks:
    """Runs as blocks of systems; returned by `blocks_of`.

    Attributes
    ----------
    catalogue : RankedRuns
        The topics and documents of all blocks.
    systems : Index of str
        The systems, ascending.
    blocks : list of MemoryBlock or FileBlock
        The blocks.
    order : ndarray of int, shape (n_systems,)
        The position of each system among the systems of all blocks.
    executor : Executor or None
        Scores blocks at the same time.
    """

    catalogue: RankedRuns
    systems: pd.Index
    blocks: Sequence[AnyBlock]
    order: np.ndarray
    executor: Executor | None

    def scored(self, grades: GradesByItem, measures: Sequence[Measure]) -> Scored:
        """Score all systems; rows are ascending systems."""
        score = partial(score_block, grades=grades, measures=measures)
        parts = list(map(score, self.blocks) if self.executor is None else self.executor.map(score, self.blocks))
        values = [
            np.concatenate(of_measure)[self.order] for of_measure in zip(*(part.values for part in parts), strict=True)
        ]
        return Scored(values, np.concatenate([part.retrieved for part in parts])[self.order])

    def table(self, gold: pd.DataFrame, measure: Measure, **score_options: Any) -> pd.DataFrame:
        """Score all systems under one gold.

        Shapes: the result (n_systems, n_topics).
        """
        grades = self.catalogue.grades_by_item(gold, **score_options)
        check_common_topic(self.catalogue, grades.query_ids)
        (values,) = self.scored(grades, [measure]).values
        columns = pd.Index(grades.query_ids, name="query_id")
        return pd.DataFrame(values, index=self.systems.rename("system"), columns=columns)


def score_block(block: AnyBlock, grades: GradesByItem, measures: Sequence[Measure]) -> Scored:
    """Score the systems of a block."""
    matrix = block.matrix(grades)
    return Scored([measure(matrix) for measure in measures], matrix.retrieved)


def blocks_of(runs: Runs, golds: Iterable[pd.DataFrame], executor: Executor | None) -> Blocks:
    """Divide runs into blocks of systems."""
    check_executor(executor)
    if isinstance(runs, CachedRuns):
        return _blocks_of_files(runs, executor)
    ranked_runs = prepare_for(runs, golds)
    n_systems = len(ranked_runs.systems)
    size = n_systems if executor is None else max(BLOCK_CELLS // max(ranked_runs.items[0].size, 1), 1)
    blocks = [_in_memory(ranked_runs, slice(start, start + size)) for start in range(0, n_systems, size)]
    return Blocks(ranked_runs, ranked_runs.systems, blocks, np.arange(n_systems), executor)


def _in_memory(runs: RankedRuns, rows: slice) -> MemoryBlock:
    return MemoryBlock(tuple(runs.systems[rows]), runs.items[rows], runs.retrieved[rows])


def _blocks_of_files(runs: CachedRuns, executor: Executor | None) -> Blocks:
    names = pd.Index([name for block in runs.blocks for name in block.systems], dtype="str")
    blocks = [FileBlock(runs, position) for position in range(len(runs.blocks))]
    return Blocks(converted(runs.catalogue()), runs.systems, blocks, names.get_indexer(runs.systems), executor)

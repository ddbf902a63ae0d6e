"""Pools: the pairs of topic and document that are judged, and where they come from."""

import hashlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd

from pooling.errors import shown
from pooling.ids import ALLOWED_ID, id_problem
from pooling.pools.frames import by_bytes, pooled, united
from pooling.pools.provenance import ADDED, MINUS_SAMPLE, TWO_SAMPLES, drawn, made_of, recipe, told, with_added
from pooling.ranking import RankedRuns, byte_codes, prepare
from pooling.strategies import NEED_SCORES, STRATEGIES
from pooling.trec import SCORE_PRECISIONS


@dataclass(frozen=True, eq=False)
class Pool:
    """What is to be judged.

    Attributes
    ----------
    frame : DataFrame
        One row for each pooled pair, sorted by query_id, then doc_id, as bytes: query_id, doc_id; systems (tuple of
        str, sorted: those that brought it, empty where none did); best_rank (Int64, from 1: its best rank among
        them, NA where none); stratum (str, the layer it was drawn from, "hand" or "search" for what was added, ""
        otherwise); inclusion_probability (float64, 0 < p <= 1); priority (float64: the highest of a topic is to be
        judged first).
    strategy : str
        Name of the strategy.
    parameters : dict
        Its parameters. Where documents were added, `added` says how many by hand, how many by search, and how many
        that were drawn were made certain (`made_certain`): these cannot be chosen again from the rest.
    seed : int or None
        Its source of chance.
    inputs : dict of str to str
        SHA-256 of the files that the runs came from, by name; empty where they are not known.
    score_precision : str or None
        How the scores of these files were read ("float64" or "float32"); None where it is not known.
    """

    frame: pd.DataFrame
    strategy: str
    parameters: dict
    seed: int | None = None
    inputs: dict[str, str] = field(default_factory=dict)
    score_precision: str | None = None

    def __len__(self):
        return len(self.frame)

    @property
    def systems(self) -> list[str]:
        """The systems that brought something, sorted."""
        return sorted(set().union(*self.frame["systems"]))

    @property
    def size_by_topic(self) -> pd.Series:
        """Number of pooled documents (int64) by query_id, sorted as bytes."""
        return self.frame.groupby("query_id").size().rename("size")

    def to_tasks(self) -> pd.DataFrame:
        """query_id and doc_id, topic after topic, in each the highest priority first; ties by doc_id, descending."""
        frame = self.frame
        rows = np.lexsort((-byte_codes(frame["doc_id"]), -frame["priority"].to_numpy(), byte_codes(frame["query_id"])))
        return frame[["query_id", "doc_id"]].iloc[rows].reset_index(drop=True)

    def union(self, other: "Pool") -> "Pool":
        """What is in either. What both have is brought by the systems of both, and keeps the stratum it has here.

        The documents of this pool go first, in its order, then those that only the other has, in its order. Where one
        of the two was drawn, what the other has is certain (p = 1), and the rest keeps its probability.

        Raises
        ------
        ValueError
            Both were drawn: a pool does not know the probability of what it did not draw. Or files of one name differ.
        """
        if drawn(self) and drawn(other):
            raise ValueError(TWO_SAMPLES)
        return Pool(united(self.frame, other.frame), "union", *made_of(self, other))

    def difference(self, other: "Pool") -> "Pool":
        """What is in this pool and not in the other; what both have is left out. The rest keeps its probability.

        Raises
        ------
        ValueError
            The other was drawn: it does not know how probable it was that it left out what it has not. Or files of
            one name differ.
        """
        if drawn(other):
            raise ValueError(MINUS_SAMPLE)
        kept = ~_pairs(self.frame).isin(_pairs(other.frame))
        return Pool(self.frame[kept].reset_index(drop=True), "difference", *made_of(self, other))

    def with_documents(self, documents: pd.DataFrame, how: str = "hand") -> "Pool":
        """The pool with documents that somebody found: by hand, or by keyword search.

        Parameters
        ----------
        documents : DataFrame
            query_id, doc_id. What is pooled already stays as it is, but what was drawn with p < 1 becomes certain
            (p = 1), as it would be in the pool without the draw.
        how : {"hand", "search"}
            The stratum of what is new. It is to be judged last, and certain to be included.

        Raises
        ------
        ValueError
            `how` is no such word, or a query_id or doc_id is missing, or is no id.
        """
        if how not in ADDED:
            raise ValueError(f"documents are added by {' or '.join(ADDED)}; got {how!r}")
        found = _found(documents)
        new = found[~_pairs(found).isin(_pairs(self.frame))]
        certain = _pairs(self.frame).isin(_pairs(found)) & self.frame["inclusion_probability"].lt(1).to_numpy()
        if not len(new) and not certain.any():
            return self
        there = self.frame.assign(inclusion_probability=self.frame["inclusion_probability"].mask(certain, 1.0))
        parameters = self.parameters | {"added": with_added(self, how, len(new), int(certain.sum()))}
        if not len(new):
            return replace(self, frame=there, parameters=parameters)
        least = there["priority"].min() if len(there) else 0.0
        rows = new.assign(systems=[()] * len(new), best_rank=pd.array([pd.NA] * len(new), "Int64"))
        rows = rows.assign(stratum=how, inclusion_probability=1.0, priority=least - 1)
        return replace(self, frame=by_bytes(pd.concat([there, rows], ignore_index=True)), parameters=parameters)

    def describe(self) -> str:
        """The pool in one sentence."""
        sizes = self.size_by_topic
        sentence = (
            f"{told(recipe(self))} over {_counted(len(self.systems), 'system')}:"
            f" {_counted(len(self), 'task')} in {_counted(len(sizes), 'topic')}"
        )
        if not len(sizes):
            return sentence
        sentence += f", {sizes.min():,} to {sizes.max():,} each (median {sizes.median():,g})"
        added = int(self.frame["stratum"].isin(ADDED).sum())
        return f"{sentence}; {_counted(added, 'document')} added by hand or search" if added else sentence


def pool(
    runs: RankedRuns | pd.DataFrame | Iterable[pd.DataFrame],
    strategy: str = "depth",
    seed: int | None = None,
    *,
    inputs: Mapping[str, str] | None = None,
    score_precision: str | None = None,
    **parameters,
) -> Pool:
    """Choose what is judged.

    Parameters
    ----------
    runs : RankedRuns, DataFrame or iterable of DataFrame
        system, query_id, doc_id, score. An iterable is gone through once, so that a generator that reads
        one file after the other keeps one run in memory at a time; each system is in one frame only.
    strategy : str
        A name in `pooling.strategies.STRATEGIES`.
    seed : int, optional
        The source of chance, for strategies that use chance, and only for them.
    inputs : mapping of str to str, optional
        SHA-256 of the files that the runs came from, by name (see `checksums`).
    score_precision : str, optional
        How their scores were read (see `pooling.trec.read_run`): told, so that the pool can be made again.
    **parameters
        The strategy's own, such as ``depth=10``.

    Returns
    -------
    Pool

    Raises
    ------
    ValueError
        The strategy or a parameter is unknown, a parameter or the seed is missing or not allowed, a system comes in
        two frames, or there is no run at all.
    """
    choose, options = checked_strategy(strategy, seed, parameters)
    if score_precision not in (None, *SCORE_PRECISIONS):
        raise ValueError(f"score_precision {score_precision!r} is unknown; there are: {', '.join(SCORE_PRECISIONS)}")
    needs_scores = strategy in NEED_SCORES
    depth = None if needs_scores else options.get("depth")  # scores are made comparable over whole rankings
    ranked_runs = prepare(runs, keep_scores=needs_scores, depth=depth)
    frame = pooled(ranked_runs, choose(ranked_runs, **options))
    own = {name: value for name, value in options.items() if name != "seed"}
    return Pool(frame, strategy, _plain(own), _plain(seed), dict(inputs or {}), score_precision)


def checksums(paths: Iterable[str | PathLike]) -> dict[str, str]:
    """SHA-256 of each file as it lies on the disk, by its name, with as many folders as tell the files apart."""
    paths = sorted({Path(path).absolute() for path in paths})
    folders = 0
    while len({_end(path, folders) for path in paths}) < len(paths):
        folders += 1
    return {_end(path, folders): _sha256(path) for path in paths}


def _end(path: Path, folders: int) -> str:
    """The last folders of a path and its name."""
    return "/".join(path.parts[-folders - 1 :])


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def checked_strategy(name: str, seed: int | None, parameters: dict) -> tuple[Callable, dict]:
    """The strategy of a name, and all its parameters; ValueError, before any run is read, where one will not do."""
    if name not in STRATEGIES:
        raise ValueError(_unknown(name))
    choose = STRATEGIES[name]
    options = _options(name, choose, parameters | _chance(name, choose, seed))
    choose(_one_document(), **options)
    return choose, options


def _unknown(name: str) -> str:
    from pooling.adaptive import ADAPTIVE  # only here: nothing else in this module needs it

    if name in ADAPTIVE:
        return f"strategy {name!r} goes by judgements: start it with pooling.adaptive, or replay it"
    return f"strategy {name!r} is unknown; there are: {', '.join(sorted(STRATEGIES))}"


def _chance(name: str, choose, seed: int | None) -> dict:
    draws = "seed" in inspect.signature(choose).parameters
    if draws and seed is None:
        raise ValueError(f"strategy {name!r} draws at random: give it a seed, to be told and repeated")
    if seed is not None and not draws:
        raise ValueError(f"strategy {name!r} leaves nothing to chance; it takes no seed")
    return {"seed": seed} if draws else {}


def _options(name: str, choose, parameters: dict) -> dict:
    """The parameters of a strategy, those too that were left out."""
    known = {p.name: p for p in inspect.signature(choose).parameters.values() if p.kind is p.KEYWORD_ONLY}
    for parameter in parameters:
        if parameter not in known:
            raise ValueError(f"strategy {name!r} has no parameter {parameter!r}; it has: {', '.join(known)}")
    for parameter in known.values():
        if parameter.default is parameter.empty and parameter.name not in parameters:
            raise ValueError(f"strategy {name!r} needs the parameter {parameter.name!r}; none was given")
    return {parameter.name: parameters.get(parameter.name, parameter.default) for parameter in known.values()}


@cache
def _one_document() -> RankedRuns:
    return prepare(pd.DataFrame({"system": ["s"], "query_id": ["q"], "doc_id": ["d"], "score": [0.0]}), True)


def _plain(value):
    """A parameter as JSON reads it again: lists for tuples, Python's numbers for numpy's."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    return value.item() if isinstance(value, np.generic) else value


def _pairs(frame: pd.DataFrame) -> pd.MultiIndex:
    return pd.MultiIndex.from_frame(frame[["query_id", "doc_id"]])


def _found(documents: pd.DataFrame) -> pd.DataFrame:
    """The pairs of topic and document that somebody found, each once."""
    if lacking := [column for column in ("query_id", "doc_id") if column not in documents.columns]:
        raise ValueError(f"documents to add have the columns query_id, doc_id; lacking {', '.join(lacking)}")
    found = documents[["query_id", "doc_id"]]
    if found.isna().any(axis=None):
        raise ValueError("documents to add have a query_id and a doc_id in every row; one is missing")
    found = found.astype("str").drop_duplicates()
    for column in found:
        for text in found[column].unique():
            if problem := id_problem(text):
                raise ValueError(f"{column} {shown(text)} {problem}; {ALLOWED_ID}")
    return found


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"

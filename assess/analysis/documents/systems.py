"""The runs of a collection, prepared and cached, and the systems that retrieved a document."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import agreement
from assess.collections import runfiles
from assess.errors import Refused
from assess.jobs import results
from assess.models import Run


@dataclass(frozen=True)
class Retrieved:
    """A system with the rank at which it retrieved a document."""

    system: str
    rank: int


def runs_key(runs: Sequence[Run]) -> str:
    """Return the key of prepared runs in the cache of results."""
    return results.key_of("ranked_runs", [(run.system, run.file_checksum, run.score_precision) for run in runs])


def ranked_runs(runs: Sequence[Run]) -> agreement.RankedRuns:
    """Return the runs, prepared to be scored under any gold. They are cached until a run is added or removed."""
    if not runs:
        raise Refused("There are no runs yet, so there is no ranking of systems. Import runs first.")
    key = runs_key(runs)
    prepared: agreement.RankedRuns | None = results.get(key)
    if prepared is None:
        try:
            prepared = agreement.prepare(map(runfiles.load, runs))
        except ValueError as error:
            raise Refused(str(error)) from None
        results.keep(key, prepared)
    return prepared


def retrieved_by(prepared: agreement.RankedRuns, query_id: str, doc_id: str) -> list[Retrieved]:
    """Return the systems that retrieved a document for a topic, the best rank first."""
    ranks = _ranks(prepared, query_id, doc_id)
    rows = [Retrieved(system, int(rank)) for system, rank in zip(prepared.systems, ranks, strict=True) if rank]
    return sorted(rows, key=lambda row: (row.rank, row.system))


def _ranks(prepared: agreement.RankedRuns, query_id: str, doc_id: str) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the rank of the document in each system's ranking, from 1; 0 if it was not retrieved."""
    topic = prepared.query_ids.get_indexer(pd.Index([query_id]))[0]
    document = prepared.documents.get_indexer(pd.Index([doc_id]))[0]
    item = np.flatnonzero(prepared.keys.to_numpy() == topic * len(prepared.documents) + document)
    if topic < 0 or document < 0 or not len(item):
        return np.zeros(len(prepared.systems), np.int64)
    matches = prepared.items[:, topic] == item[0]
    ranks: np.ndarray[Any, np.dtype[np.int64]] = np.where(matches.any(axis=1), matches.argmax(axis=1) + 1, 0)
    return ranks

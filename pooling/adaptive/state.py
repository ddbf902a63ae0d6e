"""The state of an adaptive strategy in one topic: what was judged, in which order, and what the strategy made of it.

A state does not change; a step makes a new one. It can be written down: whole, or without the rankings where these
are kept apart (they are the larger part, and never change). A state is read with the very rankings that it was made
with: it keeps their fingerprint, and others are refused.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from pooling.adaptive.rankings import Rankings
from pooling.adaptive.serialization import pack, unpack

UNJUDGED = -1


@dataclass(frozen=True, eq=False)
class State:
    """Where a strategy stands.

    Attributes
    ----------
    strategy : str
        The strategy that made it, with its parameters.
    rankings : Rankings
    verdicts : ndarray of int8, shape (n_documents + 1,)
        For each document of the rankings 1 where it is relevant, 0 where it is not, and -1 where nobody judged it
        yet. The last entry belongs to no document, and is 0.
    history : ndarray of int32, shape (n_judged,)
        Positions of the judged documents, in the order in which they were judged.
    memory : mapping of str to ndarray
        What the strategy keeps in mind.
    """

    strategy: str
    rankings: Rankings
    verdicts: np.ndarray
    history: np.ndarray
    memory: Mapping[str, np.ndarray]

    @property
    def n_judged(self) -> int:
        return len(self.history)

    @property
    def latest(self) -> int:
        """Position of the document that was judged last."""
        return int(self.history[-1])

    @property
    def judged(self) -> dict[str, int]:
        """1 (relevant) or 0 by doc_id, in the order in which they were judged."""
        doc_ids = self.rankings.doc_ids
        return {doc_ids[position]: int(self.verdicts[position]) for position in self.history}

    def available(self, exclude: Iterable[str] = ()) -> np.ndarray:
        """Which documents could be judged next; bool, shape (n_documents + 1,), False at the end."""
        if isinstance(exclude, (str, bytes)):
            raise ValueError(f"exclude {exclude!r} is not allowed; it is a collection of doc_ids, such as a list")
        free = self.verdicts == UNJUDGED
        for doc_id in exclude:
            if (place := self.rankings.position_of.get(doc_id)) is not None:
                free[place] = False
        return free

    def with_verdict(self, position: int, relevant: bool) -> "State":
        """With one more document judged; the memory is the same as before."""
        verdicts = self.verdicts.copy()
        verdicts[position] = relevant
        return replace(self, verdicts=verdicts, history=np.append(self.history, np.int32(position)))

    def to_bytes(self, rankings: bool = True) -> bytes:
        """To be kept; `from_bytes` reads it.

        Parameters
        ----------
        rankings : bool
            Whether the rankings go along. Without them the state is small, and its bytes are read with the rankings
            at hand.
        """
        arrays = {"verdicts": self.verdicts, "history": self.history}
        arrays |= {f"memory.{name}": array for name, array in self.memory.items()}
        record = {"strategy": self.strategy, "query_id": self.rankings.query_id, "rankings": self.rankings.fingerprint}
        small = pack(record, arrays)
        whole = {"state": np.frombuffer(small, np.uint8)}
        if rankings:
            whole["rankings"] = np.frombuffer(self.rankings.to_bytes(), np.uint8)
        return pack({}, whole)

    @classmethod
    def from_bytes(cls, data: bytes, rankings: Rankings | None = None) -> "State":
        """What `to_bytes` wrote.

        Parameters
        ----------
        data : bytes
        rankings : Rankings, optional
            Where the bytes are without them.

        Raises
        ------
        ValueError
            These are not such bytes, they are damaged, or the rankings are missing or others.
        """
        _, parts = unpack(data)
        if "state" not in parts:
            raise ValueError("these bytes hold no state")
        if rankings is None:
            if "rankings" not in parts:
                raise ValueError("this state was kept without its rankings: give them too")
            rankings = Rankings.from_bytes(parts["rankings"].data)
        record, arrays = unpack(parts["state"].data)
        if not (record.keys() >= {"strategy", "query_id", "rankings"} and arrays.keys() >= {"verdicts", "history"}):
            raise ValueError("these bytes hold no state")
        if record["rankings"] != rankings.fingerprint:
            raise ValueError(
                f"the state is of topic {record['query_id']!r} and does not fit to these rankings of topic "
                f"{rankings.query_id!r}: it was made with others"
            )
        verdicts, history = arrays.pop("verdicts"), arrays.pop("history")
        memory = {name.removeprefix("memory."): array for name, array in arrays.items()}
        return cls(record["strategy"], rankings, verdicts, history, memory)


def begun(strategy: str, rankings: Rankings, memory: Mapping[str, np.ndarray]) -> State:
    """The state in which nothing is judged."""
    verdicts = np.full(rankings.n_documents + 1, UNJUDGED, dtype=np.int8)
    verdicts[-1] = 0
    return State(strategy, rankings, verdicts, np.array([], dtype=np.int32), memory)

"""The state of an adaptive strategy in one topic: the judgements in their order, and what the strategy derived.

A state is immutable; a step makes a new one. It can be serialised with its rankings or without them: the rankings are
the larger part and never change, so they can be stored once. A state stores the fingerprint of its rankings, and is
only read with exactly these.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from pooling.adaptive.rankings import Rankings
from pooling.adaptive.serialization import pack, unpack
from pooling.ids import id_text

UNJUDGED = -1


@dataclass(frozen=True, eq=False)
class State:
    """The state of an adaptive strategy in one topic.

    Attributes
    ----------
    strategy : str
        The strategy that made the state, with its parameters.
    rankings : Rankings
        The rankings of the topic.
    verdicts : ndarray of int8, shape (n_documents + 1,)
        For each document of the rankings: 1 if it is relevant, 0 if it is not, -1 if it is not judged. The last
        entry belongs to no document and is 0.
    history : ndarray of int32, shape (n_judged,)
        The positions of the judged documents, in the order of judging.
    memory : mapping of str to ndarray
        The data that the strategy has derived from the judgements.
    """

    strategy: str
    rankings: Rankings
    verdicts: np.ndarray
    history: np.ndarray
    memory: Mapping[str, np.ndarray]

    def __repr__(self) -> str:
        judged = f"{self.n_judged:,} of {self.rankings.n_documents:,} documents judged"
        return f"State of {self.strategy}: topic {self.rankings.query_id!r}, {judged}"

    @property
    def n_judged(self) -> int:
        """The number of judged documents."""
        return len(self.history)

    @property
    def latest(self) -> int:
        """The position of the document that was judged last."""
        return int(self.history[-1])

    @property
    def judged(self) -> dict[str, int]:
        """1 (relevant) or 0 by doc_id, in the order of judging."""
        doc_ids = self.rankings.doc_ids
        return {doc_ids[position]: int(self.verdicts[position]) for position in self.history}

    def available(self, exclude: Iterable[str | int] = ()) -> np.ndarray:
        """Mark the documents that may be judged next.

        Parameters
        ----------
        exclude : iterable of str or int
            The doc_ids of documents that are not available.

        Returns
        -------
        ndarray of bool, shape (n_documents + 1,)
            True for documents that are neither judged nor excluded; the last entry is False.

        Raises
        ------
        ValueError
            If `exclude` is a single string, or contains anything but strings and whole numbers.
        """
        if isinstance(exclude, (str, bytes)):
            raise ValueError(f"exclude must be a collection of doc_ids, such as a list, not {exclude!r}")
        available = np.asarray(self.verdicts == UNJUDGED)
        for doc_id in exclude:
            if (position := self.rankings.position_of.get(id_text("doc_id", doc_id))) is not None:
                available[position] = False
        return available

    def with_verdict(self, position: int, relevant: bool) -> "State":
        """The state with one more judged document; the memory is unchanged."""
        verdicts = self.verdicts.copy()
        verdicts[position] = relevant
        return replace(self, verdicts=verdicts, history=np.append(self.history, np.int32(position)))

    def to_bytes(self, rankings: bool = True) -> bytes:
        """Serialise the state; `from_bytes` reads it.

        Parameters
        ----------
        rankings : bool
            Whether to include the rankings. Without them the bytes are small, but `from_bytes` needs the rankings.

        Returns
        -------
        bytes
            The serialised state. Equal states have equal bytes.
        """
        # The names are part of the format of stored states.
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
        """Read a state that `to_bytes` has serialised.

        Parameters
        ----------
        data : bytes
            The serialised state.
        rankings : Rankings, optional
            The rankings of the topic. Required if `data` does not include them.

        Returns
        -------
        State
            The state.

        Raises
        ------
        ValueError
            If `data` is not a serialised state or is damaged, or the rankings are missing or not those of the state.
        """
        _, parts = unpack(data)
        if "state" not in parts:
            raise ValueError("these bytes do not contain a state")
        if rankings is None:
            if "rankings" not in parts:
                raise ValueError("these bytes do not include the rankings of the state; pass rankings")
            rankings = Rankings.from_bytes(parts["rankings"].data)
        record, arrays = unpack(parts["state"].data)
        if not (record.keys() >= {"strategy", "query_id", "rankings"} and arrays.keys() >= {"verdicts", "history"}):
            raise ValueError("these bytes do not contain a state")
        if record["rankings"] != rankings.fingerprint:
            raise ValueError(
                f"the state of topic {record['query_id']!r} was made with other rankings than the given ones of topic "
                f"{rankings.query_id!r}"
            )
        verdicts, history = arrays.pop("verdicts"), arrays.pop("history")
        memory = {name.removeprefix("memory."): array for name, array in arrays.items()}
        return cls(record["strategy"], rankings, verdicts, history, memory)


def initial_state(strategy: str, rankings: Rankings, memory: Mapping[str, np.ndarray]) -> State:
    """The state in which no document is judged."""
    verdicts = np.full(rankings.n_documents + 1, UNJUDGED, dtype=np.int8)
    # The last entry stands for no document, which must never be available.
    verdicts[-1] = 0
    return State(strategy, rankings, verdicts, np.array([], dtype=np.int32), memory)

"""What changes in a collection: new runs, replaced texts, suggestions of a model, and the pool as a file."""

import json
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from assay.remote.jobs import Job
from assay.remote.lists import Row
from assay.remote.part import Part


class Living(Part):
    """New runs, changed texts, suggestions and the pairs of the pool."""

    def lacking(self, systems: Sequence[str] = (), depth: int = 10) -> Row:
        """Say how many of the first documents of runs are not judged. Nothing is changed.

        Parameters
        ----------
        systems : sequence of str
            The runs; by default those from which no pool was built.
        depth : int
            How many documents of each topic count.

        Returns
        -------
        dict
            ``runs``, ``to_judge`` (documents), ``waiting`` (of them in the pool), ``judges`` and ``hours``.
        """
        return dict(self._get("top-up", systems=list(systems), depth=depth))

    def top_up(self, systems: Sequence[str] = (), depth: int = 10, judges: int | None = None) -> Job:
        """Pool the missing documents of runs, and assign those that nobody has.

        Parameters
        ----------
        systems : sequence of str
            The runs; by default those from which no pool was built.
        depth : int
            How many documents of each topic count.
        judges : int, optional
            How many assessors judge each document; by default as many as most documents have.

        Returns
        -------
        Job
            Its result has ``tasks`` and ``assignments``, which are new, and ``notes``.
        """
        body = {"systems": list(systems), "depth": depth, "judges": judges}
        return Job(self._connection, self.slug, self._connection.post(self._path("top-up"), body))

    def write_pool(self, path: str | PathLike[str], form: str = "jsonl", **options: Any) -> Path:
        """Write the pairs of the pool with their texts to a file. Nothing of the runs is in it.

        Parameters
        ----------
        path : path
            The file, which is replaced.
        form : {"jsonl", "tsv", "umbrela", "doccano", "teaching_ir"}
            Its format; the last two are ZIP archives.
        **options
            ``annotator``, a list of names, and ``seed``, which draws the order.

        Returns
        -------
        Path
            The file.
        """
        target = Path(path)
        target.write_bytes(self._bytes("pool", "pairs", format=form, **options))
        return target

    def pairs(self, seed: int | None = None) -> list[Row]:
        """The pairs of the pool with their texts. Nothing of the runs is in them.

        Parameters
        ----------
        seed : int, optional
            Draws the order.

        Returns
        -------
        list of dict
            The values of each line of the format ``jsonl``, such as ``query_id``, ``doc_id`` and ``text``.
        """
        text = self._bytes("pool", "pairs", format="jsonl", seed=seed).decode()
        return [json.loads(line) for line in text.split("\n") if line]

    def changed_texts(self) -> list[Row]:
        """The documents whose text was replaced after they were judged.

        Returns
        -------
        list of dict
            ``key``, ``doc_id`` and ``judgements``; ``seen`` and ``present`` are the hashes of the two texts.
        """
        found: list[Row] = []
        page: Row = {"next": 0}
        while page["next"] is not None:
            page = self._get("changed-texts", after=page["next"])
            found += page["results"]
        return found

    def judge_again(self, changes: Sequence[str]) -> Job:
        """Put judgements of former texts back into the queues of those who made them.

        Parameters
        ----------
        changes : sequence of str
            Values of ``key`` in the rows of `changed_texts`; none for all.

        Returns
        -------
        Job
            Its result says how many judgements were taken back.
        """
        started = self._connection.post(self._path("changed-texts", "judge-again"), {"changes": list(changes)})
        return Job(self._connection, self.slug, started)

    def keep_changes(self, changes: Sequence[str]) -> int:
        """Record that changes of texts do not matter, so that the judgements stay valid.

        Parameters
        ----------
        changes : sequence of str
            Values of ``key`` in the rows of `changed_texts`; none for all.

        Returns
        -------
        int
            How many judgements stay.
        """
        kept = self._connection.post(self._path("changed-texts", "keep"), {"changes": list(changes)})
        return int(kept["judgements"])

    def suggest(self, judge: str | None) -> None:
        """Let assessors see the grades of a model next to the document. Only an owner may.

        Parameters
        ----------
        judge : str or None
            A model judge; None turns suggestions off.
        """
        self._connection.post(self._path("suggestions"), {"judge": judge})

"""People, rules, guidelines, adjudications and releases of a collection, for those who run it."""

from collections.abc import Iterable
from typing import Any

from assay.remote.jobs import Job
from assay.remote.lists import Row
from assay.remote.part import Part


class Work(Part):
    """What owners and researchers decide."""

    def change_role(self, name: str, role: str, *, allow_sighted: bool = False) -> Row:
        """Give a member another role.

        Parameters
        ----------
        name : str
            The member, as `people` lists it.
        role : str
            The new role, such as "researcher".
        allow_sighted : bool
            Let somebody judge who could see the runs.

        Returns
        -------
        dict
            ``name`` and ``role``.
        """
        body = {"name": name, "role": role, "allow_sighted": allow_sighted}
        return dict(self._connection.post(self._path("people", "roles"), body))

    def remove_member(self, name: str) -> Row:
        """Remove a member. Open tasks are returned, and judgements stay under the pseudonym.

        Parameters
        ----------
        name : str
            The member, as `people` lists it.

        Returns
        -------
        dict
            ``returned`` and ``judgements``: how many open tasks were returned, and how many judgements stay.
        """
        return dict(self._connection.post(self._path("people", "removals"), {"name": name}))

    def rules(self) -> dict[str, Any]:
        """The rules of judging.

        Returns
        -------
        dict
            The value of each rule by its name.
        """
        return {rule["name"]: rule["value"] for rule in self._get("rules")}

    def change_rules(self, **rules: Any) -> Row | Job:
        """Change rules of judging, all of them or none.

        Parameters
        ----------
        **rules
            Rules as `rules` names them, such as claim_minutes=20.

        Returns
        -------
        dict or Job
            ``changed`` and ``notes``; a job if this changes many assignments.
        """
        return self._row_or_job(self._connection.post(self._path("rules"), {"rules": rules}))

    def guidelines(self, version: int | None = None) -> list[Row] | Row:
        """The versions of the guidelines, the newest first, or one version with its text.

        Parameters
        ----------
        version : int, optional
            The version to read.

        Returns
        -------
        list of dict, or dict
            Rows with ``version``, ``created_at`` and ``judgements``; or ``version``, ``text``, ``sha256`` and
            ``created_at``.
        """
        if version is None:
            return list(self._get("guidelines"))
        return dict(self._get("guidelines", version))

    def publish_guidelines(self, text: str) -> Row:
        """Publish a new version of the guidelines. The same text again changes nothing.

        Parameters
        ----------
        text : str
            Markdown.

        Returns
        -------
        dict
            ``version``, ``text``, ``sha256`` and ``created_at``.
        """
        return dict(self._connection.post(self._path("guidelines"), {"text": text}, is_repeatable=True))

    def adjudications(self) -> list[Row]:
        """The adjudications, in order.

        Returns
        -------
        list of dict
            ``number``, ``selection``, ``shows_grades``, ``created_at``, ``documents`` and ``decided``.
        """
        return list(self._get("adjudications"))

    def adjudicate(self, adjudicators: Iterable[str], by: str = "leverage", **options: Any) -> Row | Job:
        """Choose disputed documents, and assign each to an adjudicator who did not judge it.

        They decide with `tasks` and `judge`, or on the site.

        Parameters
        ----------
        adjudicators : iterable of str
            Members, as `people` lists them.
        by : {"leverage", "distance", "topic", "documents"}
            How the documents are chosen.
        **options
            For leverage ``number``, ``measure`` and ``gold``; for others ``distance``, ``query_id`` or ``tasks``; and
            ``shows_grades``.

        Returns
        -------
        dict or Job
            The adjudication; by leverage, a job.
        """
        body = {"adjudicators": list(adjudicators), "by": by, **options}
        return self._row_or_job(self._connection.post(self._path("adjudications"), body))

    def decisions(self, number: int, *, waiting: bool = False) -> list[Row]:
        """The documents of an adjudication.

        Parameters
        ----------
        number : int
            The adjudication.
        waiting : bool
            Only documents that wait for a decision.

        Returns
        -------
        list of dict
            ``task``, ``query_id``, ``topic``, ``doc_id``, ``adjudicator``, ``decision`` (empty if it waits) and
            ``is_blind``.
        """
        return list(self._get("adjudications", number, waiting=waiting))

    def undo_adjudication(self, number: int) -> int:
        """Take back the documents of an adjudication that are not decided.

        Parameters
        ----------
        number : int
            The adjudication.

        Returns
        -------
        int
            How many documents were taken back.
        """
        return int(self._connection.send("DELETE", self._path("adjudications", number)).json()["documents"])

    def create_release(self, rule: str, name: str = "main", **choices: Any) -> Job:
        """Release a gold in a job. A known name makes its next version.

        Parameters
        ----------
        rule : str
            The gold, such as "majority".
        name : str
            The name of the release.
        **choices
            ``rel``, ``judges``, ``topics``, ``notes``, ``authors``, ``licence``, ``measure`` and ``rounding``.

        Returns
        -------
        Job
        """
        return self._new_job(self._connection.post(self._path("releases"), {"rule": rule, "name": name, **choices}))

    def release_files(self, release_id: int) -> dict[str, str]:
        """The files of a release.

        Parameters
        ----------
        release_id : int
            Its id, as `releases` lists it.

        Returns
        -------
        dict
            The SHA-256 checksum of each file by its name.
        """
        return {each["name"]: each["sha256"] for each in self._get("releases", release_id, "files")}

    def release_file(self, release_id: int, name: str) -> bytes:
        """One file of a release.

        Parameters
        ----------
        release_id : int
            Its id, as `releases` lists it.
        name : str
            The file, as `release_files` lists it.

        Returns
        -------
        bytes
        """
        return self._bytes("releases", release_id, "files", *name.split("/"))

    def _row_or_job(self, row: Row) -> Row | Job:
        """The answer, which is a job if it was not done at once."""
        return self._new_job(row) if {"id", "kind", "state"} <= set(row) else dict(row)

    def _new_job(self, row: Row) -> Job:
        return Job(self._connection, self.slug, row)

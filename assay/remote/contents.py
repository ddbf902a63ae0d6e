"""Topics, runs, people, jobs and releases of a collection, and imports from tables or files."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from assay.remote.frames import Content, document_files, judgement_files, run_files, topic_files
from assay.remote.jobs import Job, job_of
from assay.remote.lists import Listing, Row
from assay.remote.part import Part, same
from assay.remote.uploads import upload

if TYPE_CHECKING:
    import pandas as pd

AnyPath = str | os.PathLike[str]
Source = Union["pd.DataFrame", AnyPath, Iterable[AnyPath]]
KINDS = ("topics", "scale", "runs", "pool", "documents", "judgements")


class Contents(Part):
    """Lists and imports."""

    def topics(self) -> Listing[Row]:
        """The topics, in the order of import.

        Returns
        -------
        Listing
            Rows with ``query_id``, ``title``, ``description`` and ``narrative``.
        """
        return self._listing("topics", same)

    def runs(self) -> Listing[Row]:
        """The runs, in the order of import.

        Returns
        -------
        Listing
            Rows with ``system``, ``lines``, ``topics``, ``checksum`` and ``imported_at``.
        """
        return self._listing("runs", same)

    def documents(self) -> Listing[Row]:
        """The documents of the pool and of judgements, without their texts.

        Returns
        -------
        Listing
            Rows with ``doc_id`` and ``has_text``.
        """
        return self._listing("documents", same)

    def rows(self, name: str, **query: Any) -> Iterator[Row]:
        """Yield all rows of a list one by one, for lists that do not fit into memory. A lost connection is an error.

        Parameters
        ----------
        name : {"topics", "runs", "documents", "tasks", "judgements"} or str
            The list. "golds/RULE" is a gold.
        **query
            For judgements, ``set`` and ``withdrawn``; for a gold, ``set`` and ``rel``.

        Yields
        ------
        dict
            A row. Judgements have the columns of their CSV file.

        Raises
        ------
        SiteError
            There is no such list, or the connection is lost.
        """
        return self._connection.lines(self._path("ndjson", *name.split("/", 1)), **query)

    def people(self) -> Listing[Row]:
        """The members.

        Returns
        -------
        Listing
            Rows with ``name`` and ``role``. Assessors have pseudonyms.
        """
        return self._listing("people", same)

    def releases(self) -> Listing[Row]:
        """The releases, in the order of their creation.

        Returns
        -------
        Listing
            Rows with ``id``, ``name``, ``version``, ``size``, ``manifest_sha256``, ``created_at`` and ``is_withdrawn``.
        """
        return self._listing("releases", same)

    def jobs(self) -> Listing[Job]:
        """The jobs, the oldest first.

        Returns
        -------
        Listing of Job
        """
        return self._listing("jobs", self._job)

    def job(self, job_id: str) -> Job:
        """One job.

        Parameters
        ----------
        job_id : str
            Its id.

        Returns
        -------
        Job
        """
        return job_of(self._connection, self.slug, job_id)

    def upload_topics(self, source: Source, *, progress: bool = True, **options: Any) -> Job:
        """Send topics, and import them in a job.

        Parameters
        ----------
        source : DataFrame, path, or iterable of paths
            A table has the columns query_id and title, and perhaps description and narrative.
        progress : bool
            Show a progress bar for large files.
        **options
            Options of the page of imports.

        Returns
        -------
        Job
        """
        return self._import(source, "topics", topic_files, progress, options)

    def upload_runs(self, source: Source, *, progress: bool = True, **options: Any) -> Job:
        """Send runs, one file for each system, and import them in a job.

        Parameters
        ----------
        source : DataFrame, path, or iterable of paths
            A table has the columns system, query_id, doc_id and score.
        progress : bool
            Show a progress bar for large files.
        **options
            Options of the page of imports.

        Returns
        -------
        Job
        """
        return self._import(source, "runs", run_files, progress, options)

    def upload_documents(self, source: Source, *, progress: bool = True, **options: Any) -> Job:
        """Send documents, and import the texts of those that are pooled in a job.

        Parameters
        ----------
        source : DataFrame, path, or iterable of paths
            A table has the columns doc_id and text, and perhaps title. Other columns are metadata.
        progress : bool
            Show a progress bar for large files.
        **options
            Options of the page of imports.

        Returns
        -------
        Job
        """
        return self._import(source, "documents", document_files, progress, options)

    def upload_judgements(self, source: Source, *, progress: bool = True, **options: Any) -> Job:
        """Send judgements of one or more judges, and import them in a job.

        Parameters
        ----------
        source : DataFrame, path, or iterable of paths
            A table has the columns assessor, query_id, doc_id and relevance.
        progress : bool
            Show a progress bar for large files.
        **options
            Options of the page of imports.

        Returns
        -------
        Job
        """
        return self._import(source, "judgements", judgement_files, progress, options)

    def import_files(
        self,
        paths: AnyPath | Iterable[AnyPath],
        kind: str | None = None,
        *,
        progress: bool = True,
        options: Mapping[str, Any] | None = None,
    ) -> Job:
        """Send files of any kind, and import them in a job for each kind.

        An upload that was interrupted goes on where it stopped: call this again with the same files.

        Parameters
        ----------
        paths : path, or iterable of paths
            The files.
        kind : {"topics", "scale", "runs", "pool", "documents", "judgements"}, optional
            What all files are. By default, the site recognises each file.
        progress : bool
            Show a progress bar for large files.
        options : mapping, optional
            Options of the page of imports.

        Returns
        -------
        Job
            The job of the first kind. `Job.wait` waits for the others too.

        Raises
        ------
        SiteError
            The site refuses a file or an option.
        """
        if kind not in (None, *KINDS):
            raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}.")
        return self._start(_paths(paths), kind, progress, options or {})

    def _import(
        self,
        source: Source,
        kind: str,
        files: Callable[["pd.DataFrame"], list[Content]],
        progress: bool,
        options: Mapping[str, Any],
    ) -> Job:
        if isinstance(source, str | os.PathLike):
            return self.import_files(source, kind, progress=progress, options=options)
        import pandas as pd

        if isinstance(source, pd.DataFrame):
            return self._start(files(source), kind, progress, options)
        return self.import_files(source, kind, progress=progress, options=options)

    def _start(
        self, sources: Iterable[Path | Content], kind: str | None, progress: bool, options: Mapping[str, Any]
    ) -> Job:
        ids = [upload(self._connection, self.slug, each, kind, progress=progress) for each in sources]
        body = {"uploads": ids, "options": dict(options)}
        return self._job(self._connection.post(self._path("imports"), body))

    def _job(self, row: Row) -> Job:
        return Job(self._connection, self.slug, row)


def _paths(paths: AnyPath | Iterable[AnyPath]) -> list[Path]:
    if isinstance(paths, str | os.PathLike):
        return [Path(paths)]
    return [Path(path) for path in paths]

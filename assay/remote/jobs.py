"""Background jobs of a collection: their progress and result, and waiting for them."""

import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from assay.remote.cards import card
from assay.remote.connection import Connection
from assay.remote.errors import SiteError
from assay.remote.lists import Row

if TYPE_CHECKING:
    from tqdm import tqdm

SECONDS = 1  # between two looks at a job
OPEN = frozenset({"waiting", "running"})
GOES_ON = (
    "The job goes on at the site. Wait for it again: site.collection({slug!r}).job({id!r}).wait(), or in a terminal"
    " `assay remote wait --collection {slug} {id}`."
)


class Job:
    """A job of a collection. Its attributes are those of the last answer; `refresh` asks again.

    Parameters
    ----------
    connection : Connection
        The site.
    slug : str
        The collection.
    row : dict
        The job, as the API shows it.

    Attributes
    ----------
    id, kind, state, stage, error : str
        What it is, and how it stands: ``waiting``, ``running``, ``done``, ``failed`` or ``cancelled``.
    done : int
        How much is done.
    total : int or None
        How much there is to do, if it is known.
    result
        What the job says when it is done.
    results : list
        The results of this job and of those that followed it, after `wait`.

    Examples
    --------
    >>> import httpx2
    >>> from assay.remote import Job
    >>> from assay.remote.connection import Connection
    >>> row = {"id": "7", "kind": "build_pool", "state": "done", "result": {"pooled": 120}}
    >>> transport = httpx2.MockTransport(lambda request: httpx2.Response(200, json=row))
    >>> connection = Connection("https://assay.example.org", "assay_secret", transport)
    >>> job = Job(connection, "robust", row | {"state": "running", "result": None})
    >>> job
    <Job build_pool of robust: running>
    >>> job.refresh().result["pooled"]
    120
    """

    def __init__(self, connection: Connection, slug: str, row: Row) -> None:
        self._connection, self.slug = connection, slug
        self.results: list[Any] = []
        self._take(row)

    def _take(self, row: Row) -> None:
        self.id, self.kind, self.state = str(row["id"]), str(row["kind"]), str(row["state"])
        self.stage, self.error = str(row.get("stage") or ""), str(row.get("error") or "")
        self.done, self.total = int(row.get("done") or 0), row.get("total")
        self.result: Any = row.get("result")

    @property
    def is_open(self) -> bool:
        """Whether the job waits or runs."""
        return self.state in OPEN

    def refresh(self) -> "Job":
        """Ask the site how the job stands.

        Returns
        -------
        Job
            The same object.
        """
        self._take(self._connection.get(self._path))
        return self

    def cancel(self) -> "Job":
        """Cancel the job. A running one stops at its next report, unless it is saving already.

        Returns
        -------
        Job
            The same object.
        """
        self._take(self._connection.send("DELETE", self._path).json())
        return self

    def wait(self, progress: bool = True, timeout: float | None = None) -> "Job":
        """Wait until the job is done, and then for the jobs that it started.

        An import starts a job for each kind of file. Ctrl-C stops waiting. The job goes on, and the message says how to
        wait for it again.

        Parameters
        ----------
        progress : bool
            Show a progress bar.
        timeout : float, optional
            Seconds to wait at most.

        Returns
        -------
        Job
            The same object. Its `results` has the result of each job.

        Raises
        ------
        SiteError
            A job failed or was cancelled.
        TimeoutError
            The job is not done in time. It goes on.
        """
        end = None if timeout is None else time.monotonic() + timeout
        self.results = []
        job: Job | None = self
        while job is not None:
            job._wait_alone(progress, end)
            self.results.append(job.result)
            job = job.following()
        return self

    def following(self) -> "Job | None":
        """The job that this one started for the next kind of file.

        Returns
        -------
        Job or None
            None if there is none.
        """
        found = self.result.get("next_job") if isinstance(self.result, dict) else None
        return job_of(self._connection, self.slug, found) if found else None

    def _wait_alone(self, progress: bool, end: float | None) -> None:
        try:
            self._watch(progress, end)
        except KeyboardInterrupt:
            print(GOES_ON.format(slug=self.slug, id=self.id), file=sys.stderr)
            raise
        if self.state != "done":
            what = f"The job {self.kind} {'was cancelled' if self.state == 'cancelled' else 'failed'}."
            raise SiteError(self.error or what)

    def _watch(self, progress: bool, end: float | None) -> None:
        from tqdm import tqdm

        with tqdm(desc=self.kind, disable=not progress, leave=False) as bar:
            self._show(bar)
            while self.is_open:
                if end is not None and time.monotonic() >= end:
                    raise TimeoutError(GOES_ON.format(slug=self.slug, id=self.id))
                time.sleep(SECONDS)
                self.refresh()
                self._show(bar)

    def _show(self, bar: "tqdm[Any]") -> None:
        bar.total = self.total
        bar.n = self.done
        bar.set_description(self.stage or f"{self.kind} ({self.state})")

    @property
    def _path(self) -> str:
        return f"/collections/{self.slug}/jobs/{self.id}"

    def __repr__(self) -> str:
        return f"<Job {self.kind} of {self.slug}: {self.state}>"

    def _repr_html_(self) -> str:
        values = {"state": self.state, "stage": self.stage, "done": self.done, "of": self.total}
        more = {"error": self.error} if self.error else {}
        with suppress(TypeError, ValueError):
            more |= {str(name): value for name, value in dict(self.result or {}).items()}
        return card(f"{self.kind} of {self.slug}", values | more)


def job_of(connection: Connection, slug: str, job_id: str) -> Job:
    """The job with an id."""
    return Job(connection, slug, connection.get(f"/collections/{slug}/jobs/{job_id}"))

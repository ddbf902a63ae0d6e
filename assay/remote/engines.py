"""Search engines of a collection, and runs that are made from them."""

from assay.remote.jobs import Job
from assay.remote.lists import Row
from assay.remote.part import Part


class Engines(Part):
    """Search engines and their runs."""

    def engines(self) -> list[Row]:
        """The search engines, each with its settings, without its secret."""
        found: list[Row] = self._get("engines")
        return found

    def save_engine(self, name: str, kind: str, address: str, secret: str | None = None, **settings: str) -> Row:
        """Save a search engine, or change the one with this name.

        Parameters
        ----------
        name : str
            Its name, such as "bm25".
        kind, address
            As `pooling.live.Engine` has them. A site owner must allow the host first.
        secret : str, optional
            The value of the header that the engine requires; None keeps the former one.
        **settings
            The template and where the answer has what, as `pooling.live.Engine` has them.

        Returns
        -------
        dict
            The engine without its secret.
        """
        body = {"kind": kind, "address": address, "secret": secret, **settings}
        row: Row = self._connection.send("PUT", self._path("engines", name), body=body).json()
        return row

    def try_engine(self, name: str, query_id: str) -> Job:
        """Ask an engine for one topic, twice.

        Parameters
        ----------
        name, query_id : str
            The engine and the topic.

        Returns
        -------
        Job
            Its result has the request, the first documents, and whether the second answer was the same.
        """
        return self._started("engines", name, "preview", body={"query_id": query_id})

    def ask_engine(self, name: str, system: str, depth: int = 100, **pace: float) -> Job:
        """Ask an engine for all topics. The run is imported when every topic has an answer.

        Parameters
        ----------
        name, system
            The engine, and the name of the run.
        depth : int
            Documents for each topic.
        **pace
            `concurrency`, topics at the same time, and `per_second`, requests in a second at most.

        Returns
        -------
        Job
            Its result names the topics that failed; then there is no run.
        """
        return self._started("engines", name, "runs", body={"system": system, "depth": depth, **pace})

    def engine_runs(self) -> list[Row]:
        """The runs from search engines, the newest first, with the topics that failed."""
        found: list[Row] = self._get("engine-runs")
        return found

    def continue_engine_run(self, run_id: str) -> Job:
        """Ask for the topics of a run that have no answer.

        Parameters
        ----------
        run_id : str
            The ``id`` of the run, as `engine_runs` lists it.

        Returns
        -------
        Job
            Its result names the topics that failed; if there are none, the run is imported.
        """
        return self._started("engine-runs", run_id, "continue", body={})

    def _started(self, *names: str, body: Row) -> Job:
        return Job(self._connection, self.slug, self._connection.post(self._path(*names), body))

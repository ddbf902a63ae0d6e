"""Judgements, golds, tables, figures and releases of a collection. The site records each export in its audit log."""

from typing import TYPE_CHECKING, Any, overload

from assay.remote.frames import gold_frame, judgement_frame, table_frame
from assay.remote.part import Part

if TYPE_CHECKING:
    import pandas as pd


class Results(Part):
    """What the judgements say."""

    def judgements(self, *, set: str = "", withdrawn: bool = False) -> "pd.DataFrame":  # noqa: A002
        """The raw judgements, for `Ratings.from_judgements`.

        Parameters
        ----------
        set : str
            Only topics of this set, such as "test".
        withdrawn : bool
            Also the judgements of withdrawn judges.

        Returns
        -------
        DataFrame
            One row for each assessor, topic, document and repeat: assessor, query_id, doc_id, relevance (missing unless
            judged), state, repeat, judged_at and more.
        """
        return judgement_frame(self.judgements_csv(set=set, withdrawn=withdrawn))

    def judgements_csv(self, *, set: str = "", withdrawn: bool = False) -> bytes:  # noqa: A002
        """The raw judgements as the CSV file of the page.

        Parameters
        ----------
        set : str
            Only topics of this set, such as "test".
        withdrawn : bool
            Also the judgements of withdrawn judges.

        Returns
        -------
        bytes
        """
        return self._bytes("judgements", set=set, withdrawn=withdrawn)

    @overload
    def golds(self) -> list[str]: ...

    @overload
    def golds(self, rule: str, /, *rules: str) -> "pd.DataFrame": ...

    def golds(self, *rules: str) -> "list[str] | pd.DataFrame":
        """The names of the golds; or with rules, these golds in one table, for `ranking_shift`.

        Parameters
        ----------
        *rules : str
            Rules such as "majority" or "judge:ada".

        Returns
        -------
        list of str, or DataFrame
            The columns are those of `gold`.
        """
        if not rules:
            return [str(name) for name in self._get("golds")["golds"]]
        import pandas as pd

        return pd.concat([self.gold(rule) for rule in rules], ignore_index=True)

    def gold(self, rule: str, *, rel: int | None = None, set: str = "") -> "pd.DataFrame":  # noqa: A002
        """The relevance grades of a gold.

        Parameters
        ----------
        rule : str
            A rule such as "majority" or "judge:ada".
        rel : int, optional
            A binary gold, with 1 for this grade and above.
        set : str
            Only topics of this set.

        Returns
        -------
        DataFrame
            Columns gold (the rule), query_id, doc_id and relevance.

        Raises
        ------
        SiteError
            There is no such rule, or it gives no grade yet.
        """
        return gold_frame(rule, self.qrels(rule, rel=rel, set=set))

    def qrels(self, rule: str, *, rel: int | None = None, set: str = "") -> bytes:  # noqa: A002
        """A gold as a qrels file.

        Parameters
        ----------
        rule : str
            A rule such as "majority" or "judge:ada".
        rel : int, optional
            A binary gold, with 1 for this grade and above.
        set : str
            Only topics of this set.

        Returns
        -------
        bytes
        """
        return self._bytes("golds", rule, rel=rel, set=set)

    def pages(self) -> list[dict[str, Any]]:
        """The pages with tables and figures.

        Returns
        -------
        list of dict
            ``page``, ``tables`` and ``figures``: the names for `table` and `figure`.
        """
        return list(self._get("pages"))

    def table(self, page: str, name: str, **query: Any) -> "pd.DataFrame":
        """A table of a page. If a job computes it, this waits for the job.

        Parameters
        ----------
        page, name : str
            The page and the table, as `pages` lists them.
        **query
            The choices of the page, such as measure="nDCG@10". Ids of one pair, topic or document begin with ``id_``.

        Returns
        -------
        DataFrame
        """
        return table_frame(self._bytes("tables", page, f"{name}.csv", **query))

    def figure(self, page: str, name: str, kind: str = "svg", **query: Any) -> bytes:
        """A figure of a page. If a job computes it, this waits for the job.

        Parameters
        ----------
        page, name : str
            The page and the figure, as `pages` lists them.
        kind : {"svg", "pdf", "png"}
            The format.
        **query
            The choices of the page, such as measure="nDCG@10".

        Returns
        -------
        bytes
        """
        return self._bytes("figures", page, f"{name}.{kind}", **query)

    def release(self, release_id: int) -> bytes:
        """The zip file of a release.

        Parameters
        ----------
        release_id : int
            Its id, as `releases` lists it.

        Returns
        -------
        bytes
        """
        return self._bytes("releases", f"{release_id}.zip")

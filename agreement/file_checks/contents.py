"""What a check keeps of files: ids and counts, so that large runs need not stay in memory."""

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import pandas as pd

from pooling.formats.document import Document
from pooling.ranking import ranked

TOP = 10  # documents of a ranking whose judgements are counted

Pair = tuple[str, str]  # query_id and doc_id


class RunContents(NamedTuple):
    """A run: its topics, the first documents of each, and how many documents share the score of another."""

    query_ids: frozenset[str]
    top: frozenset[Pair]
    documents: int
    tied: int


@dataclass
class Contents:
    """The ids of topics, documents, runs and judges that belong together.

    Attributes
    ----------
    titles : dict of str to str
        The title of each topic.
    documents : dict of str to bool
        Whether each document has a text.
    runs : dict of str to RunContents
        By the name of the system.
    judgements : dict of str to dict
        For each judge, the grade of each pair of query_id and doc_id.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.file_checks import Contents
    >>> contents = Contents()
    >>> run = {"system": "bm25", "query_id": "1", "doc_id": ["a", "b"], "score": [2.0, 2.0]}
    >>> contents.add_run("bm25", pd.DataFrame(run))
    >>> contents.runs["bm25"].tied
    2
    """

    titles: dict[str, str] = field(default_factory=dict)
    documents: dict[str, bool] = field(default_factory=dict)
    runs: dict[str, RunContents] = field(default_factory=dict)
    run_documents: set[str] = field(default_factory=set)
    judgements: dict[str, dict[Pair, int]] = field(default_factory=dict)

    def add_topics(self, topics: pd.DataFrame) -> None:
        """Add topics with the columns query_id and title."""
        self.titles |= dict(zip(topics["query_id"], topics["title"], strict=True))

    def add_documents(self, documents: Iterable[Document]) -> None:
        """Add documents. Their texts are not kept."""
        deque(self.noting(documents), maxlen=0)

    def noting(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Add documents while somebody else reads them."""
        for document in documents:
            self.documents[document.doc_id] = bool(document.text.strip())
            yield document

    def add_run(self, system: str, run: pd.DataFrame) -> None:
        """Add the run of a system. Only the first documents of each topic are kept."""
        rows = ranked(run)
        first = rows[rows["rank"] <= TOP]
        tied = int(rows.duplicated(["query_id", "score"], keep=False).sum())
        query_ids = frozenset(rows["query_id"].unique())
        self.runs[system] = RunContents(query_ids, _pairs(first), len(rows), tied)
        self.run_documents.update(rows["doc_id"].unique())

    def add_judgements(self, judgements: pd.DataFrame) -> None:
        """Add judgements with the columns assessor, query_id, doc_id and relevance."""
        for judge, rows in judgements.groupby("assessor", sort=False):
            grades = zip(rows["query_id"], rows["doc_id"], rows["relevance"].tolist(), strict=True)
            own = self.judgements.setdefault(str(judge), {})
            own |= {(query_id, doc_id): grade for query_id, doc_id, grade in grades}

    def judged(self) -> set[Pair]:
        """The pairs that any judge has judged."""
        return {pair for grades in self.judgements.values() for pair in grades}

    def judged_topics(self) -> set[str]:
        """The topics of which any judge has judged a document."""
        return {query_id for query_id, _ in self.judged()}

    def run_topics(self) -> set[str]:
        """The topics of any run."""
        return {query_id for run in self.runs.values() for query_id in run.query_ids}

    def grades(self, judge: str) -> Counter[int]:
        """How often a judge has given each grade."""
        return Counter(self.judgements[judge].values())


def _pairs(rows: pd.DataFrame) -> frozenset[Pair]:
    return frozenset(zip(rows["query_id"], rows["doc_id"], strict=True))

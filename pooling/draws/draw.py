"""A recorded random draw: the pairs that people grade, out of all pairs of a pool, with known probabilities.

Estimates from few human grades (`agreement.trust.few_grades`) need this record. Grades that somebody chose by hand
have no known probabilities, so no estimate can be made from them.

The designs:

- fixed size: a simple random sample without replacement of a fixed number of pairs of each stratum;
- Poisson: each pair by itself, with its own probability;
- two stages: first a simple random sample of the topics, then a sample of fixed size of each stratum of these topics.
"""

from dataclasses import dataclass

import pandas as pd

from pooling.inputs import Input, as_gold
from pooling.result import Result
from pooling.words import count

COLUMNS = ["query_id", "doc_id", "stratum", "inclusion_probability", "drawn"]


@dataclass(frozen=True, eq=False, repr=False)
class Draw(Result):
    """A recorded random draw of the pairs that people grade.

    Attributes
    ----------
    frame : DataFrame
        One row for each pair of the pool, drawn or not, sorted by query_id, then doc_id (as bytes), with the columns

        - query_id, doc_id (str);
        - stratum (str): pairs with the same text are one stratum; with two stages, a stratum lies in one topic;
        - inclusion_probability (float64): 0 < p <= 1, of both stages;
        - drawn (bool).
    is_fixed : bool
        Whether the number of drawn pairs of each stratum was fixed. False if each pair was drawn by itself (Poisson).
    drawn_topics : tuple of str or None
        The topics of the first stage, a simple random sample of all topics of the frame; None with one stage.
    seed : int
        The seed of the draw.
    """

    frame: pd.DataFrame
    is_fixed: bool
    drawn_topics: tuple[str, ...] | None
    seed: int

    def __len__(self) -> int:
        return int(self.frame["drawn"].sum())

    @property
    def drawn(self) -> pd.DataFrame:
        """The drawn pairs: columns query_id, doc_id, stratum and inclusion_probability."""
        return self.frame[self.frame["drawn"]].drop(columns="drawn").reset_index(drop=True)

    def graded(self, grades: Input) -> pd.DataFrame:
        """Join the grades of people with the record.

        Parameters
        ----------
        grades : table, path or dictionary
            Columns query_id, doc_id and relevance: one grade, at least 0, for each drawn pair.

        Returns
        -------
        DataFrame
            The frame with the column relevance, which is missing for pairs that were not drawn.

        Raises
        ------
        ValueError
            A drawn pair has no grade, a pair with a grade was not drawn, or a pair has two grades.
        """
        gold = as_gold(grades)[["query_id", "doc_id", "relevance"]]
        if gold.duplicated(["query_id", "doc_id"]).any():
            raise ValueError("A pair of topic and document has two grades. Give one grade for each drawn pair.")
        joined = self.frame.merge(gold, on=["query_id", "doc_id"], how="outer", indicator=True, sort=False)
        self._refuse_by_hand(joined[joined["_merge"] == "right_only"])
        joined = joined[joined["_merge"] == "both"]
        self._refuse_by_hand(joined[~joined["drawn"].astype(bool)])
        self._refuse_unfinished(len(self) - int((joined["relevance"] >= 0).sum()))
        return self.frame.merge(gold, on=["query_id", "doc_id"], how="left", validate="1:1")

    def _refuse_by_hand(self, rows: pd.DataFrame) -> None:
        if len(rows):
            row = rows.iloc[0]
            raise ValueError(
                f"{count(len(rows), 'grade')} {'is' if len(rows) == 1 else 'are'} of pairs that were not drawn, such as"
                f" document {row['doc_id']!r} of topic {row['query_id']!r}. An estimate needs grades of pairs drawn at"
                " random with known probabilities, because grades chosen by hand can reverse a comparison. `assay draw`"
                " draws them."
            )

    def _refuse_unfinished(self, n_open: int) -> None:
        if n_open:
            raise ValueError(
                f"{n_open} of {count(len(self), 'drawn pair')} {'has' if n_open == 1 else 'have'} no grade yet. An"
                " estimate needs all of them, because those that are graded first may differ from the others."
            )

    def to_frame(self) -> pd.DataFrame:
        """The number of pairs and of drawn pairs of each stratum."""
        by_stratum = self.frame.groupby("stratum", sort=True)["drawn"].agg(n_pairs="size", n_drawn="sum")
        return by_stratum.reset_index()

    def _sentence(self) -> str:
        strata = count(self.frame["stratum"].nunique(), "stratum", "strata")
        how = f"a fixed number of each of {strata}" if self.is_fixed else "each pair by itself"
        topics = "" if self.drawn_topics is None else f", in {count(len(self.drawn_topics), 'drawn topic')}"
        return f"{len(self):,} of {count(len(self.frame), 'pair')} drawn, {how}{topics} (seed {self.seed})."

"""A recorded random draw: the pairs that people grade, out of all pairs of a pool, with known probabilities.

Estimates from few human grades (`agreement.trust.few_grades`) need this record. Grades that somebody chose by hand
have no known probabilities, so no estimate can be made from them.

The designs:

- fixed size: a simple random sample without replacement of a fixed number of pairs of each stratum;
- own probabilities: each pair by itself (Poisson), or as many of each topic as the strategy `ask_people` drew, by
  priority sampling. Of both, any two pairs have uncorrelated errors, so the same estimates of variance hold;
- two stages: first a simple random sample of the topics, then a sample of fixed size of each stratum of these topics.

The design effect says what unequal probabilities cost: with the weights 1 / p, the variance of a mean is about

    sum of p  x  sum of 1 / p  /  N^2

times that of an equal-probability sample of the same expected size, if the values have nothing to do with the
probabilities (Kish 1965, with the sums over the sample replaced by their expectations over draws, so that it is known
before the draw). It is 1 for equal probabilities. A design that follows the gains of pairs may still be better: then
the values that vary most have the large probabilities.

L. Kish, Survey Sampling, Wiley, 1965, section 11.7.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from pooling.inputs import Input, as_gold
from pooling.result import Result
from pooling.words import count

if TYPE_CHECKING:
    from pooling.pools.pool import Pool
    from pooling.ranking import Runs

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
        Whether a fixed number of each stratum was drawn, as a simple random sample. False if each pair has a
        probability of its own (Poisson, or the strategy `ask_people`).
    drawn_topics : tuple of str or None
        The topics of the first stage, a simple random sample of all topics of the frame; None with one stage.
    seed : int
        The seed of the draw.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling.draws import draw_by_stratum
    >>> pairs = pd.DataFrame({"query_id": list("1122"), "doc_id": list("abab")})
    >>> draw = draw_by_stratum(pairs, 1, seed=1)
    >>> len(draw), draw.design_effect
    (2, 1.0)
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

    @property
    def expected_size(self) -> float:
        """The expected number of drawn pairs over all draws: the sum of the inclusion probabilities."""
        return float(self.frame["inclusion_probability"].sum())

    @property
    def design_effect(self) -> float:
        """What unequal inclusion probabilities cost, from 1 (nothing): Kish's factor on the variance of a mean."""
        probability = self.frame["inclusion_probability"].to_numpy()
        return max(float(probability.sum() * (1 / probability).sum() / len(probability) ** 2), 1.0)

    @classmethod
    def from_pools(cls, whole: "Pool", sample: "Pool", runs: "Runs | None" = None) -> "Draw":
        """The draw of a pool that a strategy drew at random out of a larger pool.

        Parameters
        ----------
        whole : Pool
            The pool of all documents out of which the sample was drawn, such as one of strategy "depth".
        sample : Pool
            The pool of the drawn documents, of strategy "random", "stratified" or "ask_people".
        runs : table, path, dictionary, iterable of these, or RankedRuns, optional
            The runs that were pooled. Only "ask_people" needs them.

        Returns
        -------
        Draw
            Of "random", a stratum is a topic; of "stratified", a topic and its ranks, such as "301 1-10".

        Raises
        ------
        ValueError
            If inclusion probabilities are unknown: another strategy, a union or difference, added or left out
            documents; or the sample was not drawn out of the whole pool or these runs.

        Examples
        --------
        >>> from pooling import pool
        >>> from pooling.draws import Draw
        >>> runs = {"s": {"1": {"a": 4, "b": 3}}, "t": {"1": {"c": 4, "d": 3}}}
        >>> draw = Draw.from_pools(pool(runs, depth=2), pool(runs, "random", size=2, depth=2, seed=1))
        >>> draw.frame["inclusion_probability"].tolist()
        [0.5, 0.5, 0.5, 0.5]
        """
        from pooling.draws.of_pools import frame_of_pools  # loads the strategies, which a graded draw does not need

        frame, is_fixed = frame_of_pools(whole, sample, runs)
        return cls(frame[COLUMNS], is_fixed=is_fixed, drawn_topics=None, seed=sample.seed or 0)

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
        n_strata = self.frame["stratum"].nunique()
        strata = "" if n_strata == 1 else f" of each of {n_strata:,} strata"
        how = f"a fixed number{strata}" if self.is_fixed else "each pair with its own probability"
        topics = "" if self.drawn_topics is None else f", in {count(len(self.drawn_topics), 'drawn topic')}"
        return f"{len(self):,} of {count(len(self.frame), 'pair')} drawn, {how}{topics} (seed {self.seed})."

"""How far two judges agree on what is new.

Whether a document is new depends on what its judge had seen before. Judges who see the documents in different orders
give different answers even if they agree on what the documents contain. Whether two documents share a subtopic depends
less on the order, so both are compared.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from agreement.coefficients.two_judges import cohen_kappa
from agreement.estimate import Estimate
from agreement.novelty.answers import ANSWERS, rows_by_topic
from agreement.novelty.subtopics import make_subtopics
from pooling.result import Result
from pooling.words import count

Key = tuple[str, str]


@dataclass(frozen=True, eq=False, repr=False)
class NoveltyAgreement(Result):
    """Agreement of two judges on the documents that both found relevant.

    Parameters
    ----------
    answers : DataFrame
        Counts of the documents that both gave an answer for, shape (3, 3): rows are the first judge's answers, columns
        the second's, in the order new, partly, nothing.
    kappa : Estimate
        Cohen's kappa of these answers, in [-1, 1]. `kappa.n` is the number of documents.
    pairs : DataFrame
        Counts of the pairs of documents that both found relevant in a topic, shape (2, 2): in rows whether the pair
        shares a subtopic for the first judge (True, False), in columns for the second.
    pair_kappa : Estimate
        Cohen's kappa of these pairs, in [-1, 1]. `pair_kappa.n` is the number of pairs.
    """

    answers: pd.DataFrame
    kappa: Estimate
    pairs: pd.DataFrame
    pair_kappa: Estimate

    def to_frame(self) -> pd.DataFrame:
        """The two kappas as a table.

        Returns
        -------
        DataFrame of shape (2, 14)
            compared ("answers" or "pairs of documents") and the columns of `Estimate.to_frame`.
        """
        frame = pd.concat([self.kappa.to_frame(), self.pair_kappa.to_frame()], ignore_index=True)
        frame.insert(0, "compared", ["answers", "pairs of documents"])
        return frame

    def _sentence(self) -> str:
        answers, pairs = count(self.kappa.n or 0, "document"), count(self.pair_kappa.n or 0, "pair")
        return (
            f"Kappa of the answers is {self.kappa.shown()} ({answers}), and that of shared subtopics "
            f"{self.pair_kappa.shown()} ({pairs})."
        )

    def _paper_table(self) -> pd.DataFrame:
        kappas = {"answers": self.kappa, "pairs of documents": self.pair_kappa}
        rows = [{"compared": name, "kappa": kappa.shown(), "n": str(kappa.n or 0)} for name, kappa in kappas.items()]
        return pd.DataFrame(rows)


def novelty_agreement(a: pd.DataFrame, b: pd.DataFrame) -> NoveltyAgreement:
    """Agreement of two judges on what relevant documents add to each other.

    Parameters
    ----------
    a, b : DataFrame
        The answers of each judge: query_id, doc_id, answer and repeats, one row for each relevant document.

    Returns
    -------
    NoveltyAgreement
        The tables of answers and of pairs of documents, with Cohen's kappa of each. A kappa is undefined if there is
        nothing to compare, or only one category.

    Raises
    ------
    ValueError
        A table is not one that `make_subtopics` accepts.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.novelty import novelty_agreement
    >>> columns = ["query_id", "doc_id", "answer", "repeats"]
    >>> a = pd.DataFrame([("1", "x", "new", []), ("1", "y", "nothing", ["x"]), ("1", "z", "new", [])], columns=columns)
    >>> b = pd.DataFrame([("1", "x", "new", []), ("1", "y", "partly", ["x"]), ("1", "z", "new", [])], columns=columns)
    >>> result = novelty_agreement(a, b)
    >>> f"{result.kappa:.2f} of {result.kappa.n} documents, {result.pair_kappa:.2f} of {result.pair_kappa.n} pairs"
    '0.40 of 3 documents, 1.00 of 3 pairs'
    """
    answers = _answer_table(_answers(a), _answers(b))
    pairs = _pair_table(_subtopics(a), _subtopics(b))
    return NoveltyAgreement(answers, cohen_kappa(answers.to_numpy()), pairs, cohen_kappa(pairs.to_numpy()))


def _answers(table: pd.DataFrame) -> dict[Key, str]:
    return {(row.query_id, row.doc_id): row.answer for _, rows in rows_by_topic(table) for row in rows}


def _answer_table(a: dict[Key, str], b: dict[Key, str]) -> pd.DataFrame:
    counts = np.zeros((len(ANSWERS), len(ANSWERS)), dtype=int)
    for key in a.keys() & b.keys():
        if a[key] and b[key]:
            counts[ANSWERS.index(a[key]), ANSWERS.index(b[key])] += 1
    return pd.DataFrame(counts, index=list(ANSWERS), columns=list(ANSWERS))


def _subtopics(table: pd.DataFrame) -> dict[str, dict[str, set[str]]]:
    """Return the subtopics of each document, by topic."""
    topics: dict[str, dict[str, set[str]]] = {}
    for query_id, subtopic, doc_id in make_subtopics(table).itertuples(index=False):
        topics.setdefault(query_id, {}).setdefault(doc_id, set()).add(subtopic)
    return topics


def _pair_table(a: dict[str, dict[str, set[str]]], b: dict[str, dict[str, set[str]]]) -> pd.DataFrame:
    counts = np.zeros((2, 2), dtype=int)
    for query_id in a.keys() & b.keys():
        for x, y in combinations(sorted(a[query_id].keys() & b[query_id].keys()), 2):
            shares = [bool(topics[query_id][x] & topics[query_id][y]) for topics in (a, b)]
            counts[int(not shares[0]), int(not shares[1])] += 1
    return pd.DataFrame(counts, index=[True, False], columns=[True, False])

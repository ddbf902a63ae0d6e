"""A judge without network, key or language model: words in common, mapped to grades by what people graded.

Score
    BM25 as Lucene computes it, by bm25s with its own parameters (k1 = 1.5, b = 0.75), of the topic's title (or its
    description, if it has no title) over the documents of the pairs, divided by the best score of the topic. Words are
    two or more letters or digits, in small letters, without bm25s' list of English stop words.
Grade
    The grade nearest to the expected grade by `pooling.models.regression`; the lower one of two. It is fitted with
    cross-fitting: topics are drawn into folds, and the grades of a topic are computed from the human grades of the
    topics in other folds only. So no document's grade rests on its own human grade, nor on its topic's.

It measures words, not relevance, and uses the grades of the people it is compared with, though of other topics. It is a
baseline that a model should beat, and a way to try the whole path; its record says what it is.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pooling.errors import shown
from pooling.inputs import Input, as_gold
from pooling.models.answers import Pair
from pooling.models.ask import in_drawn_order
from pooling.models.regression import fit_grades
from pooling.models.scale import Scale, values_of
from pooling.words import count, first_names

ABOUT = (
    "BM25 of topic and document, mapped to grades by isotonic regression on human grades of other topics "
    "(cross-fitted). No language model."
)
FOLDS = 5


@dataclass(frozen=True, eq=False)
class OfflineGrades:
    """The grades of the offline judge.

    Attributes
    ----------
    frame : DataFrame
        One row for each pair with a text: query_id, doc_id (str), relevance (int64), expected, score (float64), fold
        (int64; -1 for a topic without human grades) and p_0, p_1 and so on, the probabilities of the grades.
    record : dict
        What the judge is: kind, about, seed, folds, scale, and the numbers of human grades and topics used.
    notes : list of str
        Sentences about what was left out.

    Examples
    --------
    >>> from pooling.models import Pair, checked_scale, offline_judge
    >>> pairs = [Pair(query_id, "d1", {"title": "tea"}, "green tea") for query_id in "12"]
    >>> graded = offline_judge(pairs, {"1": {"d1": 1}, "2": {"d1": 1}}, checked_scale([(0,), (1,)]), seed=1)
    >>> graded.qrels["relevance"].tolist(), graded.record["human_topics"], graded.notes
    ([1, 1], 2, [])
    """

    frame: pd.DataFrame
    record: Mapping[str, Any]
    notes: list[str]

    @property
    def qrels(self) -> pd.DataFrame:
        """The grades as `write_qrels` takes them: query_id, doc_id and relevance."""
        return self.frame[["query_id", "doc_id", "relevance"]]


def offline_judge(pairs: Iterable[Pair], human: Input, scale: Scale, *, seed: int, folds: int = FOLDS) -> OfflineGrades:
    """Grade pairs by their words and by the human grades of other topics.

    Parameters
    ----------
    pairs : iterable of Pair
        What to judge. Pairs without a text are left out.
    human : table, path or dictionary
        The grades of people: query_id, doc_id and relevance. Negative ones are not judged. Those of documents that are
        not among the pairs are not used.
    scale : tuple of PoolGrade
        The scale, as `checked_scale` returns it.
    seed : int
        Draws the topics into folds.
    folds : int
        How many, from 2; at most as many as there are topics with human grades.

    Returns
    -------
    OfflineGrades
        `frame`, `qrels`, `record` and `notes`.

    Raises
    ------
    ValueError
        If a pair occurs twice, a document has two texts, a human grade is not on the scale, fewer than two topics have
        human grades, or bm25s is not installed.

    Examples
    --------
    >>> from pooling.models import Pair, checked_scale, offline_judge
    >>> texts = {"a": "green tea leaves", "b": "stone bridge", "c": "black tea"}
    >>> topics = {"1": {"title": "tea"}, "2": {"title": "stone bridge"}, "3": {"title": "green leaves"}}
    >>> pairs = [Pair(query_id, doc_id, topics[query_id], texts[doc_id]) for query_id in topics for doc_id in texts]
    >>> human = {"1": {"a": 1, "b": 0, "c": 1}, "2": {"a": 0, "b": 1, "c": 0}, "3": {"a": 1, "b": 0, "c": 0}}
    >>> graded = offline_judge(pairs, human, checked_scale([(0,), (1,)]), seed=1)
    >>> graded.qrels[graded.qrels["query_id"] == "2"]["relevance"].tolist()
    [0, 1, 0]
    """
    if type(folds) is not int or folds < 2:
        raise ValueError(f"folds must be an integer from 2, not {folds!r}.")
    listed = sorted(in_drawn_order(pairs, seed), key=lambda pair: (pair.query_id, pair.doc_id, pair.repeat))
    with_text = [pair._replace(text=pair.document()) for pair in listed if pair.has_text()]
    frame = pd.DataFrame(
        {"query_id": [pair.query_id for pair in with_text], "doc_id": [pair.doc_id for pair in with_text]}, dtype=str
    )
    frame["score"] = _scores(with_text)
    known, unused = _human_grades(frame, as_gold(human), values_of(scale))
    fold_of = _folds(frame.loc[known.notna(), "query_id"].unique(), folds, seed)
    graded = _graded(frame, known, fold_of, values_of(scale))
    record = {
        "kind": "offline",
        "about": ABOUT,
        "seed": seed,
        "folds": len(set(fold_of.values())),
        "scale": [list(grade) for grade in scale],
        "human_grades": int(known.notna().sum()),
        "human_topics": len(fold_of),
    }
    return OfflineGrades(graded, record, _notes(listed, unused, graded))


def _scores(pairs: Sequence[Pair]) -> np.ndarray:
    """Return BM25 by the best of the topic, of shape (n_pairs,), from 0 to 1."""
    texts = _texts(pairs)
    rows = {doc_id: row for row, doc_id in enumerate(texts)}
    queries = {pair.query_id: str(pair.topic.get("title") or pair.topic.get("description") or "") for pair in pairs}
    by_topic = dict(zip(queries, _bm25(list(texts.values()), list(queries.values())), strict=True))
    found = np.array([by_topic[pair.query_id][rows[pair.doc_id]] for pair in pairs], dtype=np.float64)
    best: dict[str, float] = {}
    for pair, score in zip(pairs, found, strict=True):
        best[pair.query_id] = max(best.get(pair.query_id, 0.0), score)
    divisors = np.array([best[pair.query_id] or 1.0 for pair in pairs])
    return found / divisors if len(pairs) else found


def _bm25(texts: list[str], queries: list[str]) -> list[np.ndarray]:
    """Return the scores of all texts for each query."""
    try:
        import bm25s  # slow to import
    except ImportError as error:
        raise ValueError("The offline judge needs bm25s, which the extra ir-assay[models] installs.") from error
    words = bm25s.tokenize(texts, return_ids=False, show_progress=False) if texts else []
    asked = bm25s.tokenize(queries, return_ids=False, show_progress=False) if queries else []
    if not any(words):
        return [np.zeros(len(texts)) for _ in queries]
    index = bm25s.BM25(method="lucene", dtype="float64")
    index.index(words, show_progress=False)
    return [np.asarray(index.get_scores(each)) if each else np.zeros(len(texts)) for each in asked]


def _texts(pairs: Sequence[Pair]) -> dict[str, str]:
    """Return the text of each document. Several topics may have the same document, with the same text."""
    found: dict[str, str] = {}
    for pair in pairs:
        text = pair.document() or pair.passage
        if found.setdefault(pair.doc_id, text) != text:
            raise ValueError(f"Document {shown(pair.doc_id)} has two different texts; a document has one.")
    return found


def _human_grades(frame: pd.DataFrame, human: pd.DataFrame, grades: list[int]) -> tuple["pd.Series[Any]", int]:
    """Return the human grade of each row of the frame (NaN: none), and how many human grades have no row."""
    judged = human[human["relevance"] >= 0]
    wrong = judged[~judged["relevance"].isin(grades)]
    if len(wrong):
        row = wrong.iloc[0]
        raise ValueError(
            f"The grade {row['relevance']} of topic {row['query_id']}, document {row['doc_id']} is not on the scale "
            f"{', '.join(map(str, grades))}."
        )
    by_pair = judged.drop_duplicates(["query_id", "doc_id"]).set_index(["query_id", "doc_id"])["relevance"]
    if len(by_pair) < len(judged):
        raise ValueError("The human grades have a pair twice; combine several judges into one gold first.")
    known = by_pair.reindex(pd.MultiIndex.from_frame(frame[["query_id", "doc_id"]])).reset_index(drop=True)
    topics = frame.loc[known.notna(), "query_id"].nunique()
    if topics < 2:
        raise ValueError(
            f"The offline judge needs human grades of pairs of at least 2 topics, not {topics}. "
            f"{_examples(frame, judged)}"
        )
    return known, len(by_pair) - int(known.notna().sum())


def _examples(frame: pd.DataFrame, judged: pd.DataFrame) -> str:
    """Name a pair of each side, since the ids may differ."""
    sides = (("The pairs", frame), ("the human grades", judged))
    return ", and ".join(f"{name} {_first_pair(side)}" for name, side in sides) + "."


def _first_pair(side: pd.DataFrame) -> str:
    if side.empty:
        return "are empty"
    query_id, doc_id = (shown(str(side.iloc[0][name])) for name in ("query_id", "doc_id"))
    return f"have topic {query_id}, document {doc_id}"


def _folds(topics: Iterable[str], folds: int, seed: int) -> dict[str, int]:
    """Draw topics into folds of nearly the same size."""
    drawn = sorted(topics, key=lambda query_id: hashlib.sha256(f"{seed}\n{query_id}".encode()).digest())
    return {query_id: number % min(folds, len(drawn)) for number, query_id in enumerate(drawn)}


def _graded(
    frame: pd.DataFrame, known: "pd.Series[Any]", fold_of: Mapping[str, int], grades: list[int]
) -> pd.DataFrame:
    """Return the frame with grades, each from the human grades of other folds."""
    fold = frame["query_id"].map(fold_of).fillna(-1).astype("int64").to_numpy()
    scores, relevance = frame["score"].to_numpy(), known.to_numpy(dtype=np.float64, na_value=np.nan)
    chances = np.zeros((len(frame), len(grades)))
    for number in np.unique(fold):
        rows, others = fold == number, (fold != number) & ~np.isnan(relevance)
        chances[rows] = fit_grades(scores[others], relevance[others], grades).probabilities(scores[rows])
    expected = chances @ np.array(grades, dtype=np.float64)
    nearest = np.abs(expected[:, None] - np.array(grades)).argmin(axis=1)  # the first, so the lower, of two
    columns = {f"p_{grade}": chances[:, at] for at, grade in enumerate(grades)}
    graded = {"relevance": np.array(grades, dtype=np.int64)[nearest], "expected": expected, "fold": fold}
    found = frame.assign(**graded, **columns)
    return found[["query_id", "doc_id", "relevance", "expected", "score", "fold", *columns]]


def _notes(listed: list[Pair], unused: int, graded: pd.DataFrame) -> list[str]:
    notes = []
    if without := [pair.name for pair in listed if not pair.has_text()]:
        notes.append(f"{count(len(without), 'pair')} without a text have no grade ({first_names(without, 2)}).")
    if unused:
        notes.append(f"{count(unused, 'human grade')} of documents that are not among the pairs were not used.")
    alone = graded.loc[graded["fold"] < 0, "query_id"].unique()
    if len(alone):
        notes.append(
            f"{count(len(alone), 'topic')} without human grades ({first_names(alone)}) use those of all others."
        )
    words = graded.groupby("query_id")["score"].max()
    if len(wordless := words[words == 0].index):
        notes.append(f"No document has a word of {count(len(wordless), 'topic')} ({first_names(wordless)}).")
    return notes

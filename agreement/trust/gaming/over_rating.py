"""Which non-relevant documents does the judge rate too high: long ones, or those with the words of the query?

Of the documents with the lowest grade of people, the share that the judge calls relevant is given by quarter of the
document's length and of its overlap with the query. The effect is the slope of this share over one standard deviation
of the logarithm of the length, or of the overlap, within each topic; the mean over topics, each with the weight of its
information, is tested with topics as the sample.

Words are runs of letters and digits, in lower case. The overlap is the share of the distinct words of the query that
the document contains.

`disagreement_by_topic` asks whether the judge disagrees with people more on some topics than the draw of documents
alone would give.

Sources: arXiv 2602.17170 (over-rating); arXiv 2601.01751 (disagreement in clusters of topics); W. G. Cochran (1954),
Some methods for strengthening the common chi-square tests, Biometrics 10(4), 417-451.
"""

import re
from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy import special

from agreement.trust.gaming.finding import Finding, TopicMean
from agreement.trust.scored_judges import PAIR, ScoredJudges

WORD = re.compile(r"\w+")
QUARTERS = 4
DRAWS = 1000
LEAST = 20  # documents without relevance that a slope needs


def over_rating(
    judges: ScoredJudges,
    model: str,
    rel: float,
    documents: Mapping[str, str] | None,
    topics: Mapping[str, str] | None,
    *,
    confidence: float = 0.95,
) -> tuple[list[Finding], pd.DataFrame]:
    """Return the slopes of over-rating over length and query words, and the shares by quarter.

    Parameters
    ----------
    judges : ScoredJudges
    model : str
        The name of the model.
    rel : float
        Lowest grade of the model that counts as relevant.
    documents : mapping of str to str or None
        The text of each document by its doc_id. Documents without text are left out.
    topics : mapping of str to str or None
        The query of each topic by its query_id, for the overlap.
    confidence : float, optional
        Level of the intervals.

    Returns
    -------
    findings : list of Finding
        Length and query words; undefined without texts.
    shares : DataFrame
        Columns by ("length" or "query words"), quarter (1 is the lowest), least, most, n and share.
    """
    rows = _nonrelevant(judges, model, rel)
    values = {
        "length": None if documents is None else _lengths(rows, documents),
        "query words": None if documents is None or topics is None else _overlaps(rows, documents, topics),
    }
    findings, shares = [], []
    for name, value in values.items():
        finding, table = _slope(name, rows, value, confidence)
        findings.append(finding)
        shares.append(table)
    return findings, pd.concat(shares, ignore_index=True)


def _nonrelevant(judges: ScoredJudges, model: str, rel: float) -> pd.DataFrame:
    """The pairs with the lowest grade of people, and whether the model calls them relevant."""
    both = judges.people[judges.reference].merge(judges.models[model], on=PAIR, suffixes=("", "_model"))
    lowest: pd.DataFrame = both[both["relevance"] == both["relevance"].min()].reset_index(drop=True)
    return lowest.assign(rated=(lowest["relevance_model"] >= rel).astype("float64"))


def _lengths(rows: pd.DataFrame, documents: Mapping[str, str]) -> np.ndarray:
    """The logarithm of the number of words; NaN without text."""
    lengths = {doc_id: np.log1p(len(_words(documents.get(doc_id)))) for doc_id in rows["doc_id"].unique()}
    known = rows["doc_id"].isin(documents.keys())
    return rows["doc_id"].map(lengths).where(known).to_numpy(np.float64)


def _overlaps(rows: pd.DataFrame, documents: Mapping[str, str], topics: Mapping[str, str]) -> np.ndarray:
    """The share of the words of the query that a document has; NaN without one of the texts."""
    queries = {query_id: set(_words(text)) for query_id, text in topics.items()}
    words = {doc_id: set(_words(documents[doc_id])) for doc_id in rows["doc_id"].unique() if doc_id in documents}
    return np.array(
        [
            len(queries[query_id] & words[doc_id]) / len(queries[query_id])
            if queries.get(query_id) and doc_id in words
            else np.nan
            for query_id, doc_id in zip(rows["query_id"], rows["doc_id"], strict=True)
        ]
    )


def _words(text: str | None) -> list[str]:
    return WORD.findall((text or "").lower())


def _slope(name: str, rows: pd.DataFrame, value: np.ndarray | None, confidence: float) -> tuple[Finding, pd.DataFrame]:
    test = f"over-rating by {name}"
    question = "Does the judge overrate long documents?" if name == "length" else "Does it overrate words of the query?"
    empty = pd.DataFrame(columns=["by", "quarter", "least", "most", "n", "share"])
    if value is None:
        return Finding(test, question, reason="no texts"), empty
    known = ~np.isnan(value)
    rows, value = rows[known], value[known]
    if len(rows) < LEAST or value.std() == 0:
        return Finding(test, question, reason=f"fewer than {LEAST} documents without relevance, or all alike"), empty
    by_topic, weights = _slopes(rows["query_id"].to_numpy(), (value - value.mean()) / value.std(), rows["rated"])
    mean = TopicMean.of(by_topic * weights / weights.mean(), confidence)
    shares = _shares(name, rows["rated"].to_numpy(), np.expm1(value) if name == "length" else value)
    first, last = shares["share"].iloc[0], shares["share"].iloc[-1]
    sentence = (
        f"Of documents that people find not relevant, the judge calls {first:.0%} of the quarter with the lowest {name}"
        f" relevant, and {last:.0%} of that with the highest."
    )
    return Finding(test, question, mean.mean, mean.low, mean.high, mean.p, mean.n, sentence), shares


def _slopes(topics: np.ndarray, value: np.ndarray, rated: "pd.Series[float]") -> tuple[np.ndarray, np.ndarray]:
    """The slope of each topic, and its weight, the sum of squares of the value within the topic."""
    frame = pd.DataFrame({"topic": topics, "x": value, "y": rated.to_numpy()})
    centred = frame[["x", "y"]] - frame.groupby("topic")[["x", "y"]].transform("mean")
    sums = pd.DataFrame({"xx": centred["x"] ** 2, "xy": centred["x"] * centred["y"]}).groupby(frame["topic"]).sum()
    sums = sums[sums["xx"] > 1e-12]
    return (sums["xy"] / sums["xx"]).to_numpy(), sums["xx"].to_numpy()


def _shares(name: str, rated: np.ndarray, value: np.ndarray) -> pd.DataFrame:
    quarter = pd.qcut(pd.Series(value).rank(method="first"), QUARTERS, labels=False).to_numpy()
    rows = [
        {"by": name, "quarter": number + 1, "least": part.min(), "most": part.max(), "n": len(part), "share": share}
        for number in range(QUARTERS)
        for part, share in [(value[quarter == number], float(rated[quarter == number].mean()))]
    ]
    return pd.DataFrame(rows)


def disagreement_by_topic(
    judges: ScoredJudges, model: str, cuts: tuple[float, float], *, confidence: float = 0.95, seed: int = 0
) -> tuple[Finding, pd.DataFrame]:
    """Return whether the share of disagreements on relevance differs between topics, and the share of each topic.

    `cuts` are the lowest grades of people and of the model that count as relevant. The effect is the standard deviation
    of the true shares over topics, the observed one less that of the draw (0 if that is larger). Its interval resamples
    topics; the p-value is that of a chi-square test.
    """
    test, question = "disagreement by topic", "Does the judge disagree more on some topics?"
    both = judges.people[judges.reference].merge(judges.models[model], on=PAIR, suffixes=("", "_model"))
    differ = (both["relevance"] >= cuts[0]) != (both["relevance_model"] >= cuts[1])
    table = differ.groupby(both["query_id"]).agg(["size", "mean"]).reset_index()
    table.columns = pd.Index(["query_id", "n", "share"])
    mean = float(differ.mean()) if len(differ) else 0.0
    if len(table) < 2 or mean in (0.0, 1.0):
        return Finding(test, question, reason="fewer than 2 topics, or the same on all"), table
    n, share = table["n"].to_numpy(np.float64), table["share"].to_numpy(np.float64)
    statistic = float((n * (share - mean) ** 2).sum() / (mean * (1 - mean)))
    p = float(special.chdtrc(len(table) - 1, statistic))
    beyond = float(_beyond_chance(n, share))
    drawn = np.random.default_rng(seed).integers(0, len(table), (DRAWS, len(table)))
    low, high = np.quantile(_beyond_chance(n[drawn], share[drawn]), [(1 - confidence) / 2, (1 + confidence) / 2])
    worst = table.sort_values(["share", "query_id"], ascending=[False, True]).iloc[0]
    sentence = (
        f"Judge and people disagree on {mean:.0%} of the documents; by topic, the standard deviation is {beyond:.2f}"
        f" beyond chance, and topic {worst['query_id']} has most ({worst['share']:.0%})."
    )
    return Finding(test, question, beyond, float(low), float(high), p, len(table), sentence), table


def _beyond_chance(n: np.ndarray, share: np.ndarray) -> np.ndarray:
    """The standard deviation of shares over topics (the last axis), less that of the draw of documents; at least 0."""
    mean = (n * share).sum(axis=-1) / n.sum(axis=-1)
    by_chance = mean * (1 - mean) * (1 / n).mean(axis=-1)
    return np.asarray(np.sqrt(np.maximum(share.var(axis=-1, ddof=1) - by_chance, 0)))

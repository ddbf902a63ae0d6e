"""Creates the demo's five runs: ``python -m assess.demo.make_runs``. This needs the test requirements.

The five systems rank documents by different methods:

- ``bm25``       BM25 over title and text; the query is the title twice and the description once;
- ``chargram``   cosine of tf-idf vectors of character 3- to 5-grams; the query is the title;
- ``lsa``        cosine in the space of the 120 largest singular vectors; the query is the whole topic;
- ``dirichlet``  query likelihood with Dirichlet smoothing, of the best passage of the text; the query is the
  description and the narrative;
- ``names``      the parts of the document's name that match the topic, then feedback terms of the first five.

Each system writes its first 100 documents per topic to ``runs/NAME.run.gz``. The runs in the repository were created
with Python 3.11 and rank its documents. Run this again only if documents or topics change, and then judge the
documents that are new in the pool.
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path

import bm25s
import numpy as np
import pandas as pd
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer, TfidfVectorizer
from sklearn.preprocessing import normalize

from assess.demo.documents import Document, documents
from pooling.ranking import order, ranked
from pooling.writing import write_run

HERE = Path(__file__).parent
DEPTH = 100
DIGITS = 6  # of a score; more digits differ between processors

Topic = dict[str, str]

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_QUESTION_WORDS = frozenset({"does", "python", "say", "tell", "want", "way", "write", "written"})


def bm25(collection: list[Document], topics: list[Topic]) -> np.ndarray:
    index = bm25s.BM25(k1=0.9, b=0.4)
    index.index([words(_title_and_text(document)) for document in collection], show_progress=False)
    queries = [words(_query(t, "title", "title", "description")) for t in topics]
    return np.array([index.get_scores(query) for query in queries], dtype=float)


def chargram(collection: list[Document], topics: list[Topic]) -> np.ndarray:
    vectorizer = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True)
    vectors = vectorizer.fit_transform([_title_and_text(document) for document in collection])
    scores: np.ndarray = (vectorizer.transform([_query(t, "title") for t in topics]) @ vectors.T).toarray()
    return scores


def lsa(collection: list[Document], topics: list[Topic]) -> np.ndarray:
    vectorizer = TfidfVectorizer(analyzer=words, sublinear_tf=True, min_df=2)
    reduction = TruncatedSVD(n_components=120, algorithm="arpack", random_state=7)
    vectors = reduction.fit_transform(vectorizer.fit_transform([_title_and_text(d) for d in collection]))
    queries = [_query(t, "title", "description", "narrative") for t in topics]
    query_vectors = reduction.transform(vectorizer.transform(queries))
    scores: np.ndarray = normalize(query_vectors) @ normalize(vectors).T
    return scores


def dirichlet(collection: list[Document], topics: list[Topic], mu: float = 100.0, size: int = 60) -> np.ndarray:
    vectorizer = CountVectorizer(analyzer=list)
    texts = [words(text) for _, _, text in collection]
    passages = [(i, text[at : at + size]) for i, text in enumerate(texts) for at in range(0, len(text) or 1, size // 2)]
    counts = vectorizer.fit_transform([passage for _, passage in passages])
    expected = np.asarray(counts.sum(axis=0))[0] * mu / counts.sum()
    seen = counts.multiply(1 / expected).tocsr().log1p()
    query_counts = vectorizer.transform([words(_query(t, "description", "narrative")) for t in topics])
    unseen = np.log(mu / (mu + np.asarray(counts.sum(axis=1))[:, 0]))
    likelihoods = (query_counts @ seen.T).toarray() + query_counts.sum(axis=1) * unseen[None]
    best = np.full((len(topics), len(collection)), -np.inf)
    np.maximum.at(best.T, [i for i, _ in passages], likelihoods.T)
    return best


def names(collection: list[Document], topics: list[Topic], feedback: int = 5, terms: int = 12) -> np.ndarray:
    doc_ids = np.array([doc_id for doc_id, _, _ in collection])
    parts = [Counter(words(doc_id.partition(":")[2].replace(".", " "))) for doc_id in doc_ids]
    vectorizer = TfidfVectorizer(analyzer=words, sublinear_tf=True)
    vectors = vectorizer.fit_transform([_title_and_text(d) for d in collection])
    scores = []
    for topic in topics:
        query_words = Counter(words(_query(topic, "title", "description")))
        first = np.array([_name_match(query_words, part) for part in parts])
        first += (vectorizer.transform([topic["title"]]) @ vectors.T).toarray()[0]
        best = order(np.zeros(len(first), int), first, doc_ids)[:feedback]
        model = np.asarray(vectors[best].multiply(first[best][:, None]).sum(axis=0))[0]
        model[np.argsort(-model, kind="stable")[terms:]] = 0
        scores.append(first / first.max() + normalize(model[None])[0] @ vectors.T)
    return np.array(scores)


def _name_match(query_words: Counter[str], parts: Counter[str]) -> float:
    """Return the share of the name's parts in the query. A part that is a prefix ("iter" of "iterate") counts half."""
    exact = sum(part in query_words for part in parts)
    prefixes = sum(len(p) > 2 and any(w.startswith(p) and w != p for w in query_words) for p in parts)
    return (exact + prefixes / 2) / (len(parts) + 1)


def words(text: str) -> list[str]:
    """Return lower-case words without stop words. Identifiers are split, and plurals lose their s."""
    all_words = (word.lower() for word in _WORD.findall(text))
    kept = (w for w in all_words if w not in ENGLISH_STOP_WORDS and w not in _QUESTION_WORDS)
    return [w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in kept]


def _query(topic: Topic, *fields: str) -> str:
    return " ".join(topic[field] for field in fields)


def _title_and_text(document: Document) -> str:
    return f"{document[1]} {document[2]}"


def run(system: str, doc_ids: np.ndarray, topics: list[Topic], scores: np.ndarray) -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            "system": system,
            "query_id": np.repeat([topic["query_id"] for topic in topics], len(doc_ids)),
            "doc_id": np.tile(doc_ids, len(topics)),
            "score": scores.round(DIGITS).ravel(),
        }
    )
    rows = ranked(frame)
    return rows[rows["rank"] <= DEPTH]


def main() -> None:
    collection = list(documents())
    doc_ids = np.array([doc_id for doc_id, _, _ in collection])
    with (HERE / "topics.jsonl").open(encoding="utf-8") as file:
        topics = [json.loads(line) for line in file]
    for system in (bm25, chargram, lsa, dirichlet, names):
        path = HERE / "runs" / f"{system.__name__}.run.gz"
        write_run(run(system.__name__, doc_ids, topics, system(collection, topics)), path)
        sys.stdout.write(f"{path.name}: {len(topics)} topics of {len(collection)} documents\n")


if __name__ == "__main__":
    main()

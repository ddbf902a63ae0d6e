"""Documents as tf-idf vectors, by scikit-learn, which is needed for this alone."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

Texts = Mapping[str, str] | Callable[[str], str]


@dataclass(frozen=True, eq=False)
class TextFeatures:
    """The documents of a topic, and the topic itself where its words are known, as vectors of length 1.

    Attributes
    ----------
    documents : scipy.sparse matrix, shape (n_documents, n_terms)
        (1 + ln tf) * idf of the terms of two letters and more; idf over these documents.
    query : scipy.sparse matrix, shape (1, n_terms), or None
    """

    documents: object
    query: object | None


def text_features(doc_ids: tuple[str, ...], texts: Texts, query: str | None) -> TextFeatures:
    """The vectors of documents.

    Raises
    ------
    ValueError
        scikit-learn is not there, a document has no text, or no document has a word.
    """
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
    except ImportError as error:
        raise _lacking_sklearn() from error
    vectorizer = TfidfVectorizer(sublinear_tf=True)
    found = [_text(texts, doc_id) for doc_id in doc_ids]
    try:
        documents = vectorizer.fit_transform(found)
    except ValueError as error:
        raise ValueError(f"none of the {len(doc_ids)} documents has a word in its text") from error
    return TextFeatures(documents, None if query is None else vectorizer.transform([query]))


def relevance_scores(features: TextFeatures, rows: np.ndarray, relevant: np.ndarray, c: float) -> np.ndarray | None:
    """How relevant each document looks: log-odds by a logistic regression on some of them.

    Parameters
    ----------
    features : TextFeatures
        Where the topic's words are known, they are one more relevant document to learn from.
    rows : ndarray of int, shape (n,)
        Documents to learn from.
    relevant : ndarray of int, shape (n,)
        1 where it is relevant, 0 where not.
    c : float
        Above 0; the smaller, the less is believed of few documents.

    Returns
    -------
    ndarray of float, shape (n_documents,), or None
        None where there is nothing relevant to learn from, or nothing else.
    """
    try:
        from scipy.sparse import vstack
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise _lacking_sklearn() from error
    examples, labels = features.documents[rows], relevant
    if features.query is not None:
        examples, labels = vstack([examples, features.query]), np.append(relevant, 1)
    if len(np.unique(labels)) < 2:
        return None
    # The dual solver works on the few examples, not on the many terms: milliseconds, whatever else the machine does.
    model = LogisticRegression(C=c, solver="liblinear", dual=True, max_iter=1000, random_state=0)
    model.fit(examples, labels)
    return model.decision_function(features.documents)


def _text(texts: Texts, doc_id: str) -> str:
    text = texts(doc_id) if callable(texts) else texts.get(doc_id)
    if text is None:
        raise ValueError(f"document {doc_id!r} has no text; cal needs the text of every document of the runs")
    return text


def _lacking_sklearn() -> ValueError:
    return ValueError("strategy 'cal' needs scikit-learn, which is not installed: pip install scikit-learn")

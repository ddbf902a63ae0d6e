"""Documents as tf-idf vectors, computed by scikit-learn, which only this module needs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

Texts: TypeAlias = Mapping[str, str] | Callable[[str], str]


@dataclass(frozen=True, eq=False)
class TextFeatures:
    """Documents as vectors of length 1.

    Attributes
    ----------
    documents : scipy.sparse matrix, shape (n_documents, n_terms)
        (1 + ln tf) * idf of the terms of two or more letters; idf is computed over these documents.
    vectorizer : sklearn.feature_extraction.text.TfidfVectorizer
        What computed them.
    """

    documents: Any
    vectorizer: Any

    def query_vector(self, query: str) -> Any:
        """Compute the vector of a query.

        Shapes: the result (1, n_terms).
        """
        return self.vectorizer.transform([query])


def text_features(doc_ids: tuple[str, ...], texts: Texts) -> TextFeatures:
    """Compute the tf-idf vectors of documents."""
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer  # slow to import
    except ImportError as error:
        raise _sklearn_missing() from error
    vectorizer = TfidfVectorizer(sublinear_tf=True)
    contents = [_text(texts, doc_id) for doc_id in doc_ids]
    try:
        documents = vectorizer.fit_transform(contents)
    except ValueError as error:
        raise ValueError(f"none of the {len(doc_ids)} documents contains a word") from error
    return TextFeatures(documents, vectorizer)


def relevance_scores(
    features: TextFeatures, rows: np.ndarray, relevant: np.ndarray, c: float, query: str | None = None
) -> np.ndarray | None:
    """Score the relevance of each document with a logistic regression.

    Shapes: `rows`, `relevant` (n,); the result (n_documents,).
    """
    try:
        from scipy.sparse import vstack
        from sklearn.linear_model import LogisticRegression  # slow to import
    except ImportError as error:
        raise _sklearn_missing() from error
    examples, labels = features.documents[rows], relevant
    if query is not None:
        examples, labels = vstack([examples, features.query_vector(query)]), np.append(relevant, 1)
    if len(np.unique(labels)) < 2:
        return None
    # The dual solver works on the few examples, not on the many terms, and takes milliseconds.
    model = LogisticRegression(C=c, solver="liblinear", dual=True, max_iter=1000, random_state=0)
    model.fit(examples, labels)
    return np.asarray(model.decision_function(features.documents))


def _text(texts: Texts, doc_id: str) -> str:
    text = texts(doc_id) if callable(texts) else texts.get(doc_id)
    if text is None:
        raise ValueError(f"document {doc_id!r} has no text; strategy 'cal' needs the text of every document")
    return text


def _sklearn_missing() -> ValueError:
    return ValueError("strategy 'cal' needs scikit-learn, which is not installed; it is in the extra ir-assay[cal]")

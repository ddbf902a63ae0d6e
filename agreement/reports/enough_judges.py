"""How many judges would be enough: the generalisability study of a report, and what it says in words.

The study is the nested one, of documents in topics, if the documents that all judges judged permit it: two topics, and
two documents in one of them. Else it is the crossed one, which does not regard topics.
"""

from agreement.diagnostics.decision_study import Generalisability
from agreement.diagnostics.generalisability import generalisability
from agreement.ratings import Ratings
from agreement.reasons import REASONS
from agreement.thresholds import Thresholds, preliminary
from pooling.words import count

TARGET = 0.8  # of both coefficients
MOST_JUDGES = 10  # in a table of a report
NOT_NESTED = ("one_topic", "no_second_document")
DESIGNS = {"nested": "documents in topics", "crossed": "documents, without regard to topics"}


def study_of(ratings: Ratings) -> Generalisability:
    """The nested study, or the crossed one if the topics do not permit the nested one.

    Parameters
    ----------
    ratings : Ratings
        Judges whose grades are numbers.

    Returns
    -------
    Generalisability
        Undefined with a reason if no two documents were judged by all of two or more judges.

    Examples
    --------
    >>> from agreement import Ratings
    >>> study_of(Ratings.from_matrix([[0, 1, 4], [1, 2, 4]], scale=range(5), axis="assessors")).design
    'crossed'
    """
    study = generalisability(ratings, "nested")
    return generalisability(ratings) if study.reason in NOT_NESTED else study


def basis_sentence(study: Generalisability) -> str:
    """What the study is based on.

    Examples
    --------
    >>> from agreement import Ratings
    >>> print(basis_sentence(study_of(Ratings.from_matrix([[0, 1, 4], [1, 2, 4]], scale=range(5), axis="assessors"))))
    n = 3 documents of 1 topic that all 2 judges judged; 0 that only some of them judged are left out.
    """
    documents = f"{count(study.n, 'document')} of {count(study.n_topics, 'topic')}"
    return judged_by_all(documents, study.n_judges, study.n_dropped)


def judged_by_all(documents: str, n_judges: int, n_dropped: int) -> str:
    """How many documents all judges judged, and how many are left out.

    Examples
    --------
    >>> print(judged_by_all("3 documents", 2, 1))
    n = 3 documents that all 2 judges judged; 1 that only some of them judged is left out.
    """
    judges = f"all {n_judges:,} judges" if n_judges != 1 else "the only judge"
    left_out = f"{n_dropped:,} that only some of them judged {'is' if n_dropped == 1 else 'are'} left out"
    return f"n = {documents} that {judges} judged; {left_out}."


def enough_sentence(study: Generalisability, min_topics: int = 1, min_documents: int = 1) -> str:
    """How many judges reach the target of both coefficients, or why this is unknown.

    Parameters
    ----------
    study : Generalisability
        The study.
    min_topics, min_documents : int, optional
        The topics and documents that all judges need in common; with fewer, the answer is preliminary.

    Returns
    -------
    str
        One sentence or two.

    Examples
    --------
    >>> from agreement import Ratings
    >>> print(enough_sentence(study_of(Ratings.from_matrix([[0, 1, 4], [1, 2, 4]], scale=range(5), axis="assessors"))))
    The mean of 1 judge orders documents with a generalisability of 0.8, and states their grades with a dependability \
of 0.8.
    """
    if not study.defined:
        return f"How many judges would be enough is undefined ({REASONS[study.reason or 'empty']})."
    thresholds = Thresholds(min_topics, min_documents=min_documents)
    if thresholds.met_by_judges(study.n_topics, study.n):
        return _enough(study)
    data = f"{count(study.n_topics, 'topic')} and {count(study.n, 'document')} in common to all judges"
    return preliminary(_enough(study), data, thresholds.tag_of_judges())


def _enough(study: Generalisability) -> str:
    """How many judges reach the target of both coefficients, with any data."""
    order, grades = study.judges_needed(TARGET), study.judges_needed(TARGET, "dependability")
    documents = "the documents of a topic" if study.design == "nested" else "documents"
    if order is None or grades is None:
        return f"No number of judges would be enough: the mean grades of {documents} do not differ more than by chance."
    ordered = f"The mean of {count(order, 'judge')} orders {documents} with a generalisability of {TARGET:g}"
    if order == grades:
        return f"{ordered}, and states their grades with a dependability of {TARGET:g}."
    return f"{ordered}; that of {count(grades, 'judge')} states their grades with a dependability of {TARGET:g}."

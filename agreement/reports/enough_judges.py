"""How many judges would be enough: the generalisability study of a report, and what it says in words.

The study is the nested one, of documents in topics, if the documents that all judges judged permit it: two topics, and
two documents in one of them. Else it is the crossed one, which does not regard topics.
"""

from agreement.diagnostics.decision_study import Generalisability
from agreement.diagnostics.generalisability import generalisability
from agreement.ratings import Ratings
from agreement.reasons import REASONS
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
    documents, topics = count(study.n, "document"), count(study.n_topics, "topic")
    left_out = f"{study.n_dropped:,} that only some of them judged {'is' if study.n_dropped == 1 else 'are'} left out"
    return f"n = {documents} of {topics} that all {count(study.n_judges, 'judge')} judged; {left_out}."


def enough_sentence(study: Generalisability, target: float = TARGET) -> str:
    """How many judges reach the target, or why this is unknown.

    Examples
    --------
    >>> from agreement import Ratings
    >>> print(enough_sentence(study_of(Ratings.from_matrix([[0, 1, 4], [1, 2, 4]], scale=range(5), axis="assessors"))))
    The mean of 1 judge orders documents with a generalisability of 0.8, and states their grades with a dependability \
of 0.8.
    """
    if not study.defined:
        return f"How many judges would be enough is undefined ({REASONS[study.reason or 'empty']})."
    order, grades = study.judges_needed(target), study.judges_needed(target, "dependability")
    if order is None or grades is None:
        return "No number of judges would be enough: the documents do not differ more than the judges do by chance."
    documents = "the documents of a topic" if study.design == "nested" else "documents"
    ordered = f"The mean of {count(order, 'judge')} orders {documents} with a generalisability of {target:g}"
    if order == grades:
        return f"{ordered}, and states their grades with a dependability of {target:g}."
    return f"{ordered}; that of {count(grades, 'judge')} states their grades with a dependability of {target:g}."

"""Warnings about run files that are valid, but may not mean what their reader expects.

`read_run` and `read_runs` issue them as warnings of Python, once for each file, or add them to a list.
"""

import warnings
from collections.abc import Iterable


class RunWarning(UserWarning):
    """A run file is valid, but something about it should be known.

    Parameters
    ----------
    file : str
        The name of the file.
    sentence : str
        What should be known.

    Attributes
    ----------
    file, sentence
        The parameters, unchanged.

    Examples
    --------
    >>> from pooling import RunWarning
    >>> print(RunWarning("a.run", "something is unusual."))
    a.run: something is unusual.
    """

    def __init__(self, file: str, sentence: str) -> None:
        super().__init__(f"{file}: {sentence}")
        self.file = file
        self.sentence = sentence


class RankOrderWarning(RunWarning):
    """The rank column of a run contradicts the scores, or orders equal scores otherwise than trec_eval.

    Documents are ordered by score descending, equal scores by doc_id descending. A sample of the topics is checked.
    Equal ranks contradict nothing.

    Parameters
    ----------
    file : str
        The name of the file.
    sentence : str
        In how many of the topics that were checked, for how many pairs of neighbours by rank, and one example.

    Examples
    --------
    >>> import warnings
    >>> from pooling import read_run
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     run = read_run(b"7 Q0 d1 1 0.5 r\\n7 Q0 d2 2 2.5 r\\n", name="r.run")
    >>> print(str(caught[0].message).replace(", and", ",\\n and"))
    r.run: the rank column contradicts the scores in 1 of 1 topic checked (1 pair of neighbours); for example, in topic
    '7', 'd1' has rank 1 and score 0.5,
     and 'd2' has rank 2 and score 2.5. The order is by score,
     and equal scores by doc_id descending, as in trec_eval.
    """


class CommentLinesWarning(RunWarning):
    """Lines of a run were ignored, because they begin with # and a blank.

    Parameters
    ----------
    file : str
        The name of the file.
    sentence : str
        How many lines.

    Examples
    --------
    >>> import warnings
    >>> from pooling import read_run
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     run = read_run(b"# my best run\\n7 Q0 d1 1 2.5 r\\n", name="r.run")
    >>> print(caught[0].message)
    r.run: 1 line that begins with # and a blank was ignored as a comment.
    """


class ScoresFromRanksWarning(RunWarning):
    """A run of MS MARCO has ranks and no scores, and no name of its system.

    Parameters
    ----------
    file : str
        The name of the file.
    sentence : str
        What was used instead.

    Examples
    --------
    >>> import warnings
    >>> from pooling import read_run
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     run = read_run(b"7\\td1\\t1\\n7\\td2\\t2\\n", name="bm25.tsv")
    >>> print(caught[0].message)
    bm25.tsv: the file has ranks and no scores, so the score is 1/rank, and the system is named 'bm25' after the file.
    """


def warn_of(notes: Iterable[RunWarning], collected: list[RunWarning] | None, stacklevel: int) -> None:
    """Add the notes to `collected`; if it is None, issue them as warnings of the caller of the caller."""
    if collected is not None:
        collected.extend(notes)
        return
    for note in notes:
        warnings.warn(note, stacklevel=stacklevel + 1)

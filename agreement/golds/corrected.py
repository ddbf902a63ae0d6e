"""A gold with expected grades: people where they judged, a calibrated model elsewhere (rule `corrected:MODEL`).

The grade of a document that people judged is the mean of their grades. Elsewhere it is what people are expected to
say given the model's grade f: the mean grade of people over the documents with f that both judged, shrunken towards the
mean over all of these documents as if one more document with f had it,

    E(f) = (sum of people's grades at f + mean of all) / (number of documents at f + 1)

So a model that is too strict, too kind or on another scale is corrected, and one that says nothing gives the mean.
Model grades with more than eight values, such as shares, are grouped into eight classes of about equal size. Grades are
fractions, so that writing qrels needs a rounding. With `rel`, the same is done with people's relevance at `rel` in
place of their grades, and 1 means that relevance is more likely than not.

The calibration takes the documents that people judged as typical of the others, which a random draw ensures. A
corrected gold is an estimate of each grade, and its scores have no interval; `agreement.trust.few_grades` estimates
scores.

This is regression imputation, with the calibration of prediction-powered inference.

Source: A. N. Angelopoulos, J. C. Duchi and T. Zrnic (2023), PPI++: efficient prediction-powered inference, arXiv
2311.01453; R. J. A. Little and D. B. Rubin (2019), Statistical Analysis with Missing Data, 3rd edition, Wiley, ch. 4.
"""

import numpy as np
import pandas as pd

MOST_CLASSES = 8
PRIOR = 1.0  # documents that each class has in addition, with the mean grade
NO_COMMON = "no document judged by people and the model"


def corrected_grades(people: pd.DataFrame, model: pd.DataFrame) -> pd.DataFrame:
    """Return the mean grade of people, and the expected one where only the model judged.

    Parameters
    ----------
    people : DataFrame
        Columns query_id, doc_id and relevance; several rows for a document if several people judged it.
    model : DataFrame
        The same columns, one row for each document.

    Returns
    -------
    DataFrame
        Columns query_id, doc_id and relevance (float64). Without a document that both judged, only those of people;
        `attrs` has the reason.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.golds.corrected import corrected_grades
    >>> pairs = pd.DataFrame({"query_id": "1", "doc_id": ["a", "b", "c"]})
    >>> people, model = pairs[:2].assign(relevance=[3, 1]), pairs.assign(relevance=[1, 0, 1])
    >>> corrected_grades(people, model)["relevance"].tolist()  # c: (3 + 2) / 2
    [3.0, 1.0, 2.5]
    """
    keys = ["query_id", "doc_id"]
    of_people = pd.DataFrame(people.groupby(keys)["relevance"].mean()).reset_index()
    both = model.merge(of_people, on=keys, how="left", suffixes=("", "_people"))
    known = both["relevance_people"].notna().to_numpy()
    if not known.any():
        of_people.attrs = {"reason": NO_COMMON}
        return of_people.astype({"relevance": "float64"})
    expected = expected_grades(both["relevance"].to_numpy(np.float64), both["relevance_people"].to_numpy(np.float64))
    predicted = both.loc[~known, keys].assign(relevance=expected[~known])
    parts: list[pd.DataFrame] = [of_people, predicted]
    gold = pd.concat(parts, ignore_index=True).astype({"relevance": "float64"})
    gold.attrs = {"reason": None}
    return gold


def expected_grades(model: np.ndarray, people: np.ndarray) -> np.ndarray:
    """Return the grade that people are expected to give, for each grade of the model.

    Shapes: `model`, `people` (NaN where they did not judge), the result (n_documents,).
    """
    classes, known = classes_of(model), ~np.isnan(people)
    n_classes, mean = int(classes.max()) + 1, float(people[known].mean())
    sums = np.bincount(classes[known], people[known], minlength=n_classes)
    numbers = np.bincount(classes[known], minlength=n_classes)
    return np.asarray(((sums + PRIOR * mean) / (numbers + PRIOR))[classes])


def classes_of(grades: np.ndarray) -> np.ndarray:
    """Return the class of each model grade: one for each grade, or eight of about equal size.

    Shapes: `grades`, the result (n_documents,).
    """
    distinct, codes = np.unique(grades, return_inverse=True)
    if len(distinct) <= MOST_CLASSES:
        return np.asarray(codes)
    return np.asarray(pd.qcut(grades, MOST_CLASSES, labels=False, duplicates="drop"))

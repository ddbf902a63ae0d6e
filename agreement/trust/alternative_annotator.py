"""The alternative annotator test: may a model replace a person who judges, as the other people see it?

Each person h is compared with the model on the documents that h, the model and at least one other person judged. On
each document, the score of h and that of the model say how near they are to the other people: the share of others with
the same grade ("accuracy"), or minus the root of the mean squared difference ("rmse"). The model wins if its score is
at least that of h; h wins if the score of h is at least that of the model; a tie is a win of both. With the difference
d = (h wins) - (model wins), a one-sided t test asks whether its mean is below epsilon, what people cost more than the
model. The p-values of all people are corrected by Benjamini and Yekutieli at level q.

- Winning rate: share of people whom the model beats. It passes with one half or more.
- Advantage probability: mean over people of the share of documents on which the model wins.

The published test takes documents as independent. They are not: a model errs alike on a topic. With `blocks=True`, the
variance of d is that of the sums over topics, and the degrees of freedom are those of topics (Liang and Zeger 1986).

Ties help the model; with one other person on a document, accuracy is 0 or 1; epsilon decides; and nothing follows for
the ranking of systems.

References
----------
N. Calderon, R. Reichart and R. Dror (2025). The alternative annotator test for LLM-as-a-judge: how to statistically
justify replacing human annotators with LLMs. ACL 2025, arXiv 2501.10970.
Y. Benjamini and D. Yekutieli (2001). The control of the false discovery rate in multiple testing under dependency.
Annals of Statistics 29(4), 1165-1188.
K.-Y. Liang and S. L. Zeger (1986). Longitudinal data analysis using generalized linear models. Biometrika 73(1), 13-22.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special

from agreement.checks import choice, level, number, whole_number
from agreement.trust.grade_table import GradeTable
from pooling.inputs import Input
from pooling.result import Result
from pooling.text_tables import rounded

SCORES = ("accuracy", "rmse")
EPSILON, Q, MIN_ITEMS = 0.2, 0.05, 30


@dataclass(frozen=True, eq=False, repr=False)
class AlternativeAnnotatorTest(Result):
    """The result for each model; returned by `alternative_annotator_test`.

    Attributes
    ----------
    models : DataFrame
        One row for each model: model, winning_rate, advantage_probability, passes, n_people (tested), and reason.
    people : DataFrame
        One row for each model and person: model, person, n, n_topics, model_wins, person_wins (shares), p, p_adjusted,
        beaten and reason.
    score : str
    epsilon, q : float
    blocks : bool
        Whether topics are the sample.
    min_items : int
    """

    models: pd.DataFrame
    people: pd.DataFrame
    score: str = SCORES[0]
    epsilon: float = EPSILON
    q: float = Q
    blocks: bool = False
    min_items: int = MIN_ITEMS

    def to_frame(self) -> pd.DataFrame:
        """Return `models`."""
        return self.models

    def tables(self) -> dict[str, pd.DataFrame]:
        """The two tables by name."""
        return {"alternative_annotator_test": self.models, "alternative_annotator_test_people": self.people}

    def passes(self, model: str) -> bool | None:
        """Whether a model passes; None if it could not be tested."""
        row = self.models.set_index("model").loc[model]
        return None if pd.isna(row["passes"]) else bool(row["passes"])

    def summary(self) -> str:
        """How many models pass, and with which epsilon."""
        tested = self.models[self.models["passes"].notna()]
        if tested.empty:
            return f"No model could be tested: {self.models['reason'].iloc[0]}."
        passing = int(tested["passes"].astype(bool).sum())
        sample = "topics" if self.blocks else "documents"
        return (
            f"{passing} of {len(tested)} models pass the alternative annotator test (epsilon {self.epsilon:g},"
            f" {self.score}, q {self.q:g}, {sample} as the sample)."
        )

    def _sentence(self) -> str:
        return self.summary()

    def _paper_table(self) -> pd.DataFrame:
        return rounded(self.models)


def alternative_annotator_test(
    people: Mapping[str, Input],
    models: Mapping[str, Input],
    *,
    epsilon: float = EPSILON,
    score: str = "accuracy",
    q: float = Q,
    blocks: bool = False,
    min_items: int = MIN_ITEMS,
) -> AlternativeAnnotatorTest:
    """Test whether models may replace people who judge.

    Parameters
    ----------
    people, models : mapping of str to table, path or dictionary
        The grades of each judge: query_id, doc_id, relevance.
    epsilon : float, optional
        How much better people may be, from 0 to 1: what their time costs. The authors propose 0.2 for experts, 0.15 for
        skilled people and 0.1 for the crowd.
    score : {"accuracy", "rmse"}, optional
        How near a judge is to the other people on a document.
    q : float, optional
        Level of the test, between 0 and 1.
    blocks : bool, optional
        Take topics as the sample instead of documents.
    min_items : int, optional
        Documents that a person needs to be tested, 2 or more.

    Returns
    -------
    AlternativeAnnotatorTest
        A model is not tested if fewer than two people have enough documents.

    Raises
    ------
    ValueError
        A judge has no grade or two grades for a document, or an option is out of range.

    References
    ----------
    N. Calderon, R. Reichart and R. Dror (2025). The alternative annotator test for LLM-as-a-judge. ACL 2025.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.trust import alternative_annotator_test
    >>> rows = pd.DataFrame([(f"{q}", f"d{d}") for q in range(5) for d in range(8)], columns=["query_id", "doc_id"])
    >>> steps = {"a": 3, "b": 5, "c": 7}
    >>> grades = {name: [(i + (i % step == 0)) % 3 for i in range(40)] for name, step in steps.items()}
    >>> people = {name: rows.assign(relevance=column) for name, column in grades.items()}
    >>> models = {"good": people["c"], "constant": rows.assign(relevance=0)}
    >>> alternative_annotator_test(people, models).to_frame()[["model", "winning_rate", "passes"]]
          model  winning_rate  passes
    0      good           1.0    True
    1  constant           0.0   False
    """
    number("epsilon", epsilon, "a number from 0 to 1", lambda value: 0 <= value <= 1)
    choice("score", score, SCORES)
    level("q", q, Q)
    whole_number("min_items", min_items, 2)
    table = GradeTable.of(people, models)
    tests = [_of_model(table, model, epsilon, score, q, blocks, min_items) for model in models]
    of_models, of_people = zip(*tests, strict=True)
    columns = {"passes": "boolean", "winning_rate": "Float64", "advantage_probability": "Float64"}
    frame = pd.DataFrame(list(of_models)).astype(columns)
    return AlternativeAnnotatorTest(
        frame, pd.concat(of_people, ignore_index=True), score, epsilon, q, blocks, min_items
    )


def _of_model(
    table: GradeTable, model: str, epsilon: float, score: str, q: float, blocks: bool, min_items: int
) -> tuple[dict[str, object], pd.DataFrame]:
    rows = [_of_person(table, model, person, epsilon, score, blocks, min_items) for person in range(len(table.people))]
    frame = pd.DataFrame(rows).assign(model=model)
    tested = frame["reason"].isna()
    frame["p_adjusted"] = pd.Series(pd.NA, index=frame.index, dtype="Float64")
    if tested.any():
        frame.loc[tested, "p_adjusted"] = adjusted_by_yekutieli(frame.loc[tested, "p"].to_numpy(float))
    frame["beaten"] = (frame["p_adjusted"] < q).astype("boolean")
    columns = ["model", "person", "n", "n_topics", "model_wins", "person_wins", "p", "p_adjusted", "beaten", "reason"]
    named: dict[str, object] = {"model": model, "n_people": int(tested.sum())}
    if tested.sum() < 2:
        reason = f"fewer than 2 people with {min_items} documents that another person judged too"
        missing = dict.fromkeys(("winning_rate", "advantage_probability", "passes"), pd.NA)
        return named | missing | {"reason": reason}, frame[columns]
    rate = float(frame.loc[tested, "beaten"].astype(bool).mean())
    wins = float(frame.loc[tested, "model_wins"].astype(float).mean())
    found = {"winning_rate": rate, "advantage_probability": wins, "passes": rate >= 0.5, "reason": None}
    return named | found, frame[columns]


def _of_person(
    table: GradeTable, model: str, person: int, epsilon: float, score: str, blocks: bool, min_items: int
) -> dict[str, object]:
    others = np.delete(table.people_grades, person, axis=0)
    own, by_model = table.people_grades[person], table.model_grades(model)
    used = ~np.isnan(own) & ~np.isnan(by_model) & (~np.isnan(others)).any(axis=0)
    topics = table.topics[used]
    row: dict[str, object] = {"person": table.people[person], "n": int(used.sum()), "n_topics": len(np.unique(topics))}
    too_few = len(np.unique(topics)) < 2 if blocks else False
    if used.sum() < min_items or too_few:
        missing = dict.fromkeys(("model_wins", "person_wins", "p"), pd.NA)
        return row | missing | {"reason": "too few documents" if used.sum() < min_items else "one topic"}
    scores = [_score(grades[used], others[:, used], score) for grades in (by_model, own)]
    model_wins, person_wins = scores[0] >= scores[1] - 1e-12, scores[1] >= scores[0] - 1e-12
    difference = person_wins.astype(float) - model_wins
    p = _p_below(difference, topics if blocks else np.arange(len(difference)), epsilon)
    return row | {"model_wins": model_wins.mean(), "person_wins": person_wins.mean(), "p": p, "reason": None}


def _score(grades: np.ndarray, others: np.ndarray, score: str) -> np.ndarray:
    """How near the grades are to those of the others; shapes (n,) and (n_others, n)."""
    if score == "accuracy":
        equal = np.where(np.isnan(others), 0, others == grades)
        return np.asarray(equal.sum(axis=0) / (~np.isnan(others)).sum(axis=0))
    return np.asarray(-np.sqrt(np.nanmean((others - grades) ** 2, axis=0)))


def _p_below(difference: np.ndarray, blocks: np.ndarray, epsilon: float) -> float:
    """The p-value of a one-sided t test that the mean is below epsilon, with blocks as the sample."""
    names, codes = np.unique(blocks, return_inverse=True)
    n, n_blocks, mean = len(difference), len(names), float(difference.mean())
    sums = np.bincount(codes, difference - mean)
    error = float(np.sqrt((sums**2).sum() * n_blocks / (n_blocks - 1))) / n
    if error < 1e-15:
        return 0.0 if mean < epsilon else 1.0
    return float(special.stdtr(n_blocks - 1, (mean - epsilon) / error))


def adjusted_by_yekutieli(p: np.ndarray) -> np.ndarray:
    """Adjust p-values by Benjamini and Yekutieli's method, which holds for any dependence between the tests."""
    m = len(p)
    order = np.argsort(p)[::-1]
    harmonic = float((1 / np.arange(1, m + 1)).sum())
    steps = p[order] * m * harmonic / np.arange(m, 0, -1)
    values = np.empty(m)
    values[order] = np.minimum(np.minimum.accumulate(steps), 1)
    return values

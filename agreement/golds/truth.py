"""The result of models that infer the true grades of items and the reliability of assessors from each other.

Each model estimates, from several judgements of the same items, how probable each grade is as the true one
(`posterior`), and how each assessor judges. What all results have in common is here; the models are in
`agreement.golds.dawid_skene`, `agreement.golds.glad` and `agreement.golds.mace`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.golds.em_steps import Fit, JudgementList
from agreement.judgements import Scale
from agreement.ratings import MISSING, Ratings
from agreement.reasons import REASONS
from pooling.result import Result

TIE = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class Truth(Result):
    """Inferred true grades and errors of assessors, or the reason why there are none.

    `dawid_skene`, `glad` and `mace` return it.

    Parameters
    ----------
    fit : Fit or None
        The estimates: `posterior`, `confusion`, `weight`, `priors`, `log_likelihood`, `iterations` and `converged`.
        None if undefined. Its items, assessors and grades are in the order of the following parameters. That of `glad`
        also has `ability` and `log_ease`, that of `mace` `competence` and `strategy`.
    scale : tuple
        The grades, lowest first.
    assessors : tuple of str
        The assessors with a judgement.
    query_ids, doc_ids : ndarray of str, shape (n_items,)
        The items with a judgement.
    n : ndarray of int, shape (n_items,)
        The number of judgements of each item.
    status : {"ok", "undefined"}
        Whether there is a fit.
    reason : {"empty", "one_assessor", "no_identities"} or None
        Why there is no fit: no judgement, only one assessor, or anonymous counts.
    warnings : tuple of str
        Reasons for caution: fewer than three assessors, or no convergence.
    rule : {"dawid_skene", "glad", "mace"}
        The model.
    seed : int or None
        The seed of the random starts of `mace`; the other models have none.

    Examples
    --------
    >>> from agreement import Ratings, dawid_skene
    >>> truth = dawid_skene(Ratings.from_matrix([[0, 1, 1], [0, 1, 0], [0, 1, 1]], scale=(0, 1), axis="assessors"))
    >>> truth.defined, truth.to_gold()["relevance"].tolist()
    (True, [0, 1, 1])
    """

    fit: Fit | None
    scale: Scale
    assessors: tuple[str, ...]
    query_ids: npt.NDArray[Any]
    doc_ids: npt.NDArray[Any]
    n: npt.NDArray[np.integer[Any]]
    status: str = "ok"
    reason: str | None = None
    warnings: tuple[str, ...] = ()
    rule: str = "dawid_skene"
    seed: int | None = None

    @property
    def defined(self) -> bool:
        """Whether there is a fit."""
        return self.status == "ok"

    def to_frame(self) -> pd.DataFrame:
        """The most likely grade of each item, with the columns gold, query_id, doc_id, relevance, probability and n."""
        return self.to_gold()

    def _sentence(self) -> str:
        if self.fit is None:
            return f"undefined ({REASONS[self.reason or 'empty']})"
        basis = f"{len(self.n):,} items judged by {len(self.assessors)} assessors, {self.fit.iterations} iterations"
        seed = [] if self.seed is None else [f"seed {self.seed}"]
        return "; ".join([basis, *seed, *self.warnings])

    def to_gold(self) -> pd.DataFrame:
        """The most likely grade of each item; the lowest of equally likely grades.

        Returns
        -------
        DataFrame
            gold (the model), query_id, doc_id, relevance, probability (of this grade), n (judgements), by query_id,
            then doc_id; without rows if the truth is undefined.
        """
        posterior = np.zeros((0, len(self.scale))) if self.fit is None else self.fit.posterior
        best = (posterior >= posterior.max(axis=1, keepdims=True) - TIE).argmax(axis=1)
        items = slice(None) if self.defined else slice(0)
        frame = pd.DataFrame({"gold": self.rule, "query_id": self.query_ids[items], "doc_id": self.doc_ids[items]})
        frame["relevance"] = [self.scale[grade] for grade in best]
        frame["probability"] = posterior[np.arange(len(best)), best]
        frame["n"] = self.n[items]
        return frame.sort_values(["query_id", "doc_id"], ignore_index=True)

    def confusion_frame(self) -> pd.DataFrame:
        """The errors of each assessor: the probability of each grade for items of each true grade.

        Returns
        -------
        DataFrame
            assessor, truth (true grade), judgement (the assessor's grade), probability (NA if `weight` is 0), weight
            (expected number of items of this true grade that the assessor judged); without rows if the truth is
            undefined.
        """
        columns = ["assessor", "truth", "judgement"]
        names = () if self.fit is None else self.assessors
        frame = pd.MultiIndex.from_product([names, self.scale, self.scale], names=columns).to_frame(index=False)
        confusion = np.zeros(0) if self.fit is None else self.fit.confusion.ravel()
        weight = np.zeros(0) if self.fit is None else np.repeat(self.fit.weight.ravel(), len(self.scale))
        frame["probability"] = pd.array(confusion, dtype="Float64")
        frame["weight"] = weight
        return frame.assign(probability=frame["probability"].where(weight > 0))

    def competence_frame(self) -> pd.DataFrame:
        """How reliable each assessor is by the model.

        Returns
        -------
        DataFrame
            assessor, n (judgements), accuracy (the expected share of these that equal the true grade: the mean
            posterior probability of the grades that the assessor gave), and the parameter of the model: ability for
            "glad", competence for "mace". Without rows if the truth is undefined.
        """
        if self.fit is None:
            return pd.DataFrame({"assessor": np.zeros(0, object), "n": np.zeros(0, np.int64), "accuracy": np.zeros(0)})
        frame = pd.DataFrame({"assessor": np.array(self.assessors, object), "n": self.fit.judged})
        return frame.assign(accuracy=self.fit.accuracy, **self.fit.own_parameters)


def infer(ratings: Ratings, rule: str, run: Callable[[JudgementList], Fit], seed: int | None = None) -> Truth:
    """Run the algorithm of a model on the judgements of ratings, unless the truth is undefined."""
    judged = ratings.codes != MISSING
    active, items = judged.any(axis=1), judged.any(axis=0)
    assessors = tuple(name for name, some in zip(ratings.assessors, active, strict=True) if some)
    known = (ratings.scale, assessors, ratings.query_ids[items], ratings.doc_ids[items], judged[:, items].sum(axis=0))
    if len(assessors) < 2:
        reason = "no_identities" if ratings.anonymous else "one_assessor" if assessors else "empty"
        return Truth(None, *known, status="undefined", reason=reason, rule=rule, seed=seed)
    codes = ratings.codes[active][:, items]
    assessor, item = np.nonzero(codes != MISSING)
    judgements = JudgementList(item, assessor, codes[assessor, item].astype(np.int64), len(ratings.scale))
    result = run(judgements)
    return Truth(result, *known, warnings=_warnings(result, assessors), rule=rule, seed=seed)


def check_stopping(max_iterations: int, tolerance: float) -> None:
    """ValueError if one of the options that end an algorithm is out of range."""
    if max_iterations < 1 or not tolerance >= 0:
        raise ValueError(
            f"max_iterations must be 1 or more and tolerance 0 or more, not {max_iterations!r} and {tolerance!r}."
        )


def _warnings(result: Fit, assessors: tuple[str, ...]) -> tuple[str, ...]:
    warnings = []
    if len(assessors) < 3:
        warnings.append("two assessors: their disagreements do not show who made an error")
    if not result.converged:
        warnings.append(f"the log-likelihood did not converge within {result.iterations} iterations")
    return tuple(warnings)

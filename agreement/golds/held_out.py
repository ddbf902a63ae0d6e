"""Which rule of golds predicts a judgement that was set aside?

There are two designs:

judgement  The judgements of each item with two judges or more are shuffled and dealt to k folds in turn, from a fold
           that is drawn too, so that judgements of one item are in different folds as far as possible. For each fold,
           every rule makes its gold from all other judgements and predicts those of the fold. Judgements of items with
           one judge are never set aside and always used.
judge      All judgements of one judge are set aside, and every rule makes its gold from the others. This is repeated
           for each judge. Nothing but the random starts of "mace" is drawn.

Two figures describe the predictions of a rule:

equal      the share of the judgements that equal the grade of the gold. A fractional grade of "mean" equals none.
log_loss   the mean of -log(P), the natural logarithm, where P is the probability of the grade that the judge gave. The
           models ("dawid_skene", "glad", "mace") combine the probabilities of the true grade with the estimated errors
           of the judge; for a judge without another judgement, P is the probability of the true grade. P is mixed with
           0.001 equal chances, so that one judgement that a model excludes does not make the mean infinite. Other rules
           have no probabilities.

All rules are compared on the same judgements: those that each rule predicts. A rule that predicts none is undefined and
does not restrict the others. `n_undecided` counts the judgements that a rule does not predict.

The intervals leave out each topic once (or each document, if there is one topic), and contain the intervals that take
all judgements as independent: Wilson's for shares, and else the mean and its standard error. `difference` is the share
of a rule minus that of the rule with the highest share, and its interval is that of the paired difference: if it
contains 0, the data do not separate the two. Judges who share a mistake count as right, so the comparison shows who
predicts judges, not who knows the truth.

References
----------
S. Paun, B. Carpenter, J. Chamberlain, D. Hovy, U. Kruschwitz and M. Poesio (2018). Comparing Bayesian models of
annotation. Transactions of the Association for Computational Linguistics 6, 571-585.
E. B. Wilson (1927). Probable inference, the law of succession, and statistical inference. Journal of the American
Statistical Association 22(158), 209-212.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.checks import choice, level, whole_number
from agreement.choices import HELD_OUT
from agreement.golds.rules import ITEM, MODELS, JudgementTable, decision, inferred_truth
from agreement.golds.truth import Truth
from agreement.intervals.item_limits import extended, item_limits
from agreement.intervals.kernel import jackknife, t_quantile
from agreement.intervals.score_interval import wilson_of
from agreement.judgements import Grade
from agreement.ratings import checked_scale
from agreement.reasons import REASONS
from agreement.thresholds import Thresholds, preliminary
from pooling.inputs import Input, as_judgements
from pooling.result import Result
from pooling.words import count

COMPARED = ("majority", *MODELS)
MIXED = 0.001  # of equal chances in each probability

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class HeldOut(Result):
    """How well rules of golds predict judgements that were set aside; returned by `compare_golds`.

    Parameters
    ----------
    table : DataFrame
        One row for each rule, as `to_frame` returns it.
    held_out : {"judgement", "judge"}
        What was set aside.
    folds : int
        The number of times that every rule made a gold.
    seed : int
        The seed of the folds and of the random starts of "mace".
    n : int
        The number of judgements on which the rules are compared.
    n_set_aside : int
        The number of judgements that were set aside and whose item others judged.
    topics : int
        The number of topics of the n judgements.
    over : {"topics", "documents"}
        What the intervals leave out.
    confidence : float
        The confidence of the intervals.
    thresholds : Thresholds
        The data that an answer needs: min_topics. With less, the sentence is preliminary.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import compare_golds
    >>> rows = [(judge, "1", f"d{i}", (i + (judge == "eve" and i == 3)) % 2) for judge in ("ada", "bob", "eve")
    ...         for i in range(6)]
    >>> judgements = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])
    >>> compare_golds(judgements, ("majority", "glad"), scale=(0, 1), seed=1).n
    18
    """

    table: pd.DataFrame
    held_out: str
    folds: int
    seed: int
    n: int
    n_set_aside: int
    topics: int
    over: str
    confidence: float
    thresholds: Thresholds = field(default_factory=Thresholds)

    def to_frame(self) -> pd.DataFrame:
        """One row for each rule.

        Returns
        -------
        DataFrame
            rule, n (judgements compared), n_undecided, equal (NA if undefined), equal_low, equal_high, difference (from
            the rule with the highest share), difference_low, difference_high, log_loss (NA without probabilities),
            log_loss_low, log_loss_high, status ("ok" or "undefined"), reason ("no_second_judge": no judgement could be
            set aside; "no_prediction": the rule predicts none; "no_common": no judgement that all rules predict).
        """
        return self.table.copy()

    @property
    def best(self) -> str | None:
        """The rule with the highest share; None if all are undefined."""
        shares = self.table["equal"].fillna(-1)
        if not len(shares) or float(shares.max()) < 0:
            return None
        return str(self.table["rule"].iloc[int(shares.to_numpy(np.float64).argmax())])

    @property
    def clearly_best(self) -> bool:
        """Whether each other rule is below the best with confidence, on enough topics."""
        return self.topics >= self.thresholds.min_topics and self._is_separated

    @property
    def _is_separated(self) -> bool:
        others = self.table[(self.table["rule"] != self.best) & self.table["equal"].notna()]
        highs = others["difference_high"]
        return len(others) > 0 and bool(highs.notna().all() and (highs < 0).all())

    def _sentence(self) -> str:
        if self.best is None:
            return f"undefined ({REASONS[str(self.table['reason'].iloc[0])]})"
        share = float(self.table["equal"].max())
        what = f"{self.folds} folds" if self.held_out == "judgement" else f"one of {self.folds} judges at a time"
        judgements = f"{count(self.n, 'judgement')} of {count(self.topics, 'topic')}"
        doubt = "" if self._is_separated else ", but not clearly more than all others"
        best = f"{self.best} predicts most of them ({share:.3f}){doubt}"
        answer = f"{judgements} set aside ({what}, seed {self.seed}); {best}"
        if self.topics >= self.thresholds.min_topics:
            return answer
        return preliminary(answer, count(self.topics, "topic"), self.thresholds.tag_of_topics())


def compare_golds(
    judgements: Input,
    rules: Sequence[str] = COMPARED,
    held_out: str = "judgement",
    rel: float | None = None,
    *,
    seed: int,
    scale: Sequence[Grade] | None = None,
    folds: int = 5,
    confidence: float = 0.95,
) -> HeldOut:
    """Compare rules of golds by how well they predict judgements that were set aside.

    Parameters
    ----------
    judgements : table, path, dictionary, or iterable of these
        Columns assessor, query_id, doc_id, relevance (numbers), and optionally repeat and adjudicated, as for
        `make_gold`. Decisions are never set aside.
    rules : sequence of str, optional
        Rules of `make_gold`, each once.
    held_out : {"judgement", "judge"}, optional
        Set aside single judgements in folds, or all judgements of one judge at a time.
    rel : int or float, optional
        Predict whether a judgement is this grade or above. By default grades are predicted.
    seed : int
        The seed of the folds and of the random starts of "mace", 0 or more.
    scale : sequence of int or float, optional
        The grades, lowest first. "dawid_skene", "glad" and "mace" need it unless `rel` is passed.
    folds : int, optional
        The number of folds, 2 or more; without effect if judges are set aside.
    confidence : float, optional
        The confidence of the intervals.

    Returns
    -------
    HeldOut
        Its rows are undefined, with a reason, if no item has two judges or a rule predicts nothing.

    Raises
    ------
    ValueError
        A rule is unknown or named twice; an option is out of range; the judgements are invalid.

    References
    ----------
    S. Paun, B. Carpenter, J. Chamberlain, D. Hovy, U. Kruschwitz and M. Poesio (2018). Comparing Bayesian models of
    annotation. Transactions of the Association for Computational Linguistics 6, 571-585.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import compare_golds
    >>> grades = {"ada": [0, 1, 1, 0, 1, 0], "bob": [0, 1, 1, 0, 1, 0], "eve": [0, 1, 0, 0, 1, 1]}
    >>> rows = [(judge, "1", f"d{i}", grade) for judge, given in grades.items() for i, grade in enumerate(given)]
    >>> judgements = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])
    >>> result = compare_golds(judgements, ("majority", "dawid_skene"), "judge", scale=(0, 1), seed=1)
    >>> result.to_frame()[["rule", "n", "n_undecided", "equal", "reason"]].round(2)
              rule   n  n_undecided  equal reason
    0     majority  18            0   0.78   None
    1  dawid_skene  18            0   0.78   None
    """
    rules = _checked_rules(rules)
    choice("held_out", held_out, HELD_OUT)
    seed, folds = whole_number("seed", seed, 0), whole_number("folds", folds, 2)
    confidence = level("confidence", confidence, 0.95)
    grades = None if scale is None else checked_scale(scale)
    if rel is not None and not (isinstance(rel, (int, float, np.number)) and rel >= 0):
        raise ValueError(f"rel must be a grade from 0, the lowest relevant one, not {rel!r}.")
    table = JudgementTable.checked(as_judgements(judgements), grades)
    table = replace(table, votes=table.votes.sort_values([*ITEM, "assessor"], ignore_index=True))
    parts = _by_judge(table) if held_out == "judge" else _by_fold(table, folds, np.random.default_rng(seed))
    tests, n_parts = [], 0
    for aside in parts:
        tests.append(_tested(table, aside, rules, rel, seed))
        n_parts += 1
    tested = (
        pd.concat(tests, ignore_index=True) if tests else _tested(table, np.zeros(len(table.votes), bool), (), rel, 0)
    )
    return _result(tested, rules, held_out, n_parts, seed, confidence)


def _checked_rules(rules: Sequence[str]) -> tuple[str, ...]:
    if isinstance(rules, str) or not isinstance(rules, Iterable):
        raise TypeError(f"rules must be a list of rules, such as ['majority', 'glad'], not {rules!r}.")
    names = tuple(rules)
    if not names or len(set(names)) < len(names):
        raise ValueError(f"rules must be one or more different rules, not {', '.join(names) or 'none'}.")
    for name in names:
        decision(name)  # ValueError if it is unknown
    return names


def _by_fold(table: JudgementTable, folds: int, rng: np.random.Generator) -> Iterator[npt.NDArray[np.bool_]]:
    """The judgements that each fold sets aside, as masks."""
    item = table.votes.groupby(ITEM, sort=False).ngroup().to_numpy()
    count = np.bincount(item, minlength=1)
    order = np.lexsort((rng.random(len(item)), item))
    position = np.empty(len(item), np.int64)
    position[order] = np.arange(len(item)) - np.repeat(np.cumsum(count) - count, count)
    fold = (position + rng.integers(folds, size=len(count))[item]) % folds
    several = count[item] > 1
    for number in range(folds):
        if (aside := several & (fold == number)).any():
            yield aside


def _by_judge(table: JudgementTable) -> Iterator[npt.NDArray[np.bool_]]:
    """The judgements of each judge, as masks."""
    for judge in table.assessors:
        if (aside := (table.votes["assessor"] == judge).to_numpy()).any():
            yield aside


def _tested(
    table: JudgementTable, aside: npt.NDArray[np.bool_], rules: Sequence[str], rel: float | None, seed: int
) -> pd.DataFrame:
    """Judgements that were set aside: query_id, doc_id, and for each rule whether it is right, and P, or nan."""
    rest = replace(table, votes=table.votes[~aside])
    known = pd.MultiIndex.from_frame(rest.votes[ITEM].drop_duplicates())
    actual = table.cut(rel).votes[aside]
    actual = actual[pd.MultiIndex.from_frame(actual[ITEM]).isin(known)]
    columns = {name: actual[name].to_numpy() for name in ITEM}
    for rule in rules:
        if rule in MODELS:
            truth = inferred_truth(rule, rest, rel, seed)
            gold = truth.to_gold()
            columns[f"p {rule}"] = _probabilities(truth, actual)
        else:
            gold = decision(rule)(rest, rel)
        columns[f"right {rule}"] = _right(gold, actual)
    return pd.DataFrame(columns)


def _right(gold: pd.DataFrame, actual: pd.DataFrame) -> Floats:
    """1 for judgements that equal the gold, 0 for others, nan for items that are not in the gold."""
    predicted = gold.set_index(ITEM)["relevance"].reindex(pd.MultiIndex.from_frame(actual[ITEM]))
    grades = predicted.to_numpy(np.float64, na_value=np.nan)
    equal = grades == actual["relevance"].to_numpy(np.float64)
    return np.where(np.isnan(grades), np.nan, equal.astype(np.float64))


def _probabilities(truth: Truth, actual: pd.DataFrame) -> Floats:
    """The probability of each judgement, mixed with equal chances; nan if the truth is undefined."""
    if truth.fit is None:
        return np.full(len(actual), np.nan)
    items = pd.MultiIndex.from_arrays([truth.query_ids, truth.doc_ids], names=ITEM)
    item = items.get_indexer(pd.MultiIndex.from_frame(actual[ITEM]))
    assessor = pd.Index(truth.assessors).get_indexer(pd.Index(actual["assessor"]))
    grade = pd.Index(truth.scale).get_indexer(pd.Index(actual["relevance"]))
    rows = truth.fit.posterior[item]
    known = assessor >= 0
    rows[known] = truth.fit.predicted(item[known], assessor[known])
    return np.asarray((1 - MIXED) * rows[np.arange(len(grade)), grade] + MIXED / len(truth.scale))


def _result(
    tested: pd.DataFrame, rules: Sequence[str], held_out: str, folds: int, seed: int, confidence: float
) -> HeldOut:
    right = {rule: tested[f"right {rule}"].to_numpy() if len(tested) else np.zeros(0) for rule in rules}
    predicting = [rule for rule in rules if np.isfinite(right[rule]).any()]
    common = np.ones(len(tested), bool)
    for rule in predicting:
        common &= np.isfinite(right[rule])
    used = tested[common]
    topics = used["query_id"].nunique()
    over = "documents" if topics == 1 else "topics"
    part = used.groupby("query_id" if over == "topics" else ITEM, sort=False).ngroup().to_numpy().astype(np.int64)
    best = max(predicting, key=lambda rule: right[rule][common].sum(), default="")
    rows = []
    for rule in rules:
        reason = _reason(tested, used, rule in predicting)
        row = {"rule": rule, "n": len(used) if reason is None else 0}
        row["n_undecided"] = int(np.isnan(right[rule]).sum())
        values = right[rule][common]
        row |= _limits("equal", values if reason is None else None, part, confidence)
        behind = values - right[best][common] if reason is None else None
        row |= _limits("difference", behind, part, confidence)
        has_p = reason is None and f"p {rule}" in tested
        losses = -np.log(tested[f"p {rule}"].to_numpy()[common]) if has_p else None
        row |= _limits("log_loss", losses, part, confidence)
        rows.append(row | {"status": "ok" if reason is None else "undefined", "reason": reason})
    table = pd.DataFrame(rows)
    numbers = [name for name in rows[0] if name.startswith(("equal", "difference", "log_loss"))]
    table = table.astype(dict.fromkeys(numbers, "Float64"))
    table["reason"] = pd.Series([row["reason"] for row in rows], dtype=object)
    return HeldOut(table, held_out, folds, seed, len(used), len(tested), topics, over, confidence)


def _reason(tested: pd.DataFrame, used: pd.DataFrame, predicts: bool) -> str | None:
    if tested.empty:
        return "no_second_judge"
    if not predicts:
        return "no_prediction"
    return "no_common" if used.empty else None


def _limits(
    name: str, values: Floats | None, part: npt.NDArray[np.int64], confidence: float
) -> dict[str, float | None]:
    """The mean of some values and its interval; None if undefined.

    Shapes: `values`, `part`, the topic or document, (n,).
    """
    names = (name, f"{name}_low", f"{name}_high")
    if values is None:
        return dict.fromkeys(names)
    n, mean = len(values), np.array([values.mean()])
    if n < 2:
        return dict(zip(names, (float(mean[0]), None, None), strict=True))
    n_parts = int(part.max()) + 1
    sums, sizes = np.bincount(part, values), np.bincount(part)
    rest = n - sizes
    without = np.divide(values.sum() - sums, rest, out=np.full(n_parts, np.nan), where=rest > 0)
    result = jackknife(without[:, None], np.ones((n_parts, 1), np.int64))
    reach = t_quantile(confidence, result.used) * np.nan_to_num(result.se)
    se = np.array([values.std(ddof=1) / np.sqrt(n)])
    scores = wilson_of(mean, np.array([n], np.float64), confidence) if name == "equal" else (mean, mean)
    low, high = extended(mean, item_limits(mean, se, n, scores, confidence), reach)
    least, most = {"equal": (0, 1), "difference": (-1, 1)}.get(name, (0, np.inf))
    low, high = low.clip(least), high.clip(max=most)
    return dict(zip(names, (float(mean[0]), float(low[0]), float(high[0])), strict=True))

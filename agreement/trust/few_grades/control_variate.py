"""Estimate scores that are ratios (nDCG, AP, R, Bpref) and their differences from few human grades.

`correction` describes the estimate, and `delete_groups` its variance. docs/studies/few-grades-ratio.md has the coverage
of the intervals and what a model saves.
"""

import numpy as np

from agreement.checks import choice, level, whole_number
from agreement.effectiveness.measure import Measure, MeasureLike, parse_measure
from agreement.effectiveness.ranked_runs import Runs, prepare
from agreement.trust.few_grades.correction import class_gains
from agreement.trust.few_grades.delete_groups import DeletedGroups, groups_of
from agreement.trust.few_grades.pool_slots import PoolSlots, model_classes, pool_slots
from agreement.trust.few_grades.ratio_estimates import CLAIMS, PEOPLE, JudgedScores, RatioEstimates, RatioTables
from agreement.trust.few_grades.sampled_scores import gains_of, refuse_other_measures, sampled_scores
from pooling.draws.draw import Draw
from pooling.inputs import Input

JUDGES = ("model", "constant", "shuffled")


def estimate(
    runs: Runs,
    model: Input | None,
    grades: Input,
    draw: Draw,
    measure: MeasureLike,
    *,
    judge: str | None = None,
    claim: str = "these_topics",
    confidence: float = 0.95,
    seed: int,
) -> RatioEstimates:
    """Estimate the score of every system from few human grades, for measures that are not linear in the grades.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score.
    model : table, path or dictionary, or None
        The model's grades: query_id, doc_id and relevance, on any scale. None uses the constant judge.
    grades : table, path or dictionary
        The grades of people: query_id, doc_id and relevance, one for each drawn pair.
    draw : Draw
        The recorded draw. Its pairs are the pool; ranked documents outside it count as not relevant.
    measure : str, ir_measures.Measure, or Measure
        nDCG, AP, R, SetR, F, Rprec, BreakEven or Bpref, and also P and DCG.
    judge : {"model", "constant", "shuffled"}, optional
        The judge that corrects the scores: by default the model, or the constant judge if there is none.
    claim : {"these_topics", "sampled_topics"}, optional
        Whether the intervals are for the topics of the draw, or for topics of which these are a random sample, by a
        bootstrap of topics with the draw inside.
    confidence : float, optional
        Level of the intervals, between 0 and 1.
    seed : int
        Seed of the groups of pairs that are left out together, of the shuffled judge, and of the samples of topics.

    Returns
    -------
    RatioEstimates

    Raises
    ------
    ValueError
        A drawn pair has no grade, or a grade is of a pair that was not drawn; no pair of a topic was drawn; the measure
        cannot be estimated so; an option is out of range; runs, model or grades are invalid.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.trust.few_grades.control_variate import estimate
    >>> from pooling.draws import draw_by_stratum
    >>> runs = {"lsa": {topic: {"a": 3, "b": 2, "c": 1} for topic in "123"}}
    >>> pairs = pd.DataFrame([(topic, doc_id) for topic in "123" for doc_id in "abc"], columns=["query_id", "doc_id"])
    >>> draw = draw_by_stratum(pairs, 3, seed=1)
    >>> grades = draw.drawn[["query_id", "doc_id"]].assign(relevance=[1, 0, 0, 1, 1, 0, 0, 1, 1])
    >>> scores = estimate(runs, None, grades, draw, "AP", seed=1).to_frame()
    >>> scores[["system", "value", "low", "high"]].round(3).to_dict("records")
    [{'system': 'lsa', 'value': 0.861, 'low': 0.861, 'high': 0.861}]
    """
    measure, seed = parse_measure(measure), whole_number("seed", seed, 0)
    refuse_other_measures(measure)
    judge = choice("judge", judge or ("constant" if model is None else "model"), JUDGES)
    if model is None and judge != "constant":
        raise ValueError(f"judge={judge!r} needs the grades of a model. Without a model, use judge='constant'.")
    slots = pool_slots(prepare(runs), draw, grades)
    n_all_topics = draw.frame["query_id"].nunique()
    work = RatioTables(
        _scores_by_judge(slots, model, measure, seed),
        slots,
        measure,
        judge,
        choice("claim", claim, CLAIMS),
        level("confidence", confidence, 0.95),
        len(slots.grades) / n_all_topics,
        seed,
    )
    table = work.table(np.eye(len(slots.systems)), {"system": list(slots.systems)}, is_difference=False)
    return RatioEstimates(
        table,
        measure=measure.name,
        judge=judge,
        claim=claim,
        confidence=work.confidence,
        n_grades=len(slots.drawn_topic),
        n_topics=len(slots.grades),
        seed=seed,
        notes=work.notes(),
        _tables=work,
    )


def _scores_by_judge(slots: PoolSlots, model: Input | None, measure: Measure, seed: int) -> JudgedScores:
    rng = np.random.default_rng(seed)
    group, gains = groups_of(slots.drawn, rng), gains_of(measure, slots.grades)
    classes = {"constant": np.zeros(len(slots.pairs), dtype=np.int64)}
    if model is not None:
        classes["model"] = model_classes(model, slots.pairs)
        order = np.lexsort((rng.random(len(slots.pairs)), slots.topic))
        classes["shuffled"] = classes["model"][order]
    drawn = {PEOPLE: DeletedGroups(measure, slots.drawn, gains, group).deviations()}
    whole = {}
    weights = slots.drawn.filled / slots.drawn.probability
    for name, of_pairs in classes.items():
        of_pool = class_gains(slots.in_pool(of_pairs), slots.in_drawn(of_pairs), gains, weights)
        of_drawn = slots.in_drawn(of_pool[slots.topic, slots.slot])
        drawn[name] = DeletedGroups(measure, slots.drawn, of_drawn, group).deviations()
        whole[name] = sampled_scores(measure, slots.pool, of_pool)
    return JudgedScores(drawn, whole)

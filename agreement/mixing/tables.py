"""The tables of `MixedGolds`, made from the figures of all draws."""

from typing import TYPE_CHECKING  # noqa
import pandas as pd
from typing import Any
import numpy as np
from agreement.effectiveness.judge_scores import JudgeScores
from agreement.mixing.choices import Choices
from agreement.mixing.draws import ReferenceTaus
from agreement.mixing.kernel import Tally
from agreement.rank_correlation import competition_ranks
from agreement.thresholds import Thresholds

if TYPE_CHECKING:
    pass


from agreement.mixing.result import QUANTILES, SPREAD, MixedGolds


def mixed_result(
    cube: JudgeScores, choices: Choices, tally: Tally, taus: dict[str, ReferenceTaus], thresholds: Thresholds
) -> MixedGolds:
    """Return the result from the figures of all draws."""
    return MixedGolds(
        measure=cube.measure,
        draws=choices.draws,
        combinations=choices.combinations,
        exhaustive=choices.exhaustive,
        seed=choices.seed,
        query_ids=cube.query_ids,
        judges=cube.judges,
        systems=cube.systems,
        systems_frame=_systems(cube.systems, tally, choices.draws),
        taus=_taus(taus),
        orders=_orders(cube.systems, tally, choices.draws),
        top_changes=_tops(cube.systems, tally, choices.draws),
        thresholds=thresholds,
        n_shared_topics=_n_shared_topics(cube, thresholds.min_judged),
        judged_share=_mean_judged_share(cube),
        choices=choices,
        _tau_values=taus,
    )


def _n_shared_topics(cube: JudgeScores, min_judged: float) -> int:
    counted = cube.judged
    if cube.judged_share is not None:
        counted = counted & (cube.judged_share >= min_judged)
    return int((counted.sum(axis=1) >= 2).sum())


def _mean_judged_share(cube: JudgeScores) -> float | None:
    if cube.judged_share is None:
        return None
    return float((cube.judged_share.sum(axis=1) / cube.judged.sum(axis=1)).mean())


def _systems(systems: tuple[str, ...], tally: Tally, draws: int) -> pd.DataFrame:
    frame = pd.DataFrame({"system": pd.Series(systems, dtype="str"), "rank": competition_ranks(tally.mean)})
    scores = {"mean": tally.mean, "sd": np.sqrt(tally.squares / draws), "least": tally.least}
    ranks = {"mean_rank": tally.ranks[2] / draws, "least_rank": tally.ranks[0], "greatest_rank": tally.ranks[1]}
    frame = frame.assign(**scores, greatest=tally.greatest, **ranks)
    return frame.sort_values("rank", kind="stable", ignore_index=True)


def _taus(taus: dict[str, ReferenceTaus]) -> pd.DataFrame:
    frame = pd.DataFrame([{"reference": name, **_distribution(one)} for name, one in taus.items()])
    return frame.astype({**dict.fromkeys(SPREAD, "Float64"), "reference": "str", "reason": "str"})


def _distribution(taus: ReferenceTaus) -> dict[str, Any]:
    """Return one row of `MixedGolds.taus`; NA if nothing is defined."""
    known = taus.values[taus.defined]
    spread: dict[str, Any] = dict.fromkeys(SPREAD, pd.NA)
    if len(known):
        # A value that a draw has, not one between two: the headline says how many golds reach it.
        quantiles = np.quantile(known, list(QUANTILES.values()), method="inverted_cdf")
        figures = (known.mean(), known.std(), known.min(), *quantiles, known.max())
        spread = {name: float(value) for name, value in zip(SPREAD, figures, strict=True)}
    counts = {"n_defined": len(known), "n_undefined": len(taus.values) - len(known)}
    return {"n_topics": taus.n_topics, **spread, **counts, "reason": taus.reason or pd.NA}


def _orders(systems: tuple[str, ...], tally: Tally, draws: int) -> pd.DataFrame:
    a, b = np.triu_indices(len(systems), k=1)
    names = pd.Index(systems, dtype="str")
    above, below = tally.wins[a, b], tally.wins[b, a]
    counts = {"a_above_b": above, "tied": draws - above - below, "b_above_a": below}
    return pd.DataFrame({"system_a": names.take(a), "system_b": names.take(b), **counts})


def _tops(systems: tuple[str, ...], tally: Tally, draws: int) -> pd.DataFrame:
    at_top, alone = tally.tops
    frame = pd.DataFrame({"system": pd.Series(systems, dtype="str"), "at_top": at_top, "alone_at_top": alone})
    frame = frame.loc[at_top > 0].sort_values("at_top", ascending=False, kind="stable", ignore_index=True)
    return pd.DataFrame(frame.assign(share=frame["at_top"] / draws))

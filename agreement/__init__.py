"""How far judges agree, what may be taken as the truth, and whether the ranking of systems changes with it.

    ratings = Ratings.from_judgements(judgements, scale=(0, 1, 2, 3))
    pairwise(ratings.binary(rel=2))                         # every pair of judges: n, P(A), both kappas
    golds = [make_gold(judgements, rule) for rule in ("union", "intersection", "majority")]
    shift = ranking_shift(runs, golds, "AP(rel=2)")         # the same systems under every gold
    print(shift.summary())

Nothing here knows of Django. Figures are in `agreement.plots`, which alone imports matplotlib.
"""

from agreement.coefficients import (
    band,
    cohen_kappa,
    kappa_from_proportions,
    percent_agreement,
    pooled_kappa,
)
from agreement.combining import mean_pairwise, overall, pairwise
from agreement.effectiveness import RankedRuns, evaluate, judged_share, parse_measure, prepare
from agreement.estimate import Estimate
from agreement.golds import as_golds, gold_name, make_gold
from agreement.rank_correlation import tau, tau_a, tau_b
from agreement.ratings import Ratings
from agreement.report import agreement_text, shift_text
from agreement.shift import GoldPair, RankingShift, ranking_shift
from agreement.steps import Worked, worked

__all__ = [
    "Estimate",
    "GoldPair",
    "RankedRuns",
    "RankingShift",
    "Ratings",
    "Worked",
    "agreement_text",
    "as_golds",
    "band",
    "cohen_kappa",
    "evaluate",
    "gold_name",
    "judged_share",
    "kappa_from_proportions",
    "make_gold",
    "mean_pairwise",
    "overall",
    "pairwise",
    "parse_measure",
    "percent_agreement",
    "pooled_kappa",
    "prepare",
    "ranking_shift",
    "shift_text",
    "tau",
    "tau_a",
    "tau_b",
    "worked",
]

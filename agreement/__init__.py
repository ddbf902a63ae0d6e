"""How far judges agree, what may be taken as the truth, and whether the ranking of systems changes with it.

    ratings = Ratings.from_judgements(judgements, scale=(0, 1, 2, 3))
    pairwise(ratings.binary(rel=2))                         # every pair of judges: n, P(A), both kappas
    krippendorff_alpha(ratings, "ordinal", interval="topics", seed=1)    # all judges together, with an interval
    golds = [make_gold(judgements, rule) for rule in ("union", "intersection", "majority")]
    shift = ranking_shift(runs, golds, "AP(rel=2)")         # the same systems under every gold
    print(shift.summary())
    mixed_golds(runs, judgements, "AP(rel=2)", seed=1)      # a judge of every topic by chance, 100,000 times
    why_swapped(runs, "bm25", "dense", *golds[:2], "AP(rel=2)", seed=1)  # which topics and documents made it
    leverage(runs, judgements, "AP(rel=2)", golds[0])       # which disputed documents to adjudicate first

Correlations of rankings are in `agreement.rank_correlation`, tests of systems in `agreement.significance`, curves and
bounds in `agreement.effectiveness`. Nothing here knows of Django. Figures are in `agreement.plots`, which alone
imports matplotlib.
"""

from agreement.attribution import Leverage, WhySwapped, leverage, why_swapped
from agreement.coefficients.all_pairs import pairwise
from agreement.coefficients.alpha import krippendorff_alpha
from agreement.coefficients.many_judges import conger_kappa, fleiss_kappa, fleiss_kappa_by_grade
from agreement.coefficients.overall import mean_pairwise, overall
from agreement.coefficients.two_judges import (
    band,
    brennan_prediger,
    cohen_kappa,
    gwet_ac,
    kappa_from_proportions,
    percent_agreement,
    pooled_kappa,
)
from agreement.coefficients.worked import Worked, worked
from agreement.diagnostics.disagreement import confusion, disagreement_by_distance, per_item_disagreement
from agreement.diagnostics.leave_one_out import leave_one_assessor_out
from agreement.diagnostics.over_time import over_time
from agreement.diagnostics.self_agreement import self_agreement
from agreement.effectiveness import RankedRuns, evaluate, judged_share, parse_measure, prepare, score_table
from agreement.effectiveness.bounds import ap_bounds, score_bounds
from agreement.effectiveness.curves import interpolated_pr_curve, pr_curve, roc_curve
from agreement.estimate import Estimate
from agreement.golds.dawid_skene import Truth, dawid_skene
from agreement.golds.majority import majority
from agreement.golds.make_gold import as_golds, gold_name, make_gold
from agreement.mixing import MixedGolds, mixed_golds
from agreement.rank_correlation import tau, tau_a, tau_b
from agreement.ratings import Ratings
from agreement.relevance.marginals import bias_index, kappa_maximum, prevalence_index
from agreement.relevance.pairs import pairwise_relevance
from agreement.relevance.sets import PrecisionRecall, cross_precision_recall, overlap
from agreement.relevance.specific_agreement import negative_agreement, positive_agreement
from agreement.relevance.topic_means import over_topics
from agreement.reports.agreement_report import agreement_data, agreement_frame, agreement_text, shift_text
from agreement.reports.all_judges import all_judges
from agreement.reports.results import result_csv, result_json, result_text
from agreement.shift.gold_pairs import GoldPair
from agreement.shift.ranking_shift import RankingShift, ranking_shift
from agreement.significance import compare_systems
from agreement.significance.rank_intervals import rank_intervals, rank_intervals_with_judges

__all__ = [
    "Estimate",
    "GoldPair",
    "Leverage",
    "MixedGolds",
    "PrecisionRecall",
    "RankedRuns",
    "RankingShift",
    "Ratings",
    "Truth",
    "WhySwapped",
    "Worked",
    "agreement_data",
    "agreement_frame",
    "agreement_text",
    "all_judges",
    "ap_bounds",
    "as_golds",
    "band",
    "bias_index",
    "brennan_prediger",
    "cohen_kappa",
    "compare_systems",
    "confusion",
    "conger_kappa",
    "cross_precision_recall",
    "dawid_skene",
    "disagreement_by_distance",
    "evaluate",
    "fleiss_kappa",
    "fleiss_kappa_by_grade",
    "gold_name",
    "gwet_ac",
    "interpolated_pr_curve",
    "judged_share",
    "kappa_from_proportions",
    "kappa_maximum",
    "krippendorff_alpha",
    "leave_one_assessor_out",
    "leverage",
    "majority",
    "make_gold",
    "mean_pairwise",
    "mixed_golds",
    "negative_agreement",
    "over_time",
    "over_topics",
    "overall",
    "overlap",
    "pairwise",
    "pairwise_relevance",
    "parse_measure",
    "per_item_disagreement",
    "percent_agreement",
    "pooled_kappa",
    "positive_agreement",
    "pr_curve",
    "prepare",
    "prevalence_index",
    "rank_intervals",
    "rank_intervals_with_judges",
    "ranking_shift",
    "result_csv",
    "result_json",
    "result_text",
    "roc_curve",
    "score_bounds",
    "score_table",
    "self_agreement",
    "shift_text",
    "tau",
    "tau_a",
    "tau_b",
    "why_swapped",
    "worked",
]

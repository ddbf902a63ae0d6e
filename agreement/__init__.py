"""Agreement of judges, golds derived from their judgements, and the ranking of systems under each gold.

    ratings = Ratings.from_judgements(judgements, scale=(0, 1, 2, 3))
    pairwise(ratings.binary(rel=2))                         # each pair of judges: n, P(A) and both kappas
    krippendorff_alpha(ratings, "ordinal", interval="default", seed=1)    # all judges, with an interval
    golds = [make_gold(judgements, rule) for rule in ("union", "intersection", "majority")]
    shift = ranking_shift(runs, golds, "AP(rel=2)")         # the same systems under each gold
    print(shift.summary())
    mixed_golds(runs, judgements, "AP(rel=2)", seed=1)      # a random judge for each topic, 100,000 times
    why_swapped(runs, "bm25", "dense", *golds[:2], "AP(rel=2)", seed=1)  # the topics and documents responsible
    leverage(runs, judgements, "AP(rel=2)", golds[0])       # the disputed documents to adjudicate first

The names in `__all__` are the public interface. More functions are in `agreement.rank_correlation` (correlations of
rankings), `agreement.significance` (tests of systems), `agreement.meta_evaluation` (how many topics are needed, and
what they can separate), `agreement.effectiveness` (measures, curves and bounds), `agreement.exercises` (exercises for
a class) and `agreement.plots` (figures).

Names are imported at their first use, so that `import agreement` does not load pandas. Only `agreement.plots` imports
matplotlib. No module of this package imports Django.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agreement.attribution import Leverage, WhySwapped, leverage, why_swapped
    from agreement.coefficients.all_pairs import pairwise
    from agreement.coefficients.alpha import krippendorff_alpha
    from agreement.coefficients.formulas import band
    from agreement.coefficients.intraclass import icc
    from agreement.coefficients.kappa_difference import kappa_difference
    from agreement.coefficients.many_judges import conger_kappa, fleiss_kappa, fleiss_kappa_by_grade
    from agreement.coefficients.overall import mean_pairwise, overall
    from agreement.coefficients.proportions import kappa_from_proportions
    from agreement.coefficients.two_judges import (
        brennan_prediger,
        cohen_kappa,
        gwet_ac,
        percent_agreement,
        pooled_kappa,
    )
    from agreement.coefficients.worked import Worked, worked
    from agreement.diagnostics.benchmarks import Benchmarks, benchmark_probabilities
    from agreement.diagnostics.decision_study import Generalisability
    from agreement.diagnostics.disagreement import confusion, disagreement_by_distance, per_item_disagreement
    from agreement.diagnostics.generalisability import generalisability
    from agreement.diagnostics.leave_one_out import leave_one_assessor_out
    from agreement.diagnostics.over_time import over_time, time_windows
    from agreement.diagnostics.self_agreement import self_agreement
    from agreement.effectiveness import RankedRuns, evaluate, judged_share, parse_measure, prepare, score_table
    from agreement.effectiveness.bounds import ap_bounds, score_bounds
    from agreement.effectiveness.curves import interpolated_pr_curve, pr_curve, roc_curve
    from agreement.estimate import Estimate
    from agreement.file_checks import FileChecks, check_files
    from agreement.gate import Gate, gate_candidate, open_conclusions
    from agreement.golds.dawid_skene import dawid_skene
    from agreement.golds.glad import glad
    from agreement.golds.held_out import HeldOut, compare_golds
    from agreement.golds.mace import mace
    from agreement.golds.majority import majority
    from agreement.golds.make_gold import as_golds, gold_name, make_gold
    from agreement.golds.truth import Truth
    from agreement.judge_files import JudgementFiles, read_judgements
    from agreement.measures.extended_inferred_ap import extended_inferred_ap
    from agreement.measures.stat_ap import stat_ap
    from agreement.mixing import MixedGolds, mixed_golds
    from agreement.rank_correlation import tau, tau_a, tau_b
    from agreement.ratings import Ratings
    from agreement.relevance.marginal_test import MarginalTest
    from agreement.relevance.marginal_tests import bhapkar, mcnemar, stuart_maxwell
    from agreement.relevance.marginals import bias_index, kappa_maximum, prevalence_index
    from agreement.relevance.sets import PrecisionRecall, cross_precision_recall, overlap, pairwise_relevance
    from agreement.relevance.topic_means import over_topics
    from agreement.relevance.two_by_two import negative_agreement, positive_agreement
    from agreement.reports.agreement_csv import agreement_frame
    from agreement.reports.agreement_report import agreement_data, agreement_text
    from agreement.reports.agreement_summary import all_judges
    from agreement.reports.results import result_csv, result_json, result_text
    from agreement.reports.shift_report import shift_text
    from agreement.shift.correlation_intervals import correlation_intervals, correlation_intervals_with_judges
    from agreement.shift.from_scores import shift_from_scores
    from agreement.shift.gold_pairs import GoldPair
    from agreement.shift.group_scores import group_scores
    from agreement.shift.interval_result import CorrelationIntervals
    from agreement.shift.ranking_shift import RankingShift, ranking_shift
    from agreement.significance import compare_systems, compare_unpaired, leaderboard
    from agreement.significance.rank_intervals import rank_intervals, rank_intervals_with_judges

__all__ = [
    "Benchmarks",
    "CorrelationIntervals",
    "Estimate",
    "FileChecks",
    "Gate",
    "Generalisability",
    "GoldPair",
    "HeldOut",
    "JudgementFiles",
    "Leverage",
    "MarginalTest",
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
    "benchmark_probabilities",
    "bhapkar",
    "bias_index",
    "brennan_prediger",
    "check_files",
    "cohen_kappa",
    "compare_golds",
    "compare_systems",
    "compare_unpaired",
    "confusion",
    "conger_kappa",
    "correlation_intervals",
    "correlation_intervals_with_judges",
    "cross_precision_recall",
    "dawid_skene",
    "disagreement_by_distance",
    "evaluate",
    "extended_inferred_ap",
    "fleiss_kappa",
    "fleiss_kappa_by_grade",
    "gate_candidate",
    "generalisability",
    "glad",
    "gold_name",
    "group_scores",
    "gwet_ac",
    "icc",
    "interpolated_pr_curve",
    "judged_share",
    "kappa_difference",
    "kappa_from_proportions",
    "kappa_maximum",
    "krippendorff_alpha",
    "leaderboard",
    "leave_one_assessor_out",
    "leverage",
    "mace",
    "majority",
    "make_gold",
    "mcnemar",
    "mean_pairwise",
    "mixed_golds",
    "negative_agreement",
    "open_conclusions",
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
    "read_judgements",
    "result_csv",
    "result_json",
    "result_text",
    "roc_curve",
    "score_bounds",
    "score_table",
    "self_agreement",
    "shift_from_scores",
    "shift_text",
    "stat_ap",
    "stuart_maxwell",
    "tau",
    "tau_a",
    "tau_b",
    "time_windows",
    "why_swapped",
    "worked",
]

_MODULES = {
    "Benchmarks": "diagnostics.benchmarks",
    "CorrelationIntervals": "shift.interval_result",
    "Estimate": "estimate",
    "FileChecks": "file_checks",
    "Gate": "gate",
    "Generalisability": "diagnostics.decision_study",
    "GoldPair": "shift.gold_pairs",
    "HeldOut": "golds.held_out",
    "JudgementFiles": "judge_files",
    "Leverage": "attribution",
    "MarginalTest": "relevance.marginal_test",
    "MixedGolds": "mixing",
    "PrecisionRecall": "relevance.sets",
    "RankedRuns": "effectiveness",
    "RankingShift": "shift.ranking_shift",
    "Ratings": "ratings",
    "Truth": "golds.truth",
    "WhySwapped": "attribution",
    "Worked": "coefficients.worked",
    "agreement_data": "reports.agreement_report",
    "agreement_frame": "reports.agreement_csv",
    "agreement_text": "reports.agreement_report",
    "all_judges": "reports.agreement_summary",
    "ap_bounds": "effectiveness.bounds",
    "as_golds": "golds.make_gold",
    "band": "coefficients.formulas",
    "benchmark_probabilities": "diagnostics.benchmarks",
    "bhapkar": "relevance.marginal_tests",
    "bias_index": "relevance.marginals",
    "brennan_prediger": "coefficients.two_judges",
    "check_files": "file_checks",
    "cohen_kappa": "coefficients.two_judges",
    "compare_golds": "golds.held_out",
    "compare_systems": "significance",
    "compare_unpaired": "significance",
    "confusion": "diagnostics.disagreement",
    "conger_kappa": "coefficients.many_judges",
    "correlation_intervals": "shift.correlation_intervals",
    "correlation_intervals_with_judges": "shift.correlation_intervals",
    "cross_precision_recall": "relevance.sets",
    "dawid_skene": "golds.dawid_skene",
    "disagreement_by_distance": "diagnostics.disagreement",
    "evaluate": "effectiveness",
    "extended_inferred_ap": "measures.extended_inferred_ap",
    "fleiss_kappa": "coefficients.many_judges",
    "fleiss_kappa_by_grade": "coefficients.many_judges",
    "gate_candidate": "gate",
    "generalisability": "diagnostics.generalisability",
    "glad": "golds.glad",
    "gold_name": "golds.make_gold",
    "group_scores": "shift.group_scores",
    "gwet_ac": "coefficients.two_judges",
    "icc": "coefficients.intraclass",
    "interpolated_pr_curve": "effectiveness.curves",
    "judged_share": "effectiveness",
    "kappa_difference": "coefficients.kappa_difference",
    "kappa_from_proportions": "coefficients.proportions",
    "kappa_maximum": "relevance.marginals",
    "krippendorff_alpha": "coefficients.alpha",
    "leave_one_assessor_out": "diagnostics.leave_one_out",
    "leaderboard": "significance",
    "leverage": "attribution",
    "mace": "golds.mace",
    "majority": "golds.majority",
    "make_gold": "golds.make_gold",
    "mcnemar": "relevance.marginal_tests",
    "mean_pairwise": "coefficients.overall",
    "mixed_golds": "mixing",
    "negative_agreement": "relevance.two_by_two",
    "open_conclusions": "gate",
    "over_time": "diagnostics.over_time",
    "over_topics": "relevance.topic_means",
    "overall": "coefficients.overall",
    "overlap": "relevance.sets",
    "pairwise": "coefficients.all_pairs",
    "pairwise_relevance": "relevance.sets",
    "parse_measure": "effectiveness",
    "per_item_disagreement": "diagnostics.disagreement",
    "percent_agreement": "coefficients.two_judges",
    "pooled_kappa": "coefficients.two_judges",
    "positive_agreement": "relevance.two_by_two",
    "pr_curve": "effectiveness.curves",
    "prepare": "effectiveness",
    "prevalence_index": "relevance.marginals",
    "rank_intervals": "significance.rank_intervals",
    "rank_intervals_with_judges": "significance.rank_intervals",
    "ranking_shift": "shift.ranking_shift",
    "read_judgements": "judge_files",
    "result_csv": "reports.results",
    "result_json": "reports.results",
    "result_text": "reports.results",
    "roc_curve": "effectiveness.curves",
    "score_bounds": "effectiveness.bounds",
    "score_table": "effectiveness",
    "self_agreement": "diagnostics.self_agreement",
    "shift_from_scores": "shift.from_scores",
    "shift_text": "reports.shift_report",
    "stat_ap": "measures.stat_ap",
    "stuart_maxwell": "relevance.marginal_tests",
    "tau": "rank_correlation",
    "tau_a": "rank_correlation",
    "tau_b": "rank_correlation",
    "time_windows": "diagnostics.over_time",
    "why_swapped": "attribution",
    "worked": "coefficients.worked",
}
_PACKAGES = ("effectiveness", "exercises", "meta_evaluation", "novelty", "plots", "rank_correlation", "significance")


def __getattr__(name: str) -> object:
    if name in _PACKAGES:
        return import_module(f"{__name__}.{name}")
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES, *_PACKAGES})

"""Correlation of two rankings of the same systems. All functions take scores, higher is better, except `rbo`.

| function | ties | use |
|---|---|---|
| `tau` | refused | two complete rankings; every swap has the same weight |
| `tau_a` | count 0 | an estimate against a truth |
| `tau_b` | corrected | two rankings of which neither is the truth |
| `tau_ap`, `tau_ap_sym` | refused | more weight on the top: against a truth; neither is the truth |
| `tau_ap_a` | mean over all ways to break them | an estimate against a truth, more weight on the top |
| `tau_ap_b` | corrected | neither is the truth, more weight on the top |
| `tau_gap` | half of the time each way | a truth whose gaps count, more weight on the top |
| `rbo` | three options | rankings of different items or lengths, best first; a group of ties is a list |
| `pairwise_accuracy` | credited if the truth has them | an estimate against a truth with ties; `calibrate_ties` |
| `maximum_drop` | share the best rank | the system that falls most from the truth to another ranking |
| `spearman`, `pearson` | mean ranks; none | linear correlation of the ranks, or of the scores |

Functions that end with `_batch` (`tau_b_batch` and so on) compare one or several references with a matrix of rankings.
Functions that end with `_paired` compare each row of one matrix with the same row of another.
`levels` prepares such a matrix once for many uses. `order_counts` counts how often each system is ahead of each other
one.
"""

from agreement.rank_correlation.ap_correlation import tau_ap, tau_ap_a, tau_ap_b, tau_ap_sym
from agreement.rank_correlation.ap_correlation_batched import tau_ap_a_batch, tau_ap_b_batch, tau_ap_batch
from agreement.rank_correlation.batch import Batch
from agreement.rank_correlation.gap_correlation import tau_gap, tau_gap_paired
from agreement.rank_correlation.kendall import tau, tau_a, tau_b
from agreement.rank_correlation.kendall_batched import tau_a_batch, tau_b_batch, tau_batch
from agreement.rank_correlation.orders import (
    TIE,
    competition_ranks,
    order_signs,
    ranking_of,
    swapped_pairs,
    tied_pairs,
)
from agreement.rank_correlation.pair_counts import order_counts
from agreement.rank_correlation.paired import rbo_paired, tau_ap_b_paired, tau_b_paired
from agreement.rank_correlation.pairwise_accuracy import calibrate_ties, pairwise_accuracy
from agreement.rank_correlation.pearson_spearman import pearson, spearman
from agreement.rank_correlation.rank_biased_overlap import rbo
from agreement.rank_correlation.rank_drops import maximum_drop
from agreement.rank_correlation.rank_levels import Levels, levels

__all__ = [
    "TIE",
    "Batch",
    "Levels",
    "calibrate_ties",
    "competition_ranks",
    "levels",
    "maximum_drop",
    "order_counts",
    "order_signs",
    "pairwise_accuracy",
    "pearson",
    "ranking_of",
    "rbo",
    "rbo_paired",
    "spearman",
    "swapped_pairs",
    "tau",
    "tau_a",
    "tau_a_batch",
    "tau_ap",
    "tau_ap_a",
    "tau_ap_a_batch",
    "tau_ap_b",
    "tau_ap_b_batch",
    "tau_ap_b_paired",
    "tau_ap_batch",
    "tau_ap_sym",
    "tau_b",
    "tau_b_batch",
    "tau_b_paired",
    "tau_batch",
    "tau_gap",
    "tau_gap_paired",
    "tied_pairs",
]

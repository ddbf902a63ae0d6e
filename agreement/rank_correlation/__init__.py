"""How much two rankings of the same systems agree. All take scores, higher better, except `rbo`.

| function | ties | to be used for |
|---|---|---|
| `tau` | an error | two complete rankings, every swap alike |
| `tau_a` | count 0 | an estimate against a truth |
| `tau_b` | taken out | two equals, neither of them the truth |
| `tau_ap`, `tau_ap_sym` | an error | the same with more weight on the top: against a truth; two equals |
| `tau_ap_a` | mean over their breakings | an estimate against a truth, the top first |
| `tau_ap_b` | corrected | two equals, the top first |
| `rbo` | three ways | rankings that differ in items or length, best first, a list inside for ties |
| `spearman`, `pearson` | mean rank; none | ranks, or the scores themselves, on a straight line |

With `_batch` at the end (`tau_b_batch` and so on) one or several references meet a matrix of rankings; `levels`
prepares such a matrix once for many uses, `order_counts` tells how often each system is ahead of each other one.
"""

from agreement.rank_correlation.ap_correlation import tau_ap, tau_ap_a, tau_ap_b, tau_ap_sym
from agreement.rank_correlation.ap_correlation_batched import tau_ap_a_batch, tau_ap_b_batch, tau_ap_batch
from agreement.rank_correlation.batch import Batch
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
from agreement.rank_correlation.pearson_spearman import pearson, spearman
from agreement.rank_correlation.rank_biased_overlap import rbo
from agreement.rank_correlation.rank_levels import Levels, levels

__all__ = [
    "TIE",
    "Batch",
    "Levels",
    "competition_ranks",
    "levels",
    "order_counts",
    "order_signs",
    "pearson",
    "ranking_of",
    "rbo",
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
    "tau_ap_batch",
    "tau_ap_sym",
    "tau_b",
    "tau_b_batch",
    "tau_batch",
    "tied_pairs",
]

"""Pooling strategies that need no judgements, by name.

A strategy is a function. It takes `RankedRuns` and keyword-only parameters and returns a
`pooling.strategies.selection.Selection`: `size` documents of each topic, `budget` documents over all topics, or as its
own parameters define. Within a run, tied scores are resolved by the document order (`pooling.ranking`). Between the
documents that a strategy itself leaves tied at the end of the pool, seeded lots decide (`pooling.strategies.lots`). To
add a strategy, write a function and add it to `STRATEGIES`.

=========== ==============================================================================
strategy    selects
=========== ==============================================================================
depth       the first `depth` documents of each run and topic
ntcir       like depth; documents of most runs are judged first
take        `budget` documents over all topics, by best rank
fair_take   like take, but the last rank goes to the documents that most runs have
rrf         by the sum over runs of 1 / (k + rank)
combsum     by the sum of the normalised scores
combmnz     by the sum of the normalised scores times the number of runs with the document
combmax     by the largest normalised score
combmin     by the smallest normalised score
combmed     by the median of the normalised scores
combanz     by the mean of the normalised scores
borda       by Borda points
condorcet   by pairwise majority of the runs
dcg         by the sum over runs of 1 / log2(rank + 1)
rbp         by the sum over runs of (1 - p) p^(rank - 1)
random      a simple random sample of each topic
stratified  a random sample of each rank stratum of each topic, at the rate of the stratum
stat_ap     a random sample of each topic, drawn in proportion to the contribution to AP
ask_people  a random sample of each topic, drawn in proportion to what a grade teaches about the ranking
=========== ==============================================================================
"""

from collections.abc import Callable

from pooling.strategies.ask_people import ask_people
from pooling.strategies.borda import borda
from pooling.strategies.comb import combanz, combmax, combmed, combmin, combmnz, combsum
from pooling.strategies.condorcet import condorcet
from pooling.strategies.dcg import dcg
from pooling.strategies.depth import depth
from pooling.strategies.fair_take import fair_take
from pooling.strategies.ntcir import ntcir
from pooling.strategies.random import random
from pooling.strategies.rbp import rbp
from pooling.strategies.rrf import rrf
from pooling.strategies.selection import Selection
from pooling.strategies.stat_ap import stat_ap
from pooling.strategies.stratified import stratified
from pooling.strategies.take import take

STRATEGIES: dict[str, Callable[..., Selection]] = {
    function.__name__: function
    for function in (
        *(depth, ntcir, take, fair_take, rrf, combsum, combmnz, combmax, combmin, combmed, combanz),
        *(borda, condorcet, dcg, rbp, random, stratified, stat_ap, ask_people),
    )
}
NEED_SCORES = {"combsum", "combmnz", "combmax", "combmin", "combmed", "combanz"}
NEED_SEED = {
    "random",
    "stratified",
    "stat_ap",
    "ask_people",
}  # they draw samples; the others draw only lots for tied documents

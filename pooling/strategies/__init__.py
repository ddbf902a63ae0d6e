"""Which documents of the runs are judged: the strategies by name.

A strategy that needs no judgements is a function in a file of its own. It takes `RankedRuns` and keyword parameters,
and returns what it chose (`pooling.strategies.selection.Chosen`): `size` documents of each topic, or `budget` over all
topics, or what its own parameters say. Ties are settled by THE order. A new strategy is a new file and a line here.
"""

from pooling.strategies.depth import depth
from pooling.strategies.fair_take import fair_take
from pooling.strategies.fusion.borda import borda
from pooling.strategies.fusion.combanz import combanz
from pooling.strategies.fusion.combmax import combmax
from pooling.strategies.fusion.combmed import combmed
from pooling.strategies.fusion.combmin import combmin
from pooling.strategies.fusion.combmnz import combmnz
from pooling.strategies.fusion.combsum import combsum
from pooling.strategies.fusion.condorcet import condorcet
from pooling.strategies.fusion.dcg import dcg
from pooling.strategies.fusion.rbp import rbp
from pooling.strategies.fusion.rrf import rrf
from pooling.strategies.random import random
from pooling.strategies.stratified import stratified
from pooling.strategies.take import take

STRATEGIES = {
    function.__name__: function
    for function in (
        *(depth, take, fair_take, rrf, combsum, combmnz, combmax, combmin, combmed, combanz),
        *(borda, condorcet, dcg, rbp, random, stratified),
    )
}
NEED_SCORES = {"combsum", "combmnz", "combmax", "combmin", "combmed", "combanz"}

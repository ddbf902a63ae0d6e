"""Which document is judged next, by what was found so far: the adaptive strategies by name.

A strategy is a frozen dataclass in a file of its own with three pure methods (see `pooling.adaptive.strategy`):
`start(runs, query_id)` gives the state of a topic, `step(state, judged)` the state after judgements, and
`next(state, exclude)` the document to judge. A new strategy is a new file and a line here.
"""

from pooling.adaptive.bandits.greedy import BanditGreedy
from pooling.adaptive.bandits.maxmean import MaxMean
from pooling.adaptive.bandits.maxmean_ns import MaxMeanNS
from pooling.adaptive.bandits.random import BanditRandom
from pooling.adaptive.bandits.thompson import BanditThompson
from pooling.adaptive.bandits.ucb import BanditUCB
from pooling.adaptive.cal import CAL
from pooling.adaptive.hedge import Hedge
from pooling.adaptive.move_to_front import MoveToFront
from pooling.adaptive.rankings import Rankings, rankings_of
from pooling.adaptive.rbp_adaptive import RBPAdaptive
from pooling.adaptive.state import State
from pooling.adaptive.strategy import Adaptive

ADAPTIVE = {
    strategy.name: strategy
    for strategy in (
        *(RBPAdaptive, MoveToFront, Hedge, BanditRandom, BanditGreedy, BanditUCB, BanditThompson),
        *(MaxMean, MaxMeanNS, CAL),
    )
}

__all__ = ["ADAPTIVE", "Adaptive", "Rankings", "State", "rankings_of"]

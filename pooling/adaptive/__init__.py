"""Adaptive strategies: the next document to judge depends on the judgements so far.

A strategy is a frozen dataclass with three pure methods (`pooling.adaptive.strategy`): `start(runs, query_id)` returns
the initial state of a topic, `step(state, judged)` the state after judgements, and `next(state, exclude)` the document
to judge. To add a strategy, write a class in a file of its own and add it to `ADAPTIVE`.

================ ====================================================================================
strategy         proposes
================ ====================================================================================
rbp_adaptive     the document that can still change the RBP of the best runs most
move_to_front    documents of one run while they are relevant, then of the run with highest priority
hedge            the document with the largest mean value over runs weighted by their losses
bandit_random    the next document of a random run
bandit_greedy    the next document of the run with the largest share of relevant ones, or of any run
bandit_ucb       the next document of the run with the largest upper confidence bound
bandit_thompson  the next document of the run with the largest draw from its posterior
maxmean          the next document of the run with the largest posterior mean
maxmean_ns       maxmean with discounted counts
cal              the documents that a text classifier finds most relevant
active_sampling  a random document, from runs in proportion to their success, with known probability
ntcir_order      the documents that most runs have, whatever the judgements
ask_people_order random documents, sooner if a grade teaches more, with known probability
================ ====================================================================================
"""

from pooling.adaptive.active_sampling import ActiveSampling
from pooling.adaptive.ask_people_order import AskPeopleOrder
from pooling.adaptive.cal import CAL, collection_rankings
from pooling.adaptive.greedy import BanditGreedy
from pooling.adaptive.hedge import Hedge
from pooling.adaptive.maxmean import MaxMean
from pooling.adaptive.maxmean_ns import MaxMeanNS
from pooling.adaptive.move_to_front import MoveToFront
from pooling.adaptive.ntcir_order import NTCIROrder
from pooling.adaptive.random import BanditRandom
from pooling.adaptive.rankings import Rankings, rankings_of
from pooling.adaptive.rbp_adaptive import RBPAdaptive
from pooling.adaptive.shared_budget import next_task
from pooling.adaptive.state import State
from pooling.adaptive.strategy import Adaptive
from pooling.adaptive.thompson import BanditThompson
from pooling.adaptive.ucb import BanditUCB

ADAPTIVE: dict[str, type[Adaptive]] = {
    strategy.name: strategy
    for strategy in (
        *(RBPAdaptive, MoveToFront, Hedge, BanditRandom, BanditGreedy, BanditUCB, BanditThompson),
        *(MaxMean, MaxMeanNS, CAL, ActiveSampling, NTCIROrder, AskPeopleOrder),
    )
}

__all__ = [
    "ADAPTIVE",
    "ActiveSampling",
    "Adaptive",
    "AskPeopleOrder",
    "Rankings",
    "State",
    "collection_rankings",
    "next_task",
    "rankings_of",
]

"""What a change of grades does: why two systems changed places, and which disputed documents move the ranking.

why = why_swapped(runs, "bm25", "dense", {"nist": nist}, {"judge": judge}, "nDCG@10", seed=1)
print(why.summary())                                # and why.topics, why.documents
print(leverage(runs, judgements, "AP", {"nist": nist}).moving)      # adjudicate these first
"""

from agreement.attribution.leverage import Leverage, leverage
from agreement.attribution.why_swapped import WhySwapped, why_swapped

__all__ = ["Leverage", "WhySwapped", "leverage", "why_swapped"]

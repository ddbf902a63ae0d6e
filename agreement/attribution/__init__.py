"""What a change of grades does: why two systems swap, and which disputed documents change the ranking.

`why_swapped` explains a swap of two systems by topics and documents. `leverage` lists the disputed documents, with the
effect that each possible grade has on the ranking:

    why = why_swapped(runs, "bm25", "dense", {"nist": nist}, {"judge": judge}, "nDCG@10", seed=1)
    print(why.summary())                                # see also why.topics and why.documents
    print(leverage(runs, judgements, "AP", {"nist": nist}).moving)      # adjudicate these documents first
"""

from agreement.attribution.leverage import Leverage, leverage
from agreement.attribution.result import WhySwapped
from agreement.attribution.why_swapped import why_swapped

__all__ = ["Leverage", "WhySwapped", "leverage", "why_swapped"]

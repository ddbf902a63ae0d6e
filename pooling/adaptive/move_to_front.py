"""Move to front: stay with a run while it brings relevant documents, then go to the run that was let down least.

Every run begins with the same priority. The run with the highest brings its next document; a run with the highest
priority that just brought a relevant document goes on. A relevant document moves its run to the front: its priority
is the highest again. Any other document lowers it by 1. Among runs in the front, chance decides.

G. V. Cormack, C. R. Palmer and C. L. A. Clarke, Efficient construction of large test collections, SIGIR 1998, 282-289
(their local variant: each topic for itself). The priorities are as in D. E. Losada, J. Parapar and A. Barreiro,
Multi-armed bandits for adjudicating documents in pooling-based evaluation of information retrieval systems,
Information Processing and Management 53(5), 2017, 1005-1025.
"""

from dataclasses import dataclass

import numpy as np

from pooling.adaptive.rankings import Rankings
from pooling.adaptive.run_chooser import RunChooser
from pooling.adaptive.state import State

FRONT = 0


@dataclass(frozen=True, kw_only=True)
class MoveToFront(RunChooser):
    """Parameters: `seed`, `credit`, `rel` and `depth`."""

    name = "move_to_front"

    def _first_memory(self, rankings: Rankings) -> dict[str, np.ndarray]:
        runs = rankings.n_runs
        return {"priority": np.full(runs, FRONT, dtype=np.int32), "goes_on": np.zeros(runs, dtype=np.int8)}

    def _appeal(self, state: State) -> np.ndarray:
        return state.memory["priority"] + state.memory["goes_on"] / 2

    def _memory_after(self, before: State, after: State) -> dict[str, np.ndarray]:
        runs, relevant = self._credited(before, after.latest), after.verdicts[after.latest]
        priority, goes_on = before.memory["priority"].copy(), np.zeros_like(before.memory["goes_on"])
        priority[runs] = FRONT if relevant else priority[runs] - 1
        goes_on[runs] = relevant
        return {"priority": priority, "goes_on": goes_on}

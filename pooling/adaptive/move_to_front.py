"""Move to front: stay with a run while it gives relevant documents, then take the run with the highest priority.

All runs start with priority 0. The run with the highest priority gives its next document; a run with the highest
priority that has just given a relevant document continues. A relevant document sets the priority of its run to 0 again;
any other document lowers it by 1. Ties are resolved at random.

G. V. Cormack, C. R. Palmer and C. L. A. Clarke, Efficient construction of large test collections, SIGIR 1998, 282-289
(their local variant: each topic on its own). The priorities are those of D. E. Losada, J. Parapar and A. Barreiro,
Multi-armed bandits for adjudicating documents in pooling-based evaluation of information retrieval systems,
Information Processing and Management 53(5), 2017, 1005-1025.
"""

from dataclasses import dataclass

import numpy as np

from pooling.adaptive.rankings import Rankings
from pooling.adaptive.run_chooser import RunChooser
from pooling.adaptive.state import State

HIGHEST = 0


@dataclass(frozen=True, kw_only=True)
class MoveToFront(RunChooser):
    """Move to front: stay with a run while it gives relevant documents (Cormack, Palmer and Clarke 1998).

    Parameters
    ----------
    seed : int
        Seed of the random numbers, from 0. Required.
    credit : {"one", "all"}
        Which runs learn from a judgement: the run that proposed the document, or all runs that have it.
    rel : float
        Documents with this relevance or more are relevant; above 0.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.

    Raises
    ------
    ValueError
        If a parameter is missing or not allowed.
    """

    name = "move_to_front"

    def _initial_memory(self, rankings: Rankings) -> dict[str, np.ndarray]:
        n_runs = rankings.n_runs
        return {"priority": np.full(n_runs, HIGHEST, dtype=np.int32), "goes_on": np.zeros(n_runs, dtype=np.int8)}

    def _run_scores(self, state: State) -> np.ndarray:
        # Half a step: the run goes on among those with the highest priority, but not before a higher one.
        return np.asarray(state.memory["priority"] + state.memory["goes_on"] / 2)

    def _updated_memory(self, before: State, after: State) -> dict[str, np.ndarray]:
        runs, relevant = self._credited_runs(before, after.latest), after.verdicts[after.latest]
        priority, goes_on = before.memory["priority"].copy(), np.zeros_like(before.memory["goes_on"])
        priority[runs] = HIGHEST if relevant else priority[runs] - 1
        goes_on[runs] = relevant
        return {"priority": priority, "goes_on": goes_on}

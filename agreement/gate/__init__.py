"""The gate of a candidate run, for continuous integration: is it worse than the baseline by more than a margin?

`candidate` has the function, `decision` the five decisions, `difference` the interval and the power, `bounds` what
unjudged documents could change, `open_conclusions` which comparisons of many runs are open, `under_gold` the figures of
one gold, and `result` all of them together. `inputs` reads the runs and golds; `text` and `junit` write the report.
"""

from agreement.gate.candidate import gate_candidate
from agreement.gate.open_conclusions import open_conclusions
from agreement.gate.result import Gate, JudgeShift, RunsUnderGold

__all__ = ["Gate", "JudgeShift", "RunsUnderGold", "gate_candidate", "open_conclusions"]

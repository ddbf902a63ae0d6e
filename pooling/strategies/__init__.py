"""Which documents of the runs are judged: the strategies by name.

A strategy is a function in a file of its own. It takes an iterable of frames of runs (system, query_id,
doc_id, score), which it goes through once, and keyword parameters; it returns the pooled occurrences: a frame
of system, query_id, doc_id, rank with one row for each pooled document of a system's ranking. A new strategy
is a new file and a line in `STRATEGIES`.
"""

from pooling.strategies.depth import depth

STRATEGIES = {"depth": depth}

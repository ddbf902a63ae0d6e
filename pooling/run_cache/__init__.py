"""Many runs in columnar files, to score them in little memory and again without parsing.

`cache_runs` reads run files in blocks and writes each block as integers, in files named by the checksum of the runs.
The result, `CachedRuns`, can be scored like other runs; `agreement.evaluate` then reads one block at a time.

Files of a folder:

==================== ===========================================================================================
runs.json            the set of runs: its checksum, its blocks, and the size of every file
BLOCK.json           the checksum, systems and topics of a block, and the sizes of its files
BLOCK.items.npy      for each system, topic and rank of a block: the number of the document in the block
BLOCK.retrieved.npy  the length of each ranking of the block
BLOCK.names.arrow    the query_id and doc_id of each number of the block
SET.numbers.npy      for each number of each block: the number in the set
SET.keys.npy         the topic and the document of each number of the set
SET.documents.arrow  the doc_ids of the set
==================== ===========================================================================================

Every file is written under another name and then renamed: `BLOCK.json` as the last file of a block, and `runs.json` as
the last of all. So a killed process leaves the former set, and the next call uses the blocks that it completed. A block
is read again if a file of it is missing or has another size. At the end, files that `runs.json` does not name are
deleted.
"""

from pooling.run_cache.blocks import Block
from pooling.run_cache.cached_runs import CachedRuns, Executor, cache_runs, check_executor

__all__ = ["Block", "CachedRuns", "Executor", "cache_runs", "check_executor"]

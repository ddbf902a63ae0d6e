"""Check topics, documents, runs and judgements together, before anything is computed from them.

`check_files` reads files of any format and returns what it found: what each file was taken for, ids that match nothing
in the other files, repeated ids, ranks that contradict scores, ties, empty texts, topics without a relevant document or
without a run, how much of the first ten documents is judged, and the grades of each judge.

========== =========================================================================
severity   meaning
========== =========================================================================
error      a file or a line that cannot be read; figures would lack it
warning    what changes figures in silence, such as topics that match nothing
note       what is worth knowing, such as the share of the first ten that is judged
========== =========================================================================
"""

from agreement.file_checks.check import FileChecks, check_files
from agreement.file_checks.contents import Contents
from agreement.file_checks.findings import Finding

__all__ = ["Contents", "FileChecks", "Finding", "check_files"]

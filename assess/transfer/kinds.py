"""The kinds of imports: for each, its options, the check of files before their import, and the import itself."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from assess.models import Collection, ImportKind
from assess.transfer import documents, judgements, pool, runs, scale, topics
from assess.transfer.import_record import Imported, ImportedBy, Progress, SourceFile
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.options import ImportOptions, Option
from assess.transfer.preview import Preview


class Kind(NamedTuple):
    """One kind of file. `check` adds to a preview and saves nothing; `import_files` saves all files or none."""

    options: type[ImportOptions]
    check: Callable[[Preview, Sequence[SourceFile], Any], None]
    import_files: Callable[[Collection, Sequence[SourceFile], Any, Progress, ImportedBy | None], Imported]


KINDS: dict[str, Kind] = {
    ImportKind.TOPICS.value: Kind(topics.TopicOptions, topics.check, topics.import_files),
    ImportKind.SCALE.value: Kind(scale.ScaleOptions, scale.check, scale.import_files),
    ImportKind.RUNS.value: Kind(runs.RunOptions, runs.check, runs.import_runs),
    ImportKind.POOL.value: Kind(pool.PoolOptions, pool.check, pool.import_files),
    ImportKind.DOCUMENTS.value: Kind(documents.DocumentOptions, documents.check, documents.import_files),
    ImportKind.JUDGEMENTS.value: Kind(JudgementOptions, judgements.check, judgements.import_files),
}  # in the order in which they are imported
OPTIONS: dict[str, Option] = {
    name: option for kind in KINDS.values() for name, option in kind.options.declared().items()
}  # of all kinds, as a job stores them

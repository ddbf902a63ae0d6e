"""What a run of a search engine answered, as a file in the form that `assay live` writes, and what it changed."""

import gzip
import json
from tempfile import TemporaryFile
from typing import BinaryIO

from assess.models import EngineRun


def answers_file(run: EngineRun) -> BinaryIO:
    """Return a temporary file of compressed lines of JSON, one for each topic, that is open at its beginning."""
    from pooling.live.topic import TopicAnswer, as_line  # loads the HTTP client

    file: BinaryIO = TemporaryFile()  # noqa: SIM115 - the response closes it
    with gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as stream:
        for saved in run.answers.select_related("topic").order_by("topic").iterator(chunk_size=50):
            answer = TopicAnswer(
                saved.topic.query_id,
                problem=saved.problem,
                body=saved.original(),
                asked_at=saved.asked_at.isoformat(timespec="seconds"),
                seconds=saved.seconds,
                attempts=saved.attempts,
            )
            stream.write(json.dumps(as_line(answer), ensure_ascii=False).encode() + b"\n")
    file.seek(0)
    return file


def changes_of(run: EngineRun) -> str:
    """Return how a run differs from the one that it repeats, in a sentence, or "" if there is nothing to compare."""
    former = run.former.run if run.former else None
    if former is None or run.run is None:
        return ""
    from assess.collections import runfiles  # loads pandas
    from pooling.live import compare_runs

    frames = [runfiles.load(each) for each in (former, run.run)]
    return f"Compared with {former.system}: {compare_runs(frames[0], frames[1])}"

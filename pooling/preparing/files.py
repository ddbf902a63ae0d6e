"""Run files as chunks for `pooling.ranking.prepare`, without a DataFrame in between.

Every line is checked as by `read_run`. Whether a document occurs twice is left to the caller, who numbers all documents
and can compare integers; if the numbers show one, `refuse_duplicates` reads the files again and raises the error.
"""

from collections.abc import Collection, Iterable
from os import PathLike, fspath
from typing import Any

from pooling._io.columns import run_columns
from pooling._io.lines import run_by_lines
from pooling._io.rank_check import rank_sentence
from pooling._io.rank_runs import is_rank_run
from pooling._io.reading import file_content
from pooling._io.zip_entries import run_files
from pooling.formats.comments import comment_lines, comment_sentence
from pooling.paths import IRDS, FilePath, matching_files
from pooling.preparing.chunk import Chunk
from pooling.run_warnings import CommentLinesWarning, RankOrderWarning, warn_of
from pooling.trec import MAX_BYTES, read_run


def run_paths(runs: Any) -> list[FilePath] | None:
    """The files if runs are a path, a pattern, or a list or tuple of these; None if they are anything else.

    A ZIP archive stands for the files in it.
    """
    listed = [runs] if isinstance(runs, str | PathLike) else runs
    if not isinstance(listed, list | tuple) or not listed:
        return None
    if not all(isinstance(path, str | PathLike) and not fspath(path).startswith(IRDS) for path in listed):
        return None
    return [each for path in listed for file in matching_files(path, "runs") for each in run_files(file, MAX_BYTES)]


def chunk_of_file(
    path: FilePath, depth: int | None, topics: Collection[str] | None = None, keep_scores: bool = True
) -> Chunk:
    """Read a run file."""
    name = fspath(path)
    data = file_content(path, MAX_BYTES, name, None, None)
    if is_rank_run(data):
        return Chunk.from_frame(read_run(data, name=name), depth, topics, keep_scores)
    columns = run_columns(data, True, "float64")
    if sentence := comment_sentence(comment_lines(data)):
        warn_of([CommentLinesWarning(name, f"{sentence}.")], None, stacklevel=1)
    if sentence := rank_sentence(data, "float64"):
        warn_of([RankOrderWarning(name, sentence)], None, stacklevel=1)
    if columns is not None and depth is None:
        chunk = Chunk.from_columns(columns, path, keep_scores)
        if topics is None or set(chunk.topic[1]) <= set(topics):
            return chunk
    if columns is None or columns.has_duplicates():
        frame = run_by_lines(data, name, True, "float64")
    else:
        frame = columns.frame()
    return Chunk.from_frame(frame.rename(columns={"tag": "system"}), depth, topics, keep_scores)


def refuse_duplicates(chunks: Iterable[Chunk]) -> None:
    """Raise the error of `read_run` for the first file in which a document occurs twice in a topic."""
    for chunk in chunks:
        if chunk.path is not None:
            read_run(chunk.path)

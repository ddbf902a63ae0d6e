"""A cache whose files are missing, truncated, unreadable or superfluous, and a process that is killed."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agreement import evaluate
from pooling import CachedRuns, TrecFormatError, cache_runs, prepare, read_runs
from pooling.run_cache import blocks
from tests.pooling.run_cache.test_cached_runs import rankings, small_blocks, write_runs

__all__ = ["small_blocks"]  # a fixture

ENDINGS = [*blocks.BLOCK_FILES, "numbers.npy", "keys.npy", "documents.arrow"]


@pytest.fixture
def paths(tmp_path, small_blocks):
    return write_runs(tmp_path)


@pytest.fixture
def folder(paths, tmp_path):
    cache_runs(paths, tmp_path / "cache")
    return tmp_path / "cache"


def delete(path):
    path.unlink()


def truncate(path):
    path.write_bytes(path.read_bytes()[:-1])


def names_of(folder):
    return {path.name for path in folder.iterdir()}


def assert_repaired(paths, folder):
    expected = rankings(prepare(read_runs(paths)))
    assert rankings(cache_runs(paths, folder).ranked_runs()) == expected
    assert rankings(CachedRuns.open(folder).ranked_runs()) == expected


@pytest.mark.parametrize("first", [b"", b"\n", b"# a comment\n"])
@pytest.mark.parametrize("others", [0, 2])
def test_an_empty_first_file_is_named(tmp_path, first, others):
    empty = tmp_path / "a.run"
    empty.write_bytes(first)
    paths = [empty, *write_runs(tmp_path)[:others]]

    with pytest.raises(TrecFormatError, match=r"a\.run.*the file has no run lines"):
        cache_runs(paths, tmp_path / "cache")


@pytest.mark.parametrize("damage", [delete, truncate])
@pytest.mark.parametrize("ending", ENDINGS)
def test_damage_is_noticed_and_repaired(paths, folder, damage, ending):
    path = min(folder.glob(f"*.{ending}"))
    damage(path)

    with pytest.raises(ValueError, match=f"damaged: '{path.name}' is missing or has another size"):
        CachedRuns.open(folder)
    assert_repaired(paths, folder)


def test_only_the_damaged_block_is_read_again(paths, folder, monkeypatch):
    read = []
    monkeypatch.setattr(blocks, "read_runs", lambda files, **options: read.append(files) or read_runs(files, **options))
    delete(min(folder.glob("*.items.npy")))

    cache_runs(paths, folder)

    assert len(read) == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff",
        b"[]",
        b"null",
        b"{}",
        b"[" * 100_000,
        b'{"checksum": "x", "sizes": [1, 2, 3], "blocks": []}',
        b'{"checksum": 7, "sizes": [1, 2, 3], "blocks": [{}]}',
        b'{"checksum": "x", "sizes": 3, "blocks": 3}',
    ],
)
def test_an_unreadable_index(paths, folder, content):
    (folder / "runs.json").write_bytes(content)

    with pytest.raises(ValueError, match=r"runs\.json' is not a valid index of cached runs"):
        CachedRuns.open(folder)
    assert_repaired(paths, folder)


@pytest.mark.parametrize(
    "wrong",
    [
        {"checksum": "../../etc/passwd"},
        {"systems": [1]},
        {"systems": []},
        {"sizes": [1]},
        {"n_ranks": "5"},
        {"unknown": 1},
        {"query_ids": None},
    ],
)
def test_a_block_with_wrong_attributes(paths, folder, wrong):
    index = json.loads((folder / "runs.json").read_text())
    block = index["blocks"][0]
    (folder / f"{block['checksum']}.json").write_text(json.dumps(block | wrong))
    index["blocks"][0] = block | wrong
    (folder / "runs.json").write_text(json.dumps(index))

    with pytest.raises(ValueError, match="is not a valid index of cached runs"):
        CachedRuns.open(folder)
    assert_repaired(paths, folder)


def test_a_file_that_is_deleted_after_opening(folder):
    runs = CachedRuns.open(folder)
    delete(min(folder.glob("*.items.npy")))

    with pytest.raises(ValueError, match=r"items\.npy' of a cache is missing\. cache_runs writes it again"):
        evaluate(runs, {"1": {"d01": 1}}, "AP")
    delete(min(folder.glob("*.documents.arrow")))
    with pytest.raises(ValueError, match=r"documents\.arrow' of a cache is missing"):
        evaluate(runs, {"1": {"d01": 1}}, "AP")


def test_superfluous_files_are_deleted_and_others_stay(paths, folder):
    first = names_of(folder)
    (folder / "notes.txt").write_text("mine")
    (folder / f"{'0' * 64}.items.npy.12-34.part").write_bytes(b"unfinished")

    cache_runs(paths[:2], folder)
    few = names_of(folder)
    cache_runs(paths, folder)

    assert len(few) < len(first)
    assert names_of(folder) == first | {"notes.txt"}


def test_the_size_of_a_cache_does_not_depend_on_its_history(paths, folder):
    size = len(names_of(folder))
    for round_number in range(5):
        paths[0].write_text(f"1 Q0 d{round_number} 1 2.5 system0\n")
        cache_runs(paths, folder)

    assert len(names_of(folder)) == size


KILLED = """
import os, signal, sys
from pooling import cache_runs
from pooling.run_cache import blocks, files

blocks.BLOCK_BYTES = 2_500
real, left = files.os.fsync, [int(sys.argv[3])]

def fsync(number):
    real(number)
    left[0] -= 1
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)

files.os.fsync = fsync
cache_runs(sys.argv[1] + "/*.run", sys.argv[2])
"""


@pytest.mark.slow
@pytest.mark.parametrize("n_files", [1, 4, 5, 8, 11, 12])
def test_a_killed_process_leaves_a_cache_that_the_next_call_completes(tmp_path, small_blocks, monkeypatch, n_files):
    paths = write_runs(tmp_path)
    folder = tmp_path / "cache"
    command = [sys.executable, "-c", KILLED, str(tmp_path), str(folder), str(n_files)]
    killed = subprocess.run(command, cwd=Path(__file__).parents[3], check=False)
    assert killed.returncode == -signal.SIGKILL
    read = []
    monkeypatch.setattr(blocks, "read_runs", lambda files, **options: read.append(files) or read_runs(files, **options))

    assert_repaired(paths, folder)

    n_blocks = len(CachedRuns.open(folder).blocks)
    assert len(read) == max(n_blocks - (n_files - 1) // 4, 0)  # a block has four files
    assert not list(folder.glob("*.part"))

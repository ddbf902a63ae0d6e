"""Runs in a cache: complete, incremental, irregular, hostile, and killed in between."""

import gzip
import json

import numpy as np
import pytest

from pooling import CachedRuns, TrecFormatError, cache_runs, prepare, read_runs
from pooling.run_cache import blocks


@pytest.fixture
def small_blocks(monkeypatch):
    """Two or three files in a block."""
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 2_500)


def write_runs(folder, n_systems=7, n_topics=3, seed=1):
    """Write runs of different lengths, with tied scores, and with topics that only some of them have."""
    rng = np.random.default_rng(seed)
    for system in range(n_systems):
        lines = []
        for topic in range(n_topics):
            if (system + topic) % 5 == 4:
                continue
            docs = rng.permutation(30)[: rng.integers(1, 20)]
            lines += [f"{topic + 1} Q0 d{doc:02} 0 {rng.integers(5)} system{system}" for doc in docs]
        (folder / f"{system}.run").write_text("\n".join(lines) + "\n")
    return sorted(folder.glob("*.run"))


def rankings(runs):
    """Each ranking as names."""
    doc_ids = [*runs.doc_ids_of_items, None]
    return {
        (system, topic): [doc_ids[item] for item in runs.items[row, column] if doc_ids[item] is not None]
        for row, system in enumerate(runs.systems)
        for column, topic in enumerate(runs.query_ids)
    }


def test_cached_runs_are_the_runs(tmp_path, small_blocks):
    paths = write_runs(tmp_path)
    expected = prepare(read_runs(paths))

    cached = cache_runs(paths, tmp_path / "cache")

    assert len(cached.blocks) > 1
    for runs in (cached.ranked_runs(), CachedRuns.open(tmp_path / "cache").ranked_runs()):
        assert rankings(runs) == rankings(expected)
        assert runs.retrieved.tolist() == expected.retrieved.tolist()
        assert runs.systems.tolist() == expected.systems.tolist()
        assert (np.diff(runs.keys) > 0).all()
    assert repr(cached) == f"CachedRuns: 7 systems in {len(cached.blocks)} blocks"


def test_systems_are_ascending_whatever_the_order_of_the_files(tmp_path, small_blocks):
    paths = write_runs(tmp_path)

    cached = cache_runs(paths[::-1], tmp_path / "cache")

    assert cached.systems.tolist() == [f"system{number}" for number in range(7)]
    assert rankings(cached.ranked_runs()) == rankings(prepare(read_runs(paths)))


def test_a_pattern_and_compressed_files(tmp_path):
    paths = write_runs(tmp_path)
    for path in paths:
        (tmp_path / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))

    cached = cache_runs(f"{tmp_path}/*.gz", tmp_path / "cache")

    assert rankings(cached.ranked_runs()) == rankings(prepare(read_runs(paths)))


def test_unchanged_blocks_are_not_read_again(tmp_path, small_blocks, monkeypatch):
    paths = write_runs(tmp_path)
    cache_runs(paths[:-1], tmp_path / "cache")
    read = []
    monkeypatch.setattr(blocks, "read_runs", lambda files, **options: read.append(files) or read_runs(files, **options))

    cached = cache_runs(paths, tmp_path / "cache")

    assert len(read) == 1
    assert paths[-1] in read[0]
    assert rankings(cached.ranked_runs()) == rankings(prepare(read_runs(paths)))
    assert cache_runs(paths, tmp_path / "cache").checksum == cached.checksum
    assert len(read) == 1


def test_a_changed_file_is_read_again(tmp_path, small_blocks):
    paths = write_runs(tmp_path)
    first = cache_runs(paths, tmp_path / "cache")
    paths[0].write_text("1 Q0 other 1 2.5 system0\n")

    second = cache_runs(paths, tmp_path / "cache")

    assert second.checksum != first.checksum
    assert rankings(second.ranked_runs())["system0", "1"] == ["other"]


def test_a_killed_process_leaves_the_former_set(tmp_path, small_blocks, monkeypatch):
    paths = write_runs(tmp_path)
    before = cache_runs(paths[:2], tmp_path / "cache")
    for name in ("cached_runs.write_documents", "index.write_json"):  # the last two files
        with monkeypatch.context() as killed:
            killed.setattr(f"pooling.run_cache.{name}", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                cache_runs(paths, tmp_path / "cache")
        assert rankings(CachedRuns.open(tmp_path / "cache").ranked_runs()) == rankings(before.ranked_runs())
    assert rankings(cache_runs(paths, tmp_path / "cache").ranked_runs()) == rankings(prepare(read_runs(paths)))


@pytest.mark.parametrize(
    ("lines", "error", "message"),
    [
        ("1 Q0 d1 1 high bm25\n", TrecFormatError, "high"),
        ("1 Q0 d1 1 2 bm25\n1 Q0 d1 2 1 bm25\n", TrecFormatError, "d1"),
        ("1 Q0 d1 1 2 system0\n", (TrecFormatError, ValueError), "system0"),
    ],
)
@pytest.mark.parametrize("together", [True, False])
def test_an_invalid_file_changes_nothing(tmp_path, monkeypatch, lines, error, message, together):
    paths = write_runs(tmp_path, n_systems=2)
    before = cache_runs(paths, tmp_path / "cache")
    (tmp_path / "bad.run").write_text(lines)
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 1 << 26 if together else 1)

    with pytest.raises(error, match=message):
        cache_runs([*paths, tmp_path / "bad.run"], tmp_path / "cache")

    assert CachedRuns.open(tmp_path / "cache").checksum == before.checksum


def test_no_file_and_no_cache(tmp_path):
    with pytest.raises(ValueError, match="at least one run file"):
        cache_runs([], tmp_path)
    with pytest.raises(ValueError, match="no file for runs that matches"):
        cache_runs(f"{tmp_path}/*.run", tmp_path)
    with pytest.raises(ValueError, match="has no cached runs"):
        CachedRuns.open(tmp_path)


def test_the_index_names_the_systems_of_each_block(tmp_path, small_blocks):
    cache_runs(write_runs(tmp_path), tmp_path / "cache")

    index = json.loads((tmp_path / "cache" / "runs.json").read_text())

    assert sorted(name for block in index["blocks"] for name in block["systems"]) == [f"system{n}" for n in range(7)]
    assert not list((tmp_path / "cache").glob("*.part"))

"""A small world to tell stories in: files as a researcher would have them, and the collection they make."""

import json
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pooling
from assess.collections.create import create_collection
from assess.collections.scale import BINARY_GRADES
from assess.models import Collection
from assess.pools.build import build_pool
from assess.transfer.imports import import_documents, import_runs, import_topics

# system -> topic -> documents, best first
SMALL_RUNS = {
    "alpha": {"1": ["a", "b", "c"], "2": ["x", "y"]},
    "beta": {"1": ["b", "d", "a"], "2": ["y", "z"]},
    "gamma": {"1": ["e", "b", "f"], "2": ["z", "x"]},
}
TOPICS = "1\tfirst need\tWhat the first user wants.\tOnly the thing itself.\n2\tsecond need\n"


def run_text(system: str, topics: Mapping[str, list[str]]) -> str:
    """A run file's lines, the documents' scores falling by one."""
    return "".join(
        f"{query_id} Q0 {doc_id} {rank} {100 - rank} {system}\n"
        for query_id, doc_ids in topics.items()
        for rank, doc_id in enumerate(doc_ids, start=1)
    )


def write_runs(folder: Path, runs: Mapping) -> list[Path]:
    """One run file for each system."""
    paths = []
    for system, topics in runs.items():
        path = folder / f"{system}.run"
        path.write_text(run_text(system, topics), encoding="utf-8")
        paths.append(path)
    return paths


def write_topics(folder: Path) -> Path:
    path = folder / "topics.tsv"
    path.write_text(TOPICS, encoding="utf-8")
    return path


def write_documents(folder: Path, doc_ids) -> Path:
    path = folder / "documents.jsonl"
    lines = (
        json.dumps({"doc_id": doc_id, "title": f"Title {doc_id}", "text": f"Text of {doc_id}."}) for doc_id in doc_ids
    )
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def small_collection(runs: Mapping, slug: str = "small", grades=BINARY_GRADES, depth: int = 2) -> Collection:
    """A collection with its pool and texts, made through the same doors as any other."""
    collection = create_collection(slug, slug.title(), grades)
    with TemporaryDirectory() as name:
        folder = Path(name)
        import_topics(collection, write_topics(folder))
        import_runs(collection, write_runs(folder, runs))
        build_pool(collection, depth)
        doc_ids = collection.documents.order_by("doc_id").values_list("doc_id", flat=True)
        import_documents(collection, pooling.read_documents(write_documents(folder, doc_ids)))
    return collection

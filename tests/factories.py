"""Small input files, and a collection built from them."""

import json
from collections.abc import Mapping
from contextlib import nullcontext
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from django.conf import settings
from django.db import IntegrityError, connection, transaction

import pooling
from assess.collections.create import create_collection
from assess.collections.scale import BINARY_GRADES
from assess.documents.contents import new_content
from assess.documents.sanitiser import sanitise
from assess.models import (
    Collection,
    Document,
    DocumentContent,
    Grade,
    ImportRecord,
    PoolBuilding,
    PoolChange,
    Provenance,
    Run,
    Task,
    Topic,
)
from assess.pools.building.build import build_pool
from assess.transfer.documents import import_documents
from assess.transfer.runs import import_runs
from assess.transfer.topics import import_topics

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


def set_content(documents, **values) -> None:
    """Change the content of documents, such as `text`, `title` and `format`, as if they had been imported with it."""
    for document in documents.select_related("content"):
        old = document.content
        fields = {name: getattr(old, name) for name in ("text", "title", "metadata")} if old else {"text": ""}
        fields |= {"format": old.format if old else "text", **values}
        text, text_format = fields.pop("text"), fields.pop("format")
        sanitised = sanitise(text) if text_format == "html" else None
        content = new_content(text, text_format=text_format, sanitised=sanitised, **fields)
        if old:
            content.pk, content.imported_at = old.pk, old.imported_at
        content.save()
        Document.objects.filter(pk=document.pk).update(content=content)


def add_missing_texts(collection: Collection) -> None:
    """Give every document without a text one, so that it can be graded."""
    set_content(collection.documents.filter(content=None), text="Some text.")


def remove_content(documents) -> None:
    """Make documents ones whose text has not been imported."""
    documents.update(content=None)


def small_collection(
    runs: Mapping, slug: str = "small", grades=BINARY_GRADES, depth: int = 2, seed: int | None = None
) -> Collection:
    """Return a collection with its pool and texts. The same arguments are built once; later calls copy the rows."""
    key = json.dumps([runs, slug, list(grades), depth, seed])
    if key not in _BUILT:
        collection = _build(runs, slug, grades, depth, seed)
        _BUILT[key] = _Copy(collection)
        return collection
    return _BUILT[key].restore()


def _build(runs: Mapping, slug: str, grades, depth: int, seed: int | None) -> Collection:
    """Build the collection with the functions that pages and commands use."""
    randbelow = "assess.models.collection.secrets.randbelow"
    with nullcontext() if seed is None else patch(randbelow, return_value=seed):
        collection = create_collection(slug, slug.title(), grades)
    with TemporaryDirectory() as name:
        folder = Path(name)
        import_topics(collection, write_topics(folder))
        import_runs(collection, write_runs(folder, runs))
        build_pool(collection, depth=depth)
        doc_ids = collection.documents.order_by("doc_id").values_list("doc_id", flat=True)
        import_documents(collection, pooling.read_documents(write_documents(folder, doc_ids)))
    return collection


class _Copy:
    """The rows and run files of a collection that was just built."""

    MODELS = (
        Collection,
        Grade,
        ImportRecord,
        Topic,
        Run,
        DocumentContent,
        Document,
        PoolBuilding,
        Task,
        Provenance,
        PoolChange,
    )  # referenced tables first

    def __init__(self, collection: Collection):
        paths = {
            Collection: "pk",
            **dict.fromkeys((Grade, ImportRecord, Topic, Run, Document, PoolBuilding), "collection"),
            DocumentContent: "document__collection",
            Task: "topic__collection",
            Provenance: "task__topic__collection",
            PoolChange: "building__collection",
        }
        self._rows = {
            model: list(model.objects.filter(**{paths[model]: collection.pk}).order_by("pk")) for model in self.MODELS
        }
        self._files = {path.name: path.read_bytes() for path in Path(settings.RUNS_DIR).iterdir()}

    def restore(self) -> Collection:
        for name, content in self._files.items():
            path = Path(settings.RUNS_DIR) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        try:
            collection = self._with_the_same_keys()
        except IntegrityError:  # of a test with several collections
            collection = self._with_new_keys()
        return Collection.objects.get(pk=collection)

    def _with_the_same_keys(self) -> int:
        """Insert the rows as they were: no sequence returns a key a second time."""
        with transaction.atomic(), connection.cursor() as cursor:
            for statement, values in self._statements:
                cursor.execute(statement, values)
        return self._rows[Collection][0].pk

    @cached_property
    def _statements(self) -> list[tuple[str, list]]:
        """The statement that inserts the rows of each table, and its values."""
        return [_insert(model, rows) for model, rows in self._rows.items() if rows]

    def _with_new_keys(self) -> int:
        keys: dict[type, dict[int, int]] = {}
        for model, rows in self._rows.items():
            copies = model.objects.bulk_create([self._copy(row, keys) for row in rows])
            keys[model] = {row.pk: copy.pk for row, copy in zip(rows, copies, strict=True)}
        return next(iter(keys[Collection].values()))

    @staticmethod
    def _copy(row, keys: dict[type, dict[int, int]]):
        values = {}
        for field in row._meta.concrete_fields:
            value = getattr(row, field.attname)
            if field.is_relation:
                values[field.attname] = value and keys[field.related_model][value]
            elif not field.primary_key:
                values[field.attname] = value
        return type(row)(**values)


def _insert(model, rows: list) -> tuple[str, list]:
    fields = [field for field in model._meta.concrete_fields if not field.generated]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    places = ", ".join([f"({', '.join(['%s'] * len(fields))})"] * len(rows))
    values = [field.get_db_prep_save(getattr(row, field.attname), connection) for row in rows for field in fields]
    return f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES {places}', values


_BUILT: dict[str, _Copy] = {}

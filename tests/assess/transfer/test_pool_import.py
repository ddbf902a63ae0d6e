"""Pools and scales that were made elsewhere, and a whole course that comes into an empty collection."""

import io
import json
import zipfile

import pytest
from django.core.management import call_command
from django.urls import reverse

import pooling
from assess.collections.create import create_collection
from assess.collections.scale import grades_of
from assess.errors import Refused
from assess.models import Document, ImportKind, PoolBuilding, Provenance, Role, Task
from assess.pools.building.build import build_pool
from assess.pools.building.undo import undo_pool
from assess.releases.state.pool_state import pool_state
from assess.transfer.import_record import as_source
from assess.transfer.judgements import import_judgements
from assess.transfer.pool import PoolOptions
from assess.transfer.pool import import_files as import_pool
from assess.transfer.pool_export import pool_file
from assess.transfer.scale import ScaleOptions
from assess.transfer.scale import import_files as import_scale
from assess.transfer.topics import import_topics
from assess.transfer.undo import obstacles, undo_import
from assess.transfer.uploads.importing import start_import
from assess.transfer.uploads.page import start_check, uploads_of_user
from assess.transfer.uploads.receive import paste
from assess.web.research.job_views import shown_job
from pooling.errors import FormatError
from tests.factories import SMALL_RUNS, add_missing_texts, small_collection, write_topics
from tests.realdata import real_data

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
GRADES = ("0=Not relevant", "1=Related", "2=Relevant")
POOL = {"1": ["a", "new"], "2": ["x"]}


@pytest.fixture
def collection(db, tmp_path):
    made = create_collection("course", "Course", GRADES)
    import_topics(made, write_topics(tmp_path))
    return made


@pytest.fixture
def file(tmp_path):
    def write(content, name="judgment-pool.json"):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return [as_source(path)]

    return write


def pooled_pairs(collection):
    rows = Provenance.objects.filter(task__topic__collection=collection)
    return set(rows.values_list("task__topic__query_id", "task__document__doc_id"))


def pairs(pool):
    return {(query_id, doc_id) for query_id, ids in pool.items() for doc_id in ids}


def test_a_pool_is_imported_and_only_grows(collection, file):
    result = import_pool(collection, file(POOL), PoolOptions())
    assert (result.read, result.added, result.same) == (3, 3, 0)
    assert result.notes == ["Pooled documents without text: 3."]
    assert pooled_pairs(collection) == pairs(POOL)
    assert [(row.systems, row.best_rank) for row in Provenance.objects.all()] == [([], 0)] * 3
    again = import_pool(collection, file(POOL), PoolOptions())
    assert (again.added, again.same) == (0, 3)
    assert collection.imports.filter(kind=ImportKind.POOL).count() == PoolBuilding.objects.count() == 1
    import_pool(collection, file({"1": ["b"]}), PoolOptions())
    assert pooled_pairs(collection) == pairs(POOL) | {("1", "b")}


def test_the_import_is_undone_as_a_building(collection, file):
    import_pool(collection, file(POOL), PoolOptions())
    record = collection.imports.get(kind=ImportKind.POOL)
    assert obstacles(collection, [record])[record.pk] == "It is a building of the pool. Undo it on the page Pool."
    with pytest.raises(Refused, match="Undo it on the page Pool"):
        undo_import(collection, record.pk)
    assert undo_pool(collection).tasks == 3
    record.refresh_from_db()
    assert record.undone_at is not None
    assert not Task.objects.exists()
    assert not Document.objects.exists()


def test_runs_that_are_pooled_later_add_their_systems(db, tmp_path, file):
    collection = small_collection(SMALL_RUNS)
    before = pooled_pairs(collection)
    import_pool(collection, file({"1": ["a", "other"]}), PoolOptions())
    assert pooled_pairs(collection) == before | {("1", "other")}
    known = Provenance.objects.get(task__topic__query_id="1", task__document__doc_id="a")
    assert known.systems
    assert known.best_rank > 0  # the import keeps what the runs say
    build_pool(collection, depth=5)
    undo = undo_pool(collection)
    assert undo.description.startswith("depth")
    assert undo_pool(collection).description == "imported"
    assert pooled_pairs(collection) == before


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"9": ["a"]}, "course has no topic '9'. Import the topics first."),
        ({"9": ["a"], "8": ["a"]}, "has no topic '9', and 1 topic more of the file are missing."),
        ({"1": ["a", "a"]}, "topic '1' has the document 'a' twice"),
        ({"1": ["a b"]}, "doc_id 'a b' contains white space"),
        ({"1": []}, "the pool has no documents"),
        ({"1": "a"}, "topic '1' has no list of strings"),
        ([["1", "a"]], "the JSON is of type list, not an object"),
        ("{", "the JSON is invalid"),
        ("", "the file is empty"),
    ],
)
def test_what_is_no_pool_is_refused(collection, file, content, sentence):
    with pytest.raises((Refused, FormatError)) as caught:
        import_pool(collection, file(content), PoolOptions())
    assert sentence in str(caught.value)
    assert not Task.objects.exists()
    assert not collection.imports.filter(kind=ImportKind.POOL).exists()


def test_a_document_of_an_imported_pool_was_certain_in_a_release(db, file):
    """The sample drew some documents before; those that the file lists too were certain."""
    collection = small_collection(SMALL_RUNS)
    collection.pool_buildings.all().delete()
    Provenance.objects.all().delete()
    build_pool(collection, "random", size=1, seed=3)
    sampled = pooled_pairs(collection)
    query_id, doc_id = sorted(sampled)[0]
    import_pool(collection, file({query_id: [doc_id, "certain"]}), PoolOptions())
    keys = list(collection.pool_buildings.values_list("pk", flat=True))
    state = pool_state(collection, keys, ["1", "2"])
    chances = {tuple(row): p for *row, p in state.frame[["query_id", "doc_id", "inclusion_probability"]].to_numpy()}
    assert chances[query_id, doc_id] == chances[query_id, "certain"] == 1
    assert all(chances[pair] < 1 for pair in sampled - {(query_id, doc_id)})


def labels(*texts):
    return json.dumps([{"text": text, "suffixKey": None} for text in texts])


def test_a_scale_is_imported_until_there_are_judgements(collection, file):
    content = labels("Good (1)", "Bad (0)", "Best (2)")
    assert import_scale(collection, file(content), ScaleOptions()).added == 3
    assert [(grade.value, grade.name) for grade in grades_of(collection)] == [(0, "Bad"), (1, "Good"), (2, "Best")]
    assert import_scale(collection, file(content), ScaleOptions()).same == 3
    record = collection.imports.get(kind=ImportKind.SCALE)
    assert obstacles(collection, [record])[record.pk] == "Change the scale on the page Settings."
    import_pool(collection, file(POOL), PoolOptions())
    qrels = file("1 0 a 2\n", "judge.qrels")[0].path
    import_judgements(collection, qrels, "ada")
    assert import_scale(collection, file(content), ScaleOptions()).same == 3  # nothing changes
    with pytest.raises(Refused, match="is frozen"):
        import_scale(collection, file(labels("No (0)", "Yes (1)")), ScaleOptions())


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (labels("Spam (-2)", "No (0)", "Yes (1)"), "The value of a grade must be from 0 to 9, not -2. Declare"),
        (labels("Yes (1)"), "A scale needs 2 to 10 grades"),
        (labels("Yes", "No"), "the label 'Yes' has no grade"),
        (labels("Yes (1)", "Good (1)"), "two labels have the grade 1"),
        ("[]", "the file has no labels"),
    ],
)
def test_what_is_no_scale_is_refused(collection, file, content, sentence):
    before = grades_of(collection)
    with pytest.raises((Refused, FormatError)) as caught:
        import_scale(collection, file(content), ScaleOptions())
    assert sentence in str(caught.value)
    assert grades_of(collection) == before


@pytest.mark.in_ci
def test_a_course_comes_into_an_empty_collection_by_the_page(db, join, signed_in):
    """Topics, scale, pool and documents in any order of files; the documents are those of the pool."""
    source = small_collection(SMALL_RUNS, slug="source", grades=GRADES)
    add_missing_texts(source)
    with zipfile.ZipFile(io.BytesIO(b"".join(pool_file(source, "teaching_ir").pieces))) as archive:
        content = {name: archive.read(name).decode() for name in archive.namelist()}
    collection = create_collection("copy", "Copy", ("0=No", "1=Yes"))
    owner = join(collection, "olga", Role.OWNER)
    olga = owner.user
    for name in ("corpus.jsonl", "judgment-pool.json", "doccano-label-configs.json", "topics.xml"):
        paste(collection, olga, name, content[name])
    uploads = uploads_of_user(collection, olga)
    assert [upload.kind for upload in uploads] == ["documents", "pool", "scale", "topics"]
    checked = start_check(collection, olga, {}).result
    assert checked["problems"] == []
    text = " ".join(checked["sentences"])
    assert "Scale: 0 Not relevant, 1 Related, 2 Relevant. It replaces the scale with 2 grades." in text
    assert f"Pool: {len(pooled_pairs(source))} documents of 2 topics" in text
    assert "0 not in the pool" in text
    start_import(collection, olga, [upload.pk for upload in uploads], {})
    call_command("worker", once=True, verbosity=0)
    assert pooled_pairs(collection) == pooled_pairs(source)
    texts = set(source.documents.values_list("doc_id", "content__text"))
    assert set(collection.documents.values_list("doc_id", "content__text")) == texts
    assert [grade.name for grade in grades_of(collection)] == ["Not relevant", "Related", "Relevant"]
    pool_page = signed_in(owner).get(reverse("research:pool", args=["copy"]))
    assert "imported" in pool_page.content.decode()
    job = collection.jobs.get(kind="import_scale")
    assert "Imported 3 new grades." in shown_job(job, owner)["sentences"]


def test_the_page_of_a_pool_without_runs_says_so(collection, file, join, signed_in):
    page, owner = reverse("research:pool", args=["course"]), signed_in(join(collection, "olga", Role.OWNER))
    assert "A pool needs runs and topics." in owner.get(page).content.decode()
    import_pool(collection, file(POOL), PoolOptions())
    assert "The pool below was built without runs." in owner.get(page).content.decode()


def test_the_commands(collection, file, capsys):
    call_command("import_pool", "--collection", "course", str(file(POOL)[0].path))
    call_command(
        "import_scale", "--collection", "course", str(file(labels("No (0)", "Yes (1)"), "labels.json")[0].path)
    )
    text = capsys.readouterr().out
    assert "Read 3 documents: 3 new, 0 already imported." in text
    assert "Read 2 grades: 2 new, 0 already imported." in text


def test_the_pool_of_a_real_course(db, tmp_path):
    folder = real_data("formats/teaching_ir/radboud")
    collection = create_collection("radboud", "Radboud", GRADES)
    import_topics(collection, folder / "topics-final.csv")
    assert pooling.recognise(folder / "judgment-pool.json").kind == "pool"
    result = import_pool(collection, [as_source(folder / "judgment-pool.json")], PoolOptions())
    assert (result.read, result.added) == (3_717, 3_717)
    assert result.notes == [f"Pooled documents without text: {collection.documents.count():,}."]
    assert import_scale(collection, labels_of("jena-kassel"), ScaleOptions()).added == 2
    with pytest.raises(Refused, match="must be from 0 to 9, not -2"):
        import_scale(collection, labels_of("radboud"), ScaleOptions())


def labels_of(course):
    return [as_source(real_data("formats/teaching_ir", course, "doccano-label-configs.json"))]

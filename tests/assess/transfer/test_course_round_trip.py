"""The pool goes to doccano, and the judgements of the annotators come back."""

import io
import json
import zipfile

import pandas as pd
import pytest

from agreement import cohen_kappa, read_judgements
from agreement.ratings import Ratings
from assess.analysis.data import collection_ratings
from assess.models import Judgement
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements
from assess.transfer.pool_export import pool_file
from pooling import recognise
from tests.factories import SMALL_RUNS, add_missing_texts, small_collection

pytestmark = pytest.mark.django_db
SCALE = (0, 1, 2)
GRADES = ("0=Not relevant", "1=Related", "2=Relevant")
JUDGES = ("ada", "bob")


@pytest.fixture
def pooled(db):
    collection = small_collection(SMALL_RUNS, slug="course", grades=GRADES)
    add_missing_texts(collection)
    return collection


@pytest.fixture
def project(pooled) -> dict[str, bytes]:
    """The files of the project, by name."""
    content = b"".join(pool_file(pooled, "doccano", JUDGES).pieces)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def records(project, judge) -> list[dict]:
    return [json.loads(line) for line in project[f"{judge}.jsonl"].splitlines()]


def grades_of(project, judge) -> dict[tuple[str, str], int]:
    """A grade for each pair that the judges agree on in part. Ada left the first pair open."""
    pairs = sorted((record["query_id"], record["doc_id"]) for record in records(project, judge))
    factor = 1 + JUDGES.index(judge)
    grades = {pair: (place * factor) % len(SCALE) for place, pair in enumerate(pairs)}
    if judge == "ada":
        del grades[pairs[0]]
    return grades


def annotated(project, judge) -> bytes:
    """What doccano exports: the imported fields, the label as a list, an id, and comments."""
    labels = {f"{label['suffixKey']}": label["text"] for label in json.loads(project["label_config.json"])}
    grades = grades_of(project, judge)
    rows = []
    for number, record in enumerate(records(project, judge), start=1):
        grade = grades.get((record["query_id"], record["doc_id"]))
        rows.append({"id": number, **record, "label": [] if grade is None else [labels[f"{grade}"]], "Comments": []})
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def annotated_by_doccano_1(project, judge) -> bytes:
    """What doccano 1.0 exported: the fields in `meta`, and numbers of its database for labels and users."""
    grades = grades_of(project, judge)
    rows = []
    for number, record in enumerate(records(project, judge), start=1):
        grade = grades.get((record["query_id"], record["doc_id"]))
        annotations = [] if grade is None else [{"label": 15 + grade, "user": 1 + JUDGES.index(judge)}]
        meta = {key: value for key, value in record.items() if key not in ("text", "label")}
        rows.append({"id": number, "text": record["text"], "annotations": annotations, "meta": meta})
    return "".join(json.dumps(row | {"annotation_approver": None}) + "\n" for row in rows).encode()


def zipped(project, folder):
    path = folder / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for judge in JUDGES:
            archive.writestr(f"{judge}.jsonl", annotated(project, judge))
    return path


def direct(project):
    """The ratings by the grades that the annotators chose."""
    rows = [(judge, *pair, grade) for judge in JUDGES for pair, grade in grades_of(project, judge).items()]
    return Ratings.from_judgements(pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"]), SCALE)


def stored(collection) -> set[tuple[str, str, str, int]]:
    fields = ("member__name", "task__topic__query_id", "task__document__doc_id", "relevance")
    return set(Judgement.objects.filter(task__topic__collection=collection).values_list(*fields))


def test_judgements_of_doccano_have_the_agreement_of_the_grades_that_were_chosen(pooled, project, tmp_path):
    path = zipped(project, tmp_path)
    assert recognise(path).format == "doccano_zip"
    result = import_judgements(pooled, path)
    expected = {(judge, *pair, grade) for judge in JUDGES for pair, grade in grades_of(project, judge).items()}
    assert stored(pooled) == expected
    assert result.added == len(expected)
    imported, ratings = collection_ratings(pooled), direct(project)
    assert cohen_kappa(imported).value == cohen_kappa(ratings).value
    assert cohen_kappa(imported).n == cohen_kappa(ratings).n
    libraries = read_judgements(path, scale=SCALE)
    assert cohen_kappa(Ratings.from_judgements(libraries.judgements, SCALE)).value == cohen_kappa(ratings).value


def test_the_same_export_again_changes_nothing(pooled, project, tmp_path):
    path = zipped(project, tmp_path)
    added = import_judgements(pooled, path).added
    again = import_judgements(pooled, path)
    assert (again.added, again.same) == (0, added)


def test_one_file_is_imported_for_the_annotator_who_is_named(pooled, project, tmp_path):
    path = tmp_path / "ada.jsonl"
    path.write_bytes(annotated(project, "ada"))
    import_judgements(pooled, path, "ada")
    assert stored(pooled) == {("ada", *pair, grade) for pair, grade in grades_of(project, "ada").items()}


def test_the_numbers_of_doccano_1_need_a_mapping(pooled, project, tmp_path):
    path = tmp_path / "ada.jsonl"
    path.write_bytes(annotated_by_doccano_1(project, "ada"))
    options = JudgementOptions(mapping={f"label-{15 + grade}": grade for grade in SCALE})
    import_judgements(pooled, path, options=options)
    expected = {("user-1", *pair, grade) for pair, grade in grades_of(project, "ada").items()}
    assert stored(pooled) == expected


def test_records_that_nobody_has_judged_are_no_judgements(pooled, project, tmp_path):
    path = tmp_path / "ada.jsonl"
    path.write_bytes(project["ada.jsonl"])
    with pytest.raises(Exception, match="no judgements"):
        import_judgements(pooled, path, "ada")
    assert stored(pooled) == set()

"""A release has the report on its model judges: text, tables and figures, always with the same bytes."""

import csv
import io
import json

import pytest

from assay.verify.files import verify_file
from assess.collections.run_groups import group_runs
from assess.model_judges.draw import draw_for_people
from assess.models import ImportedJudge, SampledTask
from assess.releases import trust
from assess.releases.choices import ReleaseChoices
from assess.releases.figures import MODEL_JUDGES
from assess.releases.preview import preview_release
from assess.releases.verify import verify_files, verify_stored
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements
from tests.assess.releases.conftest import files_of, release, text_of

pytestmark = pytest.mark.django_db

GPT = b"1 0 a 0\n1 0 b 1\n1 0 d 0\n1 0 e 0\n2 0 x 1\n2 0 y 0\n2 0 z 0\n"


def add(collection, name: str, content: bytes, kind: str = "model") -> None:
    import_judgements(collection, content, name, options=JudgementOptions(judge_kind=kind))


def reports_of(files: dict[str, bytes]) -> dict[str, bytes]:
    return {
        name.removeprefix(MODEL_JUDGES): content for name, content in files.items() if name.startswith(MODEL_JUDGES)
    }


@pytest.fixture
def modelled(collection, judges, without_reports):
    """ada and bob judged, and so did a model."""
    add(collection, "gpt", GPT)
    return collection


@pytest.mark.slow
def test_release_has_text_tables_and_figures(modelled):
    stored = release(modelled, rule="people:majority")
    files = reports_of(files_of(stored))
    assert {"report.md", "verdicts.csv", "ranking.svg", "bought_1.svg", "grades_1.svg"} <= files.keys()
    assert not {"scores_1.svg", "plan_1.svg"} & files.keys(), "no documents were drawn"
    report = files["report.md"].decode()
    assert "1 model for ranking 3 systems by AP, compared with people:majority: 1 too early to say." in report
    assert "seed 1." in report
    assert "- `bought_1.svg`: What re-ranking by gpt buys" in report
    (row,) = csv.DictReader(io.StringIO(files["verdicts.csv"].decode()))
    assert (row["model"], row["verdict"]) == ("gpt", "too_early")


@pytest.mark.slow
def test_card_names_the_report(modelled):
    card = text_of(release(modelled, rule="people:majority"), "README.md")
    assert "- `reports/model_judges/`: the report on model judges: text, tables and figures" in card
    assert "## Model judges\n\n1 model for ranking 3 systems by AP" in card
    assert "The file `reports/model_judges/report.md` has the verdict on each model." in card


@pytest.mark.slow
def test_names_of_files_name_no_judge(modelled):
    names = reports_of(files_of(release(modelled)))
    assert names
    assert not [name for name in names if "gpt" in name or "ada" in name]


@pytest.mark.slow
def test_report_is_verified_like_other_files(modelled):
    stored = release(modelled, rule="people:majority")
    assert verify_stored(stored).problems == []
    files, name = files_of(stored), f"{MODEL_JUDGES}verdicts.csv"
    (changed,) = verify_files({each: content for each, content in files.items() if each != name}).problems[:1]
    assert changed == f"{name}: the file is missing."
    problems = verify_files(files | {name: files[name].replace(b"too_early", b"safe")}).problems
    assert f"{name}: it differs from the one computed from the database, first in line 2." in problems


@pytest.mark.slow
def test_later_grades_groups_and_references_change_nothing(modelled):
    group_runs(modelled, ["alpha"], "mine")
    stored = release(modelled, rule="people:majority")
    assert json.loads(text_of(stored, "release.json"))["model_judges"] == {
        "groups": {"alpha": "mine"},
        "reference": "",
    }
    group_runs(modelled, ["beta"], "mine")
    modelled.reference = "judge:ada"
    modelled.save()
    add(modelled, "llama", GPT)
    assert verify_stored(stored).problems == []


def test_without_a_model_the_release_is_as_before(collection, judges, without_reports, monkeypatch):
    monkeypatch.setattr(trust, "_report", None)
    files = files_of(release(collection))
    assert not reports_of(files)
    assert "model_judges" not in files["release.json"].decode() + files["README.md"].decode()
    assert "odel judges" not in files["README.md"].decode()


@pytest.mark.parametrize("judges_of_release", [["ada", "bob"], ["gpt"]])
def test_models_and_people_must_be_among_the_chosen_judges(modelled, judges_of_release):
    files = files_of(release(modelled, judges=judges_of_release))
    assert not reports_of(files)
    assert "Model judges" not in files["README.md"].decode()


@pytest.mark.slow
def test_chosen_judges_and_topics_hold(modelled):
    report = text_of(release(modelled, judges=["ada", "gpt"], topics=["1"]), f"{MODEL_JUDGES}report.md")
    assert "compared with judge:ada" in report
    tables = "".join(content.decode() for name, content in _texts(release(modelled, "one", judges=["ada", "gpt"])))
    assert "bob" not in report + tables


def _texts(stored) -> list[tuple[str, bytes]]:
    return [(name, content) for name, content in reports_of(files_of(stored)).items() if not name.endswith(".svg")]


def test_without_runs_there_is_no_report(modelled):
    modelled.runs.all().delete()
    assert not reports_of(files_of(release(modelled)))


@pytest.mark.slow
def test_binary_release_has_a_binary_report(modelled):
    stored = release(modelled, rule="people:majority", rel=1)
    assert "compared with people:majority" in text_of(stored, f"{MODEL_JUDGES}report.md")
    assert verify_stored(stored).problems == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "chosen", "expected"),
    [
        ("judge:bob", "", "judge:bob"),
        ("majority", "", "people:majority"),  # the model votes in it
        ("majority", "judge:ada", "judge:ada"),
        ("judge:gpt", "judge:gone", "people:majority"),
    ],
)
def test_reference_is_a_gold_of_people(modelled, rule, chosen, expected):
    modelled.reference = chosen
    modelled.save()
    card = text_of(release(modelled, rule=rule), "README.md")
    assert f", compared with {expected}: " in card


@pytest.mark.slow
def test_unfinished_draw_leaves_the_report_out(modelled):
    """zoe graded one of the drawn documents."""
    draw_for_people(modelled, 2, seed=1)
    task = SampledTask.objects.select_related("task__topic", "task__document").first().task
    add(modelled, "zoe", f"{task.topic.query_id} 0 {task.document.doc_id} 1\n".encode(), "human")
    stored = release(modelled, rule="judge:zoe")
    files = files_of(stored)
    drawn = SampledTask.objects.count()
    sentence = f"The report waits for the draw: judge:zoe has graded 1 of {drawn} drawn documents."
    assert not reports_of(files)
    card = files["README.md"].decode()
    assert f"## Model judges\n\nThe release has no report on its model judges. {sentence}\n" in card
    assert "`reports/model_judges/`" not in card
    assert verify_stored(stored).problems == []


def test_report_that_the_library_refuses_is_left_out(modelled):
    """A residual is better if it is lower, and models are compared by measures of which more is better."""
    files = files_of(release(modelled, rule="people:majority", measure="RBPResidual"))
    assert not reports_of(files)
    refusal = "The systems must be ranked by a measure for which higher is better, not RBPResidual."
    assert refusal in files["README.md"].decode()


@pytest.mark.slow
def test_without_a_common_topic_it_is_too_early_to_say(modelled):
    """zoe judged topic 1 only, and llama topic 2 only."""
    add(modelled, "zoe", b"1 0 a 1\n1 0 b 0\n", "human")
    add(modelled, "llama", b"2 0 x 1\n2 0 y 0\n")
    card = text_of(release(modelled, rule="judge:zoe", judges=["zoe", "llama"]), "README.md")
    assert "1 model for ranking 3 systems by AP, compared with judge:zoe: 1 too early to say." in card


@pytest.mark.slow
def test_draw_corrects_the_scores(modelled):
    """Both people graded all documents of the pool, so a draw of two for each topic is finished."""
    draw_for_people(modelled, 2, seed=1)
    stored = release(modelled, rule="judge:ada", measure="P@2")
    files = reports_of(files_of(stored))
    assert {"corrected_scores.csv", "scores_1.svg"} <= files.keys()
    assert "Scores corrected by people, gpt" in files["report.md"].decode()
    draw_for_people(modelled, 3)
    assert verify_stored(stored).problems == [], "a later draw changes nothing"


def test_preview_says_so_without_computing_it(modelled, monkeypatch):
    monkeypatch.setattr(trust, "_report", None)
    contents = preview_release(modelled, ReleaseChoices("main", "people:majority")).contents
    assert "The report on model judges, with the gold of people as the reference." in contents
    ImportedJudge.objects.update(kind="crowd")
    contents = preview_release(modelled, ReleaseChoices("main", "majority")).contents
    assert not [sentence for sentence in contents if "model judges" in sentence]


@pytest.mark.slow
def test_offline_verification_says_that_it_checks_only_the_checksums(modelled, tmp_path):
    path = tmp_path / "release.zip"
    path.write_bytes(bytes(release(modelled).archive))
    (sentence,) = [each for each in verify_file(path).unchecked if "model judges" in each]
    assert sentence.startswith("The report on model judges was not computed again")


@pytest.mark.slow
def test_the_same_bytes_again(collection, judges):
    add(collection, "gpt", GPT)
    first, again = release(collection, "one"), release(collection, "two")
    assert reports_of(files_of(first)) == reports_of(files_of(again)) != {}

"""What repeats of a model judge say: self-agreement and drift, on the page, in the API and by the command."""

import json

import pandas as pd
import pytest
from django.core.management import call_command
from django.urls import reverse

from agreement.trust import drift
from assess.asking import checks
from assess.asking.checks import checks_of
from assess.models import ModelAnswer, Role, Scope
from assess.people.tokens import create_token
from tests.assess.api.conftest import ApiClient
from tests.assess.asking.conftest import asked_all, grade_of, judge_at
from tests.html import compact
from tests.pooling.models.servers import Server, completion, document_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


class Moody:
    """A model whose grades are `shift` higher than at first, round the scale of four grades; no grade with None."""

    def __init__(self, shift: int | None = 0, model: str = "judge-1") -> None:
        self.shift, self.model = shift, model

    def __call__(self, asked):
        if self.shift is None:
            return completion("I cannot say.", model=self.model)
        return completion(json.dumps({"grade": (grade_of(document_of(asked)) + self.shift) % 4}), model=self.model)


@pytest.fixture
def moody():
    with Server(Moody()) as server:
        yield server


@pytest.fixture
def judge(collection, moody):
    return judge_at(collection, moody)


def figures(found):
    return found.figures.set_index("name")


def test_without_a_repeat_there_are_no_checks(judge):
    asked_all(judge)
    assert checks_of(judge) is None


@pytest.mark.in_ci
def test_equal_answers_are_reported_of_the_sample_only(judge):
    asked_all(judge)
    asked_all(judge, sample=3)
    found = checks_of(judge)
    assert found.answer.startswith("Two answers to the same pair have the same grade in 100.0% of cases")
    assert "3 pairs asked 2 times" in found.answer
    assert found.answer.endswith("In this sample of 3 pairs, no grade differs; those of other pairs may.")
    assert (found.change, found.ranking) == ("", None)
    assert found.askings[["repeat", "pairs", "grades"]].to_numpy().tolist() == [[0, 3, 3], [1, 3, 3]]


@pytest.mark.in_ci
def test_self_agreement_by_hand(judge, moody):
    asked_all(judge)
    asked_all(judge, sample=4)
    moody.answer_with(Moody(1))
    asked_all(judge, sample=4)
    # Of the three pairs of askings (0, 1), (0, 2) and (1, 2), one is identical for each document.
    assert figures(checks_of(judge)).loc["identical", "value"] == pytest.approx(1 / 3)


@pytest.mark.in_ci
def test_drift_is_that_of_the_first_and_the_last_check(judge, moody):
    asked_all(judge)
    asked_all(judge, sample=4)
    moody.answer_with(Moody(1, "judge-2"))
    asked_all(judge, sample=4)
    found = checks_of(judge)
    assert found.change.endswith("The server named judge-1 first, and judge-2 last.")
    assert "4 of 4 grades changed (100.0%" in found.change
    assert found.change.startswith("Check 1 of 20")
    assert "Ranking: " in found.change
    rows = {number: _grades(judge, number) for number in (1, 2)}
    expected = drift(rows[1], rows[2], (0, 1, 2, 3)).frame.set_index("figure")
    shown = figures(found)
    for name in ("changed", "difference"):
        assert shown.loc[name, "value"] == expected.loc[name, "value"]
    assert shown.loc["repeats", "value"] == 0  # askings 0 and 1 are the same
    assert found.ranking["n_systems"].tolist() == [3]


def _grades(judge, repeat):
    rows = ModelAnswer.objects.filter(judge=judge, repeat=repeat)
    names = {"query_id": "task__topic__query_id", "doc_id": "task__document__doc_id", "relevance": "grade"}
    return pd.DataFrame(list(rows.values_list(*names.values())), columns=list(names))


@pytest.mark.in_ci
def test_answers_without_a_grade_are_no_disagreement(judge, moody):
    asked_all(judge)
    moody.answer_with(Moody(None))
    asked_all(judge, sample=2)
    asked_all(judge, sample=2)
    found = checks_of(judge)
    assert found.answer.startswith("Self-agreement is undefined")
    assert "Whether grades changed is undefined" in found.change
    assert found.ranking is None


@pytest.mark.in_ci
def test_a_smaller_second_sample_is_compared_on_the_pairs_of_both(judge):
    asked_all(judge)
    asked_all(judge, sample=4)
    asked_all(judge, sample=2)
    found = checks_of(judge)
    assert figures(found).loc["changed", "n"] == 2
    assert "only before" not in found.change


@pytest.mark.slow
def test_large_runs_are_not_ranked_while_somebody_waits(judge, monkeypatch):
    monkeypatch.setattr(checks, "RUN_LINES_AT_ONCE", 1)
    asked_all(judge)
    asked_all(judge, sample=2)
    asked_all(judge, sample=2)
    waiting = checks_of(judge, at_once=True)
    assert (waiting.ranking, waiting.notes) == (None, (checks.TOO_LARGE,))
    assert "Ranking: " in checks_of(judge).change
    assert "Ranking: " in checks_of(judge, at_once=True).change  # it is known now


@pytest.mark.slow
def test_the_page_shows_the_checks_to_researchers(judge, collection, join, signed_in, moody):
    http = signed_in(join(collection, "rita", Role.RESEARCHER))
    page = reverse("research:model_judge", args=[collection.slug, judge.pk])
    asked_all(judge)
    assert 'id="checks"' not in http.get(page).content.decode()
    asked_all(judge, sample=3)
    moody.answer_with(Moody(1))
    asked_all(judge, sample=3)
    html = http.get(page).content.decode()
    assert 'id="checks"' in html
    found = checks_of(judge)
    shown = compact(html)
    assert found.answer.replace("'", "&#x27;") in shown
    assert "3 of 3 grades changed" in shown
    assert "tau_b of the rankings" in shown
    assessor = signed_in(join(collection, "ada", Role.ASSESSOR))
    assert assessor.get(page).status_code == 403


@pytest.mark.slow
def test_the_api_has_the_checks(judge, collection, join, moody):
    user = join(collection, "olga", Role.OWNER).user
    client = ApiClient(create_token(user, "all", Scope.READ)[1])
    address = f"/collections/food/model-judges/{judge.name}/checks"
    asked_all(judge)
    empty = {"answer": "", "change": "", "notes": [], "askings": [], "figures": [], "ranking": []}
    assert client.send("GET", address).json() == empty
    asked_all(judge, sample=3)
    moody.answer_with(Moody(1))
    asked_all(judge, sample=3)
    shown = client.send("GET", address).json()
    assert (shown["answer"], shown["change"]) == (checks_of(judge).answer, checks_of(judge).change)
    assert [row["repeat"] for row in shown["askings"]] == [0, 1, 2]
    assert {row["name"]: row["value"] for row in shown["figures"]}["changed"] == 1
    assert shown["ranking"][0]["n_systems"] == 3
    assert client.send("GET", "/collections/food/model-judges/other/checks").status_code == 404


@pytest.mark.in_ci
def test_the_command_prints_the_checks_after_a_repeat(judge, collection, capsys):
    asked_all(judge)
    capsys.readouterr()
    call_command("ask_model", "--collection", collection.slug, "--judge", judge.name, "--repeat", "3")
    assert checks_of(judge).answer in capsys.readouterr().out

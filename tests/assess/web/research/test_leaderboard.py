"""The leaderboard: its sentence, its files, and where it is the first page of the ranking shift."""

import re

import pytest
from django.urls import reverse

from assess.models import Role
from assess.transfer.judgements import import_judgements
from tests.factories import SMALL_RUNS, small_collection

GRADES = b"1 0 a 1\n1 0 b 0\n1 0 d 0\n1 0 e 0\n2 0 x 1\n2 0 y 0\n2 0 z 0\n"


@pytest.fixture
def collection(db):
    collection = small_collection(SMALL_RUNS)
    import_judgements(collection, GRADES, "north")
    return collection


@pytest.fixture
def http(collection, join, signed_in):
    return signed_in(join(collection, "rita", Role.RESEARCHER))


def read(http, name="leaderboard", **query) -> str:
    response = http.get(reverse(f"research:{name}", args=["small"]), query)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.slow
def test_sentence_names_the_best_system_and_the_size_of_its_group(http):
    # RR of topics 1 and 2: alpha 1, 1; beta 1/3, 0; gamma 0, 1/2. Against alpha: beta differs by 2/3 and 1, t = 5,
    # p = .126; gamma by 1 and 1/2, t = 3, p = .205.
    html = read(http, measure="RR")
    assert "alpha has the best RR, 1.000; 2 other systems do not differ significantly from it." in html
    assert re.search(r"0\.167\* <small>±", html.replace("</b>", "")) or "0.167*" in html


@pytest.mark.slow
def test_one_gold_opens_with_the_leaderboard(http, collection):
    assert "Which system is best?" in read(http, "shift", golds="judge:north", reference="judge:north")
    import_judgements(collection, GRADES.replace(b"1\n", b"0\n", 1), "south")
    assert "Which system is best?" not in read(http, "shift")


def test_measures_are_chosen_and_stay_in_the_files(http):
    html = read(http, measure="RR", measures=["P@1", "AP"])
    address = re.search(r'href="([^"]*leaderboard\.csv[^"]*)"', html)[1].replace("&amp;", "&")
    header = http.get(address).content.decode().splitlines()[0]
    assert [name for name in header.split(",") if name in ("RR", "P@1", "AP", "nDCG@10")] == ["RR", "P@1", "AP"]


@pytest.mark.slow
def test_file_is_latex(http):
    text = http.get(reverse("research:shift_table", args=["small", "leaderboard", "tex"]), {"measure": "RR"}).content
    assert rb"alpha & 1.000*" in text


@pytest.mark.parametrize(("role", "status"), [(Role.ASSESSOR, 403), (Role.OWNER, 200), (Role.INSTRUCTOR, 200)])
def test_readers_see_it(collection, join, signed_in, role, status):
    http = signed_in(join(collection, "somebody", role))
    assert http.get(reverse("research:leaderboard", args=["small"])).status_code == status


def test_outsiders_do_not_find_it(collection, join, signed_in):
    http = signed_in(join(small_collection(SMALL_RUNS, slug="other"), "otto", Role.OWNER))
    assert http.get(reverse("research:leaderboard", args=["small"])).status_code == 404


def test_wrong_measure_is_an_error(http):
    response = http.get(reverse("research:leaderboard", args=["small"]), {"measures": "nonsense"})
    assert response.status_code == 400
    assert "nonsense" in response.content.decode()

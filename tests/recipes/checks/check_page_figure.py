"""The page of the shift shows the figure, and it downloads as a file."""

import pytest

from assess.models import Role
from assess.transfer.judgements import import_judgements

URL = "/c/small/shift/"


@pytest.mark.django_db
def test_page_shows_the_figure_and_offers_its_file(isolated_storage, collection, join, signed_in):
    import_judgements(collection, b"1 0 a 1\n1 0 b 0\n1 0 e 0\n2 0 x 1\n2 0 y 0\n", assessor="ada")
    import_judgements(collection, b"1 0 a 0\n1 0 b 1\n1 0 e 0\n2 0 x 0\n2 0 y 1\n", assessor="bob")
    owner = signed_in(join(collection, "olga", Role.OWNER))
    values = {"reference": "judge:ada", "against": "judge:bob"}
    page = owner.get(URL, values)
    assert page.status_code == 200
    assert "Chart of the systems&#x27; scores under two golds" in page.content.decode()
    for kind, begin in (("svg", b"<"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
        file = owner.get(f"{URL}figures/scores.{kind}", values)
        assert file.status_code == 200
        assert file.content.startswith(begin)

"""The command `assay docs`."""

import pytest

from assay import cli, docs


@pytest.fixture
def first_page(tmp_path, monkeypatch):
    page = tmp_path / "documentation" / "index.html"
    page.parent.mkdir()
    page.write_text("<h1>Assay</h1>")
    monkeypatch.setattr(docs, "FIRST_PAGE", page)
    return page


@pytest.fixture
def opened(monkeypatch):
    addresses = []
    monkeypatch.setattr(docs.webbrowser, "open", lambda address: addresses.append(address) or True)
    return addresses


def test_opens_the_first_page_in_the_browser(first_page, opened, capsys):
    assert cli.main(["docs"]) == 0
    assert opened == [first_page.as_uri()]
    assert capsys.readouterr().out == ""


def test_prints_the_path_only(first_page, opened, capsys):
    assert cli.main(["docs", "--print"]) == 0
    assert capsys.readouterr().out == f"{first_page}\n"
    assert opened == []


def test_says_how_to_build_a_missing_site(first_page, opened, capsys):
    first_page.unlink()
    assert cli.main(["docs"]) == 1
    assert capsys.readouterr().err == (
        "assay: This installation has no documentation. Run `make docs` in a checkout.\n"
    )
    assert opened == []


def test_prints_the_path_if_there_is_no_browser(first_page, monkeypatch, capsys):
    monkeypatch.setattr(docs.webbrowser, "open", lambda _: False)
    assert cli.main(["docs"]) == 1
    assert str(first_page) in capsys.readouterr().err


def test_refuses_a_data_directory(first_page, capsys):
    assert cli.main(["--data", "x", "docs"]) == 2
    assert "uses no data directory" in capsys.readouterr().err


def test_page_is_in_the_package():
    assert docs.FIRST_PAGE.parts[-3:] == ("assay", "documentation", "index.html")

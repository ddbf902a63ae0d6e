"""The menu with all files of a page: what it lists, the zip file, and the commands that make the same figures."""

import io
import os
import re
import subprocess
import sys
import zipfile
from html import unescape
from pathlib import Path

import pytest
from django.urls import reverse

from assess.models import Role
from assess.transfer.judgements import import_judgements
from tests.factories import SMALL_RUNS, small_collection

NORTH = b"1 0 a 1\n1 0 b 1\n2 0 x 0\n"
SOUTH = b"1 0 a 1\n1 0 b 0\n2 0 x 1\n"
KINDS = {"svg", "pdf", "png"}


@pytest.fixture
def collection(db):
    collection = small_collection(SMALL_RUNS)
    import_judgements(collection, NORTH, "north")
    import_judgements(collection, SOUTH, "south")
    return collection


@pytest.fixture
def http(collection, join, signed_in):
    return signed_in(join(collection, "rita", Role.RESEARCHER))


def menu(http, name: str, **query: str) -> str:
    html = http.get(reverse(f"research:{name}", args=["small"]), query).content.decode()
    assert html.count('id="download"') == 1
    return re.search(r'<details class="download" id="download">.*?\n</details>', html, re.DOTALL)[0]


def zip_of(http, part: str) -> zipfile.ZipFile:
    address = unescape(re.search(r'href="([^"]*\.zip\?[^"]*)"', part)[1])
    return zipfile.ZipFile(io.BytesIO(http.get(address).content))


@pytest.mark.slow
def test_menu_lists_every_table_and_figure_once(http):
    part = menu(http, "shift")
    names = re.findall(r"<li><span>([a-z ]+) <small[^>]*>(\w+)</small>", part)
    assert ("slope", "figure") in names
    assert ("golds", "table") in names
    assert len(set(names)) == len(names)
    assert "Markdown" in part


@pytest.mark.slow
def test_zip_has_every_file_of_the_menu(http):
    part = menu(http, "shift")
    names = set(zip_of(http, part).namelist())
    offered = set(re.findall(r"/([a-z-]+\.(?:svg|pdf|png|csv|tex|md))\?", part))
    assert len(offered) > 10
    assert names == {f"small-{name}" for name in offered}


@pytest.mark.slow
def test_files_of_the_zip_are_those_of_the_links(http):
    part = menu(http, "shift", against="union")
    archive = zip_of(http, part)
    for kind in ("csv", "svg"):
        address, name = re.search(rf'href="([^"]*/([a-z-]+\.{kind})\?[^"]*)"', part).groups()
        assert http.get(unescape(address)).content == archive.read(f"small-{name}")
    assert b"union" in archive.read("small-slope.svg")


@pytest.mark.in_ci
def test_menu_follows_the_choices(http):
    assert "against=union" in menu(http, "shift", against="union")


@pytest.mark.in_ci
def test_page_without_tables_has_no_menu(http):
    assert 'id="download"' not in http.get(reverse("research:import", args=["small"])).content.decode()


@pytest.mark.parametrize("query", ["file=nothing", "file=../../x", "file=slope&id_a=x", "file=slope&id_a=" + "9" * 30])
def test_unknown_files_are_not_found(http, query):
    assert http.get(f"{reverse('research:files', args=['small', 'shift'])}?{query}").status_code == 404
    assert http.get(f"{reverse('research:files', args=['small', 'nothing'])}?{query}").status_code == 404


def test_a_zip_file_of_nothing_is_refused(http):
    assert http.get(reverse("research:files", args=["small", "shift"])).status_code == 400


def test_only_those_who_may_see_the_page_get_its_files(collection, join, signed_in):
    address = reverse("research:files", args=["small", "shift"])
    client = signed_in(join(collection, "ada", Role.ASSESSOR))
    assert client.get(f"{address}?file=slope").status_code == 403
    client = signed_in(join(small_collection(SMALL_RUNS, slug="other"), "otto", Role.OWNER))
    assert client.get(f"{address}?file=slope").status_code == 404


@pytest.mark.slow
def test_readers_get_no_file_for_researchers(collection, join, signed_in):
    client = signed_in(join(collection, "ina", Role.INSTRUCTOR))
    address = reverse("research:files", args=["small", "shift"])
    assert client.get(f"{address}?file=golds").status_code == 200
    assert client.get(f"{address}?file=golds&file=leverage").status_code == 403
    assert "in Python" not in menu(client, "shift")


def commands(part: str) -> tuple[str, str]:
    shell, python = re.findall(r"<pre>(.*?)</pre>", part, re.DOTALL)
    return unescape(shell), unescape(python)


@pytest.fixture
def folder(http, tmp_path):
    """A folder with the runs and the downloaded judgements, in which the commands run."""
    folder = tmp_path / "work"
    (folder / "runs").mkdir(parents=True)
    for system, ranking in SMALL_RUNS.items():
        lines = [
            f"{query_id} Q0 {doc_id} {rank} {10 - rank} {system}\n"
            for query_id, doc_ids in ranking.items()
            for rank, doc_id in enumerate(doc_ids, 1)
        ]
        (folder / "runs" / system).write_text("".join(lines))
    (folder / "small-judgements.csv").write_bytes(http.get(reverse("research:judgements_csv", args=["small"])).content)
    (folder / "small.qrels").write_bytes(http.get(reverse("research:qrels", args=["small"])).content)
    return folder


def run(command: str, folder: Path) -> str:
    """Run a command of the page in a shell, and return what it prints."""
    here = Path(__file__).parents[3]
    command = command.replace("assay ", f"{sys.executable} -m assay ", 1)
    environment = os.environ | {"PYTHONPATH": str(here)}
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True)
    assert not done.returncode, done.stderr
    return done.stdout


def run_python(lines: str, folder: Path) -> str:
    (folder / "lines.py").write_text(lines)
    return run(f"{sys.executable} lines.py", folder)


@pytest.mark.slow
def test_commands_of_agreement_give_the_same_kappa(http, folder):
    shell, python = commands(menu(http, "agreement"))
    table = http.get(reverse("research:agreement_table", args=["small", "pairs", "md"])).content.decode()
    assert "-0.500" in table  # on 3 documents: P(A) = 1/3, P(E) = 5/9
    assert "-0.500" in run(shell, folder)
    assert "-0.5" in run_python(python, folder)


@pytest.mark.slow
def test_commands_of_shift_give_the_same_answer(http, folder):
    page = http.get(reverse("research:shift", args=["small"])).content.decode()
    headline = unescape(re.search(r'<p class="hero">(.*?)</p>', page, re.DOTALL)[1])
    shell, python = commands(menu(http, "shift"))
    assert run_python(python, folder).startswith(headline)
    assert run(shell, folder)

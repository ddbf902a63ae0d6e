"""The commands of the tutorial on the shelf life of test collections print what the page says."""

import csv
import re
import sys
from pathlib import Path

import pytest

from tests.load.researcher import Researcher
from tests.oracles import oracle
from tests.tutorial import PAGE, blocks, lay_out, make_shell, tables
from tests.wheel.installed import Shell

ADDRESS = re.compile(r"^\| `(/c/dl19/[^`]*)`", re.MULTILINE)
PASSWORD = re.compile(r"New user rita, password (\S+)")
ONE_TOPIC = "awk 'NR == FNR {kept[$1]; next} $1 in kept' judges/judge1.qrels nist.qrels > part.qrels"
PART = f"""{ONE_TOPIC}
assay shift --csv --name-by-file --run official/*.gz later/*.run --gold nist=part.qrels --measure nDCG@10 \
  --measure "AP(rel=2)" --measure "R(rel=2)@100" > part.csv
"""
TIED = ("colbert_monoelectra-base", "RR(rel=2)@10", "0.913566", "0.912791")


def test_every_published_figure_is_equal_or_explained():
    different = [tuple(row) for name in ("kappa", "nist") for row in tables()[name] if row[-2] != row[-1]]
    headers = [tuple(tables()[name][0]) for name in ("kappa", "nist")]
    assert [row for row in different if row not in headers] == [TIED]
    assert "0.913566 is published, we have 0.912791" in PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def shell(tmp_path_factory) -> Shell:
    folder = tmp_path_factory.mktemp("tutorial")
    lay_out(folder)
    return make_shell(folder)


def scores(path: Path) -> dict[tuple[str, str], float]:
    """The scores of a file of `assay shift --csv`, by gold or measure and by system."""
    with path.open(newline="") as lines:
        return {(row["gold"], row["system"]): float(row["score"]) for row in csv.DictReader(lines)}


def check_kappas(shell: Shell) -> None:
    options = "judges/*.qrels --rel 2 --scale 0,1,2,3 --without-topic 168216 --csv"
    rows = csv.DictReader(shell.run(f"assay kappa {options}").splitlines())
    kappas = [f"{float(row['cohen_kappa']):.6f}" for row in rows if row["across"] == "topics" and row["cohen_kappa"]]
    assert kappas == [row[-1] for row in tables()["kappa"][1:]]


def check_tables(folder: Path) -> None:
    for name, files in (("judges", ("judge1.csv", "judge8.csv")), ("people", ("people.csv",))):
        ours = {key: score for file in files for key, score in scores(folder / file).items()}
        header, *rows = tables()[name]
        begin = header.index("nDCG@10")
        for row in rows:
            for measure, cell in zip(header[begin:], row[begin:], strict=True):
                digits = len(cell.partition(".")[2])
                assert f"{ours[measure, row[begin - 1]]:.{digits}f}" == cell, (row, measure)
    nist = scores(folder / "nist.csv")
    for system, measure, _, cell in tables()["nist"][1:]:
        assert f"{nist[measure, system]:.6f}" == cell, (system, measure)


def check_notebook(folder: Path) -> None:
    """The study's 61 values of P(rel=2)@10, and its overlaps of two rankings."""
    published, nist, part = oracle("shelf_life"), scores(folder / "nist.csv"), scores(folder / "part.csv")
    assert {s: round(score, 6) for (m, s), score in nist.items() if m == "P(rel=2)@10"} == published["P(rel=2)@10"]
    for measure, value in published["overlap"].items():
        whole, some = (
            sorted((s for m, s in table if m == measure), key=lambda s, t=table, m=measure: -t[m, s])
            for table in (nist, part)
        )
        shared = [len(set(whole[:k]) & set(some[:k])) / k for k in range(1, len(whole) + 1)]
        assert sum(shared) / len(shared) == pytest.approx(value, abs=1e-14), measure


def check_pages(shell: Shell, password: str) -> None:
    """Every page of the tables answers, and the shift page states the answer of the command."""
    addresses = ADDRESS.findall(PAGE.read_text(encoding="utf-8"))
    assert len(addresses) > 5
    with shell.serving("assay serve"):
        rita = Researcher(shell.port, "dl19")
        rita.sign_in("rita", password)
        pages = {address: rita.open(address.removeprefix("/c/dl19/")) for address in addresses}
    shift = next(page for address, page in pages.items() if "/shift/?" in address)
    assert "115 of 1,830 system pairs swap" in " ".join(shift.split())


@pytest.mark.soak
@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for bash")
def test_the_commands_print_what_the_page_says(shell):
    printed = ""
    for commands, expected in blocks():
        output = shell.run(commands)
        printed += output
        lines = output.splitlines()
        assert [line for line in expected if line not in lines] == [], commands
    shell.run(PART)
    check_kappas(shell)
    check_tables(shell.folder)
    check_notebook(shell.folder)
    check_pages(shell, PASSWORD.search(printed)[1])

"""Results as text, CSV and JSON, and the folder of their files."""

import json

import pandas as pd
import pytest

from agreement.reports import folder
from agreement.reports.folder import manifest, write_folder
from agreement.reports.results import result_csv, result_json, result_text


class Example:
    def summary(self):
        return "Yes, by 1/3."

    def tables(self):
        flags = pd.array([True, pd.NA], "boolean")
        rows = {"system_name": ["a_1", "b"], "score": pd.array([1 / 3, pd.NA], "Float64"), "n": [1, 2], "top": flags}
        return {"long_scores": pd.DataFrame(rows)}


def test_text_is_rounded_and_states_the_number_of_rows():
    text = result_text(Example(), rows=1)

    assert text.splitlines()[0] == "Yes, by 1/3."
    assert "Long scores" in text
    assert [line.split() for line in text.splitlines()][4:7] == [
        ["system", "name", "score", "n", "top"],
        ["-----------", "-----", "-", "---"],
        ["a_1", "0.333", "1", "yes"],
    ]
    assert "The first 1 of 2 rows." in text
    assert "rows." not in result_text(Example())


@pytest.mark.parametrize(("style", "sign"), [("markdown", "| a_1"), ("latex", r"a\_1 & 0.333 & 1 & yes")])
def test_text_in_each_style(style, sign):
    assert sign in result_text(Example(), style)


def test_csv_and_json_are_not_rounded():
    assert result_csv(Example())["long_scores"].splitlines()[1:] == [f"a_1,{1 / 3!r},1,True", "b,,2,"]
    data = json.loads(result_json(Example()))
    assert data["summary"] == "Yes, by 1/3."
    assert data["long_scores"][0] == {"system_name": "a_1", "score": 1 / 3, "n": 1, "top": True}
    assert data["long_scores"][1] == {"system_name": "b", "score": None, "n": 2, "top": None}


def test_a_folder_is_written_completely_or_not_at_all(tmp_path, monkeypatch):
    files = {"a.txt": b"a", "below/b.txt": b"b"}
    monkeypatch.setattr(folder.json, "dumps", lambda *_, **__: "x" * 3)
    write_folder(tmp_path / "good", files, {})
    assert (tmp_path / "good" / "below" / "b.txt").read_bytes() == b"b"

    with pytest.raises(TypeError):
        write_folder(tmp_path / "bad", files | {"c.txt": "no bytes"}, {})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["good"]


def test_a_folder_must_be_new_or_empty_in_an_existing_parent(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()

    write_folder(tmp_path / "empty", {"a.txt": b"a"}, {})

    for wrong, message in (("file", "a file with this name"), ("no/where", "does not exist"), ("empty", "not empty")):
        with pytest.raises(ValueError, match=message):
            write_folder(tmp_path / wrong, {}, {})


def test_a_manifest_has_no_time_and_no_machine(tmp_path):
    source = tmp_path / "in.txt"
    source.write_bytes(b"abc")

    entry = manifest(["a", "b"], [source], 7, {"out.txt": b""})

    assert entry == manifest(["a", "b"], [source], 7, {"out.txt": b""})
    assert entry["inputs"][0]["bytes"] == 3
    # SHA-256 of "abc" (FIPS 180-2, appendix B.1) and of nothing
    assert entry["inputs"][0]["sha256"].startswith("ba7816bf8f01cfea")
    assert entry["files"][0]["sha256"].startswith("e3b0c44298fc1c14")
    assert set(entry) == {"command", "inputs", "seed", "versions", "files"}


def test_names_of_tables_and_columns_are_words():
    class Taus:
        def summary(self):
            return "No."

        def tables(self):
            return {"taus": pd.DataFrame({"reference": ["a"], "q2_5": [0.5], "q50": [0.75], "n_undefined": [2]})}

    lines = result_text(Taus()).splitlines()
    assert lines[2] == "Tau_b of the mixed rankings with each reference"
    assert lines[4].split() == ["reference", "2.5%", "median", "undefined"]
    assert result_csv(Taus())["taus"].startswith("reference,q2_5,q50,n_undefined\n")  # the names of the data

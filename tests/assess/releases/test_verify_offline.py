"""`assay verify` on releases: figures computed again from the file alone, and one sentence for each difference."""

import gzip
import io
import json
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from agreement.reports import folder
from assay.verify import main
from assay.verify.files import verify_file
from assess.errors import Refused
from assess.releases.archive import MANIFEST, sha256, zipped
from tests.assess.releases.conftest import release
from tests.factories import SMALL_RUNS, run_text

pytestmark = [pytest.mark.django_db]
PROJECT = Path(__file__).resolve().parents[3]
WITHOUT_DJANGO = """
import sys
class NoDjango:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("django", "allauth"):
            raise ImportError(name)
sys.meta_path.insert(0, NoDjango())
from assay.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def stored(collection, judges):
    return release(collection)


@pytest.fixture
def path(stored, tmp_path):
    file = tmp_path / "release.zip"
    file.write_bytes(bytes(stored.archive))
    return file


def rewritten(path: Path, name: str, change, with_manifest: bool = True) -> Path:
    """Write the release with another content of one file; with its checksum, as somebody would who forges it."""
    with zipfile.ZipFile(path) as archive:
        files = {entry.partition("/")[2]: archive.read(entry) for entry in archive.namelist()}
    files[name] = change(files[name])
    if with_manifest and name != MANIFEST:
        manifest = json.loads(files[MANIFEST])
        for entry in manifest["files"]:
            entry["sha256"] = sha256(files[entry["name"]])
        files[MANIFEST] = json.dumps(manifest).encode()
    target = path.with_name("changed.zip")
    target.write_bytes(zipped(files, "main-1"))
    return target


def replaced(old: str, new: str):
    def change(content: bytes) -> bytes:
        assert old.encode() in content
        return content.replace(old.encode(), new.encode(), 1)

    return change


def sentences(path: Path, *arguments) -> list[str]:
    """The differences, without those of the description in Croissant, which has the checksums too."""
    return [each for each in verify_file(path, *arguments).sentences() if not each.startswith("croissant.json")]


def copies(folder: Path) -> list[str]:
    """The reader's copies of the runs of the small collection."""
    for system, topics in SMALL_RUNS.items():
        (folder / f"{system}.run.gz").write_bytes(gzip.compress(run_text(system, topics).encode()))
    return [str(folder / f"{system}.run.gz") for system in SMALL_RUNS]


@pytest.mark.slow
def test_release_is_verified_without_django_and_without_a_database(path, stored):
    command = [sys.executable, "-c", WITHOUT_DJANGO, "verify", str(path)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, env={})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(
        f"Verified: {path} is the release main-1 of the collection small, and nothing differs."
    )
    assert stored.checkpoint.hash in done.stdout
    assert stored.manifest_sha256 in done.stdout
    for words in (
        "The gold by the rule majority, computed again from the judgements, has the same 7 grades.",
        "The agreement of 2 judges was computed again: it is the same.",
        "name your copies by --run",
        "The salts of comments are not in it",
        "Only a head that was kept outside the database shows that",
    ):
        assert words in done.stdout


@pytest.mark.slow
def test_changed_values_are_named_with_file_line_expected_and_found(path):
    assert sentences(rewritten(path, "qrels.txt", replaced("1 0 a 1\n", "1 0 a 0\n"))) == [
        "qrels.txt, line 1: topic '1' document 'a' has grade 0 in the release and 1 computed from its judgements."
    ]
    (row,) = [
        each
        for each in verify_file(path.with_name("changed.zip")).to_dict()["differences"]
        if each["file"] == "qrels.txt"
    ]
    assert (row["line"], row["found"], row["expected"]) == (1, "0", "1")
    changed = sentences(rewritten(path, "qrels.txt", replaced("1 0 a 1\n", "1 0 a 0\n"), with_manifest=False))
    assert changed[0].startswith("qrels.txt: the file was changed after the release")
    assert (
        "topic '1' document 'a' is computed from its judgements and not in the release."
        in sentences(rewritten(path, "qrels.txt", replaced("1 0 a 1\n", "")))[0]
    )
    (figure, *_) = sentences(rewritten(path, "reports/agreement.json", replaced('"n": 7', '"n": 8')))
    assert figure.startswith("reports/agreement.json: ")
    assert figure.endswith("8 in the release and 7 computed from its judgements.")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "old", "new", "named"),
    [
        ("release.json", '"events": ', '"events": 1', "release.json: events is 1"),
        ("release.json", '"checkpoint": "', '"checkpoint": "0', "release.json: checkpoint is"),
        ("judgements.csv", "bob,1,a,1", "bob,1,a,7", "the grade '7' is not one of the release."),
        ("judgements.csv", "bob,1,a,1", "eve,1,a,1", "judgements.csv, line 3: the judge 'eve' is not one of"),
        ("judgements.csv", "bob,1,a,1", "bob,9,a,1", "the topic '9' is not one of the release."),
        ("judgements.csv", "bob,1,a,1", "ada,1,a,1", "is also in line 2."),
        ("judgements.csv", "bob,1,a,1", "bob,1,a,x", "relevance must be a whole number"),
        ("scale.jsonl", "{", "[", "cannot be computed again"),
        ("runs.jsonl", "alpha", "alpine", "runs.jsonl: systems is"),
    ],
)
def test_forged_file_is_named_although_its_checksum_was_computed_again(path, name, old, new, named):
    assert any(named in sentence for sentence in sentences(rewritten(path, name, replaced(old, new))))


@pytest.mark.slow
def test_shift_is_computed_again_with_copies_of_the_runs(path, tmp_path):
    runs = copies(tmp_path)
    report = verify_file(path, runs)
    assert report.sentences() == []
    assert any("The shift of 3 systems under" in line and "it is the same" in line for line in report.checked)
    Path(runs[0]).write_bytes(gzip.compress(gzip.decompress(Path(runs[0]).read_bytes()).replace(b"Q0 a", b"Q0 zz")))
    assert any(sentence.startswith("reports/shift.json: ") for sentence in sentences(path, runs))
    Path(runs[0]).write_bytes(b"no run\n")
    assert main([str(path), "--run", *runs], "assay") == 2
    missing = verify_file(path, runs[1:]).unchecked
    assert any("there is no copy of the run" in line for line in missing)


@pytest.mark.slow
def test_head_that_was_kept_outside(path, stored):
    for head, what in ((stored.checkpoint.hash, "the ledger of small"), (stored.manifest_sha256[:12], "the manifest")):
        report = verify_file(path, (), head)
        assert not report.differences
        assert f"The head that was kept outside is that of {what}" in " ".join(report.checked)
    (other,) = verify_file(path, (), "0" * 12).sentences()
    assert other.startswith("--head: the head 000000000000 that was kept outside is not one of this file: ")
    with pytest.raises(Refused, match="8 to 64 hexadecimal digits"):
        verify_file(path, (), "xyz")


@pytest.mark.slow
def test_formats_and_exit_codes(path, tmp_path, capsys, stored):
    page = tmp_path / "report.html"
    assert main([str(path), "--json", "--out", str(page)], "assay") == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["verified"], result["kind"]) == (True, "release")
    assert result["heads"][0]["hash"] == stored.checkpoint.hash
    text = page.read_text()
    assert text.count("<svg") == 2
    assert stored.checkpoint.hash in text
    changed = rewritten(path, "qrels.txt", replaced("1 0 a 1\n", "1 0 a 0\n"))
    assert main([str(changed), "--markdown"], "assay") == 1
    assert capsys.readouterr().out.startswith("# Not verified: ")
    assert main([str(tmp_path / "none.zip")], "assay") == 2
    assert capsys.readouterr().err == f"assay verify: {tmp_path / 'none.zip'}: No such file or directory\n"


@pytest.mark.slow
def test_other_versions_compare_numbers_only(path, monkeypatch):
    monkeypatch.setattr(folder, "VERSION", "99")
    report = verify_file(rewritten(path, "reports/agreement.md", replaced("#", "##")))
    assert not [each for each in report.differences if each.file.startswith("reports/")]
    assert any("assay" in line and "(now 99)" in line for line in report.unchecked)
    changed = rewritten(path, "reports/agreement.json", replaced('"n": 7', '"n": 8'))
    assert any(line.startswith("reports/agreement.json: ") for line in sentences(changed))


@pytest.mark.in_ci
def test_release_of_version_0_1_0_has_fewer_settings(path):
    """Its settings had no sets of topics, no marginal answers and no blindness; its judgements had fewer columns."""

    def older(content: bytes) -> bytes:
        spec = json.loads(content)
        for name in ("topic_sets", "marginal", "blindness"):
            spec.pop(name, None)
        return json.dumps(spec).encode()

    assert sentences(rewritten(path, "release.json", older)) == []


def hostile(entries, target: Path) -> Path:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, content in entries:
            archive.writestr(entry, content)
    return target


def link() -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo("main-1/link")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("entries", "named"),
    [
        ([("../../etc/passwd", "x")], "leads out of the archive"),
        ([("/etc/passwd", "x")], "leads out of the archive"),
        ([(link(), "/etc/passwd")], "is a link"),
        ([("a/qrels.txt", "x"), ("b/qrels.txt", "y")], "two files with the same name"),
        ([(f"a/{number}", "") for number in range(10_001)], "at most 10,000 files"),
        ([("a/other.txt", "x")], "it has no file release.json"),
        ([("a/release.json", "[" * 100_000)], "not valid JSON"),
    ],
)
def test_hostile_archive_is_refused_in_one_sentence(entries, named, tmp_path, capsys):
    assert main([str(hostile(entries, tmp_path / "bad.zip"))], "assay") == 2
    error = capsys.readouterr().err
    assert named in error
    assert error.count("\n") == 1


def test_damaged_and_expanding_archives_are_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("assess.releases.archive.LARGEST", 1000)
    path = hostile([("a/release.json", "0" * 5000)], tmp_path / "bomb.zip")
    assert main([str(path)], "assay") == 2
    assert "at most 1,000 bytes" in capsys.readouterr().err
    path.write_bytes(path.read_bytes()[:60])
    assert main([str(path)], "assay") == 2
    assert "cannot be read" in capsys.readouterr().err
    text = tmp_path / "text.bin"
    text.write_bytes(io.BytesIO(b"\xff\xfe\x00hello").getvalue())
    assert main([str(text)], "assay") == 2
    assert "neither a release, nor a backup, nor judgements" in capsys.readouterr().err

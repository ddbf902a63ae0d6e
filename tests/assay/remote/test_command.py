"""The command `assay remote`: login, import, pool, assign and export, and its exit codes."""

import io
import json
import stat
import sys

import httpx2
import pytest

from assay import cli
from assay.remote import site as site_module
from assay.remote.connection import Connection
from tests.assay.process import assay
from tests.assay.remote.conftest import COLLECTION, TOKEN, URL, FakeSite, problem

ME = {"username": "olga", "token": "laptop", "scope": "manage", "expires_at": "2027-01-01"}
JOB = {"id": "j-1", "kind": "build_pool", "state": "done", "stage": "", "done": 1, "total": 1}


@pytest.fixture
def answering(monkeypatch):
    """A function that lets the command talk to a site with these answers."""

    def answering(*answers) -> FakeSite:
        fake = FakeSite(*answers)

        def connect(url, token, transport=None, *, allow_http=False):
            return Connection(url, token, httpx2.MockTransport(fake), allow_http=allow_http)

        monkeypatch.setattr(site_module, "Connection", connect)
        return fake

    return answering


@pytest.fixture
def signed_in(monkeypatch):
    monkeypatch.setenv("ASSAY_URL", URL)
    monkeypatch.setenv("ASSAY_TOKEN", TOKEN)


def remote(*arguments: object) -> int:
    return cli.main(["remote", *map(str, arguments)])


def test_login_saves_the_token_for_this_user_only(answering, login_file, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{TOKEN}\n"))
    fake = answering(ME, COLLECTION, httpx2.Response(200, text="assessor\n"))
    assert remote("login", f"{URL}/") == 0
    assert "as olga with the scope manage" in capsys.readouterr().out
    assert json.loads(login_file.read_text()) == {"default": URL, "tokens": {URL: TOKEN}}
    if sys.platform != "win32":
        assert stat.S_IMODE(login_file.stat().st_mode) == 0o600
    assert remote("export", "--collection", "robust", "judgements") == 0
    assert fake.requests[-1].headers["Authorization"] == f"Bearer {TOKEN}"


def test_a_refused_token_is_not_saved(answering, login_file, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{TOKEN}\n"))
    answering(problem(401, "This token was revoked."))
    assert remote("login", URL) == 1
    assert capsys.readouterr().err == "assay remote: This token was revoked. (status 401)\n"
    assert not login_file.exists()


@pytest.mark.parametrize(("url", "code"), [("http://assay.example.org", 1), ("nonsense", 1)])
def test_login_refuses_an_address_before_it_reads_the_token(url, code, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", None)
    assert remote("login", url) == code
    assert capsys.readouterr().err.startswith("assay remote: The ")


def test_login_without_a_token(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert remote("login", URL) == 2
    assert "Type the token" in capsys.readouterr().err


def test_a_damaged_file_of_logins(login_file, capsys):
    login_file.parent.mkdir()
    login_file.write_text("[]")
    assert remote("assign", "--collection", "robust") == 1
    assert "cannot be read. Delete it" in capsys.readouterr().err


def test_without_a_login(capsys):
    assert remote("assign", "--collection", "robust") == 1
    assert "Which site?" in capsys.readouterr().err


def test_import_prints_what_each_job_did(answering, signed_in, tmp_path, capsys):
    path = tmp_path / "a.run"
    path.write_text("1 Q0 a 1 9 a\n")
    result = {"kind": "runs", "read": 1, "added": 1, "same": 0, "notes": ["a note"], "next_job": ""}
    upload = {"id": "u", "offset": 13, "size": 13, "kind": "runs"}
    fake = answering(COLLECTION, upload | {"offset": 0}, upload, upload, JOB | {"result": result})
    assert remote("import", "--collection", "robust", "--kind", "runs", path) == 0
    assert capsys.readouterr().out == "runs: 1 read, 1 added, 0 already there\n  a note\n"
    assert fake.body(3)["kind"] == "runs"


def test_a_missing_file(answering, signed_in, tmp_path, capsys):
    answering(COLLECTION)
    assert remote("import", "--collection", "robust", tmp_path / "none.run") == 2
    assert "none.run: No such file" in capsys.readouterr().err


def test_pool_sends_strategy_and_parameters(answering, signed_in, capsys):
    fake = answering(COLLECTION, JOB | {"result": {"pooled": 1_234}})
    arguments = ("--strategy", "rbp", "--parameter", "p=0.8", "--parameter", "binary=true", "--seed", 3)
    assert remote("pool", "--collection", "robust", *arguments) == 0
    assert capsys.readouterr().out == "1,234 documents pooled\n"
    assert fake.body(1)["parameters"] == {"p": 0.8, "binary": True}
    assert (fake.body(1)["strategy"], fake.body(1)["seed"]) == ("rbp", 3)


def test_pool_without_waiting(answering, signed_in, capsys):
    fake = answering(COLLECTION, JOB | {"state": "waiting"})
    assert remote("pool", "--collection", "robust", "--depth", 10, "--no-wait") == 0
    assert capsys.readouterr().out == "j-1\n"
    assert fake.body(1)["parameters"] == {"depth": 10}


def test_waiting_later(answering, signed_in, capsys):
    answering(COLLECTION, JOB | {"result": {"pooled": 5}})
    assert remote("wait", "--collection", "robust", "j-1") == 0
    assert capsys.readouterr().out == '{"pooled": 5}\n'


def test_the_help_loads_neither_httpx2_nor_pandas():
    code = (
        "import contextlib, sys; from assay.cli import main\n"
        "with contextlib.suppress(SystemExit): main(['remote', 'import', '--help'])\n"
        "print(sorted({'httpx2', 'pandas', 'numpy', 'django'} & sys.modules.keys()))"
    )
    done = assay(program=("-c", code))
    assert done.stdout.startswith("usage: assay remote import"), done.stderr
    assert done.stdout.endswith("\n[]\n")


def test_preview_of_a_pool(answering, signed_in, capsys):
    fake = answering(COLLECTION, {"documents": 12, "new": 3, "notes": []})
    assert remote("pool", "--collection", "robust", "--depth", 10, "--preview") == 0
    assert capsys.readouterr().out == "12 documents, 3 of them new\n"
    assert fake.paths[-1].endswith("/pool/preview")


def test_a_failed_job(answering, signed_in, capsys):
    answering(COLLECTION, JOB | {"state": "failed", "error": "There are no runs."})
    assert remote("pool", "--collection", "robust", "--depth", 10) == 1
    assert capsys.readouterr().err == "assay remote: There are no runs.\n"


def test_assign(answering, signed_in, capsys):
    found = {"added": 4, "tasks": 2, "assessors": 2, "shortfall": "One document has one assessor only."}
    fake = answering(COLLECTION, found)
    assert remote("assign", "--collection", "robust", "--judges", 2) == 0
    assert fake.body(1) == {"judges": 2, "by_topic": False}
    assert capsys.readouterr().out.splitlines()[-1] == "One document has one assessor only."


def test_export_of_a_gold(answering, signed_in, tmp_path):
    fake = answering(COLLECTION, httpx2.Response(200, content=b"1 0 d1 1\n"))
    arguments = ("gold", "majority", "--rel", 1, "--out", tmp_path / "a.qrels")
    assert remote("export", "--collection", "robust", *arguments) == 0
    assert (tmp_path / "a.qrels").read_bytes() == b"1 0 d1 1\n"
    assert fake.requests[-1].url.params["rel"] == "1"


@pytest.mark.parametrize("what", [["gold"], ["judgements", "majority"], ["judgements", "--rel", "1"]])
def test_exports_that_are_refused(signed_in, answering, what, capsys):
    answering()
    assert remote("export", "--collection", "robust", *what) == 2
    assert capsys.readouterr().err.startswith("assay remote: ")


def test_an_unknown_collection(answering, signed_in, capsys):
    answering(problem(404, "There is no such thing."), {"results": [COLLECTION], "next": None})
    assert remote("assign", "--collection", "robusst") == 1
    assert "Did you mean 'robust'?" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["assign"], ["pool", "--collection", "a", "--parameter", "x"], ["x"]])
def test_arguments_that_are_invalid(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        remote(*arguments)
    assert caught.value.code == 2
    assert "usage: assay remote" in capsys.readouterr().err


def test_a_data_directory_is_refused(capsys):
    assert cli.main(["--data", "x", "remote", "login", URL]) == 2
    assert "`assay remote` uses no data directory" in capsys.readouterr().err

"""assay serve: hosts, address, owner link, migration with a backup, and a clean end."""

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from django.core.management import CommandError, call_command

from assess.management import serving
from assess.people.owner_link import check_link
from tests.wheel.installed import free_port, receive_interrupts

pytestmark = [pytest.mark.slow, pytest.mark.deploy]

PROJECT = Path(__file__).resolve().parents[3]


@pytest.fixture
def started(monkeypatch, settings):
    """Does not serve; holds what was bound. The settings are those of `assay serve`."""
    bound = []
    monkeypatch.setattr(serving, "bind", lambda host, port: bound.append((host, port)))
    monkeypatch.setattr(serving, "run", lambda _, goodbye: goodbye())
    settings.PLAIN_HTTP, settings.ALLOWED_HOSTS = True, ["localhost"]
    return bound


def test_default_is_this_computer_only(db, started, settings, capsys):
    call_command("serve")
    assert started == [("127.0.0.1", 8000)]
    assert settings.ALLOWED_HOSTS == ["localhost", "127.0.0.1"]
    output = capsys.readouterr()
    assert "Assay is running at http://127.0.0.1:8000/\n" in output.out
    assert output.err == ""


def test_port_can_come_from_the_environment(db, started, monkeypatch):
    monkeypatch.setenv("ASSAY_PORT", "8123")
    call_command("serve")
    assert started == [("127.0.0.1", 8123)]


def test_link_is_printed_until_an_owner_exists(db, started, capsys, django_user_model):
    call_command("serve")
    token = re.search(r"http://127.0.0.1:8000/account/owner/([\w-]+)/\n", capsys.readouterr().out)[1]
    check_link(token)
    django_user_model.objects.create_superuser("rita", password="right and long")
    call_command("serve")
    assert "/account/owner/" not in capsys.readouterr().out


def test_another_host_is_allowed_with_a_warning(db, started, settings, capsys):
    call_command("serve", "--host", "assay.example.org", "--port", "80")
    assert started == [("assay.example.org", 80)]
    assert settings.ALLOWED_HOSTS == ["localhost", "assay.example.org"]
    output = capsys.readouterr()
    assert "http://assay.example.org:80/" in output.out
    assert "Warning: passwords and judgements are sent unencrypted." in output.err


@pytest.mark.parametrize("everywhere", ["0.0.0.0", "::"])
def test_all_addresses_need_the_name_that_people_type(db, started, settings, everywhere):
    with pytest.raises(CommandError, match="Also give the host name that people enter"):
        call_command("serve", "--host", everywhere)
    call_command("serve", "--host", everywhere, "--host", "10.0.0.7")
    assert started == [(everywhere, 8000)]
    assert settings.ALLOWED_HOSTS == ["localhost", "10.0.0.7"]


def test_ipv6_address_is_written_in_brackets(db, started, settings, capsys):
    call_command("serve", "--host", "::1")
    assert settings.ALLOWED_HOSTS == ["localhost", "[::1]"]
    assert "http://[::1]:8000/" in capsys.readouterr().out


def test_address_behind_a_proxy_is_that_of_the_proxy(db, started, settings, capsys):
    settings.BEHIND_PROXY = True
    call_command("serve", "--host", "127.0.0.1", "--host", "assay.example.org")
    assert started == [("127.0.0.1", 8000)]
    output = capsys.readouterr()
    assert "Assay is running at https://assay.example.org/\n" in output.out
    assert output.err == ""


@pytest.mark.parametrize("host", ["*", ".example.org", "a b", "", "http://x", "x/y"])
def test_wildcards_and_addresses_of_pages_are_refused(db, started, host):
    with pytest.raises(CommandError, match="is not a host name or an IP address"):
        call_command("serve", "--host", host)
    assert started == []


@pytest.mark.parametrize("port", ["0", "65536", "-1", "x", "²"])
def test_invalid_port_is_refused(db, started, port):
    with pytest.raises(CommandError, match="the port must be between 1 and 65535"):
        call_command("serve", f"--port={port}")


def test_plain_http_must_be_allowed(db, started, settings):
    settings.PLAIN_HTTP = False
    with pytest.raises(CommandError, match="ASSAY_BEHIND_PROXY=1"):
        call_command("serve")


def test_owner_link_command_prints_a_valid_link(db, capsys):
    call_command("owner_link", "--address", "https://assay.example.org/")
    link = capsys.readouterr().out.strip()
    assert link.startswith("https://assay.example.org/account/owner/")
    check_link(link.split("/")[-2])


def assay_environment():
    """The environment of a command that uses only the data directory."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ASSAY_", "DATABASE_URL"))}
    return kept | {"DJANGO_SETTINGS_MODULE": "assess.settings"}


@contextmanager
def serve(data: Path, port: int, **environment):
    """A running `manage.py serve`; yields the process after it has printed everything, and its output."""
    words = [sys.executable, "manage.py", "serve", "--data", str(data), "--port", str(port)]
    with subprocess.Popen(
        words,
        cwd=PROJECT,
        env=assay_environment() | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=receive_interrupts,
    ) as process:
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line.startswith("Stop it"):
                break
        try:
            yield process, "".join(lines)
        finally:
            process.kill()


@pytest.fixture
def port():
    return free_port()


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_server_answers_and_ends_cleanly(tmp_path, port, end):
    with serve(tmp_path, port) as (process, output):
        assert "Creating the database in " in output
        with urlopen(f"http://127.0.0.1:{port}/account/sign-in/", timeout=60) as answer:
            assert answer.status == 200
            assert "Server" not in answer.headers
        process.send_signal(end)
        assert process.wait(60) == 0
        assert process.stdout.read().endswith("Stopped.\n")


LOADED = """
import contextlib, sys, threading
import django
django.setup()
from assess.management import serving

class Server:
    def run(self):
        [thread.join() for thread in threading.enumerate() if thread.name == "preload"]
        print("pandas" in sys.modules)
    def close(self): pass

serving.running_worker = contextlib.nullcontext
print("pandas" in sys.modules)
serving.run(Server(), lambda: None)
"""


def test_pandas_is_loaded_while_the_server_runs():
    words = [sys.executable, "-c", LOADED]
    done = subprocess.run(words, cwd=PROJECT, env=assay_environment(), capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_behind_a_proxy_the_proxy_names_the_scheme(tmp_path, port):
    with serve(tmp_path, port, ASSAY_BEHIND_PROXY="1"):
        page = Request(f"http://127.0.0.1:{port}/account/sign-in/", headers={"X-Forwarded-Proto": "https"})
        with urlopen(page, timeout=60) as answer:
            assert answer.status == 200
            assert "max-age=31536000" in answer.headers["Strict-Transport-Security"]


def test_outdated_database_is_backed_up_and_migrated(tmp_path, port):
    with serve(tmp_path, port):
        pass
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--data", str(tmp_path), "assess", "0001"],
        cwd=PROJECT,
        env=assay_environment(),
        check=True,
    )
    with serve(tmp_path, port) as (_, output):
        assert "Updating the database in " in output
    (copy,) = (tmp_path / "backups").iterdir()
    assert f"Backed up the database to {copy}\n" in output
    with closing(sqlite3.connect(copy)) as database:
        assert not database.execute("SELECT * FROM sqlite_master WHERE type = 'trigger'").fetchall()


def test_port_in_use_is_one_sentence(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with serve(tmp_path, port) as (process, output):
            assert process.wait(60) == 1
        (sentence,) = (line for line in output.splitlines() if "There is another database" not in line)
        assert sentence.startswith(f"CommandError: Cannot listen on http://127.0.0.1:{port}/: ")

"""Caddy with deploy/Caddyfile in front of gunicorn: people judge by TLS, and slow or large requests do not harm it."""

import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path

import pytest
import requests

from tests.assess.web.judge.test_judging_page import form_of
from tests.deploy.running import running, wait_for_health
from tests.deploy.test_units import command, here
from tests.deploy.test_worker import until
from tests.wheel.installed import free_port

PROJECT = Path(__file__).resolve().parents[2]
CADDYFILE = PROJECT / "deploy" / "Caddyfile"
CADDY = shutil.which("caddy", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
SIGN_IN = "/account/sign-in/"
TIMEOUT = 60  # seconds
THREADS = 8  # of gunicorn
FILL = """
import django; django.setup()
from assess.collections.members import add_member
from assess.judging.worklist import topics_with_progress
from assess.pools.assign import assign
from tests.factories import SMALL_RUNS, small_collection
collection = small_collection(SMALL_RUNS)
member, password = add_member(collection, "ada", "assessor")
assign(collection, judges=1)
print(password, f"/c/{collection.slug}/judge/{topics_with_progress(member)[0][0].pk}/")
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.deploy,
    pytest.mark.skipif(not CADDY, reason="needs caddy, which `make lint-deploy` installs"),
]


@dataclass(frozen=True)
class Site:
    http: int
    https: int
    authority: Path  # certificate with which Caddy signs that of localhost
    environment: dict[str, str]

    def run(self, *words: str) -> str:
        done = subprocess.run([sys.executable, *words], env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def browser(self) -> "Browser":
        return Browser(f"https://localhost:{self.https}", self.authority)

    def connection(self) -> ssl.SSLSocket:
        context = ssl.create_default_context(cafile=self.authority)
        plain = socket.create_connection(("localhost", self.https), timeout=TIMEOUT)
        return context.wrap_socket(plain, server_hostname="localhost")


class Browser(requests.Session):
    """Requests pages of the site, and posts forms as a browser does. It accepts only certificates of the authority."""

    def __init__(self, origin: str, authority: Path):
        super().__init__()
        self.origin, self.verify, self.trust_env = origin, str(authority), False

    def page(self, path: str) -> requests.Response:
        return self.get(self.origin + path, timeout=TIMEOUT)

    def submit(self, path: str, fields: dict) -> requests.Response:
        fields = {"csrfmiddlewaretoken": self.cookies["csrftoken"]} | fields
        headers = {"Referer": self.origin + path}
        return self.post(self.origin + path, fields, headers=headers, timeout=TIMEOUT, allow_redirects=False)


def caddy_settings(folder: Path, upstream: int, http: int, https: int) -> Path:
    """deploy/Caddyfile for `localhost` as JSON, with other ports, and without traces on this machine."""
    environment = {"ASSAY_HOST": "localhost", "ASSAY_UPSTREAM": f"127.0.0.1:{upstream}", "HOME": str(folder)}
    words = [CADDY, "adapt", "--config", str(CADDYFILE), "--adapter", "caddyfile"]
    settings = json.loads(subprocess.run(words, env=environment, capture_output=True, check=True).stdout)
    settings["apps"]["http"] |= {"http_port": http, "https_port": https}
    for server in settings["apps"]["http"]["servers"].values():
        server["listen"] = [f"127.0.0.1:{https}"]
    settings["apps"]["pki"] = {"certificate_authorities": {"local": {"install_trust": False}}}
    settings |= {"admin": {"disabled": True}, "storage": {"module": "file_system", "root": str(folder)}}
    path = folder / "caddy.json"
    path.write_text(json.dumps(settings), encoding="utf-8")
    return path


def head_of(site: Site, *headers: str) -> bytes:
    """The head of a request that sends the form of the sign-in page."""
    lines = (f"POST {SIGN_IN} HTTP/1.1", f"Host: localhost:{site.https}", *headers)
    return "\r\n".join((*lines, "", "")).encode()


def answers(site: Site) -> bool:
    """Whether Caddy has made its certificates and passes requests on."""
    try:
        return site.authority.exists() and site.browser().page("/health").status_code == 200
    except requests.ConnectionError:
        return False


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    """gunicorn with the command line of assay.service, and Caddy in front."""
    folder = tmp_path_factory.mktemp("site")
    for name in ("data", "gunicorn", "caddy"):
        (folder / name).mkdir(mode=0o700)
    upstream, http, https = free_port(), free_port(), free_port()
    environment = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": str(PROJECT),
        "DJANGO_SETTINGS_MODULE": "assess.settings",
        "ASSAY_DATA": str(folder / "data"),
        "ASSAY_ALLOWED_HOSTS": "localhost",
        "ASSAY_BEHIND_PROXY": "1",
        "ASSAY_MIN_FREE_MB": "1",
    }
    authority = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    settings = caddy_settings(folder / "caddy", upstream, http, https)
    site = Site(http, https, authority, environment)
    site.run("-m", "assay", "migrate", "-v0")
    caddy = [CADDY, "run", "--config", str(settings)]
    with ExitStack() as stack:
        serve = here(command("assay.service"), upstream)
        stack.enter_context(running(serve, environment, folder / "gunicorn", folder / "data"))
        wait_for_health(upstream)
        stack.enter_context(running(caddy, {"HOME": str(folder)}, folder / "caddy", folder / "caddy"))
        until(lambda: answers(site), TIMEOUT)
        yield site


def test_a_document_is_judged_by_tls(site):
    password, topic = site.run("-c", FILL).split()
    browser = site.browser()
    browser.page(SIGN_IN)
    assert browser.submit(SIGN_IN, {"username": "ada", "password": password}).status_code == 302
    address, hidden = form_of(browser.page(topic).text)
    answer = browser.submit(address, hidden | {"relevance": "1"})
    assert answer.status_code == 302, answer.text
    assert answer.headers["Location"].startswith("/")
    assert "1 judgement" in site.run("-m", "assay", "verify_ledger")


def test_cookies_are_sent_by_tls_only(site):
    answer = site.browser().page(SIGN_IN)
    assert answer.status_code == 200
    assert "Secure" in answer.headers["Set-Cookie"]
    assert answer.headers["Strict-Transport-Security"].startswith("max-age=")


def test_http_leads_to_https(site):
    answer = requests.get(f"http://localhost:{site.http}{SIGN_IN}", timeout=TIMEOUT, allow_redirects=False)
    assert answer.status_code == 308
    assert answer.headers["Location"].startswith("https://localhost")


def test_large_requests_are_refused_before_they_reach_gunicorn(site):
    with site.connection() as client:
        client.sendall(head_of(site, "Content-Length: 12000000"))
        answer = HTTPResponse(client)
        answer.begin()
        assert (answer.status, answer.read()) == (413, b"The request is larger than 10 MB.")


def test_slow_requests_do_not_occupy_the_threads_of_gunicorn(site):
    # Assay reads the body of a form only if origin and cookie are those of its own page. The first 8 kB arrive.
    form = ("Content-Type: application/x-www-form-urlencoded", "Content-Length: 100000")
    own_page = (f"Origin: https://localhost:{site.https}", f"Cookie: csrftoken={'c' * 32}")
    start = head_of(site, *form, *own_page) + b"username=" + b"a" * 8000
    with ExitStack() as stack:
        for _ in range(2 * THREADS):
            stack.enter_context(site.connection()).sendall(start)
        assert [site.browser().page(SIGN_IN).status_code for _ in range(4)] == [200] * 4

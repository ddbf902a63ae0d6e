"""An OpenID Connect provider for tests, as a process of its own: `python -m tests.assess.openid_server PORT`.

It signs everybody in at once, as the person whose claims were posted to /person. It supports the authorization code
flow with PKCE: discovery, authorization, token and userinfo.
"""

import base64
import hashlib
import json
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import Request, urlopen

import jwt

from tests.assess.mail_server import free_port

CLIENT, SECRET = "assay", "a secret that is long enough for a signature"


class Provider(BaseHTTPRequestHandler):
    """Answers requests. What was agreed with whom is kept on the class, since each request has its own instance."""

    person: dict = {"sub": "1"}
    pending: dict = {}  # code -> the request for it

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/.well-known/openid-configuration":
            names = {"authorization": "authorize", "token": "token", "userinfo": "userinfo"}
            addresses = {f"{name}_endpoint": f"{self.issuer}/{path}" for name, path in names.items()}
            self.answer({"issuer": self.issuer, "jwks_uri": f"{self.issuer}/jwks", **addresses})
        elif parts.path == "/authorize":
            self.authorize(query)
        elif parts.path == "/userinfo":
            self.answer(Provider.person)
        else:
            self.answer({"error": "not_found"}, 404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.path == "/person":
            Provider.person = json.loads(body)
            return self.answer({})
        return self.token({name: values[0] for name, values in parse_qs(body).items()})

    def authorize(self, query: dict) -> None:
        answer = {"state": query["state"]}
        if Provider.person.get("refuses"):
            answer["error"] = "access_denied"
        else:
            answer["code"] = secrets.token_urlsafe(8)
            Provider.pending[answer["code"]] = query
        self.send_response(302)
        self.send_header("Location", f"{query['redirect_uri']}?{urlencode(answer)}")
        self.end_headers()

    def token(self, fields: dict) -> None:
        asked = Provider.pending.pop(fields.get("code", ""), None)
        if asked is None or fields.get("client_secret") != SECRET or not proves(fields, asked):
            return self.answer({"error": "invalid_grant"}, 400)
        claims = {**Provider.person, "iss": self.issuer, "aud": CLIENT, "exp": int(time.time()) + 60}
        claims |= {"iat": int(time.time())} | ({"nonce": asked["nonce"]} if "nonce" in asked else {})
        token = jwt.encode(claims, SECRET, algorithm="HS256")
        return self.answer({"access_token": "x", "token_type": "Bearer", "id_token": token})

    def answer(self, content: dict, status: int = 200) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_) -> None:
        pass


def proves(fields: dict, asked: dict) -> bool:
    """Whether the code is redeemed by the program that asked for it (PKCE)."""
    digest = hashlib.sha256(fields.get("code_verifier", "").encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=") == asked.get("code_challenge")


class Running:
    """The provider as a test sees it."""

    def __init__(self, url: str) -> None:
        self.url = url

    def become(self, **claims) -> None:
        """Let the provider sign in somebody else from now on."""
        urlopen(Request(f"{self.url}/person", json.dumps(claims).encode()), timeout=10).close()

    def continue_from(self, address: str) -> str:
        """Follow the redirect to the provider, and return the address to which it sends the browser back."""
        from http.client import HTTPConnection

        parts = urlsplit(address)
        connection = HTTPConnection(parts.hostname, parts.port, timeout=10)
        connection.request("GET", f"{parts.path}?{parts.query}")
        return connection.getresponse().getheader("Location")


@contextmanager
def running_provider() -> Iterator[Running]:
    """Start the provider on a free port."""
    port = free_port()
    command = [sys.executable, "-m", "tests.assess.openid_server", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        process.stdout.readline()  # it listens
        try:
            yield Running(f"http://127.0.0.1:{port}")
        finally:
            process.terminate()


if __name__ == "__main__":
    with HTTPServer(("127.0.0.1", int(sys.argv[1])), Provider) as server:
        print("listening", flush=True)
        server.serve_forever()

"""Requests over real connections: slow, broken, huge, compressed and redirecting answers, retries and pace."""

import gzip
import socket
import ssl
import threading
import time

import pytest

from pooling.outgoing import ANY_HOST, AllowedHosts, Client, Failed, Limits, Stopped
from pooling.outgoing.client import retry_after
from tests.pooling.live.servers import Reply, Server


class RawServer:
    """Sends bytes, with pauses, to each connection: for what no HTTP library would send."""

    def __init__(self, parts, pause=0.0):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.parts, self.pause, self.connections = parts, pause, 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection):
        with connection:
            connection.recv(65_536)
            try:
                for part in self.parts():
                    connection.sendall(part)
                    time.sleep(self.pause)
            except OSError:
                return

    @property
    def url(self):
        return f"http://127.0.0.1:{self.socket.getsockname()[1]}/"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()


def drip(begin):
    def parts():
        yield begin
        while True:
            yield b"a"

    return parts


HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"


def send(url, **limits):
    with Client(ANY_HOST, Limits(**({"seconds": 1.0, "attempts": 1} | limits))) as client:
        return client.send("GET", url)


@pytest.mark.slow
@pytest.mark.parametrize(
    "begin", [b"", b"HTTP/1.1 200 OK\r\nX: ", HEAD], ids=["before the status", "in the headers", "in the body"]
)
def test_a_server_that_sends_a_byte_now_and_then_ends_at_the_limit(begin):
    with (
        RawServer(drip(begin), pause=0.05) as server,
        pytest.raises(Failed, match=r"did not answer within 0\.5 seconds"),
    ):
        send(server.url, seconds=0.5)


def test_an_endless_answer_ends_at_the_size_limit():
    begin = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    def parts():
        yield begin
        while True:
            yield b"10000\r\n" + b"x" * 65_536 + b"\r\n"

    with RawServer(parts) as server, pytest.raises(Failed, match="has more than 1,000,000 bytes"):
        send(server.url, seconds=20, max_bytes=1_000_000)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"not http at all\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort",
        b"HTTP/1.1 999999 X\r\n\r\n",
    ],
)
def test_a_broken_answer_is_a_failure(answer):
    with RawServer(lambda: [answer]) as server, pytest.raises(Failed, match="could not be reached, or the connection"):
        send(server.url, seconds=20)


def test_no_server_is_a_failure():
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(Failed, match="could not be reached"):
        send(f"http://127.0.0.1:{port}/")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status):
    with Server(lambda _: Reply({"inside": True})) as inside:
        moved = Reply(b"", status, {"Location": inside.url})
        with Server(lambda _: moved) as server, pytest.raises(Failed, match="redirects to another address"):
            send(server.url)
        assert inside.asked == []


def test_a_compressed_answer_is_refused():
    bomb = Reply(gzip.compress(b"0" * 10_000_000), headers={"Content-Encoding": "gzip"})
    with Server(lambda _: bomb) as server, pytest.raises(Failed, match="compressed"):
        send(server.url)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_a_failure_that_may_pass_is_asked_again(status):
    replies = iter([Reply({}, status, {"Retry-After": "0"}), Reply({"ok": True})])
    with Server(lambda _: next(replies)) as server:
        answer = send(server.url, attempts=3)
    assert (answer.status, answer.attempts) == (200, 2)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422])
def test_a_refusal_is_not_asked_again(status):
    with Server(lambda _: Reply({}, status)) as server:
        assert send(server.url, attempts=3).status == status
        assert len(server.asked) == 1


def test_the_last_answer_is_returned():
    with Server(lambda _: Reply({}, 503, {"Retry-After": "0"})) as server:
        answer = send(server.url, attempts=3)
        assert (answer.status, answer.attempts, len(server.asked)) == (503, 3, 3)


def test_the_caller_may_say_that_an_answer_is_final():
    with Server(lambda _: Reply({"error": "quota"}, 429)) as server, Client(ANY_HOST) as client:
        assert client.send("GET", server.url, is_final=lambda answer: b"quota" in answer.body).attempts == 1


def test_a_server_that_asks_to_wait_long_is_a_failure():
    reply = Reply({}, 503, {"Retry-After": "3600"})
    with Server(lambda _: reply) as server, pytest.raises(Failed, match="asks to wait 3,600 seconds"):
        send(server.url, attempts=2)


@pytest.mark.parametrize(
    ("text", "seconds"), [("3", 3.0), ("0.5", 0.5), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0), ("soon", None), ("", None)]
)
def test_retry_after_is_a_number_or_a_date(text, seconds):
    assert retry_after({"retry-after": text}) == seconds


def test_stopping_ends_the_waiting():
    with Server(lambda _: Reply({}, 503, {"Retry-After": "60"})) as server, Client(ANY_HOST) as client:
        threading.Timer(0.2, client.stop).start()
        with pytest.raises(Stopped):
            client.send("GET", server.url)


def test_neither_proxies_nor_netrc_of_the_environment_are_used(monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login a password b\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with Server(lambda _: Reply({})) as server:
        assert send(server.url).status == 200
        assert "authorization" not in server.asked[0].headers
        assert server.asked[0].headers["accept-encoding"] == "identity"


def self_signed(folder, name):
    """A certificate and its key for a name, which no authority has signed."""
    from datetime import UTC, datetime, timedelta

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    (folder / "key.pem").write_bytes(key.private_bytes(pem, form, plain))
    return folder / "cert.pem", folder / "key.pem"


def test_a_certificate_is_checked_for_the_name_and_not_for_the_address(tmp_path, monkeypatch):
    """The address is pinned, and TLS is that of the name: SNI, Host and certificate."""
    certificate, key = self_signed(tmp_path, "search.example.org")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    names = []
    context.sni_callback = lambda _socket, name, _context: names.append(name)
    real = socket.getaddrinfo
    found = {"search.example.org": "127.0.0.1", "other.example.org": "127.0.0.1"}
    monkeypatch.setattr("socket.getaddrinfo", lambda host, *rest, **more: real(found.get(host, host), *rest, **more))
    with Server(lambda _: Reply({"ok": True})) as server:
        server.use_tls(context)
        port = server.url.rpartition(":")[2]
        allowed = AllowedHosts.parse(["search.example.org", "other.example.org", "127.0.0.1"])
        limits = Limits(seconds=3, attempts=1)
        with Client(allowed, limits) as client, pytest.raises(Failed):  # nobody has signed it
            client.send("GET", f"https://search.example.org:{port}/")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        with Client(allowed, limits) as client:
            assert client.send("GET", f"https://search.example.org:{port}/").status == 200
            with pytest.raises(Failed):  # the certificate is for another name
                client.send("GET", f"https://other.example.org:{port}/")
        assert server.asked[0].headers["host"] == f"search.example.org:{port}"
    assert "search.example.org" in names


def test_each_attempt_is_reported():
    replies = iter([Reply({}, 503, {"Retry-After": "0"}), Reply({}, 429, {"Retry-After": "0"}), Reply({"ok": 1})])
    seen = []
    with Server(lambda _: next(replies)) as server, Client(ANY_HOST, Limits(seconds=5)) as client:
        client.send("GET", server.url, on_attempt=seen.append)
    assert [(attempt.number, attempt.status, attempt.problem) for attempt in seen] == [
        (1, 503, ""),
        (2, 429, ""),
        (3, 200, ""),
    ]
    assert all(attempt.seconds > 0 for attempt in seen)


@pytest.mark.in_ci
def test_an_attempt_without_an_answer_is_reported_with_its_reason():
    seen = []
    with RawServer(lambda: [b""]) as server, Client(ANY_HOST, Limits(seconds=5, attempts=2)) as client:
        with pytest.raises(Failed) as error:
            client.send("GET", server.url, on_attempt=seen.append)
        assert error.value.attempts == 2
    assert [(attempt.number, attempt.status) for attempt in seen] == [(1, None), (2, None)]
    assert all("the connection was cut" in attempt.problem for attempt in seen)

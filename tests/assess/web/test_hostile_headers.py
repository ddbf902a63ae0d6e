"""No page fails (status 500) on odd headers, lengths, encodings and methods, or writes more than 2 kB to the log.

The tests cover every entry of the URL table.
"""

import gzip
import io
import logging

import pytest
from django.test import Client

from assess.web.site.log_format import MOST_BYTES, ShortFormatter, shortened
from tests.assess.web.test_access import (  # noqa: F401 - some are fixtures
    ADDRESSES,
    address,
    built,
    ended_exercise,
    members,
    shared_site,
)
from tests.assess.web.test_hostile_requests import CHANGES_EVERYTHING, FIELDS, quiet_client, visitor  # noqa: F401

TOKEN = "a" * 32
FORM = "application/x-www-form-urlencoded"
BODY = f"csrfmiddlewaretoken={TOKEN}&name=x"
CHARSETS = (
    "utf-16",
    "utf-7",
    "utf_32",
    "rot13",
    "rot_13",
    "base64",
    "hex",
    "zip",
    "idna",
    "punycode",
    "nothing",
    "x" * 999,
)
HEADERS = [
    {"CONTENT_TYPE": "multipart/form-data"},
    {"CONTENT_TYPE": "multipart/form-data; boundary="},
    {"CONTENT_TYPE": "multipart/form-data; boundary=" + "x" * 3_000},
    {"CONTENT_TYPE": "multipart/mixed; boundary=x"},
    {"CONTENT_TYPE": "application/json"},
    {"CONTENT_TYPE": "\xff\xfe"},
    {"CONTENT_TYPE": ";;;charset;;=;" * 200},
    {"HTTP_COOKIE": "csrftoken=" + "x" * 4_000},
    {"HTTP_COOKIE": "sessionid=../../etc/passwd; assay_seats={]; messages=[[["},
    {"HTTP_COOKIE": ";=;\xff=\xff;" * 100},
    {"HTTP_HOST": "evil.example"},
    {"HTTP_HOST": "[::1"},
    {"HTTP_HOST": "localhost:99999999"},
    {"HTTP_REFERER": "http://[", "HTTP_ORIGIN": "http://["},
    {"HTTP_ORIGIN": "null"},
    {"HTTP_ACCEPT": "application/json;q=,*/*;q=nan" * 50},
    {"HTTP_ACCEPT_LANGUAGE": "de-" + "x-" * 500},
    {"HTTP_ACCEPT_ENCODING": "\x00,br;q=-1"},
    {"HTTP_IF_MODIFIED_SINCE": "yesterday", "HTTP_IF_NONE_MATCH": '"', "HTTP_RANGE": "bytes=9-1,-5,x"},
    {"HTTP_X_FORWARDED_FOR": "," * 500, "HTTP_X_FORWARDED_PROTO": "gopher", "HTTP_X_FORWARDED_HOST": "evil.example"},
    {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "\xff" * 100, "HTTP_HX_CURRENT_URL": "http://["},
    {"HTTP_X_CSRFTOKEN": "\xff" * 100},
    {"HTTP_X_HTTP_METHOD_OVERRIDE": "DELETE"},
]
LENGTHS = ["", "-1", "0", "3", "1e3", "²", "+9", "9" * 30, "1" * 5_000]
ENCODINGS = [
    {"HTTP_CONTENT_ENCODING": "gzip"},
    {"HTTP_CONTENT_ENCODING": "br, \xff"},
    {"HTTP_TRANSFER_ENCODING": "gzip, chunked", "CONTENT_LENGTH": ""},
    {"HTTP_CONTENT_TRANSFER_ENCODING": "base64"},
    {"CONTENT_TYPE": f"{FORM}; charset=utf-8; charset=utf-16"},
]
METHODS = ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "post", "A" * 300)


@pytest.fixture
def log():
    """The messages, as the server writes them."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(ShortFormatter())
    logging.getLogger().addHandler(handler)
    yield stream
    logging.getLogger().removeHandler(handler)


def check(log, response, *of) -> None:
    written = log.getvalue().encode()
    assert response.status_code != 500, of
    assert len(written) <= MOST_BYTES + 1, (of, written[:500])
    log.seek(0)
    log.truncate()


@pytest.mark.parametrize("charset", CHARSETS)
def test_another_charset_is_refused_before_the_form_is_read(db, log, charset):
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.cookies["csrftoken"] = TOKEN
    for url in ("/account/sign-in/", "/join/", "/nothing/"):
        response = client.generic("POST", url, BODY, f"{FORM}; charset={charset}")
        assert response.status_code == 415
        check(log, response, charset)
        assert client.get(url, CONTENT_TYPE=f"{FORM}; charset={charset}").status_code == 415
    assert "written in UTF-8" in response.content.decode()


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8", '"utf-8"', ""])
def test_utf_8_is_read(db, charset):
    response = Client().generic("POST", "/account/sign-in/", "username=a&password=b", f"{FORM}; charset={charset}")
    assert response.status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parameters"), ADDRESSES)
def test_odd_headers_never_fail(visitor, address, log, name, parameters):  # noqa: F811
    client, url = visitor(name, parameters), address(name, parameters)
    client.handler.enforce_csrf_checks = True
    for charset in ("utf-16", "rot13", "base64"):
        response = client.generic("POST", url, BODY, f"{FORM}; charset={charset}", headers={})
        assert response.status_code == 415
        check(log, response, charset)
    for headers in HEADERS:
        kept = {"HTTP_COOKIE": "; ".join(f"{key}={cookie.value}" for key, cookie in client.cookies.items())}
        check(log, client.generic("GET", url, **(kept | headers)), "GET", headers)
        check(log, client.generic("POST", url, BODY, **({"content_type": FORM} | kept | headers)), "POST", headers)
    for method in METHODS:
        check(log, client.generic(method, url, BODY, FORM), method)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parameters"), ADDRESSES)
def test_odd_lengths_and_encodings_never_fail(visitor, address, log, name, parameters):  # noqa: F811
    client, url = visitor(name, parameters), address(name, parameters)
    client.handler.enforce_csrf_checks = True
    body = gzip.compress(BODY.encode())
    for headers in [*({"CONTENT_LENGTH": length} for length in LENGTHS), *ENCODINGS]:
        check(log, client.generic("POST", url, body, **({"content_type": FORM} | headers)), "POST", headers)
        check(log, client.generic("GET", url, body, **({"content_type": FORM} | headers)), "GET", headers)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parameters"), [entry for entry in ADDRESSES if entry[0] in FIELDS])
def test_odd_bodies_never_fail(visitor, address, log, name, parameters):  # noqa: F811
    if name in CHANGES_EVERYTHING:
        return
    client, url = visitor(name, parameters), address(name, parameters)
    for content_type in ("multipart/form-data; boundary=x", "application/json", "text/plain", FORM):
        for body in (
            b"\xff\xfe\x00",
            b"--x\r\n",
            b"--x\r\nContent-Disposition: form-data\r\n\r\n",
            b"[" * 3_000,
            b"&" * 900,
        ):
            check(log, client.generic("POST", url, body, content_type), content_type, body[:20])


def test_a_long_message_is_cut_in_the_middle():
    text = "first " + "é" * 100_000 + " last"
    short = shortened(text)
    assert len(short.encode()) <= MOST_BYTES
    assert (short[:6], short[-5:], "(shortened)" in short) == ("first ", " last", True)
    assert shortened("short") == "short"


def test_the_log_of_the_site_is_short(settings):
    assert settings.LOGGING["handlers"]["console"]["formatter"] == "short"

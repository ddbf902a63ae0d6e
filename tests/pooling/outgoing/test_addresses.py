"""Which addresses may be asked: tricks by which a typed address reaches the site's own network are refused."""

import ipaddress
import socket

import pytest

from pooling.outgoing import ANY_HOST, AllowedHosts, Client, Entry, Forbidden, Limits
from pooling.outgoing.addresses import is_public
from tests.pooling.live.servers import Reply, Server

ALLOWED = AllowedHosts.parse(["search.example.org", "10.1.2.3:9200", "8.8.0.0/16"])
TRICKS = (
    "http://127.0.0.1/",
    "http://localhost/",
    "http://localhost./",
    "http://LOCALHOST/",
    "http://127.1/",
    "http://127.0.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://00000177.0.0.1/",
    "http://0/",
    "http://0.0.0.0/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[fe80::1%25eth0]/",
    "http://[fc00::1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/latest/meta-data/",
    "http://metadata.google.internal/",
    "http://10.1.2.3/",  # another port than the listed one
    "http://10.1.2.3:9201/",
    "http://192.168.0.1/",
    "http://224.0.0.1/",
    "http://search.example.org@127.0.0.1/",
    "http://127.0.0.1#@search.example.org/",
    "http://127.0.0.1\\@search.example.org/",
    "http://search.example.org:80@127.0.0.1/",
    "http://user:secret@search.example.org/",
    "http://search.example.org.evil.test/",
    "http://evil.test/?search.example.org",
    "http://search.example.org%2eevil.test/",
    "http://search.example.org\t.evil.test/",
    "http://search.example.org\r\nHost: a/",
    "http://①②⑦.⓪.⓪.①/",
    "http://search。example。org/",
    "http:///search.example.org/",
    "http:search.example.org",
    "//search.example.org/",
    "search.example.org",
    "file:///etc/passwd",
    "gopher://search.example.org:11211/_stats",
    "ftp://search.example.org/",
    "dict://search.example.org:11211/",
    "javascript:alert(1)",
    "http://search.example.org:0/",
    "http://search.example.org:99999/",
    "http://",
    "",
    "http://" + "a" * 3_000,
)


@pytest.mark.parametrize("url", TRICKS)
def test_a_trick_is_refused(url):
    with pytest.raises(Forbidden) as error:
        ALLOWED.check(url)
    assert str(error.value).endswith(".")


@pytest.mark.parametrize(
    "url",
    [
        "https://search.example.org/",
        "http://SEARCH.example.org:9200/index/_search?q={query}".replace("{query}", "x"),
        "http://10.1.2.3:9200/",
        "http://8.8.8.8/",
    ],
)
def test_a_listed_host_is_allowed(url):
    assert ALLOWED.check(url).host


@pytest.mark.parametrize(
    ("addresses", "is_refused"),
    [
        (["93.184.216.34"], False),
        (["127.0.0.1"], True),
        (["93.184.216.34", "127.0.0.1"], True),  # one private address among public ones
        (["::ffff:10.0.0.1"], True),
        (["64:ff9b::a00:1"], True),
        (["fe80::1%eth0"], True),
        (["10.1.2.3"], False),  # listed with this port
    ],
)
def test_a_name_with_a_private_address_is_refused(addresses, is_refused, monkeypatch):
    rows = [(0, 0, 0, "", (address, 9200)) for address in addresses]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: rows)
    if is_refused:
        with pytest.raises(Forbidden, match="which is not public"):
            ALLOWED.resolve("search.example.org", 9200)
    else:
        assert ALLOWED.resolve("search.example.org", 9200)


PRIVATE = (
    *("0.0.0.1", "10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.1.1", "172.16.0.1", "192.0.2.1", "192.168.1.1"),
    *("198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:10.0.0.1", "::10.0.0.1"),
    *("64:ff9b::a00:1", "2002:a00:1::", "fc00::1", "fe80::1", "fec0::1", "ff02::1", "2001:db8::1"),
    "2607:f8b0::5efe:a00:1",
)


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_leads_inside_is_not_public(address):
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700:4700::1111", "64:ff9b::808:808"])
def test_an_address_of_the_internet_is_public(address):
    assert is_public(ipaddress.ip_address(address))


def test_a_name_that_changes_its_address_is_still_asked_at_the_first(monkeypatch):
    """DNS rebinding: the first answer is listed, each later one is another address, on which nobody listens."""
    asked, real = [], socket.getaddrinfo

    def lookup(host, port, *args, **options):
        if host == "127.0.0.1":
            return real(host, port, *args, **options)
        asked.append(host)
        return [(0, 0, 0, "", ("127.0.0.1" if len(asked) == 1 else "127.6.6.6", port))]

    with Server(lambda _: Reply({"ok": True}, headers={"Connection": "close"})) as server:
        port = int(server.url.rpartition(":")[2])
        allowed = AllowedHosts.parse(["search.example.org", f"127.0.0.1:{port}"])
        monkeypatch.setattr("socket.getaddrinfo", lookup)
        with Client(allowed, Limits(seconds=3, attempts=1)) as client:
            for _ in range(3):
                assert client.send("GET", f"http://search.example.org:{port}/").status == 200
        assert [row.headers["host"] for row in server.asked] == [f"search.example.org:{port}"] * 3
    assert asked == ["search.example.org"]


def test_nothing_is_sent_to_a_host_that_is_not_allowed():
    with Server(lambda _: Reply({})) as server, Client(ALLOWED) as client:
        with pytest.raises(Forbidden, match="is not allowed"):
            client.send("GET", server.url)
        assert server.asked == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Search.Example.org", "search.example.org"),
        ("[::1]:9200", "[::1]:9200"),
        ("::1", "::1"),
        ("10.0.0.0/8", "10.0.0.0/8"),
        ("10.1.2.3:9200", "10.1.2.3:9200"),
    ],
)
def test_an_entry_is_shown_as_it_is_written(text, shown):
    assert str(Entry.parse(text)) == shown


@pytest.mark.parametrize(
    "text", ["", "*", "http://a", "a b", "10.0.0.1/8", "a:0", "a:99999", "a:b", "1.2.3", "0x7f", "ä.org"]
)
def test_an_invalid_entry_is_refused(text):
    with pytest.raises(Forbidden):
        Entry.parse(text)


def test_a_command_on_ones_own_computer_may_ask_every_host():
    assert ANY_HOST.check("http://127.0.0.1:9200/").host == "127.0.0.1"

"""The fetch tool against real servers on loopback, which it reaches only when the wiring allows it."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from purestep_hosts.tools.addresses import is_public
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.limits import PAGE_CUT_NOTICE
from purestep_hosts.tools.toolbox import Toolbox

Answer = Callable[[Any, int], None]
Web = Callable[[Answer], str]


def fetch(folder: Path, url: str, *allowed: str, **config: Any) -> dict[str, Any]:
    """Fetch `url` with these hosts allowed."""
    box = Toolbox(ToolConfig(session_dir=folder, allow_hosts=allowed, names=("fetch_url",), **config))
    return box.run("fetch_url", {"url": url}, "k")


def page(body: bytes, kind: str = "text/html", status: int = 200, **headers: str) -> Answer:
    """Answer every request with one page."""
    return lambda handler, number: handler.reply(status, kind, body, **headers)


def host_of(url: str) -> str:
    """Return host and port of a root URL, as `allow_hosts` takes them."""
    return url.removeprefix("http://")


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254"),
        *("100.64.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
        *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1", "fec0::1", "2001:db8::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1"),
        *("64:ff9b:1::1", "2002:7f00:1::", "2002:a00:1::1", "2001:0:102:304::80ff:fffe", "not an address"),
        *(
            "0.255.255.255",
            "100.127.255.255",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.0.9",
            "192.88.99.1",
            "198.19.255.255",
        ),
        *("198.51.100.1", "203.0.113.255", "239.255.255.255", "100::1", "100:0:0:1::1", "2001:2::1", "2001:10::1"),
        *(
            "2001:20::1",
            "2001:30::1",
            "2001:1ff:ffff::1",
            "3fff::1",
            "3fff:fff:ffff::1",
            "5f00::1",
            "4000::1",
            "1000::1",
        ),
        *("2606:4700::5efe:7f00:1", "2606:4700::5efe:a00:1", "2606:4700::200:5efe:c0a8:1", "2002:101:101::5efe:7f00:1"),
        *("::ffff:0:7f00:1", "::ffff:a9fe:a9fe", "::FFFF:127.0.0.1", "64:ff9b::169.254.169.254", "2606:4700::1%eth0"),
        *(
            "2002:7f00:1::5efe:101:101",
            "64:ff9b:0:0:1::1",
            "",
            "1.1.1",
            "1.1.1.1 ",
            "0177.0.0.1",
            "0x7f000001",
            "[::1]",
        ),
    ],
)
def test_special_address_is_not_public(address: str) -> None:
    """Every range that is not the public internet is refused, also inside IPv6."""
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        *("1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101", "2002:101:101::1"),
        *("100.63.255.255", "100.128.0.0", "172.32.0.1", "192.0.1.1", "198.20.0.1", "223.255.255.255", "192.31.196.1"),
        *(
            "2001:200::1",
            "2001:db7::1",
            "2001:db9::1",
            "3fff:1000::1",
            "3ffe::1",
            "2620:4f:8000::1",
            "2606:4700::5efe:101:101",
        ),
    ],
)
def test_public_address_is_public(address: str) -> None:
    """Ordinary addresses pass, also those of IPv4 inside IPv6."""
    assert is_public(address)


@pytest.mark.parametrize(
    "host",
    [
        *(
            "127.0.0.1",
            "localhost",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "0.0.0.0",
            "127.1",
            "2130706433",
            "0x7f000001",
        ),
        *("0177.0.0.1", "LOCALHOST", "localhost.", "169.254.169.254", "10.0.0.1"),
    ],
)
def test_private_host_is_refused_however_it_is_written(tmp_path: Path, host: str) -> None:
    """What counts is the address that a name or number leads to."""
    found = fetch(tmp_path, f"http://{host}:9/")
    assert found["error_kind"] in ("invalid_arguments", "io")
    assert "may not be fetched" in found["error"] or "no host" in found["error"]


def test_page_of_an_allowed_host_is_text(tmp_path: Path, web: Web) -> None:
    """HTML comes back as the text that a reader sees."""
    body = b"<html><head><title>News</title><script>x()</script></head><body><h1>Hi</h1><p>a &amp; b</p></body></html>"
    url = web(page(body))
    assert fetch(tmp_path, url, host_of(url)) == {"ok": True, "output": "News\nHi\na & b"}


def test_allowing_a_port_allows_no_other(tmp_path: Path, web: Web) -> None:
    """An entry with a port is for that port."""
    assert not fetch(tmp_path, web(page(b"x")), "127.0.0.1:1")["ok"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirect_to_a_private_host_is_refused(tmp_path: Path, web: Web, status: int) -> None:
    """Each hop is checked anew: an allowed page cannot send the tool elsewhere."""
    secret = web(page(b"secret"))
    url = web(page(b"", status=status, Location=secret))
    found = fetch(tmp_path, url, host_of(url))
    assert "may not be fetched" in found["error"]


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/"])
def test_redirect_to_another_scheme_is_refused(tmp_path: Path, web: Web, target: str) -> None:
    """A redirect leads to http or https or nowhere."""
    url = web(page(b"", status=302, Location=target))
    assert "http://" in fetch(tmp_path, url, host_of(url))["error"]


def test_relative_redirect_is_followed(tmp_path: Path, web: Web) -> None:
    """A few hops on one site are ordinary."""

    def answer(handler: Any, number: int) -> None:
        if handler.path == "/start":
            handler.reply(302, "text/plain", b"", Location="end?x=1")
        else:
            handler.reply(200, "text/plain", handler.path.encode())

    url = web(answer)
    assert fetch(tmp_path, f"{url}/start", host_of(url))["output"] == "/end?x=1"


def test_redirects_for_ever_end(tmp_path: Path, web: Web) -> None:
    """Five redirects are followed, not more."""
    asked: list[int] = []

    def answer(handler: Any, number: int) -> None:
        asked.append(number)
        handler.reply(302, "text/plain", b"", Location="/again")

    url = web(answer)
    assert "more than 5" in fetch(tmp_path, url, host_of(url))["error"]
    assert asked == [0, 1, 2, 3, 4, 5]


def test_name_is_resolved_once_and_its_address_is_used(
    tmp_path: Path, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that would change its address after the check gains nothing: there is no second look."""
    real = socket.getaddrinfo
    asked: list[str] = []

    def resolver(host: Any, *args: Any, **more: Any) -> Any:
        if host != "changing.example":
            return real(host, *args, **more)
        asked.append(host)
        return real("127.0.0.1", *args, **more)

    monkeypatch.setattr(socket, "getaddrinfo", resolver)
    port = web(page(b"fine", "text/plain")).rpartition(":")[2]
    url = f"http://changing.example:{port}/"
    assert fetch(tmp_path, url, "changing.example")["output"] == "fine"
    assert asked == ["changing.example"]
    assert "may not be fetched" in fetch(tmp_path, url)["error"]


@pytest.mark.parametrize(
    "url",
    [
        *(
            "file:///etc/passwd",
            "ftp://example.com",
            "example.com",
            "",
            "http://",
            "http://[::1",
            "http://x:99999/",
        ),
        *(
            "http://user:pw@example.com/",
            "javascript:alert(1)",
            "http://" + "a" * 70 + ".com",
            "http://x/" + "y" * 3000,
        ),
    ],
)
def test_what_is_no_web_address_is_refused(tmp_path: Path, url: str) -> None:
    """Other schemes, broken and overlong addresses are the caller's error."""
    assert fetch(tmp_path, url)["error_kind"] == "invalid_arguments"


def test_only_text_is_fetched(tmp_path: Path, web: Web) -> None:
    """A picture is refused by its type."""
    url = web(page(b"\x89PNG", "image/png"))
    assert "image/png" in fetch(tmp_path, url, host_of(url))["error"]


def test_json_comes_as_it_is(tmp_path: Path, web: Web) -> None:
    """JSON is text."""
    url = web(page(b'{"a": 1}', "application/json"))
    assert fetch(tmp_path, url, host_of(url))["output"] == '{"a": 1}'


@pytest.mark.parametrize("status", [400, 404, 500])
def test_error_status_is_a_failure(tmp_path: Path, web: Web, status: int) -> None:
    """A page that is an error is no result."""
    url = web(page(b"oops", status=status))
    assert str(status) in fetch(tmp_path, url, host_of(url))["error"]


def test_charset_of_the_page_is_used(tmp_path: Path, web: Web) -> None:
    """Latin-1 pages read right, unknown charsets are read as UTF-8."""
    latin = web(page("Grüße".encode("latin-1"), "text/plain; charset=iso-8859-1"))
    odd = web(page("Grüße".encode(), "text/plain; charset=klingon"))
    assert fetch(tmp_path, latin, host_of(latin))["output"] == "Grüße"
    assert fetch(tmp_path, odd, host_of(odd))["output"] == "Grüße"


@pytest.mark.parametrize("kind", ["text/html", "text/plain", "application/json"])
def test_endless_page_is_cut_and_other_text_is_an_error(tmp_path: Path, web: Web, kind: str) -> None:
    """What has no end is read up to the bound; the start of a page is a text that says so, that of JSON is nothing."""

    def answer(handler: Any, number: int) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.end_headers()
        for _ in range(10_000):
            handler.wfile.write(b"x" * 4096)

    url = web(answer)
    error = f"the address holds more than 327680 bytes of {kind}; ask for a part of it"
    expected: dict[str, Any] = {"ok": False, "error": error, "error_kind": "execution"}
    if kind == "text/html":
        expected = {"ok": True, "output": "x" * 327_680 + PAGE_CUT_NOTICE}
    assert expected == fetch(tmp_path, url, host_of(url))


@pytest.mark.parametrize("part", ["head", "body"])
def test_slow_drip_meets_the_time_limit(tmp_path: Path, web: Web, part: str) -> None:
    """A server that sends a byte now and then cannot hold the tool past its limit."""

    ended = threading.Event()

    def answer(handler: Any, number: int) -> None:
        handler.wfile.write(b"HTTP/1.0 200 OK\r\n")
        if part == "body":
            handler.wfile.write(b"Content-Type: text/plain\r\n\r\n")
        for _ in range(1200):  # a minute, unless the client leaves
            handler.wfile.write(b"x")
            handler.wfile.flush()
            time.sleep(0.05)
        ended.set()

    url = web(answer)
    found = fetch(tmp_path, url, host_of(url), fetch_time_limit_s=0.4)
    assert not ended.is_set()
    assert "time limit" in found["error"]


def test_server_that_speaks_no_http(tmp_path: Path, web: Web) -> None:
    """Garbage is an I/O failure."""
    url = web(lambda handler, number: handler.wfile.write(b"\x00\x01garbage\r\n\r\n"))
    assert fetch(tmp_path, url, host_of(url))["error_kind"] == "io"


def test_secure_address_needs_a_secure_server(tmp_path: Path, web: Web) -> None:
    """https is never answered in the clear."""
    url = web(page(b"x")).replace("http", "https")
    assert "no safe connection" in fetch(tmp_path, url, "127.0.0.1")["error"]


def test_request_cannot_be_split(tmp_path: Path, web: Web) -> None:
    """Line breaks and spaces in an address cannot add headers."""
    url = web(lambda handler, number: handler.reply(200, "text/plain", str(handler.headers).encode()))
    for path in ("/a b", "/a\r\nX-Evil: 1", "/%0d%0aX-Evil: 1", "/ü"):
        found = fetch(tmp_path, url + path, host_of(url))
        assert "X-Evil" not in found.get("output", "")


def test_unknown_name_is_told(tmp_path: Path) -> None:
    """A host that does not exist is an I/O failure that names it."""
    assert fetch(tmp_path, "http://no-such-host.invalid/")["error_kind"] == "io"

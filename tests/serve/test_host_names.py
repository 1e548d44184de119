"""Host names of requests: what a browser sends is read, and nothing else that a URL may have."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.requests import Request

from purestep_hosts.serve.admission import Admission, BadAdmission
from purestep_hosts.serve.faults import ServiceError
from purestep_hosts.serve.host_names import read_authority, read_origin

OWN = ("localhost", "localhost:8000", "LOCALHOST", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:65535")
OTHERS = (
    *("evil@localhost", "evil:x@localhost", "localhost/evil", "localhost?x", "localhost#x", "evil\\@localhost"),
    *(
        "localhost\\evil",
        "localhost@evil",
        "localhost,evil",
        "localhost evil",
        " localhost",
        "localhost ",
        "\tlocalhost",
    ),
    *("localhost:", "localhost:x", "localhost:-1", "localhost:+80", "localhost:8_0", "localhost:0", "localhost:65536"),
    *("localhost:080000", "localhost:80:80", ":80", "", ".", "..", "localhost..", ".localhost", "localhost.", "a..b"),
    *("::1", "[::1", "::1]", "[[::1]]", "[::1]x", "[localhost]", "[127.0.0.1]", "[::1%lo]", "[::1%25lo]", "[v1.a]"),
    *(
        "[::ffff:127.0.0.1]",
        "localhost\u3002",
        "\uff4cocalhost",
        "\u017fite",
        "xn--localhost",
        "localhost%2e",
        "%6cocalhost",
    ),
    *(
        "http://localhost",
        "//localhost",
        "localhost;x",
        "localhost*",
        "127.1",
        "2130706433",
        "0x7f.1",
        "0.0.0.0",
        "null",
    ),
    *(
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "\u0661.example",
        "localhost:\u0661",
        "a" * 64,
    ),
)


def asked(scheme: str = "http", **headers: str | tuple[str, ...]) -> Request:
    """Return a request with these headers, of which one may come twice."""
    pairs = [(name, value) for name, each in headers.items() for value in ((each,) if isinstance(each, str) else each)]
    raw = [(name.encode(), value.encode("latin-1", "replace")) for name, value in pairs]
    scope: dict[str, Any] = {"type": "http", "scheme": scheme, "path": "/runs", "query_string": b"", "headers": raw}
    return Request(scope)


def refused(admission: Admission, request: Request) -> str | None:
    """Return the code that a request is refused with."""
    try:
        admission.user(request)
    except ServiceError as error:
        return error.code
    return None


def test_open_service_takes_names_of_this_machine_and_no_url() -> None:
    """B11: user, path, query, backslash, odd ports and brackets make no host name."""
    admission = Admission(None)
    assert dict.fromkeys(OWN) == {host: refused(admission, asked(host=host)) for host in OWN}
    found = {host: refused(admission, asked(host=host)) for host in OTHERS}
    assert dict.fromkeys(OTHERS, "forbidden_host") == found
    assert ["forbidden_host"] * 2 == [
        refused(admission, asked(**more)) for more in ({}, {"host": ("localhost", "evil.example")})
    ]


@pytest.mark.parametrize(
    ("scheme", "host", "origin", "is_own"),
    [
        ("http", "localhost:80", "http://localhost", True),
        ("http", "LocalHost:8000", "http://localhost:8000", True),
        ("https", "a.example", "https://a.example", True),
        ("https", "a.example", "https://a.example:443", True),
        ("http", "[::1]:8000", "http://[::1]:8000", True),
        ("http", "xn--mller-kva.example", "http://xn--mller-kva.example", True),
        ("http", "a.example", "https://a.example", False),
        ("https", "a.example", "http://a.example", False),
        ("http", "a.example", "file://a.example", False),
        ("http", "a.example", "chrome-extension://a.example", False),
        ("http", "a.example", "HTTP://a.example", False),
        ("http", "a.example", "http://a.example.", False),
        ("http", "a.example", "http://a.example:8080", False),
        ("http", "a.example", "http://a.example:443", False),
        ("https", "a.example:80", "https://a.example", False),
        ("http", "a.example", "http://user@a.example", False),
        ("http", "a.example", "http://a.example/", False),
        ("http", "a.example", "http://a.example?", False),
        ("http", "a.example", "http://a.example\\", False),
        ("http", "a.example", "http:a.example", False),
        ("http", "a.example", "//a.example", False),
        ("http", "a.example", "a.example", False),
        ("http", "a.example", "http://b.example http://a.example", False),
        ("http", "a.example", "null", False),
        ("http", "null", "null", False),
        ("http", "", "", False),
        ("http", "x@a.example", "http://x@a.example", False),
    ],
)  # fmt: skip
def test_own_page_has_the_services_scheme_name_and_port(scheme: str, host: str, origin: str, is_own: bool) -> None:
    """B11: an origin is compared whole, as an origin."""
    token = "a" * 20
    request = asked(scheme, host=host, origin=origin, authorization=f"Bearer {token}")
    assert (None if is_own else "forbidden_origin") == refused(Admission({"": token}), request)


@pytest.mark.parametrize(
    "origin",
    [
        *("https://a.example/", "https://a.example:443", "https://A.example", "https://u@a.example", "ftp://a.example"),
        *(
            "null",
            "*",
            "https://*.a.example",
            "a.example",
            "https://m\u00fcller.example",
            "https://a.example?x",
            "https://",
        ),
        *("http://a.example:80", "https://a.example:0", "https://[0:0::1]", "file://"),
    ],
)
def test_origin_that_no_browser_sends_allows_nobody(origin: str) -> None:
    """It would never be met; the message says how it is sent where that can be said."""
    with pytest.raises(BadAdmission, match="expected an origin such as"):
        Admission(None, origins=[origin])


def test_who_reads_metrics_gives_no_results() -> None:
    """One token for both would let a reader of numbers write into runs."""
    with pytest.raises(BadAdmission, match="not the one for the metrics"):
        Admission({"ann": "a" * 40}, metrics_token="b" * 40, results_token="b" * 40)


def test_allowed_origins_are_those_of_the_web() -> None:
    """With a port of their own, of an address, in punycode."""
    allowed = (
        "https://a.example",
        "http://a.example:8080",
        "http://[::1]:3000",
        "https://xn--mller-kva.example",
        "http://a_b.example",
    )
    assert allowed == Admission(None, origins=allowed).origins


def test_names_are_read_in_small_letters() -> None:
    """And the port beside them."""
    assert [("a.example", None), ("a.example", 80), ("::1", 1)] == [
        read_authority(text) for text in ("A.Example", "a.example:80", "[::1]:1")
    ]
    assert ("https", "a.example", 443) == read_origin("https://a.example")

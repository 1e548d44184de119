"""Logins to MCP servers over OAuth: a real server of the SDK, and authorization servers that want too much."""

import json
import logging
import socket
import stat
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest

from purestep_hosts import Agent, ScriptedModel, calls, says
from purestep_hosts.mcp import McpError, McpServers, login
from purestep_hosts.mcp.login import is_private
from purestep_hosts.state_folder import state_folder
from tests.hosts.test_mcp_servers import run

SECRET = "rt-0123456789abcdef"


class Vault:
    """The real server: its address, and what was asked of it."""

    def __init__(self, url: str, asked: Path) -> None:
        self.url = url
        self._asked = asked

    @property
    def asked(self) -> list[str]:
        """What was asked of the authorization server so far."""
        return self._asked.read_text().split() if self._asked.exists() else []


@contextmanager
def vault(folder: Path, holds_s: int = 3600) -> Iterator[Vault]:
    """Serve until the block ends; holds_s: how long a token holds."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = Path(__file__).with_name("mcp_oauth_server.py")
    command = [sys.executable, str(program), str(port), str(holds_s), str(folder / "asked")]
    with subprocess.Popen(command) as process:
        try:
            while True:
                with socket.socket() as client:
                    if client.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert process.poll() is None
                time.sleep(0.05)
            yield Vault(f"http://127.0.0.1:{port}/mcp", folder / "asked")
        finally:
            process.kill()


def browse(address: str) -> bytes:
    """Open an address as a browser does; gives the page at which it ends."""
    with urllib.request.urlopen(address) as page:
        return bytes(page.read())


def nobody(address: str) -> None:
    """A person who must not be asked."""
    raise AssertionError(address)


def kept_files() -> list[Path]:
    """What was kept of logins."""
    return sorted((state_folder() / "mcp").glob("*"))


def test_a_login_is_kept_for_this_user_alone(tmp_path: Path) -> None:
    """A person logs in once; later connections are this user's without one, from a file that only they can read."""
    with vault(tmp_path) as server:
        pages: list[bytes] = []
        with McpServers(f"vault={server.url}", login=lambda address: pages.append(browse(address))) as servers:
            first = run(servers, "vault__blab", {})
        with McpServers(f"vault={server.url}") as servers:
            second = run(servers, "vault__blab", {})
        (file,) = kept_files()
        assert (True, True, ["register", "authorize", "token"]) == (first["ok"], second["ok"], server.asked)
    assert b"Close this page" in pages[0]
    assert (0o600, 0o700) == (stat.S_IMODE(file.stat().st_mode), stat.S_IMODE(file.parent.stat().st_mode))


def test_tokens_reach_no_result_log_or_error(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Also where the server says back the token that came with a call, and with all logging on."""
    caplog.set_level(logging.DEBUG)
    with vault(tmp_path) as server, McpServers(f"vault={server.url}", login=browse) as servers:
        model = ScriptedModel([calls("vault__blab"), says("Done.")])
        log = Agent(model, tools=servers.tools, approve=lambda call: True).run_sync("Go.").log
        tokens = json.loads(kept_files()[0].read_text())["tokens"]
    assert "the token is [hidden]!" in log
    for secret in (tokens["access_token"], tokens["refresh_token"]):
        assert secret not in log + caplog.text


def test_a_token_that_has_ended_is_renewed_unasked(tmp_path: Path) -> None:
    """In another process too, at the place that was kept with it."""
    with vault(tmp_path, holds_s=2) as server:
        with McpServers(f"vault={server.url}", login=browse):
            pass
        time.sleep(2.1)
        with McpServers(f"vault={server.url}", login=nobody) as servers:
            assert run(servers, "vault__blab", {})["ok"]
        assert ["register", "authorize", "token", "refresh"] == server.asked


def test_processes_share_a_login(tmp_path: Path) -> None:
    """One that comes later takes the tokens that another has renewed, since what renews them was used up by that."""
    with vault(tmp_path, holds_s=2) as server:
        with McpServers(f"vault={server.url}", login=browse) as first, McpServers(f"vault={server.url}") as second:
            time.sleep(2.1)
            assert [True, True] == [run(servers, "vault__blab", {})["ok"] for servers in (first, second)]
        assert 1 == server.asked.count("refresh")


def test_without_a_person_the_error_says_how_to_log_in(tmp_path: Path) -> None:
    """Nothing is registered, and nothing kept."""
    with vault(tmp_path) as server:
        with pytest.raises(McpError, match="HTTP 401; log in once with `purestep` in a terminal"):
            McpServers(f"vault={server.url}")
        assert ([], []) == (server.asked, kept_files())


def test_a_file_that_cannot_be_read_is_a_login_again(tmp_path: Path) -> None:
    """It is replaced."""
    with vault(tmp_path) as server:
        with McpServers(f"vault={server.url}", login=browse):
            pass
        (file,) = kept_files()
        for broken in (b"{", json.dumps({"url": server.url, "tokens": {"access_token": 5}}).encode()):
            file.write_bytes(broken)
            with McpServers(f"vault={server.url}", login=browse) as servers:
                assert run(servers, "vault__blab", {})["ok"]


def refused(address: str) -> None:
    """Come back as a browser does whose user said no."""
    query = parse_qs(urlsplit(address).query)
    browse(f"{query['redirect_uri'][0]}?error=access_denied&state={query['state'][0]}")


def forged(address: str) -> None:
    """Come to the port as others on this machine may, and then as the browser does."""
    place = parse_qs(urlsplit(address).query)["redirect_uri"][0]
    for wrong in ("?code=x&state=guessed", "?code=x", "/other?code=x", "?" + "x" * 100_000):
        with pytest.raises((urllib.error.HTTPError, ConnectionError)):
            browse(place + wrong)
    browse(address)


def test_an_answer_of_another_does_not_log_in(tmp_path: Path) -> None:
    """What does not hold the state of this login is refused, and the login waits on."""
    with vault(tmp_path) as server, McpServers(f"vault={server.url}", login=forged) as servers:
        assert run(servers, "vault__blab", {})["ok"]


def absent(address: str) -> None:
    """A person who does not come."""


@pytest.mark.parametrize(
    ("show", "why"),
    [
        (refused, "nobody is logged in: the login was refused"),
        (nobody, "its address could not be shown: AssertionError"),
        (absent, "nobody has logged in within 0.5 seconds"),
    ],
)
def test_a_login_that_fails_says_why(
    tmp_path: Path, show: Callable[[str], None], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal, an address that nobody sees, and nobody in time."""
    monkeypatch.setattr(login, "LOGIN_S", 0.5)
    with vault(tmp_path) as server, pytest.raises(McpError, match=why):
        McpServers(f"vault={server.url}", login=show)


class Greedy(BaseHTTPRequestHandler):
    """A server whose authorization server is itself, but for what the test replaces."""

    instead: ClassVar[dict[str, Any]] = {}

    def do_GET(self) -> None:
        """Answer with metadata."""
        place = f"http://{self.headers['Host']}"
        if "oauth-protected-resource" in self.path:
            self.answer(200, {"resource": f"{place}/mcp", "authorization_servers": [place], **self.instead})
        elif "oauth-authorization-server" in self.path:
            ends = {f"{each}_endpoint": f"{place}/{each}" for each in ("authorization", "token", "registration")}
            self.answer(200, {"issuer": place, "response_types_supported": ["code"], **ends, **self.instead})
        elif "redirect_uri" not in self.path:
            self.answer(404, {})
        else:
            query = parse_qs(urlsplit(self.path).query)
            self.send_response(302)
            self.send_header("Location", f"{query['redirect_uri'][0]}?code=c&state={query['state'][0]}")
            self.end_headers()

    def do_POST(self) -> None:
        """Want a login, register, and give no token but a secret."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/registration":
            self.answer(201, {**json.loads(body), "client_id": "c", "token_endpoint_auth_method": "none"})
        else:
            self.answer(*((400, {"error": SECRET}) if self.path == "/token" else (401, {})))

    def answer(self, status: int, body: dict[str, Any]) -> None:
        """Answer with JSON."""
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.mark.parametrize(
    ("instead", "why"),
    [
        ({}, "nobody is logged in: Token exchange failed \\(400\\)\\.$"),
        ({"authorization_endpoint": "http://192.0.2.1/in"}, "its address for logging in does not begin with https://"),
        ({"authorization_endpoint": "file:///etc/passwd"}, "nobody is logged in: "),
        ({"token_endpoint": "http://192.0.2.1/token"}, "names an address that does not begin with https://"),
        ({"authorization_servers": ["http://192.0.2.1/"]}, "names an address that does not begin with https://"),
    ],
)
def test_a_server_that_wants_too_much_gets_an_error(
    instead: dict[str, Any], why: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Addresses that anybody on the way could read are neither asked nor shown; its own words are not repeated."""
    caplog.set_level(logging.DEBUG)
    handler = type("Handler", (Greedy,), {"instead": instead})
    web = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    shown: list[str] = []

    def show(address: str) -> None:
        shown.append(address)
        browse(address)

    try:
        with pytest.raises(McpError, match=why) as error:
            McpServers(f"greedy=http://127.0.0.1:{web.server_port}/mcp", login=show)
    finally:
        web.shutdown()
        web.server_close()
    assert SECRET not in error.value.message + caplog.text
    assert all(address.startswith("http://127.0.0.1:") for address in shown)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://example.com/a", True),
        ("http://127.0.0.1:5/a", True),
        ("http://example.com/a", False),
        ("http://127.0.0.1@example.com/", False),
        ("file:///etc/passwd", False),
        ("javascript:alert(1)", False),
    ],
)
def test_which_addresses_are_private(address: str, expected: bool) -> None:
    """Those that nobody on the way reads."""
    assert expected is is_private(address)

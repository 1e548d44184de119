"""Hostile servers end in time and in bounds, and say what was wrong."""

import random
from pathlib import Path

import pytest

from purestep_hosts.models.decoded import UnknownEncoding, decoded
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox
from tools.breaking.attacks.bodies import asked, drip, serving, tls_trial, trial, whole


@pytest.mark.parametrize("seed", range(20))
def test_no_server_holds_or_fills_the_host(seed: int) -> None:
    """Drips, bombs, endless and short replies each end in the observation that they should."""
    assert trial(random.Random(seed)) is None


@pytest.mark.parametrize("seed", range(6))
def test_no_handshake_holds_the_host(seed: int) -> None:
    """TLS that drips or is none ends in time."""
    assert tls_trial(random.Random(seed)) is None


def test_a_server_without_tls_is_named() -> None:
    """https where the server speaks http is not called unreachable, and is not tried again."""
    with serving(whole(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")) as address:
        observation = asked(f"https://{address}")
    said = f"The model server at {address} was reached, but not securely: it does not speak TLS at this address. "
    assert (False, True) == (observation.get("retryable", False), observation["message"].startswith(said))


def test_a_page_shorter_than_announced_is_an_error(tmp_path: Path) -> None:
    """Half a page is not shown as a page."""
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5000\r\n\r\nhalf of it"
    with serving(whole(page)) as address:
        toolbox = Toolbox(ToolConfig(session_dir=tmp_path, names=("fetch_url",), allow_hosts=(address,)))
        outcome = toolbox.run("fetch_url", {"url": f"http://{address}/"}, "k")
    assert (False, "the page ended before all of it had come; what came is not shown") == (
        outcome["ok"],
        outcome["error"],
    )


def test_a_dripping_handshake_does_not_outlive_the_call(tmp_path: Path) -> None:
    """The tool's time limit holds while TLS is set up too."""
    with serving(drip(b"\x16\x03\x03\x3f\xff", b"\x02", 600)) as address:
        config = ToolConfig(session_dir=tmp_path, names=("fetch_url",), allow_hosts=(address,), fetch_time_limit_s=1.0)
        outcome = Toolbox(config).run("fetch_url", {"url": f"https://{address}/"}, "k")
    assert outcome["ok"] is False


def test_what_cannot_be_decoded_is_refused() -> None:
    """Only what the standard library undoes in bounded pieces is taken."""
    for encoding, body in (("br", b"x"), ("gzip", b"no gzip")):
        with pytest.raises(UnknownEncoding):
            list(decoded([body], encoding))

"""A silent model server is waited for as long as the option says, and asked twice."""

from tests.cli.conftest import Shell
from tools.breaking.attacks.bodies import drip, serving


def test_silent_server_is_asked_twice_and_the_option_is_named(shell: Shell) -> None:
    """The advised option exists, and its time holds."""
    asked: list[int] = []

    def count(link: object) -> None:
        asked.append(1)
        drip(b"", b"", 600)(link)  # type: ignore[arg-type]

    with serving(count) as address:
        result = shell("run", "Go", "--base-url", f"http://{address}/v1", "--timeout", "1", "--sessions", "sessions")
    said = "The option --timeout sets how long a silent server is waited for." in " ".join(result.stderr.split())
    assert (7, 2, True) == (result.returncode, len(asked), said)

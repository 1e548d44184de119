"""Secrets that a host knows are hidden wherever they stand in what comes from outside."""

import pytest

from purestep_hosts.mask import Mask, secrets_of

KEYS = ["OPENAI_API_KEY", "LLM_API_KEY"]


def test_secret_is_hidden_in_every_place() -> None:
    """In texts, list items, values and names; numbers and the rest stay as they are."""
    value = {"a": ["x sk-1234 y", 5, None, True], "sk-1234": {"b": "sk-1234sk-1234"}}
    expected = {"a": ["x [hidden] y", 5, None, True], "[hidden]": {"b": "[hidden][hidden]"}}
    assert expected == Mask(["sk-1234"]).value(value)


def test_longer_secret_is_hidden_whole() -> None:
    """One that begins another leaves nothing of it."""
    assert "[hidden] [hidden]" == Mask(["sk-1", "sk-123"]).text("sk-123 sk-1")


def test_a_secret_in_colour_is_hidden() -> None:
    """A search in colour splits what it finds; a text without secrets keeps its colours."""
    mask = Mask(["sk-123456"])
    assert "a [hidden] b" == mask.text("\x1b[31ma\x1b[0m sk-\x1b[01;31m123\x1b[0m456 b")
    assert "\x1b[31ma\x1b[0m" == mask.text("\x1b[31ma\x1b[0m")


def test_a_secret_within_a_code_is_hidden() -> None:
    """Such as the address of a link, which a terminal does not show; or a letter that a code takes along."""
    mask = Mask(["sk-123456"])
    assert "\x1b]8;;https://a/?k=[hidden]\x07here" == mask.text("\x1b]8;;https://a/?k=sk-123456\x07here")
    assert "k-123456" not in mask.text("\x1bsk-123456 sk-\x1b[31m123456")


def test_nothing_is_hidden_without_secrets() -> None:
    """The value comes back as it is."""
    assert {"a": "b"} == Mask([""]).value({"a": "b"})


@pytest.mark.parametrize(
    ("name", "value", "is_secret"),
    [
        ("OPENAI_API_KEY", "sk-proj-0123456789", True),
        ("LLM_API_KEY", " sk-0123456789 ", True),
        ("OPENAI_API_KEY", "test", False),
        ("LLM_API_KEY", "sk-1234", False),
        ("LLM_API_KEY", "authentication", False),
        ("LLM_API_KEY", "AUTHENTICATION", False),
        ("LLM_API_KEY", "qwertyuiopasdfghjklzxcvb", True),
        ("GITHUB_TOKEN", "ghp_0123456789", True),
        ("db_password", "correct horse battery", True),
        ("AWS_SECRET_ACCESS_KEY", "0123456789/abcdef", True),
        ("SOME_TOKEN", "short", False),
        ("SSH_KEY", "/var/keys/of-the-user", False),
        ("PATH", "/usr/bin:/usr/local/bin", False),
        ("KEYBOARD", "a-long-value-of-no-secret", False),
        ("OPENAI_API_KEY", "", False),
    ],
)
def test_what_is_taken_for_a_secret(name: str, value: str, is_secret: bool) -> None:
    """Long values of the model's keys and of variables that are named like secrets; a path is none, and no word."""
    assert ({value.strip()} if is_secret else set()) == secrets_of({name: value}, KEYS)

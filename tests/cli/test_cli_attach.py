"""Images and files given to the command: kept in the session, named in what is shown, refused with what to do."""

import hashlib
import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Shell, final

GIF = b"GIF89a\x01\x00\x01\x00\x00\x00\x00;"
DIGEST = hashlib.sha256(GIF).hexdigest()


@pytest.fixture
def cat(shell: Shell) -> str:
    """An image in the shell's folder."""
    (shell.folder / "cat.gif").write_bytes(GIF)
    return "cat.gif"


def test_a_question_goes_with_an_image_and_a_file(shell: Shell, cat: str) -> None:
    """The log has their digests, the session's folder their bytes, and the log is shown with their names."""
    (shell.folder / "notes.md").write_text("- milk\n", "utf-8")
    result = shell.scripted(final("A cat."), options=("--attach", cat, "--attach", "notes.md"))
    assert (0, "A cat.\n") == (result.returncode, result.stdout)
    (message,) = shell.facts("user_message")
    assert ["text", "image", "file"] == [part["type"] for part in message["content"]]
    assert GIF == (shell.session() / "attachments" / DIGEST).read_bytes()
    shown = shell("replay", str(shell.session()))
    assert "[cat.gif, image/gif, 14 bytes]" in shown.stdout
    assert 0 == shell("verify", str(shell.session())).returncode


def test_a_session_goes_on_with_another(shell: Shell, cat: str) -> None:
    """The second exchange has a file of its own."""
    shell.scripted(final("A cat."), options=("--attach", cat))
    (shell.folder / "dog.gif").write_bytes(GIF + b"2")
    script = shell.script(final("A cat."), final("A dog."))
    options = ("--sessions", str(shell.sessions), "--script", script, "--attach", "dog.gif")
    result = shell("run", "And this?", "--resume", shell.session().name, *options)
    assert (0, "A dog.\n") == (result.returncode, result.stdout)
    assert 2 == len(list((shell.session() / "attachments").iterdir()))


@pytest.mark.parametrize(("name", "data", "code"), [
    ("none.png", None, "attachment_unreadable"), ("a.zip", b"PK\x03\x04\x00", "attachment_type"),
    ("a.txt", b"a" * 1_048_577, "attachment_too_large"),
])  # fmt: skip
def test_what_cannot_be_sent_is_refused_before_anything_is_asked(
    shell: Shell, name: str, data: bytes | None, code: str
) -> None:
    """With the file's name, and no session is left."""
    if data is not None:
        (shell.folder / name).write_bytes(data)
    result = shell.scripted(final("Yes."), options=("--attach", name, "--json"))
    assert (2, code) == (result.returncode, json.loads(result.stdout)["failure"]["code"])
    assert name in result.stdout
    assert not shell.sessions.exists()


def test_bytes_that_are_gone_end_the_command_and_it_can_be_resumed(shell: Shell, cat: str) -> None:
    """Once they are back, the question that waits is asked."""
    shell.scripted(final("A cat."), options=("--attach", cat))
    kept = shell.session() / "attachments" / DIGEST
    kept.unlink()
    script = shell.script(final("A cat."), final("Yes."))
    resume = ("run", "Sure?", "--resume", shell.session().name, "--sessions", str(shell.sessions), "--script", script)
    result = shell(*resume)
    assert 2 == result.returncode
    assert DIGEST in result.stderr.replace("\n", "")
    kept.write_bytes(GIF)
    again = shell("run", *resume[2:])
    assert (0, "Yes.\n") == (again.returncode, again.stdout)


def test_a_chat_sends_it_with_the_first_question(shell: Shell, cat: str) -> None:
    """And with no other."""
    script = shell.script(final("A cat."), final("Yes."))
    options = ("--sessions", str(shell.sessions), "--script", script, "--attach", cat)
    result = shell("chat", *options, input="What is this?\nSure?\n")
    assert (0, "A cat.\nYes.\n") == (result.returncode, result.stdout)
    assert [list, str] == [type(message["content"]) for message in shell.facts("user_message")]


def link_to_it(kept: Path) -> None:
    """Have a link stand where the image was."""
    kept.rename(kept.with_name("elsewhere"))
    kept.symlink_to("elsewhere")


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        (lambda kept: None, {DIGEST: GIF}),
        (lambda kept: kept.write_bytes(b"GIF89a other"), {}),
        (Path.unlink, {}),
        (link_to_it, {}),
    ],
)
def test_a_fork_has_the_images_too(
    shell: Shell, cat: str, change: Callable[[Path], object], kept: dict[str, bytes]
) -> None:
    """They are copied, and nothing else that lies in their place: other bytes, or a link."""
    shell.scripted(final("A cat."), options=("--attach", cat))
    source = shell.session()
    change(source / "attachments" / DIGEST)
    made = shell("fork", str(source), "--sessions", str(shell.sessions))
    assert 0 == made.returncode, made.stderr
    (forked,) = set(shell.sessions.iterdir()) - {source}
    assert kept == {path.name: path.read_bytes() for path in forked.glob("attachments/*")}


RAW = Path(__file__).parents[1] / "hosts/mcp_raw_server.py"
PAGES = {
    "opened": {"capabilities": {"tools": {}, "resources": {}, "prompts": {}}},
    "tools": [],
    "answers": {
        "resources/list": {"resources": [{"uri": "a:page", "name": "page"}]},
        "resources/templates/list": {"resourceTemplates": []},
        "resources/read": {"contents": [{"uri": "a:page", "text": "It rains."}]},
        "prompts/list": {"prompts": [{"name": "ask", "arguments": [{"name": "city", "required": True}]}]},
        "prompts/get": {"messages": [{"role": "user", "content": {"type": "text", "text": "Ask on."}}]},
    },
}
PAGES_SERVER = ("--mcp", f"pages={shlex.join([sys.executable, str(RAW), json.dumps(PAGES)])}")


def test_resources_and_prompts_of_servers_go_along_as_data(shell: Shell) -> None:
    """They stand in the log as data, under the server's name."""
    along = ("--attach", "pages:page", "--prompt", "pages:ask city='New York'")
    result = shell.scripted(final("Rain."), options=(*PAGES_SERVER, *along))
    assert (0, "Rain.\n") == (result.returncode, result.stdout)
    (message,) = shell.facts("user_message")
    data = [(each["name"], each["text"]) for each in message["data"]]
    assert [("pages:a:page", "It rains."), ("pages:ask", "Ask on.")] == data


@pytest.mark.parametrize(("option", "value", "said"), [
    ("--attach", "pages:none", "has no resource 'none'; there are page"),
    ("--attach", "other:page", "other:page cannot be read"),
    ("--prompt", "pages:ask", "needs city"),
    ("--prompt", "pages:ask town=Oslo", "takes no argument 'town'"),
    ("--prompt", "other:ask", "there is no MCP server 'other'; there are pages"),
    ("--prompt", "pages", "expected 'SERVER:NAME ARG=VALUE'"),
])  # fmt: skip
def test_what_a_server_does_not_have_is_refused(shell: Shell, option: str, value: str, said: str) -> None:
    """Before anything is asked, and no session is left."""
    result = shell.scripted(final("Yes."), options=(*PAGES_SERVER, option, value))
    assert 2 == result.returncode
    assert said in result.stderr
    assert not shell.sessions.exists()

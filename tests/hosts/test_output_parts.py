"""Images and files that tools give: what is kept, what a model is sent, and what it is told where it cannot see."""

import base64
import json
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from purestep_hosts import Agent, Attachment, ScriptedModel, attachment, calls, says, tool
from purestep_hosts.attachments import FolderAttachments, MemoryAttachments
from purestep_hosts.mcp import McpServer, McpServers
from purestep_hosts.mcp.results import server_result
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.output_parts import OutputParts
from purestep_hosts.tools.toolbox import Toolbox
from tests.hosts.test_attachments import png

RAW = str(Path(__file__).with_name("mcp_raw_server.py"))
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt "
PNG64 = base64.b64encode(png()).decode()
SIZE = len(png())


class Picture:
    """A picture as Pillow has it."""

    def save(self, file: BytesIO, format: str) -> None:
        """Write it."""
        assert "PNG" == format
        file.write(png())

    def tobytes(self) -> bytes:
        """Give its pixels."""
        return b"\x00"

    def convert(self, mode: str) -> "Picture":
        """Give it in another mode."""
        return self


@tool(read_only=True)
def as_bytes() -> bytes:
    """Look."""
    return png()


@tool(read_only=True)
async def as_attachment() -> Attachment:
    """Look."""
    return attachment(png(), "dot.png")


@tool(read_only=True)
def as_picture() -> Picture:
    """Look."""
    return Picture()


@tool(read_only=True)
def as_list() -> list[Any]:
    """Look."""
    return ["two", bytearray(png()), memoryview(png()), {"n": 1}]


@tool(read_only=True)
def as_text() -> bytes:
    """Look."""
    return "Grüße".encode()


@tool(read_only=True)
def as_rubbish() -> bytes:
    """Look."""
    return b"\x00\x01\x02"


@tool(read_only=True)
def as_many() -> tuple[bytes, ...]:
    """Look."""
    return (png(),) * 1000


def came_of(used: Any, **definition: Any) -> tuple[Any, Any, Any]:
    """What the model is sent after a call, the result in the log, and the run's result."""
    model = ScriptedModel([calls(used.name), says("A dot.")])
    result = Agent(model, tools=[used], **definition).run_sync("What is there?")
    logged = next(line for line in map(json.loads, result.log.splitlines()) if line["kind"] == "tool_result")
    return model.requests[1].messages[-1]["content"], logged, result


@pytest.mark.parametrize(
    ("used", "lines", "images"),
    [
        (as_bytes, f"[image: image/png, {SIZE} bytes]", 1),
        (as_attachment, f"[image: dot.png, image/png, {SIZE} bytes]", 1),
        (as_picture, f"[image: image/png, {SIZE} bytes]", 1),
        (as_list, ["two", *[f"[image: image/png, {SIZE} bytes]"] * 2, {"n": 1}], 2),
        (as_text, "Grüße", 0),
        (as_rubbish, "[left out: 3 bytes that are no image, sound, PDF or text]", 0),
    ],
)
def test_function_gives_images(used: Any, lines: Any, images: int) -> None:
    """Bytes, pictures and lists of them reach the model; text is text, and what no model reads is told."""
    sent, logged, result = came_of(used)
    url = f"data:image/png;base64,{PNG64}"
    pictures = [] if isinstance(sent, str) else sent[1:]
    assert [{"type": "image_url", "image_url": {"url": url}}] * images == pictures
    assert (lines, images) == (logged["output"], len(logged.get("parts", ())))
    assert ("done", False) == (result.status, PNG64 in result.log)


def test_thousand_images_are_six() -> None:
    """The others are told, each in a line."""
    sent, logged, _ = came_of(as_many)
    assert (6, 6, 1000) == (len(sent[1:]), len(logged["parts"]), len(logged["output"]))
    assert f"[left out, since 6 are shown: image: image/png, {SIZE} bytes]" == logged["output"][-1]


def test_model_that_reads_words_is_told() -> None:
    """Kind, media type and size stand in the place of the image."""
    sent, _, _ = came_of(as_bytes, models=[{"name": "script", "supports": ["json_schema"]}])
    assert f"[this message has an image (image/png, {SIZE} bytes), which is not shown to you]" in sent


def test_type_of_an_image_gives_no_schema() -> None:
    """What a tool of bytes gives is not held to a schema of text."""
    assert all("output_schema" not in each.spec() for each in (as_bytes, as_attachment, as_picture, as_many))


def test_next_question_sends_the_image_again() -> None:
    """What keeps the bytes is passed on with the result."""
    model = ScriptedModel([calls("as_bytes"), says("A dot."), says("Small.")])
    agent = Agent(model, tools=[as_bytes])
    agent.run_sync("How large?", after=agent.run_sync("What is there?"))
    assert PNG64 in json.dumps(model.requests[-1].messages)


def test_bytes_are_on_the_disk_before_the_log_names_them(tmp_path: Path) -> None:
    """Under their digest, in the folder of the session."""
    box = Toolbox(ToolConfig(session_dir=tmp_path, names=()), FolderAttachments(tmp_path).put)
    with McpServers(shows({"type": "image", "data": PNG64, "mimeType": "image/png"})) as servers:
        box.register(servers.tools[0])
        (part,) = box.run("s__go", {}, "key")["parts"]
    assert png() == (tmp_path / "attachments" / part["digest"]).read_bytes()


def test_disk_that_is_full_is_a_failed_result(tmp_path: Path) -> None:
    """The tool has run, and its result cannot be used."""
    (tmp_path / "attachments").write_text("a file")
    box = Toolbox(ToolConfig(session_dir=tmp_path, names=()), FolderAttachments(tmp_path).put)
    with McpServers(shows({"type": "image", "data": PNG64, "mimeType": "image/png"})) as servers:
        box.register(servers.tools[0])
        result = box.run("s__go", {}, "key")
    assert (False, "interrupted", True) == (result["ok"], result["error_kind"], "cannot be written" in result["error"])


def shows(*blocks: Any, **result: Any) -> McpServer:
    """A server whose tool gives these blocks."""
    sent = {"tools": [{"name": "go", "inputSchema": {"type": "object"}}], "result": {"content": blocks, **result}}
    return McpServer(name="s", command=(sys.executable, RAW, json.dumps(sent)))


def shown(*blocks: Any, **result: Any) -> tuple[Any, list[str]]:
    """The output of a call that gives these blocks, and the media types of what is beside it."""
    store = MemoryAttachments()
    box = Toolbox(ToolConfig(session_dir=Path("/nowhere"), names=()), store.put)
    with McpServers(shows(*blocks, **result)) as servers:
        box.register(servers.tools[0])
        found = box.run("s__go", {}, "key")
    assert all(store.get(part["digest"]) for part in found.get("parts", ()))
    return found.get("output", found.get("error")), [part["media_type"] for part in found.get("parts", ())]


def of(data: bytes, kind: str = "image", said: Any = "image/png") -> dict[str, Any]:
    """A block with these bytes."""
    return {"type": kind, "data": base64.b64encode(data).decode(), "mimeType": said}


def blob(data: bytes, **members: Any) -> dict[str, Any]:
    """A block with an embedded resource of these bytes."""
    resource = {"uri": "file:///a", "blob": base64.b64encode(data).decode(), **members}
    return {"type": "resource", "resource": resource}


LINE = f"[image: image/png, {SIZE} bytes]"


@pytest.mark.parametrize(
    ("blocks", "output", "kinds"),
    [
        ([of(png())], LINE, ["image/png"]),
        ([of(png(), said="text/html")], LINE, ["image/png"]),
        ([of(png(), said=None)], LINE, ["image/png"]),
        ([of(png(), kind="audio")], LINE, ["image/png"]),
        ([of(WAV, "audio", "audio/wav")], f"[audio: audio/wav, {len(WAV)} bytes]", ["audio/wav"]),
        ([of(b"<html>", said="image/png")], "[left out: image, image/png, 6 bytes]", []),
        ([of(b"")], "[left out: image, image/png, 0 bytes]", []),
        ([of(b"OggS\x00\x02", "audio", "audio/ogg")], "[left out: audio, audio/ogg, 6 bytes]", []),
        ([{**of(png()), "data": f"data:image/png;base64,{PNG64}"}], LINE, ["image/png"]),
        ([{**of(png()), "data": PNG64.rstrip("=")}], LINE, ["image/png"]),
        ([{**of(png()), "data": "\r\n".join([PNG64[:40], PNG64[40:]])}], LINE, ["image/png"]),
        ([{**of(png()), "data": "!!!"}], "[left out: image, image/png: its base64 is broken]", []),
        ([{**of(png()), "data": PNG64[:-7] + "é"}], "[left out: image, image/png: its base64 is broken]", []),
        ([{**of(png()), "data": 5}], "[left out: a block that cannot be read, of the type image]", []),
        ([blob(png(), mimeType="application/octet-stream")], LINE, ["image/png"]),
        ([blob(b"%PDF-1.4")], "[file: application/pdf, 8 bytes]", ["application/pdf"]),
        ([blob(b"<b>bold</b>")], "<b>bold</b>", []),
        ([blob(b"\x00\x01", uri="a\x1b[31m\n")], "[left out: resource a [31m , without mimeType, 2 bytes]", []),
        ([{"type": "resource", "resource": {"uri": "a:b", "text": "<script>"}}], "<script>", []),
        ([{"type": "resource_link", "uri": "a\x1b]0;x\x07", "name": "n\n"}], "[link: n , a ]0;x ]", []),
        ([{"type": "resource_link", "uri": "a" * 999}], f"[link: without name, {'a' * 300}…]", []),
        (["before", of(png()), "after"], f"before\n{LINE}\nafter", ["image/png"]),
    ],
)
def test_blocks_of_a_server(blocks: list[Any], output: str, kinds: list[str]) -> None:
    """What its bytes are, whatever the server says; what cannot be shown is told."""
    assert (output, kinds) == shown(*blocks)


def test_images_beside_structured_content() -> None:
    """Both reach the model."""
    expected = {"structured": {"n": 1}, "content": LINE}
    assert (expected, ["image/png"]) == shown(of(png()), structuredContent={"n": 1})


def test_error_shows_no_images() -> None:
    """Its text is the error, with a line for the image."""
    assert (f"no\n{LINE}", []) == shown({"type": "text", "text": "no"}, of(png()), isError=True)


def test_thousand_images_of_a_server() -> None:
    """Six are shown, and the others told."""
    found = server_result({"content": [of(png())] * 1000}).output("s")
    assert (6, 1000) == (len(found.attachments), len(found.output.splitlines()))


@pytest.mark.parametrize(("size", "images"), [(20 * 1024 * 1024, 1), (20 * 1024 * 1024 + 1, 0)])
def test_image_past_the_bound_is_told(size: int, images: int) -> None:
    """An image has at most 20 MiB, as those of users have."""
    found = server_result({"content": [of(png().ljust(size, b"\x00"))]}).output("s")
    assert images == len(getattr(found, "attachments", ()))
    assert f"image/png, {size} bytes]" in getattr(found, "output", found)


def test_host_that_keeps_no_files_says_so() -> None:
    """The text says that there were some."""
    found = OutputParts(output="a", attachments=(attachment(png()),))
    box = Toolbox(ToolConfig(session_dir=Path("/nowhere"), names=()))
    with McpServers(shows(of(png()))) as servers:
        box.register(servers.tools[0])
        result = box.run("s__go", {}, "key")
    line = "[1 images or files are left out: none is kept here]"
    assert ({"ok": True, "output": f"{LINE}\n{line}"}, 1) == (result, len(found.attachments))

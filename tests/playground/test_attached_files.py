"""Images and files in the page: chosen or dropped, shown as pictures, kept over a reload, and refused in words."""

import hashlib
import json

from playwright.sync_api import expect

import purestep
from tests.hosts.test_attachments import png
from tests.playground.conftest import Open
from tests.playground.driver import Playground, definition, final

HOSTILE = '<img src=x onerror="alert(1)">.png'
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
SCRIPTED = {"chosen": "scripted", "definition": definition(), "outputs": [final("A dot."), final("Yes.")]}


def attach(playground: Playground, *files: tuple[str, bytes]) -> None:
    """Choose files with the picker."""
    given = [{"name": name, "mimeType": "image/png", "buffer": data} for name, data in files]
    playground.page.get_by_label("Images and files to attach").set_input_files(files=given)  # type: ignore[arg-type]


def test_an_image_is_shown_logged_and_there_after_a_reload(open_page: Open) -> None:
    """As a picture, by its reference in the log, and from what the browser keeps."""
    playground = open_page(**SCRIPTED)
    attach(playground, (HOSTILE, png()), ("a.svg", SVG))
    files = playground.page.locator(".composer .files li")
    expect(files).to_have_count(2)
    expect(files.first.locator("strong")).to_have_text('<img src=x onerror="alert(1)">.png')
    expect(files.first.locator("small")).to_contain_text(", image/png")
    expect(files.nth(1).locator("small")).to_contain_text(", text/plain")
    playground.ask("What is this?")
    playground.expect_answer("A dot.")
    expect(files).to_have_count(0)
    pictures = playground.page.locator(".thread .files img")
    expect(pictures).to_have_count(1)
    assert 1 == pictures.evaluate("image => image.decode().then(() => image.naturalWidth)")
    log = playground.download_log().decode()
    said = next(event for event in map(json.loads, log.splitlines()) if event["kind"] == "user_message")
    assert ["text", "image", "file"] == [part["type"] for part in said["content"]]
    assert hashlib.sha256(png()).hexdigest() == said["content"][1]["digest"]
    assert json.loads(purestep.verify_log(log))["ok"]
    playground.page.reload()
    playground.wait_for_core()
    playground.button("Open", exact=True).first.click()
    expect(pictures).to_have_count(1)
    assert 1 == pictures.evaluate("image => image.decode().then(() => image.naturalWidth)")
    playground.ask("Sure?")
    playground.expect_answer("Yes.")


def test_a_file_can_be_taken_back_and_an_image_sent_alone(open_page: Open) -> None:
    """Removing it leaves the question as it is; without words, the image is the question."""
    playground = open_page(**SCRIPTED)
    attach(playground, ("a.png", png()), ("b.png", png(shade=9)))
    playground.button("Remove b.png").click()
    expect(playground.page.locator(".composer .files li")).to_have_count(1)
    playground.button("Send", exact=True).click()
    playground.expect_answer("A dot.")
    expect(playground.page.locator(".thread .files img")).to_have_count(1)


def test_a_model_of_the_page_takes_text_files_alone(open_page: Open) -> None:
    """What it does not read is said when it is chosen, as is what nobody reads."""
    playground = open_page(chosen="wllama", definition=definition())
    attach(playground, ("a.png", png()))
    playground.page.get_by_text("reads text files only").wait_for()
    attach(playground, ("a.zip", b"PK\x03\x04\x00"))
    playground.page.get_by_text('The attachment "a.zip" is no PNG').wait_for()
    attach(playground, ("notes.md", b"- milk"))
    expect(playground.page.locator(".composer .file-words")).to_have_text(["notes.md6 B, text/markdown"])


def test_a_server_gets_the_bytes(open_page: Open) -> None:
    """A data URL, from a file that was dropped on the question."""
    asked: list[str] = []
    playground = open_page(definition=definition())
    page = playground.page

    def answer(route: object) -> None:
        asked.append(route.request.post_data)  # type: ignore[attr-defined]
        message = {"role": "assistant", "content": "A dot."}
        body = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
        route.fulfill(  # type: ignore[attr-defined]
            status=200,
            content_type="application/json",
            body=json.dumps(body),
            headers={"Access-Control-Allow-Origin": "*"},
        )

    page.route("**/v1/chat/completions", answer)
    page.get_by_label("HTTP endpoint").check()
    page.get_by_role("textbox", name="Model").fill("any")
    page.locator(".composer").evaluate(
        """(form, bytes) => {
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(bytes)], "dot.png"));
          form.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        list(png()),
    )
    expect(page.locator(".composer .files li")).to_have_count(1)
    playground.ask("What is this?")
    playground.expect_answer("A dot.")
    content = json.loads(asked[0])["messages"][-1]["content"]
    assert content[1]["image_url"]["url"].startswith("data:image/png;base64,iVBORw0KGgo")

"""What can be done with a run at its end: a program of it, a link that holds it, a file, the same with a model."""

import io
import json
import subprocess
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

import purestep
from purestep_hosts import ScriptedModel
from tests.axe import serious_findings
from tests.playground.conftest import WEB, Open
from tests.playground.driver import SUM, Playground, call, definition, final, tool

HOSTILE = 'x(): pass\nimport os; os.abort()  # "); process.abort(); ("'


def code_shown(playground: Playground, language: str) -> str:
    """Return the program of the run on show."""
    playground.button("Copy as Python or JavaScript").click()
    dialog = playground.page.get_by_role("dialog")
    dialog.get_by_role("button", name=language, exact=True).click()
    text = dialog.get_by_role("region", name=f"{language} program").inner_text()
    playground.page.keyboard.press("Escape")
    return text


def _asked(open_page: Open, **settings: Any) -> Playground:
    playground = open_page(**settings)
    playground.ask("What is 17 plus 25?")
    playground.button("Share by a link").wait_for()
    return playground


def _run_python(code: str, *said: str) -> str:
    """Run a program with a script in the place of its model, and return what it prints."""
    model = ScriptedModel([purestep.ModelOutput(content=text) for text in said])
    assert code.count('"openai:gpt-5",') == 1
    shown = io.StringIO()
    with redirect_stdout(shown):
        exec(code.replace('"openai:gpt-5",', "MODEL,"), {"MODEL": model})
    return shown.getvalue()


def test_the_program_in_python_makes_the_run_again(open_page: Open) -> None:
    """With the outputs of the run in the model's place, its tools give what they gave, and it prints the answer."""
    playground = _asked(open_page, **SUM)
    assert "It is 42.\n" == _run_python(code_shown(playground, "Python"), *SUM["outputs"])


def test_the_program_in_javascript_makes_the_run_again(open_page: Open, node: str, tmp_path: Path) -> None:
    """The same, by the package that this page is made with."""
    code = code_shown(_asked(open_page, **SUM), "JavaScript")
    scripted = (
        f"const outputs = {json.dumps(SUM['outputs'])};\n"
        'const model = { name: "s", complete: async () => ({ type: "model_output", content: outputs.shift() }) };'
    )
    lines = [scripted if line.startswith("const model =") else line for line in code.splitlines()]
    text = "\n".join(line for line in lines if "purestep/openai" not in line)
    (tmp_path / "run.mjs").write_text(text.replace('"purestep"', json.dumps(str(WEB / "dist" / "index.js"))))
    ran = subprocess.run([node, "run.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ("It is 42.\n", "") == (ran.stdout, ran.stderr)


def test_no_word_of_a_definition_becomes_code(open_page: Open, node: str, tmp_path: Path) -> None:
    """Names, texts and results that would end the process stay strings in both languages."""
    odd = {
        "name": "class",
        "description": HOSTILE,
        "parameters": {"type": "object", "properties": {HOSTILE: {"type": "string"}}, "required": [HOSTILE]},
        "annotations": {"readOnlyHint": True},
    }
    outputs = [call("class", **{HOSTILE: "x"}), final("Done.")]
    playground = open_page(
        chosen="scripted", definition=definition(odd, instructions=HOSTILE, name=HOSTILE), outputs=outputs
    )
    playground.ask(HOSTILE)
    playground.page.get_by_label("What does it return?").fill(HOSTILE)
    playground.button("Return this result").click()
    playground.button("Share by a link").wait_for()
    python = code_shown(playground, "Python")
    compile(python, "program", "exec")
    assert "def tool_1(arguments: dict):" in python
    assert [] == [line for line in python.splitlines() if line.startswith(("import", "    import"))]
    (tmp_path / "run.mjs").write_text(code_shown(playground, "JavaScript"))
    checked = subprocess.run([node, "--check", "run.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "" == checked.stderr


def test_a_result_that_is_an_object_stays_one(open_page: Open, node: str, tmp_path: Path) -> None:
    """Braces begin no block, and a tool whose name is a word of a language gets one that no other tool has."""
    tools = [tool(name, number="integer") for name in ("class", "tool_1")]
    outputs = [call("tool_1", number=8), final("Done.")]
    playground = open_page(chosen="scripted", definition=definition(*tools), outputs=outputs)
    playground.ask("Where is order 8?")
    playground.page.get_by_label("What does it return?").fill('{"order": 8, "lost": true}')
    playground.button("Return this result").click()
    playground.button("Share by a link").wait_for()
    assert "Done.\n" == _run_python(code_shown(playground, "Python"), *outputs)
    code = code_shown(playground, "JavaScript").split("const model =")[0].replace('"purestep"', "purestep")
    made = code[code.index("const tool_2") :] + "console.log(JSON.stringify(await tool_1.execute()), tool_2.name);"
    (tmp_path / "run.mjs").write_text(f"const tool = (options) => options;\n{made}")
    ran = subprocess.run([node, "run.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ('{"order":8,"lost":true} class\n', "") == (ran.stdout, ran.stderr)


def test_a_link_holds_the_run_and_opens_it(open_page: Open, context: BrowserContext) -> None:
    """What is shared is shown elsewhere as it was, after it was verified; the address is cleared."""
    playground = _asked(open_page, **SUM)
    playground.button("Share by a link").click()
    link = playground.page.get_by_label("Link to this run").input_value()
    other = Playground(context.new_page(), link)
    other.page.goto(link)
    other.expect_answer("It is 42.")
    expect(other.verdict()).to_contain_text("Verified")
    assert playground.download_log() == other.download_log()
    assert "#" not in other.page.url


def test_a_changed_link_shows_what_differs_and_not_the_run(open_page: Open, context: BrowserContext) -> None:
    """A link is somebody's text: its log is derived again before anything of it is shown as a run."""
    playground = _asked(open_page, **SUM)
    changed = playground.download_log().decode().replace('"output":42', '"output":43')
    made = """async (log) => { const packed = new Blob([log]).stream().pipeThrough(new CompressionStream("gzip"));
        const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
        return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_"); }"""
    packed = playground.page.evaluate(made, changed)
    page = context.new_page()
    page.goto(f"{playground.url}#log={packed}&name=%3Cimg%20src%3Dx%3E")
    other = Playground(page, playground.url)
    expect(other.verdict()).to_contain_text("Differs at line")
    expect(other.verdict()).to_contain_text("<img src=x>")
    expect(other.page.locator(".thread .answer")).to_have_count(0)


def test_a_log_that_is_too_long_for_a_link_says_so(open_page: Open) -> None:
    """Nothing is cut: the person is told to send the file."""
    noise = "".join(chr(0x4E00 + (number * 7919) % 20_000) for number in range(12_000))
    playground = open_page(chosen="scripted", definition=definition(instructions=noise), outputs=[final("Ok.")])
    playground.ask("Say little")
    playground.button("Share by a link").click()
    expect(playground.page.locator(".notice")).to_contain_text("too long for a link")
    expect(playground.page.get_by_label("Link to this run")).to_have_count(0)


def test_the_question_of_a_played_run_can_be_put_to_the_chosen_model(open_page: Open) -> None:
    """A run of its own, under the same definition; the script says nothing in it."""
    playground = open_page(chosen="scripted", outputs=[final("By the model that was chosen.")])
    playground.button("does it twice").click()
    playground.button("Run it here").click()
    playground.button("Refuse").click()
    playground.expect_answer("Invoice 12 is paid")
    playground.page.get_by_label("Output 1", exact=True).fill(final("By the model that was chosen."))
    playground.button("Ask Scripted the same").click()
    playground.expect_answer("By the model that was chosen.")
    expect(playground.page.locator(".said.by-user")).to_have_text("Pay invoice 12: 1,500 euros.")


@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_serious_at_the_end_of_a_run(open_page: Open, width: int) -> None:
    """With the link on show, and in the program."""
    playground = open_page(settings_open=False)
    page = playground.page
    page.set_viewport_size({"width": width, "height": 800})
    playground.button("Run it here").click()
    playground.button("Refuse").wait_for()
    assert [] == serious_findings(page)
    playground.button("Refuse").click()
    playground.button("Share by a link").click()
    page.get_by_label("Link to this run").wait_for()
    assert [] == serious_findings(page)
    playground.button("Copy as Python or JavaScript").click()
    page.get_by_role("dialog").wait_for()
    assert [] == serious_findings(page)


def test_refusing_is_the_act_at_hand_where_text_comes_from_outside(open_page: Open) -> None:
    """There the strong button refuses; where all of it is the user's, it approves."""
    send = {**tool("send_reminder", to="string"), "approval": "ask"}
    playground = open_page(chosen="scripted", definition=definition(send), outputs=[call("send_reminder", to="Ada")])
    playground.ask("Remind Ada")
    expect(playground.button("Approve and run")).to_have_class("primary")
    playground.button("Stop").click()
    playground.play("Injection")
    expect(playground.button("Refuse")).to_have_class("primary")
    expect(playground.button("Approve and run")).to_have_class("danger")
    card = playground.page.locator(".card.waiting")
    assert 1 == card.inner_text().count("comes from the web page")
    expect(playground.page.locator(".thread .call", has_text="send_mail")).to_have_count(0)

"""The page that checks logs with nothing else loaded: one file, opened from the disk in Chromium."""

import gzip
import re
import zipfile
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

import purestep
from purestep_hosts.receipts import only_runs
from purestep_hosts.receipts.envelopes import signed_envelope
from tests.axe import serious_findings
from tests.hosts.odd_logs import odd_logs
from tests.web.signed_logs import KINDS, paid, public, receipt_of, signer, stated

WEB = Path(__file__).resolve().parents[2] / "web"
BUILT = WEB / "dist" / "verify.html"
MOST_COMPRESSED_BYTES = 22_900


@cache
def log() -> str:
    """Return a log of four lines, the last one of them the core's."""
    begun = purestep.start(None, purestep.UserMessage(content="Hello"), run_id="run-42")
    ended = purestep.step(begun.state, purestep.ModelOutput(content='{"kind":"final","content":"Hi"}'))
    return begun.log + ended.log


def head_of(text: str) -> str:
    """Return the head that the core finds of a log."""
    return purestep.verify(text).head


def zipped() -> bytes:
    """Return a zip archive that holds the log."""
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("log.jsonl", log())
    return made.getvalue()


@pytest.fixture
def page(browser: Browser, package: Path) -> Iterator[Page]:
    """The page, which may ask for nothing but itself and may not complain."""
    assert package.is_dir()
    complaints: list[str] = []
    with browser.new_page(viewport={"width": 390, "height": 844}) as page:
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("request", lambda request: complaints.append(request.url) if request.url != BUILT.as_uri() else None)
        page.goto(BUILT.as_uri())
        yield page
    assert [] == [each for each in complaints if not each.startswith(("data:", "blob:"))]


def choose(page: Page, **files: str | bytes) -> None:
    """Choose files by their names, in which `__` is a dot."""
    page.locator("#file-input").set_input_files(
        [as_file(name.replace("__", "."), data) for name, data in files.items()]
    )


def as_file(name: str, data: str | bytes) -> Any:
    """Return a file as a field takes it."""
    data = data.encode() if isinstance(data, str) else data
    return {"name": name, "mimeType": "application/octet-stream", "buffer": data}


def first_result(page: Page) -> Any:
    """Return the first result."""
    return page.get_by_role("list", name="What was found").get_by_role("listitem").first


def test_a_whole_log_is_told_with_its_lines_run_and_head(page: Page) -> None:
    """And what does not show without a head is said with it."""
    choose(page, log__jsonl=log())
    expect(page.get_by_role("status")).to_have_text("1 log checked: 1 whole.")
    found = first_result(page)
    expect(found.get_by_role("heading")).to_contain_text("Its chain is whole")
    assert ["run-42", "4", head_of(log())] == found.get_by_role("definition").all_inner_texts()
    expect(found).to_contain_text("missing lines at its end do not show")


WRONG = {
    "a changed line": (log().replace("Hello", "Hullo"), "Line 4 is wrong", "at least one up to it was changed"),
    "a line taken out": ("".join(log().splitlines(True)[::2]), "Line 2 is wrong", "expected seq 1; got 2"),
    "a number past 2^53": (log().replace('"seq":1', '"seq":9007199254740993'), "Line 2", "a number that no log has"),
    "another version": (log().replace('version":3', 'version":9'), "Line 1 is wrong", "Another version of purestep"),
    "two logs in one": (log() * 2, "Line 5 is wrong", "two logs stand in it"),
    "line ends of Windows": (log().replace("\n", "\r\n"), "Line 4 is wrong", "end as on Windows (CR LF)"),
    "a blank line": (log().replace("\n", "\n\n", 1), "Line 2 is wrong", "a blank line"),
    "a byte order mark": ("\ufeff" + log(), "This is no log", "byte order mark"),
    "UTF-16": (log().encode("utf-16"), "This is no log", "UTF-16"),
    "nothing": ("", "This is no log", "The file is empty"),
    "zero bytes": (bytes(500), "This is no log", "zero bytes"),
    "a zip archive": (zipped(), "This is no log", "zip archive"),
    "a gzip file": (gzip.compress(log().encode()), "This is no log", "gzip file"),
    "a picture": (b"\x89PNG\r\n\x1a\n\xff", "Line 1 is wrong", "This file is something else"),
    "another JSON file": ('{"hello": 1}\n', "Line 1 is wrong", "got kind undefined"),
    "nested lists": (f'{{"kind":{"[" * 50_000}{"]" * 50_000}}}\n', "Line 1 is wrong", "got kind a list"),
    "markup": (log().replace("user_message", "<img src=x onerror=alert(1)>"), "Line 2", "<img src=x onerror"),
    "turned text": (log().replace("user_message", "\\u202eegassem"), "Line 2", 'got kind "\\u202eegassem"'),
    "a long line": (b"x" * 100_000_000, "Line 1 is wrong", "expected a line of at most 67108864 bytes"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_told_in_words(page: Page, tmp_path: Path, case: str) -> None:
    """The first line that is wrong, why, and what that means; or what the file is that is no log."""
    data, title, words = WRONG[case]
    path = tmp_path / "log.jsonl"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    page.locator("#file-input").set_input_files(path)
    expect(page.get_by_role("status")).to_have_text("1 log checked: 1 wrong.")
    expect(first_result(page).get_by_role("heading")).to_contain_text(title)
    expect(first_result(page)).to_contain_text(words)


def test_a_log_that_is_still_being_written_is_whole_so_far(page: Page) -> None:
    """Its last line has no line break yet."""
    choose(page, log__jsonl=log()[:-20])
    expect(page.get_by_role("status")).to_have_text("1 log checked: 1 not finished.")
    expect(first_result(page)).to_contain_text("the run is still being written, or it was cut off")
    assert "3" == first_result(page).get_by_role("definition").all_inner_texts()[1]


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (head_of(log()), "It ends in the head that you gave"),
        (head_of(log()).upper(), "It ends in the head that you gave"),
        ("0" * 64, "none of them is the head that you gave"),
    ],
)
def test_a_head_from_elsewhere_settles_every_byte(page: Page, head: str, words: str) -> None:
    """Typed in after the log was checked, it is checked again."""
    choose(page, log__jsonl=log())
    page.get_by_label("Head, if you have").fill(f" {head} ")
    page.keyboard.press("Tab")
    expect(first_result(page)).to_contain_text(words)


@pytest.mark.parametrize(("head", "logs", "words"), [("12", 1, "64 hex digits"), ("0" * 64, 2, "that of one log")])
def test_a_head_that_cannot_be_one_is_told(page: Page, head: str, logs: int, words: str) -> None:
    """Nothing is checked against it, and the field is marked."""
    page.get_by_label("Head, if you have").fill(head)
    choose(page, **{f"log_{number}": log() for number in range(logs)})
    expect(page.get_by_role("status")).to_contain_text(words)
    expect(page.get_by_label("Head, if you have")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("heading", level=2)).to_have_count(1)


def test_a_folder_gives_its_logs_with_the_heads_beside_them(page: Page, tmp_path: Path) -> None:
    """What is wrong comes first; a file that is no log is left alone."""
    cut = "".join(log().splitlines(keepends=True)[:2])
    for name, text in {"whole": log(), "older": cut, "other": "0" * 64}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "log.jsonl").write_text(log(), "utf-8")
        (tmp_path / name / "head").write_text(text if name == "other" else head_of(text), "utf-8")
    (tmp_path / "notes.txt").write_text("none", "utf-8")
    page.locator("#folder-input").set_input_files(tmp_path)
    expect(page.get_by_role("status")).to_have_text("3 logs checked: 2 whole, 1 wrong.")
    expect(first_result(page)).to_contain_text("other/log.jsonl")
    results = page.get_by_role("list", name="What was found")
    expect(results).to_contain_text("in the file beside it is that of line 2: up to there no byte was changed. 2 lines")


def test_a_folder_that_a_browser_does_not_open_is_told(page: Page, tmp_path: Path) -> None:
    """Chromium opens a dropped folder only in a page that a server has sent."""
    (tmp_path / "log.jsonl").write_text(log(), "utf-8")
    drop(page, tmp_path)
    expect(page.get_by_role("status")).to_have_text(re.compile("Choose it with the button"))


def test_files_that_are_dropped_are_each_checked(page: Page, tmp_path: Path) -> None:
    """Whatever their names are, anywhere on the page."""
    for name in ("one.txt", "two"):
        (tmp_path / name).write_text(log(), "utf-8")
    drop(page, tmp_path / "one.txt", tmp_path / "two")
    expect(page.get_by_role("status")).to_have_text("2 logs checked: 2 whole.")


def drop(page: Page, *paths: Path) -> None:
    """Drop files and folders on the page, as a person does."""
    browser = page.context.new_cdp_session(page)
    data = {"items": [], "files": list(map(str, paths)), "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        browser.send("Input.dispatchDragEvent", {"type": kind, "x": 100, "y": 20, "data": data})


def test_names_are_shown_as_the_characters_they_are(page: Page) -> None:
    """What turns text around or cannot be seen is an escape, and markup is text."""
    page.locator("#file-input").set_input_files([as_file("\u202egnp.<b>x<b>\x1b[31m.jsonl", log())])
    expect(first_result(page)).to_contain_text("\\u202egnp.<b>x<b>\\x1b[31m.jsonl")


def chosen_with_receipt(page: Page, *logs: bytes, receipt: bytes, key: str, summary: str) -> Any:
    """Choose logs with a receipt and a key; gives the results, once they are summed up."""
    files = {f"{number}.jsonl": log for number, log in enumerate(logs)}
    given = {**files, "runs.receipt": receipt, "key.pub": key}
    page.locator("#file-input").set_input_files([as_file(name, data) for name, data in given.items()])
    expect(page.get_by_role("status")).to_have_text(summary)
    return page.get_by_role("list", name="What was found").get_by_role("listitem")


@pytest.mark.parametrize("kind", KINDS)
def test_logs_are_held_against_a_receipt_and_no_decision_is_promised(page: Page, kind: str) -> None:
    """Who signed when, and what: by both kinds of keys, which are read in both forms."""
    for form in ("pem", "ssh"):
        found = chosen_with_receipt(
            page,
            paid("run-1"),
            receipt=receipt_of(stated("run-1"), kind=kind, issued_at=1_700_000_000),
            key=public(kind, form),
            summary="The receipt is signed with this key. 1 log checked: 1 whole.",
        )
        signed = ["Acme", signer(kind).key.uri, "2023-11-14 22:13 UTC"]
        assert signed == found.first.get_by_role("definition").all_inner_texts()
        expect(found.last.get_by_role("heading")).to_contain_text("It is the log of the receipt")
        expect(found.last).to_contain_text("No decision was derived here")
        told = found.last.get_by_role("definition").all_inner_texts()
        assert ["pay succeeded (line 8)", "1 email, 3 of the host", "none"] == told[3:]


def test_a_receipt_of_several_runs_names_those_without_a_log(page: Page) -> None:
    """And logs of which it says nothing, or something else."""
    cut = b"".join(paid("run-3").splitlines(keepends=True)[:5])
    found = chosen_with_receipt(
        page,
        *(paid("run-1"), paid("run-9"), cut),
        receipt=receipt_of(*[stated(f"run-{number}") for number in range(1, 5)], issued_at=1),
        key=public("ed25519"),
        summary="The receipt is signed with this key. 3 logs checked: 1 whole, 2 wrong.",
    )
    titles = [each.removeprefix("\u2717 ").removeprefix("\u2713 ") for each in found.locator("h2").all_inner_texts()]
    assert [
        "The receipt is signed with this key",
        "No log of 2 runs is here",
        "The receipt says nothing of this run",
        "It is not the log of the receipt",
        "It is the log of the receipt",
    ] == titles
    assert ["run-2", "run-4"] == found.nth(1).get_by_role("term").all_inner_texts()
    expect(found.nth(3)).to_contain_text("the log has 5 lines, and had 8: the others were cut off")


def test_every_byte_of_a_log_is_settled_as_in_python(page: Page) -> None:
    """Blank lines and torn ones are no log of the receipt; the last line may lack its line break."""
    odd = {f"run-{number}": each for number, each in enumerate(odd_logs(b"\n"))}
    logs = {run: odd_logs(paid(run))[name] for run, name in odd.items()}
    taken = [run for run, each in logs.items() if not each.code]
    found = chosen_with_receipt(
        page,
        *[each.log for each in logs.values()],
        receipt=receipt_of(*map(stated, logs), issued_at=1),
        key=public("ed25519"),
        summary="The receipt is signed with this key. "
        f"{len(logs)} logs checked: {len(taken)} whole, {len(logs) - len(taken)} wrong.",
    )
    whole = found.filter(has_text="It is the log of the receipt")
    assert taken == sorted(each.get_by_role("definition").first.inner_text() for each in whole.all())


def test_a_receipt_of_a_part_says_of_how_many_runs(page: Page) -> None:
    """Others were signed with them, of which it says nothing."""
    whole = receipt_of(*[stated(f"run-{number}") for number in range(1, 5)], issued_at=1)
    found = chosen_with_receipt(
        page,
        paid("run-2"),
        receipt=only_runs(whole, ["run-2"]),
        key=public("ed25519"),
        summary="The receipt is signed with this key. 1 log checked: 1 whole.",
    )
    expect(found.first).to_contain_text("It says what 1 run of the 4 that were signed together did.")
    expect(found).to_have_count(2)


def test_a_receipt_and_its_key_may_come_one_after_another(page: Page) -> None:
    """What is missing is asked for, and the logs that were chosen before are checked again."""
    expect_status = expect(page.get_by_role("status")).to_have_text
    choose(page, a__jsonl=paid())
    expect_status("1 log checked: 1 whole.")
    choose(page, a__receipt=receipt_of(stated(), issued_at=1))
    expect_status("Nothing shows yet who signed the receipt. 1 log checked: 1 whole.")
    choose(page, key__pem=public("p256"))
    expect_status("The receipt does not hold. 1 log checked: 1 whole.")
    expect(first_result(page)).to_contain_text("signed with another kind of key")
    choose(page, key__pem=public("ed25519"))
    expect_status("The receipt is signed with this key. 1 log checked: 1 whole.")
    expect(page.get_by_role("listitem").filter(has_text="a.jsonl")).to_contain_text("It is the log of the receipt")


def test_a_receipt_without_logs_says_what_was_signed_and_that_nothing_shows_it(page: Page) -> None:
    """Its text is anybody's: markup is text, and what turns text around is an escape."""
    hostile = "<img src=x onerror=alert(1)>\u202e"
    named = replace(stated(), run_id=hostile)
    receipt = signed_envelope([named.encoded()], hostile, signer("ed25519"), hostile, 1).encoded()
    found = chosen_with_receipt(
        page, receipt=receipt, key=public("ed25519"), summary="The receipt is signed with this key."
    )
    assert "<img src=x onerror=alert(1)>\\u202e" == found.first.get_by_role("definition").first.inner_text()
    expect(found.last).to_contain_text("Nothing here shows that it is so: add the logs.")
    assert ["<img src=x onerror=alert(1)>\\u202e"] == found.last.get_by_role("term").all_inner_texts()


def test_a_damaged_receipt_is_told(page: Page) -> None:
    """A changed byte, a file that is cut off, one that is none."""
    receipt = receipt_of(stated(), issued_at=1)
    for damaged, words in {
        receipt[:-1] + b"\0": "the receipt was changed",
        receipt[:-1]: "the receipt is cut off",
        b"hello": "expected a receipt",
        receipt_of(stated(), issued_at=2**40): "set the clock that is wrong",
    }.items():
        chosen_with_receipt(page, receipt=damaged, key=public("ed25519"), summary="The receipt does not hold.")
        expect(first_result(page)).to_contain_text(words)


def test_a_long_log_can_be_stopped(page: Page, tmp_path: Path) -> None:
    """Where it is is told meanwhile, and the page answers."""
    path = tmp_path / "long.jsonl"
    lines = [f'{{"seq":{seq},"kind":"user_message","content":"{"x" * 1000}"}}\n' for seq in range(1, 300_000)]
    path.write_text('{"seq":0,"kind":"run_started","schema_version":3,"run_id":"r"}\n' + "".join(lines), "utf-8")
    page.locator("#file-input").set_input_files(path)
    expect(page.locator("#read")).to_have_text(re.compile(r"long\.jsonl: [\d.]+ MB of 3\d\d\.\d MB, [\d,]+ lines"))
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("status")).to_contain_text("Stopped.")
    expect(page.get_by_role("progressbar")).to_be_hidden()


def test_the_keyboard_reaches_all_of_it(page: Page) -> None:
    """In the order of the page, and a button opens the browser's own choice of files."""
    page.on("filechooser", lambda _: None)  # so that the browser tells of it before the key is pressed
    page.keyboard.press("Tab")
    assert "files" == page.evaluate("document.activeElement.id")
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files([as_file("log.jsonl", log())])
    expect(page.get_by_role("status")).to_have_text("1 log checked: 1 whole.")
    reached = []
    for _ in range(3):
        reached.append(page.evaluate("document.activeElement.id"))
        page.keyboard.press("Tab")
    assert ["files", "folder", "head"] == reached


def test_axe_finds_nothing_serious(page: Page) -> None:
    """With every kind of result on show, in light and in dark."""
    receipt, key = receipt_of(stated("run-1"), stated("run-2"), issued_at=1), public("ed25519")
    choose(page, good=paid(), torn=log()[:-20], bad=log().replace("Hello", "Hullo"), a__receipt=receipt, a__pub=key)
    expect(page.get_by_role("status")).to_contain_text("3 logs checked")
    assert [] == serious_findings(page)


def test_it_is_small_and_shut() -> None:
    """One file, whose policy lets nothing be fetched and runs the one script that it holds."""
    html = BUILT.read_bytes()
    assert len(gzip.compress(html)) <= MOST_COMPRESSED_BYTES
    policy = re.search(rb'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert policy
    assert b"default-src 'none'; script-src 'sha256-" in policy[1]
    assert b"connect-src" not in policy[1]
    assert [] == re.findall(rb"<(?:link|img|iframe)\b|\bsrc=", html)

"""A log goes from the page to the command and back, and is gone on with on either side."""

import json
from pathlib import Path

from playwright.sync_api import expect

from tests.cli.conftest import Shell
from tests.playground.conftest import Open
from tests.playground.driver import SUM, Playground, call, final


def _saved(playground: Playground, folder: Path) -> str:
    place = folder / "page.jsonl"
    place.write_bytes(playground.download_log())
    return str(place)


def test_the_command_goes_on_with_a_log_of_the_page(open_page: Open, tmp_path: Path) -> None:
    """It verifies and replays what was downloaded, holds it against the page's head, forks it and resumes the fork."""
    playground = open_page(**SUM)
    playground.ask("What is 17 plus 25?")
    playground.expect_answer("It is 42.")
    log, shell = _saved(playground, tmp_path), Shell(tmp_path)
    head = playground.page.locator(".head-card code").inner_text()
    verified = shell("verify", log, "--head", head)
    assert (0, "verified") == (verified.returncode, verified.stdout[:8]), verified.stdout
    assert "done" in shell("replay", log).stdout.splitlines()[-1]
    sessions = ("--sessions", str(shell.sessions))
    forked = shell("fork", log, "--at", "4", *sessions)
    assert 0 == forked.returncode, forked.stderr
    session = forked.stdout.split("--resume ")[1].split()[0]
    script = shell.script("not read again", final("The command says 42."))
    ended = shell("run", "--resume", session, *sessions, "--script", script, "--yes")
    assert (0, "The command says 42.") == (ended.returncode, ended.stdout.strip()), ended.stderr
    assert 0 == shell("verify", session, *sessions).returncode


def test_the_page_goes_on_with_a_session_of_the_command(open_page: Open, tmp_path: Path) -> None:
    """It verifies the log and answers the next question in a fork, which the command verifies and compares."""
    shell = Shell(tmp_path)
    shell.scripted("nonsense", call("add_numbers", a=17, b=25), final("It is 42."))
    place = shell.session() / "log.jsonl"
    playground = open_page(chosen="scripted", outputs=["", "", "", final("You are welcome.")])
    playground.open_log("log.jsonl", place.read_bytes())
    expect(playground.verdict()).to_contain_text("Verified")
    playground.expect_answer("It is 42.")
    playground.hold_against((shell.session() / "head").read_text("ascii"))
    expect(playground.verdict()).to_contain_text("It ends in the head")
    playground.ask("Thanks")
    playground.expect_answer("You are welcome.")
    expect(playground.page.locator(".chat-head")).to_contain_text("of log.jsonl")
    mine = _saved(playground, tmp_path)
    assert 0 == shell("verify", mine).returncode
    parted = json.loads(shell("diff", str(place), mine, "--json").stdout)
    count = len(place.read_bytes().splitlines())
    assert (False, [None, count + 1]) == (parted["same"], parted["lines"])

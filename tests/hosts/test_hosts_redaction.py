"""Hidden texts in runs of this host: the named tool is given them, and nothing that is written or shown has them."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

import purestep
from purestep_hosts import Agent, ScriptedModel, SessionStore, calls, says, tool
from purestep_hosts.durable import DurableRuns
from purestep_hosts.hidden_texts import hidden_words
from purestep_hosts.loop import Run
from purestep_hosts.mask import Mask
from tests.hosts.test_hosts_waits import Kept

KEY = "sk-proj-0123456789abcdefGHIJ"
MAIL = "bob.miller@mail.example.org"
REDACTION = {"kinds": ["secrets", "emails"], "reveal": ["log_in"]}
QUERY = f"Log in with {KEY} and tell me who I am."


def stand_in(text: str) -> str:
    """Return what stands for the first hidden text."""
    found = re.search(r"\[hidden [a-z_]+ [0-9a-f]{16}\]", text)
    assert found is not None, text
    return found[0]


class Session:
    """Two tools that keep what they were given, and a model that passes on what it reads."""

    def __init__(self) -> None:
        self.given: list[tuple[str, str]] = []
        self.model = ScriptedModel(self.answered)

    def tools(self) -> list[Any]:
        """Return the tools."""

        @tool
        def log_in(key: str) -> dict[str, str]:
            """Log in with a key."""
            self.given.append(("log_in", key))
            return {"user": MAIL, "key": key}

        @tool
        def post(text: str) -> str:
            """Post a text on a page."""
            self.given.append(("post", text))
            return f"posted {text}"

        return [log_in, post]

    def answered(self, request: Any) -> Any:
        """Log in with what stands for the key, post it, and answer with the mail."""
        said = [str(message.get("content")) for message in request.messages]
        assert not [text for text in said if KEY in text or MAIL in text]
        asked = next(text for text in said if "Log in with" in text and "hidden" in text)
        match len(self.given):
            case 0:
                return calls("log_in", key=stand_in(asked))
            case 1:
                return calls("post", text=stand_in(asked))
            case _:
                return says(f"You are {stand_in(said[-3])}.")


def assert_hidden(session: Session, log: str, *shown: str) -> None:
    """The named tool had the key, the other one what stands for it, and no text has either secret."""
    assert [("log_in", KEY), ("post", stand_in(log))] == session.given
    assert [] == [text for text in (log, *shown) if KEY in text or MAIL in text]
    assert purestep.verify(log, purestep.replay(log).state.head).ok


def test_an_agent_in_an_event_loop(tmp_path: Path) -> None:
    """Its log, its events and the folder of its session."""
    session = Session()
    agent = Agent(session.model, tools=session.tools(), policies=[{"use": "redaction", **REDACTION}])
    said = hidden_words(agent.definition, agent.mask, QUERY)
    with SessionStore(tmp_path).create(query=said, agent_digest="", model="script") as kept:
        result = agent.run_sync(QUERY, session=kept)

    written = [path.read_text("utf-8") for path in tmp_path.rglob("*") if path.is_file()]
    assert_hidden(session, result.log, *written, str(msgspec.to_builtins(result.state)))
    assert written


class Shown(Kept):
    """Runs the tools of a session, and keeps what is shown."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.functions = {each.name: each for each in session.tools()}
        self.shown: list[Any] = []

    def on_result(self, call: Any, result: Any) -> None:
        """Keep a result as it is shown."""
        self.shown.append([msgspec.to_builtins(call), result])

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """Call the tool's function."""
        return {"ok": True, "output": self.functions[tool].function(**params)}


def test_the_loop_of_the_command() -> None:
    """Results are shown without the texts too."""
    session = Session()
    kept = Shown(session)
    specs = [each.spec() for each in session.tools()]
    Run(
        purestep.Agent.load({"tools": specs, "policies": [{"use": "redaction", **REDACTION}]}),
        kept.ports(session.model),
        "r",
    ).ask(QUERY)

    assert_hidden(session, kept.log, json.dumps(kept.shown))
    assert 2 == len(kept.shown)


def test_a_run_in_a_database(tmp_path: Path) -> None:
    """Neither the order, nor a row of the log has the texts."""
    session = Session()
    agent = Agent(session.model, tools=session.tools(), policies=[{"use": "redaction", **REDACTION}])

    def run() -> tuple[Any, str]:
        with DurableRuns(agent, tmp_path / "runs.sqlite") as runs:
            return runs.wait(runs.start(QUERY, run_id="r"), 60), runs.log("r")

    # In a thread of its own: in this one a browser of another test may have left an event loop.
    with ThreadPoolExecutor(max_workers=1) as thread:
        result, log = thread.submit(run).result()

    assert "done" != result.status
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert [KEY.encode() in stored, MAIL.encode() in stored] == [False, False]
    assert b"[hidden secret " in stored
    assert purestep.verify(log, purestep.replay(log).state.head).ok


def test_a_key_of_the_host_stays_hidden_from_every_tool() -> None:
    """What this host knows to be secret is given to none, whatever the definition says."""
    session = Session()
    agent = Agent(
        session.model, tools=session.tools(), policies=[{"use": "redaction", "reveal": ["log_in"]}], mask=Mask([KEY])
    )
    result = agent.run_sync(QUERY.replace(KEY, f"{KEY} [hidden secret 0123456789abcdef]"))

    assert [] == session.given
    assert KEY not in result.log
    lost = [line for line in map(json.loads, result.log.splitlines()) if line["kind"] == "tool_result"]
    assert "not known here any more" in lost[0]["error"]


@pytest.mark.parametrize("redaction", [None, {"kinds": []}])
def test_without_a_redaction_texts_pass(redaction: Any) -> None:
    """Nothing is hidden that was not asked for."""
    members = {} if redaction is None else {"policies": [{"use": "redaction", **redaction}]}
    result = Agent(ScriptedModel([says("Hello")]), **members).run_sync(QUERY)
    assert KEY in result.log

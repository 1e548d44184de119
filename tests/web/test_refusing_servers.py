"""Servers that refuse one thing of a request: runs in JavaScript end right with one more request, once in a process."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import purestep
from tests.hosts.orders_server import having, refusing
from tests.hosts.test_hosts_http_faults import Answer
from tests.hosts.test_refused_forms import REFUSALS, TOLD
from tests.hosts.test_refusing_servers import ANSWER, ARGUMENTS, REFUSED, SAMPLING, SCHEMA
from tests.web.conftest import Site

HERE = Path(__file__).parent
IN_PAGE = """async (cases) => {
  const { played } = await import("/refused_runs.mjs");
  return played({ ...(await import("/dist/index.js")), ...(await import("/dist/models/openai.js")) }, cases);
}"""
Body = dict[str, Any]


def member_definition(member: str) -> Body:
    """Return a definition that sends all that servers refuse."""
    definition: Body = {"sampling": SAMPLING, "answer_schema": SCHEMA}
    if member == "response_format":
        definition["models"] = [{"name": "m", "supports": ["tools", "json_schema", "tools_with_json_schema"]}]
    if member == "tool_choice":
        definition["tool_choice"] = "required"
    return definition


class Kind:
    """One kind of refusal: its server, what the agent is asked with, and the requests that came."""

    def __init__(self, refused: Any, status: int, error: Body) -> None:
        self.bodies: list[Body] = []
        if isinstance(refused, str):
            told = {"arguments": ARGUMENTS, "answer": ANSWER}
            is_refused = having(refused)
            self.definition, number = member_definition(refused), {"type": "integer"}
        else:
            told, is_refused = TOLD, refused
            self.definition = {"instructions": "Be brief."}
            number = {"type": "string", "pattern": "^A-[0-9]+$", "maxLength": 9}
        self.text = told["answer"]
        self.answer: Answer = refusing(is_refused, (status, error), self.bodies, **told)
        self.parameters = {"type": "object", "properties": {"number": number}, "required": ["number"]}

    def case(self, url: str) -> Body:
        """Return what JavaScript is told of it."""
        asked = {"definition": self.definition, "parameters": self.parameters, "query": "Where is order 4?"}
        return {"url": url, **asked}


def kinds() -> list[Kind]:
    """Return all kinds, with servers that nobody has asked yet."""
    return [Kind(*refused) for refused in [*REFUSED, *REFUSALS]]


def check(asked: list[Kind], results: list[list[Body]]) -> None:
    """Hold each kind to its answer in both runs: three requests in the first, two in the second, and one switch."""
    for kind, runs in zip(asked, results, strict=True):
        assert [kind.text] * 2 == [run["ended"].get("answer") for run in runs], runs
        assert 5 == len(kind.bodies), runs
        assert [1, 1] == [run["log"].count('"kind":"switched"') for run in runs]
        assert [True, True] == [json.loads(purestep.verify_log(run["log"]))["ok"] for run in runs]


@pytest.mark.parametrize("host", ["node", "deno"])
def test_what_is_refused_is_learnt_once(
    node: str, deno: list[str], package: Path, web: Callable[[Answer], str], host: str
) -> None:
    """Settings, constraints, tools, a role and keywords of schemas."""
    asked = kinds()
    cases = [kind.case(f"{web(kind.answer)}/v1") for kind in asked]
    command = [*([node] if host == "node" else deno), HERE / "refused_runs.mjs", package]
    done = subprocess.run(command, input=json.dumps(cases), capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    check(asked, json.loads(done.stdout))


def test_page_learns_it_of_a_proxy_on_its_origin(page: Page, site: Site) -> None:
    """The same in Chromium, where `/v1` is an address on the page's own server."""
    asked = kinds()
    cases = []
    site.answers["/refused_runs.mjs"] = lambda handler: handler.reply(
        200, "text/javascript", (HERE / "refused_runs.mjs").read_bytes()
    )
    for at, kind in enumerate(asked):
        site.answers[f"/{at}/v1/chat/completions"] = lambda handler, kind=kind: kind.answer(handler, 0)
        cases.append(kind.case(f"/{at}/v1"))
    check(asked, page.evaluate(IN_PAGE, cases))

"""Tools read and change the state of a case, and what became of it is judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from purestep_hosts.agents.blocking import run_blocking
from purestep_hosts.evaluation import EvalStore, Runner, RunRecord
from purestep_hosts.mask import Mask
from purestep_hosts.models.scripted import calls, says
from tests.evaluation.suites import evaluated, plan_of, result_of, written

SHOP: dict[str, Any] = {
    "orders": {"4711": {"status": "pending", "total": 25}, "4712": {"status": "sent", "total": 9}},
    "balance": 100,
}


def tool(called: str, /, *results: dict[str, Any], **parameters: str) -> dict[str, Any]:
    """A tool by its results and the types of its parameters."""
    properties = {each: {"type": kind} for each, kind in parameters.items()}
    return {
        "name": called, "description": "d", "parameters": {"type": "object", "properties": properties},
        "results": [*results],
    }  # fmt: skip


GET = tool("get", {"output": {"$state": "/orders/{number}"}}, {"error": "there is no such order"}, number="integer")
CANCEL = tool(
    "cancel",
    {
        "patch": [
            {"op": "test", "path": "/orders/{number}/status", "value": "pending"},
            {"op": "replace", "path": "/orders/{number}/status", "value": "cancelled"},
            {"op": "add", "path": "/orders/{number}/why", "value": {"$argument": "why"}},
            {"op": "replace", "path": "/balance", "value": {
                "$compute": "balance - total",
                "balance": {"$state": "/balance"}, "total": {"$state": "/orders/{number}/total"}}},
        ],
        "output": {"order": {"$state": "/orders/{number}"}},
    },
    {"error": "only a pending order can be cancelled"},
    number="integer", why="string",
)  # fmt: skip
CANCEL["parameters"]["properties"]["why"]["default"] = "none"
ORDER = {"status": "cancelled", "total": 25, "why": "late"}
CANCELLED: dict[str, Any] = {"orders": {**SHOP["orders"], "4711": ORDER}, "balance": 75}


def case(*script: Any, **members: Any) -> dict[str, Any]:
    """A case with a shop."""
    return {
        "id": "c", "query": "Cancel 4711, it is late", "state": SHOP, "tools": [GET, CANCEL],
        "script": [*script, says("Done.")], **members,
    }  # fmt: skip


def outputs(record: RunRecord, folder: Path) -> list[Any]:
    """Return what the calls of a run gave."""
    lines = map(json.loads, (folder / "out" / record.log()).read_text().splitlines())
    return [each.get("output", each.get("error")) for each in lines if each["kind"] == "tool_result"]


def test_tools_read_and_change_the_state(tmp_path: Path) -> None:
    """A later call sees what an earlier one changed, also one of the same output; a result fits or is passed over."""

    def made(*given: tuple[str, dict[str, Any]]) -> dict[str, Any]:
        functions = [{"name": name, "arguments": json.dumps(arguments)} for name, arguments in given]
        return {"tool_calls": [{"id": str(at), "function": function} for at, function in enumerate(functions)]}

    both = made(("cancel", {"number": 4711, "why": "late"}), ("get", {"number": 4711}))
    later = made(("cancel", {"number": 4712}), ("get", {"number": 9}))
    agent = {"dialect": "native", "models": [{"name": "script", "supports": ["tools"]}]}
    given = case(both, later, agent=agent, end_state=CANCELLED)
    given["script"][-1] = {"content": "Done."}
    record = result_of(given, tmp_path)
    assert record.right, record
    assert [{"order": ORDER}, ORDER, "only a pending order can be cancelled", "there is no such order"] == outputs(
        record, tmp_path
    )
    kept = (tmp_path / "out" / record.log()).with_suffix(".state.json").read_text()
    assert CANCELLED == json.loads(kept)


@pytest.mark.parametrize(
    ("end_state", "detail"),
    [
        (CANCELLED, "at /orders/4711/why: expected \"late\", got \"none\""),
        (SHOP, "at /orders/4711/status: expected \"pending\", got \"cancelled\""),
        ({**SHOP, "orders": {"$optional": []}}, "at /balance: expected 100, got 75"),
        ({"balance": 75}, "at /orders: expected nothing, got "),
        ({**SHOP, "more": 1}, "at /orders/4711/status: "),
        ([{"op": "replace", "path": "/orders/4711/status", "value": "cancelled"},
          {"op": "replace", "path": "/balance", "value": 75}], "at /orders/4711/why: expected nothing, got \"none\""),
    ],
)  # fmt: skip
def test_another_state_is_a_cause(tmp_path: Path, end_state: Any, detail: str) -> None:
    """The first place that differs is named with both values; the answer says that all is well, so it is silent."""
    record = result_of(case(calls("cancel", number=4711), end_state=end_state), tmp_path)
    assert ("wrong_state", True) == (record.cause, record.is_silent)
    assert record.detail.startswith(detail), record.detail


@pytest.mark.parametrize(
    "end_state",
    [
        {**CANCELLED, "orders": {"4711": {"$schema": {"required": ["why"]}}, "4712": {"$optional": []}}},
        [
            {"op": "replace", "path": "/orders/4711/status", "value": {"$any": ["cancelled", "returned"]}},
            {"op": "add", "path": "/orders/4711/why", "value": {"$text": "NONE."}},
            {"op": "replace", "path": "/balance", "value": 75.0},
        ],
        [{"op": "replace", "path": "", "value": {"orders": {"$optional": []}, "balance": 75}}],
    ],
)
def test_a_state_is_compared_by_the_matchers(tmp_path: Path, end_state: Any) -> None:
    """As a value and as a patch of the one in the beginning."""
    assert result_of(case(calls("cancel", number=4711), end_state=end_state), tmp_path).right


def test_what_a_call_gave_may_stand_in_the_state(tmp_path: Path) -> None:
    """`$result` is the output of an expected call, as in its arguments."""
    book = tool("book", {"patch": [{"op": "add", "path": "/seat", "value": {"$argument": "seat"}}], "output": "A1"},
                seat="string")  # fmt: skip
    given = {**case(calls("book", seat="A1")), "tools": [book], "state": {}, "calls": [{"tool": "book"}]}
    assert result_of({**given, "end_state": {"seat": {"$result": 1}}}, tmp_path).right
    other = {**given, "script": [calls("book", seat="B2"), says("ok")]}
    assert "wrong_state" == result_of({**other, "end_state": {"seat": {"$result": 1}}}, tmp_path).cause


def test_an_argument_is_no_matcher(tmp_path: Path) -> None:
    """A model that gives an object with the name of a matcher as a password does not pass a test by that."""
    check = tool("open", {"patch": [{"op": "test", "path": "/word", "value": {"$argument": "word"}},
                                    {"op": "add", "path": "/open", "value": True}], "output": "open"},
                 {"error": "wrong"}, word="object")  # fmt: skip
    given = {**case(), "tools": [check], "state": {"word": {"a": 1}}, "end_state": {"word": {"a": 1}}}
    for word, right in (({"$optional": []}, True), ({"a": 1}, False), ({"a": True}, True)):
        script = [calls("open", word=word), says("ok")]
        assert right == result_of({**given, "script": script}, tmp_path).right


def test_names_of_arguments_are_taken_as_they_are(tmp_path: Path) -> None:
    """A text with a slash, a tilde or a pointer in it names one member, and no other place."""
    put = tool("put", {"patch": [{"op": "add", "path": "/notes/{name}", "value": 1}], "output": "ok"}, name="string")
    names = ["a/b", "~1", "/../x", "", "{name}", "-"]
    given = {**case(*[calls("put", name=name) for name in names]), "tools": [put], "state": {"notes": {}}}
    assert result_of({**given, "end_state": {"notes": dict.fromkeys(names, 1)}}, tmp_path).right


def test_a_state_does_not_grow_without_end(tmp_path: Path) -> None:
    """A patch that doubles the state again and again fails the call, and leaves the state as it was."""
    wrap = [{"op": "add", "path": "/a", "value": {"a": {"$state": "/a"}}}]
    double = [{"op": "copy", "from": "/a", "path": "/a/-"}]
    twice = [{"op": "copy", "from": "/b", "path": f"/c{number}"} for number in range(40)]
    patches = {"deep": wrap * 60, "double": double * 100, "many": twice * 20}
    tools = [tool(name, {"patch": patch, "output": "ok"}) for name, patch in patches.items()]
    state = {"a": [1], "b": "x" * 20_000}
    end = {**state, **{f"c{number}": state["b"] for number in range(40)}}
    given = {**case(*[calls(name) for name in patches]), "tools": tools, "state": state, "end_state": end}
    record = result_of(given, tmp_path)
    deep, doubled, many = outputs(record, tmp_path)
    assert "deep failed: the state would be nested more than 56 levels deep" == deep
    assert "double failed: the state would have more than 8388608 bytes" == doubled
    assert ("ok", True) == (many, record.right)


def test_a_state_may_be_a_file(tmp_path: Path) -> None:
    """It lies below the suite's folder, several cases share it, and a change of it makes their runs again."""
    (tmp_path / "shop.json").write_text(json.dumps(SHOP))
    given = [
        {**case(calls("cancel", number=4711, why="late"), state="shop.json", end_state=CANCELLED), "id": f"{n}"}
        for n in range(2)
    ]
    suite = written(tmp_path / "suite.jsonl", given)
    made: list[RunRecord] = []
    assert all(record.right for record in evaluated(plan_of(suite), tmp_path / "out", made.append))
    (tmp_path / "shop.json").write_text(json.dumps({**SHOP, "balance": 50}))
    assert ["wrong_state"] * 2 == [each.cause for each in evaluated(plan_of(suite), tmp_path / "out", made.append)]
    assert 4 == len(made)


def test_secrets_are_hidden_in_a_state(tmp_path: Path) -> None:
    """What of them stands in a suite is not written again, neither into the result nor into the file."""
    given = {**case(), "state": {"text": "my-secret-key"}, "end_state": {}}
    plan = plan_of(written(tmp_path / "suite.jsonl", [given]))
    with EvalStore(tmp_path / "out") as store:
        run_blocking(Runner(plan, store, 1, Mask(["my-secret-key"])).run)
    results, kept = (next((tmp_path / "out").rglob(name)).read_text() for name in ("results.jsonl", "*.state.json"))
    assert ("wrong_state" in results, '"text"' in kept) == (True, True)
    assert "my-secret-key" not in results + kept


def test_members_of_a_state_change_the_key(tmp_path: Path) -> None:
    """A result is kept for the same state, the same patches and the same end only."""
    other = {**CANCEL, "results": CANCEL["results"][::-1]}
    given = [
        case(end_state={}), case(end_state=SHOP), case(state={"a": 1}, end_state={}),
        case(end_state={}, tools=[GET, other]),
    ]  # fmt: skip
    keys = [next(plan_of(written(tmp_path / "suite.jsonl", [each])).runs()).key for each in given]
    assert len(given) == len(set(keys))

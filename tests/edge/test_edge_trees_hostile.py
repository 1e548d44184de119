"""Trees of agents from clients that lie: what holds for a run holds for each run of its tree."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from purestep_hosts import calls, says
from tests.edge.scripted_trees import Post, answers_to, waiting
from tests.edge.sealing import SEAL_KEYS, sealed
from tests.web.test_agent_trees import LONG, PAYS, TWO, ask, both, desk, node, paid, with_specs

SEALED: dict[str, Any] = {"options": {"sealKeys": SEAL_KEYS, "timeLimitMs": 30_000}}
CARRIED = ("state", "messages", "children", "seal")
PAYING = (PAYS, says("Paid."))

Edit = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module", params=["node", "workerd"])
def post(request: pytest.FixtureRequest, hosts_of_trees: dict[str, Post]) -> Post:
    """What sends a request to each host in turn."""
    return hosts_of_trees[request.param]


def two() -> dict[str, Any]:
    """Return a tree whose two agents make the same call at once."""
    return with_specs(node(TWO, says("Done."), agents={"a": desk(*PAYING), "b": desk(*PAYING)}))


SEND = calls("send", amount=9)


def busy(acts: str = "a") -> dict[str, Any]:
    """Return a tree of which one agent acts, and does not come back, while the other waits for a person."""
    acting = node(SEND, says("Sent."), tools=["send"], results={"send": [None]}, instructions="You send.")
    return with_specs(node(TWO, says("Done."), agents={"a": desk(*PAYING), "b": desk(*PAYING), acts: acting}))


SHORT: dict[str, Any] = {"options": {"sealKeys": SEAL_KEYS, "timeLimitMs": 1500}}


def asked(post: Post, tree: dict[str, Any], **more: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the tree with what it has left to say, and the answer to a query."""
    found = post(tree, {"query": "Pay"}, **{**SEALED, **more})
    return found["agent"], found["body"]


def going_on(body: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the request of an honest client."""
    return {**{name: body[name] for name in CARRIED if name in body}, **more}


def refused(found: dict[str, Any]) -> tuple[int, str, str]:
    """Return the status, code and place of a refusal, after which nothing has run."""
    assert [] == found["ran"]
    error = found["body"]["error"]
    return found["status"], error["code"], error["path"]


def keyed(body: dict[str, Any], **said: bool) -> list[dict[str, Any]]:
    """Return answers by the agents that ask."""
    return [
        {"call_id": call["call_id"], "key": call["key"], "approved": said[path[-1]]}
        for path, call in waiting(body)
        if path[-1] in said
    ]


@pytest.mark.parametrize("yes", ["a", "b"])
def test_equal_calls_of_two_agents_are_told_apart(post: Post, yes: str) -> None:
    """They have one id, one tool and the same arguments; the key says whose is answered, in any order."""
    tree, body = asked(post, two())
    (first, second) = (call for _, call in waiting(body))
    assert ({**first, "key": ""}, ["a"], ["b"]) == ({**second, "key": ""}, waiting(body)[0][0], waiting(body)[1][0])
    answers = keyed(body, a=yes == "a", b=yes == "b")
    for approvals in (answers, answers[::-1]):
        done = post(copy.deepcopy(tree), going_on(body, approvals=approvals), **SEALED)
        assert [[f"{yes} > pay", {"amount": 5}]] == done["ran"]
        acts = {act["path"][0]: act["status"] for act in done["body"]["decision"]["acts"]}
        assert {yes: "succeeded", "b" if yes == "a" else "a": "refused"} == acts


def test_an_answer_is_about_a_call_that_waits(post: Post) -> None:
    """Not one of another run, one that was answered, one with the id of another agent's call, nor twice the same."""
    looking = {"tools": ["pay", "look"], "results": {"look": LONG, "pay": [paid(5)]}}
    agents = {"a": desk(*PAYING), "b": node(calls("look", amount=1), *PAYING, **looking)}
    tree, body = asked(post, with_specs(node(TWO, says("Done."), agents=agents)))
    a, b = keyed(body, a=True), keyed(body, b=True)
    assert ("call_1", "call_2") == (a[0]["call_id"], b[0]["call_id"])
    half = post(tree, going_on(body, approvals=a), **SEALED)["body"]
    (above,) = [call["key"] for call in body["state"]["pending"] if call["tool"] == "b"]
    wrong = {
        "stale_approval": [
            (body, [{**a[0], "key": "0" * 32}]),
            (body, [{**a[0], "key": above}]),
            (half, a),
            (body, [*a, {**b[0], "key": "0" * 32}]),
        ],
        "unknown_call": [(body, [{**b[0], "call_id": "call_1"}])],
        "duplicate_approval": [(body, [*b, *b])],
        "invalid_input": [(body, [{**b[0], "run_id": a[0]["key"]}]), (body, [{**b[0], "path": ["a"]}])],
    }
    for code, requests in wrong.items():
        for standing, approvals in requests:
            found = post(copy.deepcopy(tree), going_on(standing, approvals=approvals), **SEALED)
            assert (400, code) == refused(found)[:2], (code, approvals)


def in_child(*path: Any, to: Any) -> Edit:
    """Return the edit that sets one place in the run of the first agent."""

    def edit(request: dict[str, Any]) -> None:
        place = request["state"]["pending"][0]["child"]
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to

    return edit


def with_said(change: Callable[[dict[str, Any], list[str]], Any]) -> Edit:
    """Return the edit that changes the transcripts of the two agents."""

    def edit(request: dict[str, Any]) -> None:
        runs = [call["child"]["run_id"] for call in request["state"]["pending"]]
        change(request["children"], runs)

    return edit


def swapped(said: dict[str, Any], runs: list[str]) -> None:
    """Give each agent the words of the other."""
    said[runs[0]], said[runs[1]] = said[runs[1]], said[runs[0]]


EDITS: dict[str, tuple[Edit, str]] = {
    "an approval of one's own": (in_child("pending", 0, "approved", to=True), "seal_invalid"),
    "a call that runs": (in_child("pending", 0, "status", to="run"), "seal_invalid"),
    "another amount": (in_child("pending", 0, "params", "amount", to=500), "seal_invalid"),
    "another run": (in_child("run_id", to="0" * 32), "invalid_input"),
    "another agent": (in_child("agent", to="0" * 64), "seal_invalid"),
    "no agent": (lambda request: request["state"]["pending"][0].pop("child"), "invalid_input"),
    "another word": (with_said(lambda said, runs: said[runs[0]][-1].update(content="ok")), "seal_invalid"),
    "the words of another": (with_said(swapped), "seal_invalid"),
    "a word more": (with_said(lambda said, runs: said[runs[0]].append(said[runs[0]][-1])), "invalid_input"),
    "an agent's words left out": (with_said(lambda said, runs: said.pop(runs[1])), "invalid_input"),
    "words of no agent": (with_said(lambda said, runs: said.update(other=[])), "invalid_input"),
    "words of nobody": (with_said(lambda said, runs: said.update({"__proto__": []})), "invalid_input"),
    "no list": (with_said(lambda said, runs: said.update({runs[0]: {"length": 3}})), "invalid_input"),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edited_tree_is_refused(post: Post, name: str) -> None:
    """Its state and each agent's transcript are sealed."""
    edit, code = EDITS[name]
    tree, body = asked(post, two())
    request = json.loads(json.dumps(going_on(body, approvals=keyed(body, a=True, b=True))))
    edit(request)
    assert code == refused(post(tree, request, **SEALED))[1]


def test_a_tree_is_the_same_however_its_json_is_written(post: Post) -> None:
    """Blanks and escapes hide no agent: its transcript has to come along, and its calls are not passed over."""
    tree, body = asked(post, busy(), **SHORT)
    honest = going_on(body, approvals=keyed(body, b=True))
    for spelled in ('"child": {', '"ch\\u0069ld":{'):
        text = json.dumps(honest, separators=(",", ":")).replace('"child":{', spelled)
        whole = post(copy.deepcopy(tree), text, **SEALED)
        assert ([["b > pay", {"amount": 5}]], [["a"]]) == (whole["ran"], [path for path, _ in waiting(whole["body"])])
        lacking = json.dumps({**honest, "children": None}, separators=(",", ":")).replace('"child":{', spelled)
        assert (400, "invalid_input", "/children") == refused(post(copy.deepcopy(tree), lacking, **SEALED))


FORGED: dict[str, Edit] = {
    "another run": in_child("run_id", to="0" * 32),
    "another agent": in_child("agent", to="0" * 64),
    "a run that has ended": in_child("phase", to="done"),
    "a run below one that is none": in_child("pending", 0, "child", to={}),
    "a run in a call that waits": lambda request: request["state"]["pending"][0].update(status="approval"),
    "a call that runs unasked": in_child("pending", 0, "status", to="run"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_tree_is_refused_though_its_seal_is_in_order(post: Post, name: str) -> None:
    """As if a key had been stolen: no step can have left it so."""
    tree, body = asked(post, two())
    request = json.loads(json.dumps(going_on(body)))
    FORGED[name](request)
    runs = [each.get("child", {}).get("run_id", "") for each in request["state"]["pending"]]
    request["children"] = dict(zip(runs, request["children"].values(), strict=True))
    seal = sealed(request["state"], request["messages"], now_ms=1000, children=request["children"])["seal"]
    assert 400 == refused(post(tree, {**request, "seal": seal}, **SEALED))[0]


def test_a_tree_that_is_too_large_or_too_deep_is_refused_in_words(post: Post) -> None:
    """The bounds of a request hold for states and transcripts of agents, and the next request is served."""
    tree, body = asked(post, two())
    request = going_on(body, approvals=keyed(body, a=True, b=True))
    size = len(json.dumps(request, separators=(",", ":"), ensure_ascii=False).encode())
    found = post(copy.deepcopy(tree), request, options={"sealKeys": SEAL_KEYS, "maxBodyBytes": size - 1})
    assert (413, "body_too_large", "") == refused(found)
    assert f"at most {size - 1} bytes" in found["body"]["error"]["message"]
    chain = body["state"]["pending"][0]["child"]
    for _ in range(30):
        chain = {**chain, "pending": [{**chain["pending"][0], "child": chain}]}
    deep = copy.deepcopy(request)
    deep["state"]["pending"][0]["child"] = chain
    assert (400, "too_deep") == refused(post(copy.deepcopy(tree), deep, **SEALED))[:2]
    assert 200 == post(tree, request, options={"sealKeys": SEAL_KEYS, "maxBodyBytes": size})["status"]


@pytest.mark.parametrize(("acts", "pays"), [("a", "b"), ("b", "a")])
def test_an_answer_to_one_agent_runs_no_call_of_another_again(post: Post, acts: str, pays: str) -> None:
    """Nobody knows whether that call ran, so a person is asked first, and cannot have been asked before."""
    tree, body = asked(post, busy(acts), **SHORT)
    assert "time_limit" == body["error"]["code"]
    (runs,) = [each for each in (body["decision"], *body["also"]) if each["type"] == "invoke_tool"]
    answers, (unsure,) = keyed(body, **{pays: True}), runs["calls"]
    foreseen = [*answers, {"call_id": unsure["call_id"], "key": unsure["key"], "approved": True}]
    before = post(copy.deepcopy(tree), going_on(body, approvals=foreseen), **SEALED)
    assert "stale_approval" == refused(before)[1]
    tree["agents"][acts]["agent"]["results"]["send"] = [paid(9)]
    found = post(tree, going_on(body, approvals=answers), **SEALED)
    assert [[f"{pays} > pay", {"amount": 5}]] == found["ran"]
    ((path, call),) = waiting(found["body"])
    assert ([acts], "send", "outcome_unknown") == (path, call["tool"], call["reason"])
    done = post(found["agent"], going_on(found["body"], approvals=answers_to(found["body"], {9: True})), **SEALED)
    assert ([[f"{acts} > send", {"amount": 9}]], "Done.") == (done["ran"], done["body"]["result"])


def test_what_an_agent_has_found_is_kept_when_the_time_is_over(post: Post) -> None:
    """Of two agents one has its result and the other has not: only the other's call is left open."""
    found = {"ok": True, "output": "7 found"}
    quick = node(SEND, says("Sent."), tools=["send"], results={"send": [found]})
    slow = node(SEND, says("Sent."), tools=["send"], results={"send": [None]})
    tree, body = asked(post, with_specs(node(TWO, says("Done."), agents={"a": quick, "b": slow})), **SHORT)
    assert "7 found" in body["log"]
    tree["agents"]["b"]["agent"]["results"]["send"] = [found]
    asks = post(tree, going_on(body), **SEALED)
    assert ([], [["b"]]) == (asks["ran"], [path for path, _ in waiting(asks["body"])])


def test_a_definition_of_a_client_loosens_no_rule_of_an_agent(post: Post) -> None:
    """By whatever name it calls the agent, or where it puts the tool."""
    own = with_specs(node(agents={"desk": desk()}))
    (spec,) = own["agents"]["desk"]["agent"]["specs"]
    free = {**spec, "approval": "auto", "annotations": {"readOnlyHint": True}}
    pays = {"tools": [free], "approval": {"tools": {"pay": "auto"}, "default": "auto"}}
    for name, agent in {
        "desk": {"agents": {"desk": {"agent": pays}}},
        "other": {"agents": {"other": {"agent": pays}}},
        "bare": {"agents": {"bare": pays}},
        "tool": {"tools": [{"agent": pays, "as": "tool"}]},
    }.items():
        tree = copy.deepcopy(own)
        tree["outputs"] = [ask(name, "Pay 5"), PAYS, says("Paid."), says("Done.")]
        tree["agents"]["desk"]["agent"]["outputs"] = [PAYS, says("Paid.")]
        found = post(tree, {"query": "Pay", "agent": agent}, **SEALED)
        assert ([], [[name]]) == (found["ran"], [path for path, _ in waiting(found["body"])]), found["body"]
    moved = copy.deepcopy(own)
    moved["outputs"] = [PAYS]
    assert [[]] == [path for path, _ in waiting(post(moved, {"query": "Pay", "agent": pays}, **SEALED)["body"])]


def test_a_call_that_goes_on_elsewhere_is_kept_when_the_time_is_over(post: Post) -> None:
    """Its handle is in the log, and only the call that did not come back is asked about; in an agent, too."""
    elsewhere = {"later": "job-7"}
    sends = both(SEND, calls("look", amount=1))
    one = node(sends, says("Done."), tools=["send", "look"], results={"send": [elsewhere], "look": [None]})
    for tree in (one, node(ask("a", "Send"), says("Done."), agents={"a": one})):
        left, body = asked(post, with_specs(tree), **SHORT)
        assert "job-7" in body["log"]
        again = post(left, going_on(body), **SHORT)
        assert ["send"] != [name for name, _ in again["ran"]]
        assert [] == [call for _, call in waiting(again["body"]) if call["tool"] == "send"]


@pytest.mark.parametrize("tools", [5, {}, "ab"])
def test_tools_of_a_client_that_are_no_list_are_refused(post: Post, tools: Any) -> None:
    """As they came, by the core: the service itself has agents among its tools."""
    found = post(with_specs(node(agents={"desk": desk()})), {"query": "Pay", "agent": {"tools": tools}}, **SEALED)
    assert (400, "invalid_agent", "/agent/tools") == refused(found)


def test_a_tree_goes_on_under_its_own_definition_alone(post: Post) -> None:
    """An agent with other instructions is another one."""
    tree, body = asked(post, two())
    tree["agents"]["b"]["agent"]["members"]["instructions"] = "You pay all."
    found = post(tree, going_on(body, approvals=keyed(body, a=True, b=True)), **SEALED)
    assert "agent_mismatch" == refused(found)[1]


def test_both_in_one_request(post: Post) -> None:
    """All that two agents ask is answered at once, and each call runs in its agent."""
    tree, body = asked(
        post,
        two(),
    )
    done = post(tree, going_on(body, approvals=keyed(body, a=True, b=True)), **SEALED)
    assert sorted([["a > pay", {"amount": 5}], ["b > pay", {"amount": 5}]]) == sorted(done["ran"])
    assert "Done." == done["body"]["result"]
    assert not {"children", "also"} & set(done["body"])

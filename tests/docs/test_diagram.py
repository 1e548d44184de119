"""The diagram of transitions says no more and no less than what runs do."""

from purestep.steps import TRANSITIONS
from tests.core.agents import ADD as ADD_TOOL
from tests.core.agents import agent, call, final, ok, said, tool
from tests.core.driver import Driver

Edge = tuple[str, str, str]

CANCEL = {"type": "cancel"}
USER = {"type": "user_message", "content": "more"}
ERROR = {"type": "model_error", "code": "unavailable", "message": ""}
RESUMED = {"type": "resumed"}
ELSEWHERE = {"type": "tool_pending", "call_id": "call_1", "handle": "job-1"}
LOOK = tool("look", annotations={"readOnlyHint": True})
ACT = {"name": "act", "parameters": {"type": "object"}}
CHANGED = {"type": "agent_changed", "agent": {"limits": {"max_turns": 1}}}
GONE = {"type": "agent_changed", "agent": {}}
KEPT = {"type": "agent_changed", "agent": {"tools": [ADD_TOOL]}}
RETRY = {**ERROR, "retryable": True}
ADD = said(call("add_numbers", a=1, b=2))
BOTH = said("[" + call("shell", command="ls") + "," + call("shell", command="pwd") + "]")
TWO = said("[" + call("add_numbers", a=1, b=2) + "," + call("add_numbers", a=1, b=3) + "]")


def answer(driver: Driver, number: int, approved: bool) -> dict[str, object]:
    """Return the approval of the nth call that waits."""
    entry = driver.decision["calls"][number]
    return {
        "type": "approvals",
        "approvals": [{"call_id": entry["call_id"], "key": entry["key"], "approved": approved}],
    }


def played(
    *scripts: list[object],
    unknown_outcome: str = "ask",
    checked: bool = False,
    plausible: bool = False,
    ranked: bool = False,
    **limits: int,
) -> set[Edge]:
    """Play scripts; gives every (phase, observation, phase after) that was seen.

    checked: the answer is checked by a tool. plausible: outputs have to say something. ranked: most tools are
    found, and ranked by one.
    """
    seen: set[Edge] = set()
    for script in scripts:
        policy = {"unknown_outcome": unknown_outcome}
        outputs = {"checks": ["plausibility"]} if plausible else {}
        tools = [*[{**each, **outputs} for each in agent()["tools"]], LOOK, ACT]
        checks = [{"tool": "look"}] if checked else []
        found = {"tools_offered": 1, "tools_ranked_by": "look"} if ranked else {}
        driver = Driver(agent(limits=limits, approval=policy, tools=tools, checks=checks, **found), at=0)
        for act in script:
            observation = act(driver) if callable(act) else act
            assert driver.state is not None
            before = driver.state["phase"]
            assert "path" not in driver.send(observation), observation
            seen.add((before, observation["type"], driver.state["phase"]))
    return seen


def test_every_arrow_is_played_and_no_other() -> None:
    """Runs that take each way once give exactly the arrows of the diagram."""
    refuse_0, approve_0 = (lambda d: answer(d, 0, False)), (lambda d: answer(d, 0, True))
    seen = played(
        [said("prose"), said("prose"), USER],
        [said(final("42")), USER],
        [ADD, ok("call_1", 42), CANCEL],
        [TWO, ok("call_2", 42), CANCEL],
        [TWO, ELSEWHERE, ok("call_2", 42), CANCEL],
        [said(call("act")), ELSEWHERE],
        [BOTH, approve_0, approve_0, CANCEL],
        [BOTH, refuse_0, refuse_0, CANCEL],
        [BOTH, CANCEL],
        [said(call("act")), RESUMED],
        [said(call("look")), RESUMED],
        [RETRY, ERROR],
        [USER, CHANGED],
        [said("prose"), said("prose"), CHANGED],
        [said(final("42")), CHANGED],
        [ADD, USER, KEPT, GONE],
        [BOTH, USER, {**KEPT, "agent": agent()}, GONE],
        [said("[" + call("shell", command="ls") + "," + call("add_numbers", a=1, b=2) + "]"), KEPT],
    )
    seen |= played([ADD, CHANGED], [BOTH, CHANGED], [ADD, ELSEWHERE], max_turns=1)
    seen |= played([ADD, ok("call_1", ""), ADD, ok("call_2", "")], plausible=True)
    seen |= played([BOTH, approve_0, lambda d: {**approve_0(d), "at": 5}], deadline_ms=1)
    seen |= played([said(call("act")), RESUMED], unknown_outcome="fail")
    seen |= played([said(final("42")), ok("call_1", {"accept": True})], checked=True)
    seen |= played([said(call("find_tools", query="add")), RESUMED, RESUMED, RESUMED], ranked=True)
    drawn = {
        (before, kind.__struct_config__.tag, after)
        for before, accepted in TRANSITIONS.items()
        for kind, transition in accepted.items()
        for after in transition.leads_to
    }
    assert drawn - seen == set()
    assert seen - drawn == set()

"""A tool of the host scores what a search may find: logged, bounded, and a search does without one that fails."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purestep
from purestep.text import fused
from tests.core.agents import answer, approvals, call, failure, native_call, ok, results, said, tool
from tests.core.driver import Driver, assert_replays, stepped

READ = {"readOnlyHint": True}
ABOUT = {
    "mail__send": "Send a letter.",
    "mail__list": "List letters.",
    "files__move": "Move a file.",
    "files__read": "Read a file.",
    "maps__route": "Find the way from one town to another.",
    "maps__height": "Tell the elevation of a mountain.",
}
RANK = {**tool("rank", {"query": {"type": "string"}, "limit": {"type": "integer"}}), "annotations": READ}
HELP = {**tool("help", {}), "annotations": READ, "always": True}


def _definition(**members: Any) -> dict[str, Any]:
    tools = [{**tool(name, {}), "description": about, "annotations": READ} for name, about in ABOUT.items()]
    given = {"dialect": "native", "tools": [*tools, HELP, RANK], "tools_offered": 4, "tools_ranked_by": "rank"}
    return {**given, **members}


def _pieces(text: str) -> set[str]:
    folded = f" {text.lower()} "
    return {folded[at : at + 3] for at in range(len(folded) - 2)}


def _scores(query: str) -> list[dict[str, Any]]:
    """Return what a small ranker says: the share of the three-letter pieces that two texts have in common."""
    found = []
    for name, about in ABOUT.items():
        texts = _pieces(query), _pieces(about)
        found.append({"name": name, "score": len(texts[0] & texts[1]) / len(texts[0] | texts[1])})
    return found


def _searching(query: str = "altitudes", **members: Any) -> Driver:
    driver = Driver(_definition(**members))
    driver.send(said(None, tool_calls=[native_call("find_tools", {"query": query})]))
    return driver


def _ranked(driver: Driver, output: Any) -> None:
    driver.send(ok(driver.decision["call_id"], output))


def _found(driver: Driver) -> list[str]:
    found: list[str] = driver.events("skill_ended")[-1]["output"]
    return found


def test_a_search_has_the_host_rank_the_tools() -> None:
    """By a call of its own that names the search, with the query and how many are looked at."""
    driver = _searching()
    (asked,) = driver.decision["calls"]
    assert ("rank", {"query": "altitudes", "limit": 10}, "call_1") == (asked["tool"], asked["params"], asked["checks"])
    _ranked(driver, [{"name": "maps__height", "score": 0.9}, {"name": "maps__route", "score": 0.2}])
    assert ["maps__height", "maps__route"] == _found(driver)
    assert "call_model" == driver.decision["type"]
    assert ["tool_call", "tool_result", "skill_started", "skill_ended"] == driver.kinds()[-4:]
    assert_replays(driver)


def test_model_is_told_of_the_search_alone() -> None:
    """The tool that ranks is not offered, no result of it is read, and no budget counts its call."""
    driver = _searching(limits={"max_tool_calls": 1})
    _ranked(driver, [{"name": "maps__height", "score": 1}])
    assert ["help", "find_tools", "maps__height"] == [each["function"]["name"] for each in driver.decision["tools"]]
    assert "rank" not in json.dumps(driver.messages)
    assert "tool_calls" not in driver.state["exchange"]["used"]  # type: ignore[index] (a state is there)
    driver.send(said(None, tool_calls=[native_call("maps__height", {})]))
    assert "invoke_tool" == driver.decision["type"]
    driver = _searching()
    _ranked(driver, [])
    driver.send(said(None, tool_calls=[native_call("rank", {"query": "x", "limit": 1})]))
    assert "unknown_tool" == driver.decision["cause"]


def test_a_real_ranker_finds_by_what_no_word_has() -> None:
    """Neither the word nor its beginning stands in the tool's text; a part of it does."""
    alone = Driver(_definition(tools_ranked_by=None))
    alone.send(said(None, tool_calls=[native_call("find_tools", {"query": "unreadable"})]))
    assert [] == _found(alone)
    driver = _searching("unreadable")
    _ranked(driver, _scores("unreadable"))
    assert "files__read" == _found(driver)[0]
    assert_replays(driver)


def test_both_orders_count_alike() -> None:
    """What stands high in both comes first, then the first of each by name; the scores' size says nothing."""
    driver = _searching("send letter")
    scored = [("mail__list", 1e300), ("files__move", 5), ("mail__send", -3)]
    _ranked(driver, [{"name": name, "score": score} for name, score in scored])
    assert ["mail__list", "mail__send", "files__move"] == _found(driver)


def test_order_of_equal_places_is_that_of_the_names() -> None:
    """Whatever the order in which they came."""
    assert ["a", "b", "c", "d"] == fused(["b", "d"], ["a", "c"])
    for names in (["maps__route", "files__move"], ["files__move", "maps__route"]):
        driver = _searching("zzz")
        _ranked(driver, [{"name": name, "score": 1} for name in names])
        assert ["files__move", "maps__route"] == _found(driver)


def test_names_that_nothing_is_found_by_are_ignored() -> None:
    """Of no tool, of one that is offered anyway, of the ranker itself; one that comes twice counts by its best."""
    driver = _searching("zzz")
    nobody = [(f"nobody_{at}", 9) for at in range(12)]
    names = [*nobody, ("help", 8), ("rank", 7), ("find_tools", 6), ("files__read", 1), ("maps__route", 3)]
    _ranked(driver, [{"name": name, "score": score} for name, score in [*names, ("files__read", 5)]])
    assert ["files__read", "maps__route"] == _found(driver)


def test_state_keeps_the_best_ten() -> None:
    """While another call of the turn runs; however many were ranked."""
    definition = _definition()
    many = [{**tool(f"many_{at:02}", {}), "annotations": READ} for at in range(30)]
    driver = Driver({**definition, "tools": [*definition["tools"], *many]})
    calls = [native_call("find_tools", {"query": "zzz"}), native_call("maps__height", {})]
    driver.send(said(None, tool_calls=calls))
    driver.send(ok("call_3", [{"name": f"many_{at:02}", "score": at} for at in range(30)]))
    kept = driver.state["pending"][-1]["text"].split("\n")  # type: ignore[index] (a state is there)
    assert [f"many_{at:02}" for at in range(29, 19, -1)] == kept


@pytest.mark.parametrize(
    ("output", "why"),
    [
        (None, "expected a list of name and score; got null"),
        ([["mail__send", 1]], "expected a list"),
        ([{"name": "mail__send", "score": "high"}], "expected a list"),
        ([{"name": "mail__send", "score": True}], "expected a list"),
        ([{"name": "mail__send", "score": 1, "because": "x"}], "expected a list"),
        ([{"name": "mail__send", "score": 1}] * 4097, "expected a list"),
        ({"accept": True}, "expected a list"),
    ],
)
def test_what_is_no_ranking_leaves_the_order_by_words(output: Any, why: str) -> None:
    """The log says why, in words; the model learns nothing of it."""
    driver = _searching("send letter")
    _ranked(driver, output)
    assert ["mail__send", "mail__list"] == _found(driver)
    (problem,) = driver.events("skill_started")[0]["problems"]
    assert "unranked" == problem["code"]
    assert why in problem["message"]
    assert "rank" not in json.dumps(driver.messages)
    assert_replays(driver)


def test_a_ranking_that_fails_leaves_the_order_by_words() -> None:
    """Also one that ran past its time."""
    driver = _searching("send letter")
    failed = {"call_id": "call_2", "ok": False, "error": "no memory", "error_kind": "interrupted"}
    driver.send({"type": "tool_results", "results": [failed]})
    assert ["mail__send", "mail__list"] == _found(driver)
    assert "rank: no memory" == driver.events("skill_started")[0]["problems"][0]["message"]
    assert_replays(driver)


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_scores_that_are_no_finite_numbers_are_refused(score: float) -> None:
    """As the typed functions may be given them: in JSON there are none, so they stand as null in the log."""
    agent = purestep.Agent.load(_definition())
    run = purestep.start(agent, purestep.UserMessage(content="x"), run_id="r")
    calls = [native_call("find_tools", {"query": "send letter"})]
    run = purestep.step(run.state, purestep.convert_to(said(None, tool_calls=calls), purestep.ModelOutput))
    result = purestep.ToolResult(call_id="call_2", ok=True, output=[{"name": "maps__route", "score": score}])
    ended = purestep.step(run.state, purestep.ToolResults(results=(result,)))
    assert 'expected a list of name and score; got [{\\"name\\"' in ended.log
    assert '"output":["mail__send","mail__list"]' in ended.log


def test_arguments_that_the_ranker_does_not_take_leave_the_order_by_words() -> None:
    """Nothing is called; a definition is not refused for the schema of one of its tools."""
    strict = {**RANK, "parameters": {"type": "object", "properties": {"query": {"type": "string", "maxLength": 3}}}}
    definition = _definition()
    driver = Driver({**definition, "tools": [*definition["tools"][:-1], strict]})
    driver.send(said(None, tool_calls=[native_call("find_tools", {"query": "send letter"})]))
    assert ["mail__send", "mail__list"] == _found(driver)
    assert "3" in driver.events("skill_started")[0]["problems"][0]["message"]
    assert_replays(driver)


def test_two_searches_and_a_call_run_together() -> None:
    """Each search has its ranking, numbered after the model's calls; results come in any order."""
    driver = Driver(_definition())
    calls = [("find_tools", {"query": "zzz"}), ("maps__height", {}), ("find_tools", {"query": "letter"})]
    driver.send(said(None, tool_calls=[native_call(*each) for each in calls]))
    assert {"call_2": None, "call_4": "call_1", "call_5": "call_3"} == {
        call_id: each.get("checks") for call_id, each in driver.calls().items()
    }
    driver.send(ok("call_5", [{"name": "maps__route", "score": 1}]))
    driver.send(ok("call_2", "high"))
    assert "invoke_tool" == driver.decision["type"]
    driver.send(ok("call_4", [{"name": "files__move", "score": 1}]))
    found = [each["output"] for each in driver.events("skill_ended")]
    assert [["files__move"], ["mail__send", "maps__route", "mail__list"]] == found
    assert ["call_1", "call_2", "call_3"] == [each["tool_call_id"] for each in driver.messages[-3:]]
    assert_replays(driver)


def test_text_dialects_search_alike() -> None:
    """The envelope's calls are ranked, too."""
    driver = Driver(_definition(dialect="envelope"))
    driver.send(said(call("find_tools", query="zzz")))
    _ranked(driver, [{"name": "maps__route", "score": 1}])
    assert "- maps__route: Find the way" in driver.messages[-1]["content"]
    assert_replays(driver)


def test_a_ranker_that_stops_its_host_is_given_up() -> None:
    """It is run again a few times, since it only reads; then the search goes on by words, and the run with it."""
    driver = _searching("send letter")
    for _ in range(20):
        if driver.decision["type"] != "invoke_tool":
            break
        driver.send({"type": "resumed"})
    assert ["mail__send", "mail__list"] == _found(driver)
    assert "call_model" == driver.decision["type"]
    assert_replays(driver)


def test_a_ranking_waits_for_approvals_of_its_turn_and_ends_with_the_run() -> None:
    """Nothing is handed out before a person has answered; a cancelled run has no result of it."""
    definition = _definition(approval={"tools": {"mail__send": "ask"}})
    driver = Driver(definition)
    both = [native_call("find_tools", {"query": "zzz"}), native_call("mail__send", {})]
    driver.send(said(None, tool_calls=both))
    assert "request_approval" == driver.decision["type"]
    driver.answer_all(False)
    assert ["rank"] == [each["tool"] for each in driver.decision["calls"]]
    driver.send({"type": "cancel"})
    assert "failed" == driver.decision["type"]
    assert_replays(driver)


def test_a_ranking_is_no_call_that_goes_on_elsewhere() -> None:
    """Nobody but the search would read it."""
    driver = _searching()
    error = driver.send({"type": "tool_pending", "call_id": "call_2", "handle": "h"})
    assert "unknown_call" == error["code"]


def test_few_tools_are_not_ranked() -> None:
    """Where all are offered there is no search, and the tool is called by nobody."""
    driver = Driver(_definition(tools_offered=40))
    assert [*sorted([*ABOUT, "help"])] == [each["function"]["name"] for each in driver.decision["tools"]]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"tools_ranked_by": "nobody"}, "no tool is named"),
        ({"tools_ranked_by": "mail__send", "approval": {"default": "ask"}}, "approval rule auto"),
        ({"tools": [*_definition()["tools"][:-1], {**RANK, "annotations": {}}]}, "readOnlyHint"),
        ({"tools": [*_definition()["tools"][:-1], {**RANK, "checks": ["plausibility"]}]}, "list of scores"),
        ({"tools_ranked_by": 7}, "expected"),
        ({"checks": [{"use": "obligation", "tools": ["rank"]}]}, "by the core alone"),
        ({"agents": {"rank": {"agent": {"name": "x"}}}, "tools": _definition()["tools"][:-1]}, "is an agent"),
    ],
)
def test_a_tool_that_cannot_rank_is_refused(changed: dict[str, Any], words: str) -> None:
    """It reads only, nobody is asked, and its output is no result of the model's."""
    with pytest.raises(purestep.PurestepError) as caught:
        purestep.Agent.load(_definition(**changed))
    assert "invalid_agent" == caught.value.code
    assert words in caught.value.message


@pytest.mark.parametrize(
    "members",
    [
        {"tool": "help"},
        {"params": {"query": "other", "limit": 10}},
        {"params": {"query": "altitudes", "limit": 4000}},
        {"condition": 1},
        {"checks": "call_9"},
        {"status": "skill"},
        {"said": "x"},
    ],
)
def test_state_with_another_ranking_is_refused(members: dict[str, Any]) -> None:
    """Each member of the call follows from the search and the definition."""
    driver = _searching()
    assert driver.state is not None
    search, ranking = driver.state["pending"]
    state = {**driver.state, "pending": [search, {**ranking, **members}]}
    error = stepped(agent=driver.definition, state=state, observation=ok("call_2", []))["error"]
    assert "invalid_state" == error["code"]


@pytest.mark.parametrize("text", ["nobody", "maps__route\n" * 5000, "help\nrank", "\n\n"])
def test_ranking_in_a_state_of_a_client_finds_no_more_than_there_is(text: str) -> None:
    """Names are looked up among the deferred tools, and as many are read as ever."""
    driver = Driver(_definition())
    calls = [native_call("find_tools", {"query": "zzz"}), native_call("maps__height", {})]
    driver.send(said(None, tool_calls=calls))
    driver.send(ok("call_3", []))
    assert driver.state is not None
    pending = [{**each, "text": text} if each["call_id"] == "call_3" else each for each in driver.state["pending"]]
    output = stepped(agent=driver.definition, state={**driver.state, "pending": pending}, observation=ok("call_2", 1))
    found = output["state"]["exchange"].get("found", [])
    assert [4] == found if "route" in text else not found


def test_what_was_not_read_as_written_stands_with_the_search() -> None:
    """The call of the ranker is not the model's, so it has no problems of the output."""
    plain = Driver(_definition(dialect="envelope", tools_ranked_by=None))
    ranked = Driver(_definition(dialect="envelope"))
    for driver in (plain, ranked):
        driver.send(said(call("find_tools", query="zzz")[:-1]))
    _ranked(ranked, [])
    one, two = (driver.events("skill_started")[0] for driver in (plain, ranked))
    assert one["problems"] == two["problems"] != []


def test_a_ranker_is_given_up_beside_a_call_that_a_person_is_asked_about() -> None:
    """Both may be what stops the host: the call that acts needs a person each time, the ranking nobody."""
    definition = _definition()
    act = tool("maps__draw", {})
    driver = Driver({**definition, "tools": [*definition["tools"], act]})
    both = [native_call("find_tools", {"query": "send letter"}), native_call("maps__draw", {})]
    driver.send(said(None, tool_calls=both))
    for _ in range(3):
        assert ["call_2", "call_3"] == [*driver.calls()]
        driver.send({"type": "resumed"})
        assert ["call_2"] == [each["call_id"] for each in driver.decision["calls"]]
        driver.answer_all(True)
    assert ["call_2"] == [*driver.calls()]
    driver.give_all("drawn")
    assert ["mail__send", "mail__list"] == _found(driver)
    assert_replays(driver)


_SCORED = st.lists(st.tuples(st.sampled_from([*ABOUT, "nobody"]), st.floats(-2, 2)), max_size=4)
_RANKINGS = _SCORED.map(lambda scored: [{"name": name, "score": score} for name, score in scored])
_OUTPUTS = st.one_of(_RANKINGS, st.just("no"))
_CALLED = st.one_of(
    st.tuples(st.just("find_tools"), st.sampled_from(["send letter", "zzz", "file", "unreadable"])),
    st.tuples(st.sampled_from(["maps__height", "maps__draw"]), st.just("")),
)
_TURN = st.lists(_CALLED, min_size=1, max_size=3)


def _answered(driver: Driver, data: st.DataObject) -> dict[str, Any]:
    """Return an observation that answers a decision which waits for calls."""
    if driver.decision["type"] == "request_approval":
        return approvals(*(answer(each, data.draw(st.booleans())) for each in driver.decision["calls"]))
    if data.draw(st.integers(0, 3)) == 0:
        return {"type": "resumed"}
    call_id, called = data.draw(st.sampled_from([*driver.calls().items()]))
    output = data.draw(_OUTPUTS) if called["tool"] == "rank" else "given"
    return ok(call_id, output) if data.draw(st.integers(0, 3)) else results(failure(call_id, "no memory"))


@given(turns=st.lists(_TURN, min_size=1, max_size=3), data=st.data())
def test_results_in_any_order_leave_a_log_that_replays(turns: list[list[tuple[str, str]]], data: st.DataObject) -> None:
    """With failures, stopped hosts and people between them; each search without a ranking finds what words find."""
    definition = _definition(limits={"max_corrections": 9, "max_repeats": 9})
    driver = Driver({**definition, "tools": [*definition["tools"], tool("maps__draw", {})]})
    alone = purestep.Agent.load({**definition, "tools_ranked_by": None})
    for turn in turns:
        if driver.decision["type"] != "call_model":
            break
        calls = [native_call(name, {"query": query} if query else {}) for name, query in turn]
        driver.send(said(None, tool_calls=calls))
        while driver.decision["type"] in ("invoke_tool", "request_approval"):
            error = driver.send(_answered(driver, data))
            assert "path" not in error, error
    assert_replays(driver)
    assert alone.search is not None
    for begun, ended in zip(driver.events("skill_started"), driver.events("skill_ended"), strict=True):
        if "problems" in begun:
            by_words = [alone.search.names[place] for place in alone.search.find(begun["params"]["query"])]
            assert by_words[:4] == ended["output"]

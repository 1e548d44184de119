"""Of many tools a model is offered a few, and finds the others: appended, bounded, checked as any call is."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purestep
from tests.core.agents import call, final, native_call, ok, said, tool
from tests.core.driver import Driver, altered, stepped

READ = {"readOnlyHint": True}
KINDS = ("mail", "calendar", "files", "weather", "orders")


def _tools(number: int = 50, **members: Any) -> list[dict[str, Any]]:
    """Return tools whose names say what they do: KIND__VERB_NUMBER."""
    made = []
    for at in range(number):
        kind, verb = KINDS[at % 5], ("find", "list", "read")[at % 3]
        spec = tool(f"{kind}__{verb}_{at}", {"id": {"type": "integer"}})
        made.append({**spec, "description": f"{verb.title()} {kind}.", "annotations": READ, **members})
    return made


SEND = {**tool("mail__send", {"to": {"type": "string"}}), "description": "Send a letter.", "approval": "ask"}
HELP = {**tool("help", {}), "annotations": READ, "always": True}


def _definition(**members: Any) -> dict[str, Any]:
    return {"tools": [*_tools(), SEND, HELP], **members}


def _native(name: str, **arguments: Any) -> dict[str, Any]:
    return said(None, tool_calls=[native_call(name, arguments)])


def _names(driver: Driver) -> list[str]:
    """Return the names that a native model is offered, in their order."""
    return [entry["function"]["name"] for entry in driver.decision["tools"]]


def _verified(driver: Driver) -> bool:
    known: dict[str, Any] = json.loads(purestep.verify_log(driver.log))
    return bool(known["ok"]) and json.loads(purestep.replay_log(driver.log))["state"] == driver.state


def test_few_tools_are_all_offered() -> None:
    """Forty by default; one more and the rest is found."""
    assert 40 == len(Driver({"dialect": "native", "tools": _tools(40)}).decision["tools"])
    assert ["find_tools"] == _names(Driver({"dialect": "native", "tools": _tools(41)}))
    assert 50 == len(Driver({"dialect": "native", "tools": _tools(), "tools_offered": 50}).decision["tools"])


def test_prompt_counts_kinds_and_names_only_what_is_always_offered() -> None:
    """What a definition has the model use is offered, too."""
    driver = Driver(_definition(dialect="native"))
    assert ["help", "find_tools"] == _names(driver)
    about = driver.decision["tools"][-1]["function"]["description"]
    assert "51 more" in about
    assert "mail (11), calendar (10), files (10), weather (10), orders (10)." in about
    chosen = _definition(dialect="native", tool_choice={"tool": "files__list_7"})
    assert ["files__list_7", "help", "find_tools"] == _names(Driver(chosen))
    demanded = _definition(dialect="native", checks=[{"use": "obligation", "tools": ["mail__send"]}])
    assert "mail__send" in _names(Driver(demanded))


def test_found_tools_are_appended_for_the_exchange() -> None:
    """The head of the tools and all messages stay as they were; the next exchange begins as the first did."""
    driver = Driver(_definition(dialect="native"))
    before, prompt = driver.decision["tools"], driver.prompt()
    driver.send(_native("find_tools", query="send a letter"))
    assert "call_model" == driver.decision["type"]
    assert before == driver.decision["tools"][: len(before)]
    assert prompt == driver.prompt()[: len(prompt)]
    assert "mail__send" == _names(driver)[len(before)]
    assert "- mail__send: Send a letter." in driver.messages[-1]["content"]
    assert [50] == driver.state["exchange"]["found"][:1]  # type: ignore[index] (a state is there)
    found = driver.decision["tools"]
    driver.send(_native("find_tools", query="orders"))
    assert found == driver.decision["tools"][: len(found)] != driver.decision["tools"]
    driver.send(said("Done."))
    driver.send({"type": "user_message", "content": "And now?"})
    assert before == driver.decision["tools"]
    assert _verified(driver)


_ACTS = st.one_of(
    st.tuples(st.just("find_tools"), st.sampled_from(["send a letter", "orders", "read files", "weather", "zzz"])),
    st.tuples(st.sampled_from([each["name"] for each in _tools(12)]), st.sampled_from([7, "seven"])),
    st.tuples(st.sampled_from(["mail_find_0", "files__reed_2"]), st.just(7)),
)


@pytest.mark.parametrize("dialect", ["native", "envelope"])
@given(acts=st.lists(_ACTS, max_size=7))
def test_what_was_offered_stands_as_it_did_in_the_next_prompt(dialect: str, acts: list[tuple[str, Any]]) -> None:
    """After searches, calls of tools that were found or not, wrong arguments and wrong names: prompts only grow."""
    driver = Driver(_definition(dialect=dialect, limits={"max_corrections": 20, "max_repeats": 20}))
    for name, value in acts:
        before, prompt = driver.decision.get("tools", []), driver.prompt()
        arguments = {"query": value} if name == "find_tools" else {"id": value}
        driver.send(_native(name, **arguments) if dialect == "native" else said(call(name, **arguments)))
        if driver.decision["type"] == "invoke_tool":
            driver.send(ok(driver.decision["call_id"], "Nothing."))
        if driver.decision["type"] != "call_model":
            break
        assert before == driver.decision.get("tools", [])[: len(before)]
        assert prompt == driver.prompt()[: len(prompt)]
    assert _verified(driver)


def test_text_dialects_read_what_was_found_in_the_result() -> None:
    """The system text stays as it is, and the grammar lets the model write calls of the found tools."""
    driver = Driver(_definition())
    head = driver.messages[0]
    assert "mail__send" not in json.dumps(driver.decision["response_format"]) + head["content"]
    driver.send(said(call("find_tools", query="send a letter")))
    assert '- mail__send: Send a letter.\n  parameters: {"' in driver.messages[-1]["content"]
    assert "mail__send" in json.dumps(driver.decision["response_format"])
    assert head == driver.prompt()[0]
    assert _verified(driver)


def test_log_says_what_was_found() -> None:
    """In the lines of a skill that the core executes, and no call is handed out."""
    driver = Driver(_definition())
    driver.send(said(call("find_tools", query="send a letter")))
    started, ended = driver.lines()[-2:]
    assert ("skill_started", {"query": "send a letter"}) == (started["kind"], started["params"])
    assert ("skill_ended", ["mail__send"]) == (ended["kind"], ended["output"])


def test_tool_called_by_its_right_name_runs_without_a_search() -> None:
    """Its arguments fit, so the model was certain; approvals hold as ever, and nothing more is offered."""
    driver = Driver(_definition(dialect="native"))
    before = driver.decision["tools"]
    driver.send(_native("mail__send", to="ann@example.org"))
    assert "request_approval" == driver.decision["type"]
    driver.answer_all(True)
    driver.give_all("sent")
    assert before == driver.decision["tools"]
    assert _verified(driver)


@pytest.mark.parametrize("dialect", ["native", "envelope"])
def test_wrong_arguments_of_a_tool_that_was_not_found_bring_its_schema(dialect: str) -> None:
    """The correction offers it: what it takes, nobody has told the model."""
    driver = Driver(_definition(dialect=dialect))
    wrong = {"id": "seven"}
    driver.send(_native("files__list_7", **wrong) if dialect == "native" else said(call("files__list_7", **wrong)))
    assert ("correction", "invalid_arguments") == (driver.decision["reason"], driver.decision["cause"])
    if dialect == "native":
        assert "files__list_7" == _names(driver)[-1]
        driver.send(_native("files__list_7", id=7))
    else:
        assert '- files__list_7: List files.\n  parameters: {"' in driver.messages[-1]["content"]
        driver.send(said(call("files__list_7", id=7)))
    assert "invoke_tool" == driver.decision["type"]
    assert _verified(driver)


def test_a_name_that_is_nearly_right_brings_the_tool_and_no_list_of_all() -> None:
    """The nearest of all tools is offered, and those that are offered are named."""
    driver = Driver(_definition())
    driver.send(said(call("mail__sent", to="x")))
    content = driver.messages[-1]["content"]
    assert 'Did you mean "mail__send"? The tools are: help, find_tools.' in content
    assert '- mail__send: Send a letter.\n  parameters: {"' in content
    assert [50] == driver.state["exchange"]["found"]  # type: ignore[index]


def test_the_oldest_found_tools_give_way_past_what_a_model_is_offered() -> None:
    """A run that searches again and again stays bounded; what gave way can still be called."""
    driver = Driver(_definition(dialect="native", tools_offered=6))
    for kind in KINDS:
        driver.send(_native("find_tools", query=kind))
        assert len(_names(driver)) <= 2 + 6
    assert "mail__find_0" not in _names(driver)
    driver.send(_native("mail__find_0", id=1))
    assert "invoke_tool" == driver.decision["type"]
    assert _verified(driver)


def test_user_message_that_chooses_a_deferred_tool_has_it_offered() -> None:
    """In text the user's message is followed by what the tool takes."""
    for dialect in ("native", "envelope"):
        driver = Driver(_definition(dialect=dialect))
        driver.send(said("Hello.") if dialect == "native" else said(final("Hello.")))
        choice = {"tool": "weather__list_13"}
        driver.send({"type": "user_message", "content": "Go on", "tool_choice": choice})
        if dialect == "native":
            assert "weather__list_13" == _names(driver)[-1]
        else:
            assert "- weather__list_13: List weather.\n  parameters: " in driver.messages[-1]["content"]
        assert _verified(driver)


def test_a_search_is_no_tool_result() -> None:
    """It counts as no call of the budget, and no answer rests on it."""
    limits = {"max_tool_calls": 1}
    driver = Driver(_definition(dialect="native", limits=limits, tool_choice="required"))
    for query in ("letters", "files", "orders"):
        driver.send(_native("find_tools", query=query))
        assert "call_model" == driver.decision["type"]
    assert "required" == driver.decision["tool_choice"]
    driver.send(_native("files__list_7", id=7))
    assert "invoke_tool" == driver.decision["type"]


def test_a_search_beside_calls_gives_its_result_with_theirs() -> None:
    """One turn, all results in call order, also where a person is asked first."""
    driver = Driver(_definition(dialect="native"))
    both = [native_call("find_tools", {"query": "weather"}), native_call("mail__send", {"to": "ann"})]
    driver.send(said(None, tool_calls=both))
    assert "request_approval" == driver.decision["type"]
    driver.answer_all(True)
    driver.give_all("sent")
    assert ["call_1", "call_2"] == [message["tool_call_id"] for message in driver.messages[-2:]]
    assert "weather__find_3" in _names(driver)
    assert _verified(driver)


def test_the_same_search_again_is_corrected_like_any_call() -> None:
    """It gives the same; then it is barred, and the model goes on without it."""
    driver = Driver(_definition(dialect="native", limits={"max_repeats": 1}))
    for _ in range(2):
        driver.send(_native("find_tools", query="weather"))
    assert "repeated_call" == driver.decision["cause"]
    assert _verified(driver)


@pytest.mark.parametrize("query", ["zzz qqq", "!!!", "\ud83d\ude80"])
def test_words_that_no_tool_has_are_said_to_find_nothing(query: str) -> None:
    """No error, and nothing is offered."""
    driver = Driver(_definition(dialect="native"))
    driver.send(_native("find_tools", query=query))
    assert "Search in other words" in driver.messages[-1]["content"]
    assert ["help", "find_tools"] == _names(driver)


def test_a_query_without_bounds_is_sent_back() -> None:
    """As wrong arguments of any tool are."""
    driver = Driver(_definition(dialect="native"))
    for arguments in ({"query": "x" * 401}, {"query": ""}, {}):
        driver = Driver(_definition(dialect="native"))
        driver.send(_native("find_tools", **arguments))
        assert "invalid_arguments" == driver.decision["cause"]


def test_model_with_room_for_all_is_offered_all() -> None:
    """Each has a number of its own; the head is another one after the change, and the log says why."""
    models = [{"name": "small", "tools_offered": 10}, {"name": "large", "tools_offered": 100}]
    driver = Driver(_definition(models=models, limits={"max_corrections": 0}))
    assert "mail__send" not in driver.messages[0]["content"]
    driver.send(said("no envelope"))
    assert ("escalate", "large") == (driver.decision["reason"], driver.decision["model"])
    assert "- mail__send: Send a letter." in driver.decision["messages"][0]["content"]
    assert "find_tools" not in driver.decision["messages"][0]["content"]
    driver.send(said(call("find_tools", query="mail")))
    assert "unknown_tool" == driver.state["exchange"]["failure"]["code"]  # type: ignore[index]
    assert _verified(driver)


def test_another_definition_keeps_what_was_found_by_name() -> None:
    """Places are those of the new definition; what is gone is dropped."""
    driver = Driver(_definition(dialect="native"))
    driver.send(_native("find_tools", query="send a letter to the orders calendar"))
    assert driver.state is not None
    assert 5 == len(driver.state["exchange"]["found"])
    changed = {"dialect": "native", "tools": [SEND, HELP, *_tools(45)]}
    driver.send({"type": "agent_changed", "agent": changed})
    assert 0 == driver.state["exchange"]["found"][0]
    assert "mail__send" in _names(driver)
    driver.send({"type": "agent_changed", "agent": {"dialect": "native", "tools": [SEND]}})
    assert "found" not in driver.state["exchange"]
    assert _verified(driver)


@pytest.mark.parametrize("found", [[0, 0], [99], [51], list(range(41))])
def test_state_that_no_search_can_have_left_is_refused(found: list[int]) -> None:
    """A place twice, one that there is not, a tool that is always offered, and more than a model is offered."""
    driver = Driver(_definition())
    state = altered(driver.state, "exchange", found=found)
    error = stepped(agent=driver.definition, state=state, observation=said(final("x")))["error"]
    assert ("invalid_state", "/state/exchange/found") == (error["code"], error["path"])
    few = Driver({"tools": [HELP]})
    error = stepped(agent=few.definition, state=altered(few.state, "exchange", found=[0]), observation=ok("c", 1))
    assert "/state/exchange/found" == error["error"]["path"]


def test_own_tool_with_the_name_of_the_search_is_refused_with_what_to_do() -> None:
    """Where there are few tools the name is free."""
    own = tool("find_tools", {})
    assert "call_model" == Driver({"tools": [own]}).decision["type"]
    with pytest.raises(purestep.PurestepError) as caught:
        purestep.Agent.load({"tools": [*_tools(), own]})
    assert ("duplicate_tool", "/tools/50/name") == (caught.value.code, caught.value.path)
    assert "tools_offered to 51" in caught.value.message


def test_tools_without_descriptions_and_with_long_or_alike_names_are_found() -> None:
    """By whatever they have: a digit of a name, or a parameter."""
    alike = [{**tool(f"{'long_' * 11}{at:03}", {}), "annotations": READ} for at in range(300)]
    odd = {**tool("x1", {"latitude": {"type": "number"}}), "annotations": READ}
    driver = Driver({"dialect": "native", "tools": [*alike, odd]})
    driver.send(_native("find_tools", query="long 217"))
    assert alike[217]["name"] == _names(driver)[1]
    driver.send(_native("find_tools", query="latitude"))
    assert "x1" in _names(driver)


def test_more_tools_than_a_definition_may_have_are_refused() -> None:
    """Four thousand are taken, and the prompt stays as short."""
    driver = Driver({"dialect": "native", "tools": _tools(4096)})
    assert 1 == len(driver.decision["tools"])
    with pytest.raises(purestep.PurestepError) as caught:
        purestep.Agent.load({"tools": _tools(4097)})
    assert ("invalid_agent", "/tools") == (caught.value.code, caught.value.path)

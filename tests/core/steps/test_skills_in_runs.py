"""Skills beside what else a run has: tools, people, limits, errors of the model, carried models, checks, citations."""

import purestep
from tests.core.agents import ADD, SHELL, call, final, listed, ok, said
from tests.core.driver import Driver
from tests.core.skill_runs import DOWN, EMAIL, NAMES, RIGHT, TEXT, begun_skill, ended_skills, skill_run


def test_tools_run_before_skills_and_results_keep_the_order_of_the_calls() -> None:
    """Skills are executed one by one once the tools have their results; each call has one result."""
    driver = skill_run(ADD)
    driver.send(said(listed(NAMES, call("add_numbers", a=1, b=2), EMAIL)))
    assert ["add_numbers"] == [entry["tool"] for entry in driver.decision["calls"]]
    driver.send(ok("call_2", 3))
    assert ("skill", TEXT) == (driver.decision["reason"], driver.prompt()[-1]["content"])
    driver.send(said(RIGHT))
    assert [
        'Result of extract: {"name":["Anna Kurz","Tom"]}',
        "Result of add_numbers: 3",
        'Result of extract: {"email":["bob@mail.example"]}',
    ] == driver.messages[-1]["content"].split("\n\n")
    assert ["call_1", "call_3"] == [event["call_id"] for event in driver.events("skill_started")]


def test_skill_waits_for_a_person_who_is_asked_about_a_tool() -> None:
    """About the skill nobody is asked: it has no effect."""
    definition = {"skills": ["extract"], "tools": [SHELL], "approval": {"default": "ask"}}
    driver = Driver(definition)
    driver.send(said(listed(EMAIL, call("shell", command="ls"))))
    assert ["call_2"] == [entry["call_id"] for entry in driver.decision["calls"]]
    driver.answer_all(False)
    assert "tool_results" == driver.decision["reason"]
    assert [{"call_id": "call_1", "ok": True, "output": {"email": ["bob@mail.example"]}}] == ended_skills(driver)


def test_host_cannot_answer_a_skill() -> None:
    """Its call is not the host's, and the run stays as it was."""
    driver = skill_run(ADD)
    driver.send(said(listed(EMAIL, call("add_numbers", a=1, b=2))))
    assert "unknown_call" == driver.send(ok("call_1", {"email": ["evil@mail.example"]}))["code"]
    assert "wrong_phase" == begun_skill().send(ok("call_1", {"name": ["Eve"]}))["code"]


def test_outputs_of_a_skill_count_as_turns() -> None:
    """A run fails where its turns are used up, and says how the skill ended."""
    driver = begun_skill(limits={"max_turns": 2})
    driver.send(said('{"name":["Zed"]}'))
    assert ("failed", "max_turns") == (driver.decision["type"], driver.decision["code"])
    assert [{"call_id": "call_1", "ok": False, "error_kind": "max_turns"}] == ended_skills(driver)
    assert driver.messages[-1]["content"].startswith("extract was not run: no answer within 2 turns")


def test_last_model_call_is_kept_for_the_answer() -> None:
    """Where the definition asks for a final answer, a skill does not take its turn."""
    driver = begun_skill(limits={"max_turns": 3, "final_answer": True})
    driver.send(said('{"name":["Zed"]}'))
    assert [{"call_id": "call_1", "ok": False, "error_kind": "budget"}] == ended_skills(driver)
    assert "done" == driver.send(said(final("I do not know.")))["type"]


def test_skills_count_as_calls_and_tokens() -> None:
    """Budgets of calls and tokens hold for them."""
    driver = begun_skill(limits={"max_tool_calls": 1, "max_output_tokens": 50})
    driver.send(said(RIGHT, usage={"prompt_tokens": 10, "completion_tokens": 60}))
    assert ("failed", "budget") == (driver.decision["type"], driver.decision["code"])
    assert "max_output_tokens" == driver.decision["detail"]["limit"]
    twice = skill_run(limits={"max_tool_calls": 1})
    twice.send(said(listed(EMAIL, NAMES)))
    assert ("failed", "budget") == (twice.decision["type"], twice.decision["code"])


def test_deadline_holds_within_a_skill() -> None:
    """An output that comes too late for another one ends the run."""
    driver = Driver({"skills": ["extract"], "limits": {"deadline_ms": 1000}}, at=0)
    driver.send(said(NAMES, at=10))
    driver.send(said("?", at=2000))
    assert ("failed", "deadline") == (driver.decision["type"], driver.decision["code"])


def test_repeated_skill_is_told_to_stop() -> None:
    """The repeat guard holds for skills as for tools."""
    driver = skill_run(limits={"max_repeats": 1})
    for _ in range(2):
        driver.send(said(EMAIL))
    assert ("correction", "repeated_call") == (driver.decision["reason"], driver.decision["cause"])


def test_model_errors_are_retried_and_then_fail_the_skill() -> None:
    """Each wait is logged; the run itself goes on."""
    driver = begun_skill()
    waits = [driver.send(DOWN).get("wait_ms") for _ in range(3)]
    assert [True, True, False] == [bool(wait) for wait in waits]
    assert waits[:2] == [event["wait_ms"] for event in driver.events("decided")]
    assert [{"call_id": "call_1", "ok": False, "error_kind": "model_error"}] == ended_skills(driver)
    assert "tool_results" == driver.decision["reason"]


def test_text_beyond_the_window_is_not_sent() -> None:
    """The promise that no prompt passes the window holds for skills."""
    models = [{"name": "small", "window_tokens": 2000}]
    driver = skill_run(models=models)
    driver.send(said(call("extract", text="Anna wrote. " * 1500, target="name")))
    assert [{"call_id": "call_1", "ok": False, "error_kind": "model_error"}] == ended_skills(driver)
    fits = begun_skill(models=models)
    assert ("skill", "small", 500) == (
        fits.decision["reason"],
        fits.decision["model"],
        fits.decision["sampling"]["max_tokens"],
    )


def test_cancel_ends_the_skill_with_the_run() -> None:
    """Its call was not run, and nothing waits any more."""
    driver = begun_skill()
    assert "cancelled" == driver.send({"type": "cancel"})["code"]
    assert [{"call_id": "call_1", "ok": False, "error_kind": "cancelled"}] == ended_skills(driver)
    assert "extract was not run: the run was cancelled." == driver.messages[-1]["content"]
    assert driver.state is not None
    assert not {"skill", "pending"} & driver.state.keys()


def test_negotiation_counts_failed_skills() -> None:
    """A skill that failed is a failed tool to its rules."""
    driver = begun_skill(policies=[{"use": "negotiation"}])
    driver.send(said("?"))
    driver.send(said("?"))
    assert driver.state is not None
    assert 1 == driver.state["exchange"]["negotiated"]["faults"]["rejected_result"]


def test_run_goes_on_with_another_question_after_a_skill() -> None:
    """Nothing of the skill is left in the state of the next exchange."""
    driver = begun_skill()
    driver.send(said(RIGHT))
    driver.send(said(final("Anna.")))
    driver.send({"type": "user_message", "content": "And now?"})
    assert "user_message" == driver.decision["reason"]
    driver.send(said(NAMES))
    assert ("skill", {}) == (driver.decision["reason"], driver.state["exchange"]["skill"] if driver.state else None)


def test_tool_choice_may_name_a_skill() -> None:
    """Then it has to be called first, and only an output that it accepts lets an answer through."""
    driver = skill_run(ADD, tool_choice={"tool": "extract"})
    driver.send(said(call("add_numbers", a=1, b=2)))
    assert "tool_choice" == driver.decision["cause"]
    driver.send(said(EMAIL))
    assert "done" == driver.send(said(final("bob@mail.example")))["type"]


def test_checks_of_a_tool_come_before_the_skills_of_its_turn() -> None:
    """The verdict is waited for as a result is; then the skill, and the model gets one result for each call."""
    bank = {"name": "bank", "annotations": {"readOnlyHint": True}, "parameters": {"type": "object"}}
    pay = {"name": "pay", "annotations": {"readOnlyHint": False}, "checks": [{"tool": "bank", "params": {}}]}
    driver = Driver({"skills": ["extract"], "tools": [pay, bank]})
    driver.send(said(listed(NAMES, call("pay"))))
    driver.send(ok("call_2", "paid"))
    assert ["call_2"] == [entry["checks"] for entry in driver.decision["calls"]]
    driver.send(ok("call_3", {"accept": True}))
    assert "skill" == driver.decision["reason"]
    driver.send(said(RIGHT))
    texts = driver.messages[-1]["content"].split("\n\n")
    assert ['Result of extract: {"name":["Anna Kurz","Tom"]}', "Result of pay: paid"] == texts
    assert purestep.verify(driver.log).ok


def test_skill_is_judged_by_no_check_and_its_answer_is() -> None:
    """An answer that rests on a skill goes to the checks of answers; a state amid that is taken back."""
    judge = {"name": "judge", "annotations": {"readOnlyHint": True}, "parameters": {"type": "object"}}
    driver = skill_run(judge, checks=[{"tool": "judge", "params": {}}])
    driver.send(said(EMAIL))
    driver.send(said(final("bob@mail.example")))
    assert "answer" == driver.decision["calls"][0]["checks"]
    assert "done" == driver.send(ok("call_2", {"accept": True}))["type"]


def test_what_a_skill_gives_can_be_cited() -> None:
    """It has its number, and what a sentence with that number says has to stand in it."""
    driver = skill_run(checks=["citations"])
    driver.send(said(EMAIL))
    assert 'Result of extract: [1] {"email":["bob@mail.example"]}' == driver.messages[-1]["content"]
    driver.send(said(final("Write to eve@mail.example [1].")))
    assert "guardrail" == driver.decision["cause"]
    driver.send(said(EMAIL.replace("Write", "Do write")))
    cited = driver.send(said(final("Write to bob@mail.example [2].")))
    assert [("done", "extract")] == [(cited["type"], each["tool"]) for each in cited["citations"]]

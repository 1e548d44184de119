"""The line forms: what the JSON functions give, split where a host can split it without reading JSON."""

import json

import purestep
from tests.core.agents import ADD

BEGIN = json.dumps(
    {"agent": {"tools": [ADD]}, "run_id": "r", "observation": {"type": "user_message", "content": "Hi\n\u2028"}}
)


def test_step_lines_are_the_members_of_a_step_in_order() -> None:
    """Joined again, the lines are byte for byte the object that the function without lines gives."""
    state, messages, log, decision = purestep.run_agent_step_lines(BEGIN).split("\n")
    joined = f'{{"state":{state},"messages":{messages},"log":{log},"decision":{decision}}}'
    assert purestep.run_agent_step(BEGIN) == joined


def test_replay_lines_are_the_members_of_a_replay() -> None:
    """The lines of a replay hold what the replay does."""
    log = json.loads(purestep.run_agent_step(BEGIN))["log"]
    names = ("state", "messages", "lost", "decision", "torn_bytes")
    lines = purestep.replay_log_lines(log).split("\n")
    assert json.loads(purestep.replay_log(log)) == dict(zip(names, map(json.loads, lines), strict=True))


def test_an_error_is_one_line() -> None:
    """What the host did wrong comes as the same error object, on one line."""
    for output in (purestep.run_agent_step_lines("{"), purestep.replay_log_lines("{")):
        assert ["code", "message", "path"] == sorted(json.loads(output)["error"])


def test_the_whole_state_form_has_no_lines() -> None:
    """A whole state is one string; its form is refused with its place."""
    output = json.loads(purestep.run_agent_step_lines('{"state_json":"{}","model_output":"x"}'))
    assert ("invalid_input", "/state_json") == (output["error"]["code"], output["error"]["path"])

"""The two forms in which programs call the core: text in and text out, or values.

`json_functions` are for any host that can pass a string; they never raise. `typed` is the same step for Python, on
values, and raises `PurestepError`. Both give the same states, messages and log bytes. `formats` are the JSON functions
that another package computes, loaded when they are called. No other room imports this one.
"""

from .formats import project_log, read_model_fault, receive_model_reply
from .json_functions import (
    accepted_observations,
    check_value,
    complete_agent,
    core_info,
    create_agent_state,
    diff_logs,
    explain_log,
    load_agent,
    read_model_output,
    read_output_part,
    redact_observation,
    redrive_log,
    replay_log,
    replay_log_lines,
    reveal_params,
    run_agent_step,
    run_agent_step_lines,
    run_skill,
    sealed_text,
    stream_model_output,
    verify_log,
)
from .redactions import redact, reveal
from .typed import current_decision, start, step
from .version import VERSION

__all__ = [
    "VERSION",
    "accepted_observations",
    "check_value",
    "complete_agent",
    "core_info",
    "create_agent_state",
    "current_decision",
    "diff_logs",
    "explain_log",
    "load_agent",
    "project_log",
    "read_model_fault",
    "read_model_output",
    "read_output_part",
    "receive_model_reply",
    "redact",
    "redact_observation",
    "redrive_log",
    "replay_log",
    "replay_log_lines",
    "reveal",
    "reveal_params",
    "run_agent_step",
    "run_agent_step_lines",
    "run_skill",
    "sealed_text",
    "start",
    "step",
    "stream_model_output",
    "verify_log",
]

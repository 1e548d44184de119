"""The form of prompts and outputs: what the core's dialect writes, with the marks of the base model's chat around it.

No formatter of its own: a system text is that of a run that the core starts, and turns are written by its dialect. Only
the marks are written here, since llama.cpp writes those from the template in the model's file.
"""

import json
from typing import Any, Final

import purestep
from purestep.dialects import Sample, dialect_named, in_taught_order, spaced_json
from purestep.values import ReadCall

DIALECT: Final = "compact"
"""The dialect that is taught."""

BEGIN: Final = "<|im_start|>"
END: Final = "<|im_end|>"
"""The marks of a chat, each one token."""

ANSWER_HEAD: Final = '{"answer": "'
"""How an output begins that calls nothing and asks nothing."""

_COMPACT: Final = dialect_named(DIALECT)


def definition(tools: list[dict[str, Any]], instructions: str = "") -> dict[str, Any]:
    """Return the definition of an agent with these tools, whose model copies its arguments."""
    models = [{"name": "small", "window_tokens": 4096, "supports": ["json_schema", "grammar", "spans"]}]
    limits = {"sampling": {"temperature": 0, "max_tokens": 256}}
    return {"dialect": DIALECT, "instructions": instructions, "tools": tools, "models": models, **limits}


def system_text(tools: list[dict[str, Any]], instructions: str = "") -> str:
    """Return the system text that the core sends for these tools; raises PurestepError for more than have room."""
    agent = purestep.Agent.load(definition(tools, instructions))
    text = purestep.start(agent, purestep.UserMessage(content=""), run_id="form").messages[0].content
    assert isinstance(text, str)  # a system text has no pictures
    return text


def system_turn(text: str) -> str:
    """Return the system text with its marks."""
    return f"{BEGIN}system\n{text}{END}\n"


def bare_system(text: str) -> str:
    """Return a system text without marks, if it has them."""
    return text.removeprefix(f"{BEGIN}system\n").removesuffix(f"{END}\n")


def said_turn(kind: str, text: str) -> str:
    """Return words of a user, or a result of a call, with the marks up to where the model goes on."""
    shown = _COMPACT.result("", _COMPACT.abridge(text), True) if kind == "result" else text
    return f"{BEGIN}user\n{shown}{END}\n{BEGIN}assistant\n"


def result_text(value: Any) -> str:
    """Return the text of a tool's result, as a host hands it to the core."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def call(spec: dict[str, Any], arguments: dict[str, Any]) -> str:
    """Return a call of a tool: its arguments in the order that the grammar holds them to."""
    ordered = in_order(arguments, spec.get("parameters") or {})
    return _COMPACT.write(Sample(calls=(ReadCall(tool=spec["name"], params=ordered),)))


def in_order(value: Any, schema: Any) -> Any:
    """Return a value with the keys of its objects as a grammar orders them: the required ones first, then by name."""
    if isinstance(value, list) and isinstance(schema, dict):
        return [in_order(item, schema.get("items")) for item in value]
    if not isinstance(value, dict) or not isinstance(schema, dict):
        return value
    known = schema.get("properties")
    properties = {name: known[name] for name in sorted(known)} if isinstance(known, dict) else {}
    names = dict.fromkeys([*in_taught_order({**schema, "properties": properties}), *value])
    return {name: in_order(value[name], properties.get(name)) for name in names if name in value}


def ask(question: str) -> str:
    """Return a question to the user."""
    return spaced_json({"ask": question})


def answer(text: str) -> str:
    """Return an answer."""
    return _COMPACT.write(Sample(answer=text))


def first_name(output: str) -> str:
    """Return what an output does first: the name of the tool that it calls, `ask`, `answer`, or nothing of these."""
    try:
        value = json.loads(output)
    except ValueError:
        return "answer" if output.startswith(ANSWER_HEAD) else ""
    if not isinstance(value, dict):
        return ""
    return value["tool"] if "tool" in value else next((key for key in ("ask", "answer") if key in value), "")

"""What an exchange costs with contracts, citations, flow labels and skills in use, against the same one without.

One exchange is played with a definition for each of them alone, and with all: the words, the calls, the results and the
answer are the same. With a check tool there is one step more, its verdict. Seals are the host's, and measured beside.
"""

import json
import time
from collections.abc import Callable
from copy import deepcopy
from statistics import mean, median
from typing import Any, Final

import purestep
from bench.figures import Figure
from purestep.steps import OWN_STATES
from purestep_hosts.seals import SealKey, Seals

MOST_TIMES: Final = 1.5
"""What all of it together is to cost a step, in plain steps."""
ROUNDS: Final = 300
WARM_UP: Final = 20

Definition = dict[str, Any]

_NUMBER: Final = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}
_MAIL: Final = {
    "type": "object",
    "properties": {"to": {"type": "string"}, "subject": {"type": "string"}},
    "required": ["to", "subject"],
}
PLAIN: Final[Definition] = {
    "checks": ["planning", "echo"],
    "tools": [
        {"name": "find_invoice", "parameters": _NUMBER, "annotations": {"readOnlyHint": True}},
        {"name": "send_mail", "parameters": _MAIL, "annotations": {"destructiveHint": True}, "approval": "auto"},
    ],
}
"""Two tools, and two checks of the answer."""


def _conditions(definition: Definition) -> None:
    find = definition["tools"][0]
    find["output_schema"] = {"type": "object", "required": ["number", "total"]}
    find["checks"] = [
        "plausibility",
        {"schema": {"minProperties": 2}},
        {"any": [{"pattern": "total"}, {"pattern": "sum"}]},
    ]
    definition["checks"] = [*definition["checks"], {"pattern": "[0-9]"}, {"not": {"pattern": "password"}}]


def _check_tool(definition: Definition) -> None:
    find = definition["tools"][0]
    find["checks"] = [
        *find.get("checks", ()),
        {"tool": "in_books", "params": {"number": "/output/number"}},
    ]
    definition["tools"].append({"name": "in_books", "parameters": _NUMBER, "annotations": {"readOnlyHint": True}})


def _citations(definition: Definition) -> None:
    definition["checks"] = [*definition["checks"], "citations"]


def _values(definition: Definition) -> None:
    definition["checks"] = [*definition["checks"], "values"]


def _skills(definition: Definition) -> None:
    definition["skills"] = ["extract", {"name": "letters", "description": "How our letters are written."}]
    definition["tools"].append({"name": "read_skill", "annotations": {"readOnlyHint": True}})


def _flow(definition: Definition) -> None:
    definition["tools"][0]["annotations"] = {"readOnlyHint": True, "openWorldHint": True}
    definition["policies"] = [{"use": "flow", "rules": [{"from": "open", "to": "send_mail", "then": "ask"}]}]


USES: Final[dict[str, Callable[[Definition], None]]] = {
    "conditions": _conditions,
    "a check tool": _check_tool,
    "citations": _citations,
    "values": _values,
    "skills": _skills,
    "flow labels": _flow,
}
"""What is put into use, by name, as a change of a definition."""


def definition_with(*names: str) -> Definition:
    """Return the plain definition with these in use."""
    definition = deepcopy(PLAIN)
    for name in names:
        USES[name](definition)
    return definition


_MAILED: Final = {"to": "ann@example.com", "subject": "invoice 4711 is paid"}
FIRST: Final = 4711
LOOK_UPS: Final = 6
"""Of the longer exchange: most steps of most runs look something up."""


def _found(number: int) -> dict[str, Any]:
    return {"number": number, "total": number - 4496.5, "customer": "Anna Kurz", "paid": "2027-05-03"}


def observations(*, checked: bool, look_ups: int = 1) -> list[tuple[str, Any]]:
    """Return the observations of the exchange, by what each is; with a check's verdict for each look-up, if any."""
    numbers = range(FIRST, FIRST + look_ups)
    sought = ", ".join([f"invoice {number}" for number in numbers])
    asked = f"Find {sought}, then mail ann@example.com that invoice {FIRST} is paid."
    found: list[tuple[str, Any]] = [("question", {"type": "user_message", "content": asked})]
    calls = 0
    for number in numbers:
        calls += 1
        found += [
            ("call that reads", _said(kind="tool_call", tool_name="find_invoice", arguments={"number": number})),
            ("result", _result(f"call_{calls}", _found(number))),
        ]
        if checked:
            calls += 1
            found.append(("verdict of a check", _result(f"call_{calls}", {"accept": True})))
    answer = f"Invoice {FIRST} came to 214.50 [1]. The mail to ann@example.com was sent [{calls + 1}]."
    return [
        *found,
        ("call that acts", _said(kind="tool_call", tool_name="send_mail", arguments=_MAILED)),
        ("result of an effect", _result(f"call_{calls + 1}", "ok")),
        ("answer", _said(kind="final", content=answer)),
    ]


def _said(**members: Any) -> dict[str, Any]:
    return {"type": "model_output", "content": json.dumps(members)}


def _result(call_id: str, output: Any) -> dict[str, Any]:
    return {"type": "tool_results", "results": [{"call_id": call_id, "ok": True, "output": output}]}


class Exchange:
    """One exchange as JSON inputs of `run_agent_step`, and what a host seals after each of them."""

    def __init__(self, *names: str, look_ups: int = 1) -> None:
        self.steps: list[tuple[str, str]] = []
        self.sealed: list[tuple[Any, list[Any]]] = []
        given: dict[str, Any] = {"agent": definition_with(*names), "run_id": "bench"}
        messages: list[Any] = []
        output: dict[str, Any] = {}
        for what, observation in observations(checked="a check tool" in names, look_ups=look_ups):
            self.steps.append((what, json.dumps({**given, "observation": observation})))
            output = json.loads(purestep.run_agent_step(self.steps[-1][1]))
            if "error" in output:
                raise RuntimeError(f"expected the exchange to go on after the {what}; got {output['error']}")
            given, messages = {"state": output["state"]}, [*messages, *output["messages"]]
            self.sealed.append((output["state"], messages))
        self.decision: dict[str, Any] = output["decision"]
        if self.decision["type"] != "done":
            raise RuntimeError(f"expected the exchange with {names} to end with its answer; got {self.decision}")


def _step_us(exchanges: dict[str, Exchange], *, from_elsewhere: bool = False) -> dict[str, list[tuple[str, float]]]:
    """Return the median CPU microseconds of each step, all of them taken once in every round.

    from_elsewhere: each state comes as one that another process gave out, which is checked in full.
    """
    taken: dict[str, list[list[float]]] = {name: [[] for _ in each.steps] for name, each in exchanges.items()}
    for _ in range(WARM_UP + ROUNDS):
        for name, each in exchanges.items():
            for (_, text), times in zip(each.steps, taken[name], strict=True):
                purestep.run_agent_step(text)  # what the step before left in the processor's caches is another's
                if from_elsewhere:
                    OWN_STATES.forget()
                began = time.process_time_ns()
                purestep.run_agent_step(text)
                times.append((time.process_time_ns() - began) / 1000)
    return {
        name: [(what, median(times[WARM_UP:])) for (what, _), times in zip(each.steps, taken[name], strict=True)]
        for name, each in exchanges.items()
    }


def _moved_us(exchanges: dict[str, Exchange], full: str) -> dict[str, list[tuple[str, float]]]:
    return _step_us({name: exchanges[name] for name in ("plain", full)}, from_elsewhere=True)


def _seal_us(exchange: Exchange) -> float:
    """Return the median CPU microseconds that a host takes to check one seal and to make the next, for each step."""
    seals = Seals([SealKey(id="bench", secret="a secret that is as long as it has to be")])
    made = [(seals.seal(state, messages, now_ms=0), state, messages) for state, messages in exchange.sealed]
    taken = []
    for _ in range(ROUNDS):
        began = time.process_time_ns()
        for seal, state, messages in made:
            seals.check(seal, state, messages, now_ms=0)
            seals.seal(state, messages, now_ms=0)
        taken.append((time.process_time_ns() - began) / 1000 / len(made))
    return median(taken)


def measure() -> list[Figure]:
    """Measure side by side: each of them alone and all together, by the mean step, and all together step by step."""
    full, longer = "all of these", f"{LOOK_UPS} look-ups"
    exchanges = {"plain": Exchange(), **{name: Exchange(name) for name in USES}, full: Exchange(*USES)}
    exchanges |= {f"{longer}, plain": Exchange(look_ups=LOOK_UPS), longer: Exchange(*USES, look_ups=LOOK_UPS)}
    times = _step_us(exchanges)
    means = {name: mean([took for _, took in steps]) for name, steps in times.items()}
    moved = {name: mean([took for _, took in steps]) for name, steps in _moved_us(exchanges, full).items()}
    plain, seal, judged = means["plain"], _seal_us(exchanges[full]), dict(times[full])
    return [
        Figure("mean step, plain", plain, "µs"),
        *(Figure(f"mean step with {name}, to plain", means[name] / plain, "times") for name in USES),
        Figure(f"mean step with {full}, to plain", means[full] / plain, "times", at_most=MOST_TIMES),
        Figure(f"mean step with {full}", means[full], "µs"),
        Figure(f"mean step with {full}, states from elsewhere, to plain", moved[full] / moved["plain"], "times"),
        Figure(f"mean step with {full} and {longer}, to plain", means[longer] / means[f"{longer}, plain"], "times"),
        *(Figure(f"{what}, with {full} to plain", judged[what] / took, "times") for what, took in times["plain"]),
        Figure(
            "exchange with all of these, to plain",
            sum([took for _, took in times[full]]) / sum([took for _, took in times["plain"]]),
            "times",
        ),
        Figure("checking a seal and making the next, for each step", seal, "µs"),
    ]

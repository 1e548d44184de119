"""Rules of history on random runs: each wire takes what is sent, and what has to stay in a prompt stays there."""

import json
import random
from collections import Counter
from itertools import pairwise
from typing import Any, Final

import msgspec
import pytest

import purestep
from purestep.values import Message, prompt_messages, text_of
from purestep_hosts import Agent, ScriptedModel, says
from purestep_hosts.effects import model_request
from tests.core.agents import call, final, native_call, tool
from tests.examples import ARE_ALL_WANTED
from tests.hosts.wires import chat, gemini, messages, responses
from tools.prompt_prefixes import bodies_of

FAULTS: Final = {
    "openai": chat.OPENAI.faults,
    "responses": responses.RESPONSES.faults,
    "anthropic": messages.ANTHROPIC.faults,
    "google": gemini.GEMINI.faults,
}
BODIES: Final = bodies_of()
READ: Final = {**tool("read", {"at": {"type": "integer"}}), "annotations": {"readOnlyHint": True}}
LOOK: Final = {**tool("look", {"at": {"type": "integer"}}), "annotations": {"readOnlyHint": True}}
RULES: Final[dict[str, list[dict[str, Any]]]] = {
    "keep_exchanges": [{"keep_exchanges": 1}, {"keep_exchanges": 3}],
    "results": [
        {"results": [{"tools": ["read"], "keep": 1, "then": "drop"}]},
        {"results": [{"tools": ["look"], "keep": 2}, {"then": "drop"}]},
    ],
    "pin": [{"pin": "first", "keep_exchanges": 2}],
    "summary_above": [{"summary_above": 600}, {"summary_above": 1500}],
    "reasoning": [{"reasoning": "latest"}],
    "all": [
        {
            "keep_exchanges": 2,
            "results": [{"keep": 1}],
            "pin": "first",
            "summary_above": 900,
            "reasoning": "latest",
        }
    ],
}
RUNS: Final = 700 if ARE_ALL_WANTED else 25
PINNED: Final = 0.12
"""Of what a user says, the share that is pinned."""
THOUGHT: Final = "<think>Let me see.</think>"
_SUMMARY: Final = "Summary of what was left out"


class HistoryRun:
    """One random run under rules; every prompt is held to what they promise."""

    def __init__(self, seed: int, rules: dict[str, Any], seen: Counter[str]) -> None:
        self.chance, self.seen = random.Random(f"history {seed} {json.dumps(rules)}"), seen
        self.native = self.chance.random() < 0.5
        self.slack = self.chance.choice([0, 1, 2])
        self.rules = {**rules, "slack": self.slack}
        policies: list[dict[str, Any]] = [{"use": "history", **self.rules}]
        if self.chance.random() < 0.2:
            policies.append({"use": "summary", "max_tokens": 60})
        self.window = self.chance.choice([None, None, 1800])
        model = {"name": "m"} if self.window is None else {"name": "m", "window_tokens": self.window}
        definition = {
            "dialect": "native" if self.native else self.chance.choice(["envelope", "hermes_json"]),
            "tools": [READ, LOOK],
            "models": [model],
            "policies": policies,
            "limits": {"max_turns": 40},
        }
        self.dialect = definition["dialect"]
        self.agent = purestep.Agent.load(definition)
        self.log, self.transcript, self.users = "", list[Message](), list[int]()
        self.before: list[Message] = []
        self.step: purestep.Step | None = None
        self.number, self.pinned = 0, set[str]()
        self.exchanges, self.said_at, self.followed = list[int](), dict[int, int](), 0

    def run(self) -> None:
        """Make the run, and derive it again from its log."""
        for _ in range(self.chance.randint(1, 7)):
            self._ask("Question", 20)
            for _ in range(self.chance.randint(0, 6)):
                self._turn()
            self._end()
            if isinstance(self._decision, purestep.Failed):
                assert self._decision.code in ("window", "parse_error", "truncated", "max_turns")
        assert purestep.verify(self.log).ok
        assert self.step is not None
        assert purestep.replay(self.log).state == self.step.state

    @property
    def _decision(self) -> Any:
        assert self.step is not None
        return self.step.decision

    def _words(self, most: int) -> str:
        return "word " * self.chance.randint(1, most)

    def _turn(self) -> None:
        decision = self._decision
        if isinstance(decision, purestep.CallModel):
            self._say(decision)
        elif isinstance(decision, purestep.InvokeTool):
            if self.chance.random() < 0.1:
                self._ask("Also", 5)
            results = [self._result(each.call_id) for each in decision.calls]
            self._send(purestep.ToolResults(results=tuple(results)))

    def _ask(self, begin: str, words: int) -> None:
        """Say something that may be pinned, and then stays with its exchange's message and answer."""
        self.number += 1
        text, pinned = f"{begin} {self.number}: {self._words(words)}".strip(), self.chance.random() < PINNED
        self._send(purestep.UserMessage(content=text, pinned=pinned))
        if pinned:
            self.pinned.add(text)
            self.seen["pinned"] += 1

    def _result(self, call_id: str) -> purestep.ToolResult:
        if self.chance.random() < 0.1:
            return purestep.ToolResult(call_id=call_id, ok=False, error="it was busy")
        self.number += 1
        return purestep.ToolResult(call_id=call_id, ok=True, output=f"Output {self.number}: {self._words(300)}")

    def _end(self) -> None:
        for _ in range(60):
            decision = self._decision
            if isinstance(decision, purestep.InvokeTool):
                self._turn()
            elif isinstance(decision, purestep.CallModel):
                self._send(self._answer(decision))
        assert isinstance(self._decision, purestep.Done | purestep.Failed)

    def _answer(self, decision: purestep.CallModel) -> purestep.ModelOutput:
        if decision.reason == "summary":
            return self._summary()
        self.number += 1
        text = f"Answer {self.number} {self._words(10)}"
        thought = THOUGHT if not self.native and self.chance.random() < 0.5 else ""
        return purestep.ModelOutput(content=thought + (final(text) if self.dialect == "envelope" else text))

    def _summary(self) -> purestep.ModelOutput:
        return purestep.ModelOutput(content=self.chance.choice(["Some pages were read, and one is left.", ""]))

    def _say(self, decision: purestep.CallModel) -> None:
        if decision.reason == "summary":
            self._send(self._summary())
        elif self.chance.random() < 0.08:
            self._send(purestep.ModelOutput(content='{"kind":'))
        else:
            self._send(self._calls())

    def _calls(self) -> purestep.ModelOutput:
        made = []
        for _ in range(self.chance.choice([1, 1, 2, 3]) if self.native else 1):
            self.number += 1
            made.append((self.chance.choice(["read", "look"]), self.number))
        if self.native:
            calls = msgspec.convert(
                [native_call(name, {"at": at}) for name, at in made], tuple[purestep.NativeCall, ...]
            )
            extra = {"reasoning_content": f"Let me see {self.number}."} if self.chance.random() < 0.7 else None
            return purestep.ModelOutput(content=None, tool_calls=calls, extra=extra)
        [(name, at)] = made
        thought = THOUGHT if self.chance.random() < 0.5 else ""
        text = call(name, at=at)
        if self.dialect == "hermes_json":
            text = f"<tool_call>\n{json.dumps({'name': name, 'arguments': {'at': at}})}\n</tool_call>"
        return purestep.ModelOutput(content=thought + text)

    def _send(self, observation: Any) -> None:
        begins = self.step is None or isinstance(self._decision, purestep.Done | purestep.Failed)
        if self.step is None:
            self.step = purestep.start(self.agent, observation, run_id="history")
        else:
            self.step = purestep.step(self.step.state, observation)
        self.log += self.step.log
        self.transcript += self.step.messages
        begun = self.step.state.window.user_at
        if begins:
            self.users.append(begun)
        self._follow(begun)
        if isinstance(self._decision, purestep.CallModel):
            self._look(self._decision, self.step.log)

    def _follow(self, begun: int) -> None:
        """Note where exchanges begin and which messages pinned ones put where; `begun`: the one in progress."""
        if not self.exchanges or self.exchanges[-1] != begun:
            self.exchanges.append(begun)
        for at in range(self.followed, len(self.transcript)):
            self.said_at[at] = len(self.exchanges) - 1
        self.followed = len(self.transcript)

    # --- what holds for every prompt --------------------------------------------------------------------

    def _look(self, decision: purestep.CallModel, log: str) -> None:
        sent = prompt_messages(decision, self.transcript)
        self._is_taken(decision, sent)
        if decision.reason == "summary":
            self.before = []
            return
        switched = '"kind":"switched"' in log
        assert sent[: len(self.before)] == self.before or switched, "the prompt changed and no line says why"
        self.seen["switched" if switched else "appended"] += 1
        self.before = sent
        self._what_stays(sent)
        self._what_goes(sent)

    def _is_taken(self, decision: purestep.CallModel, sent: list[Message]) -> None:
        """Hold a prompt to the rules of each wire; signatures, which only their server can check, are left out."""
        assert all(message.content or message.tool_calls for message in sent)
        if not self.native:
            roles = [message.role for message in sent if message.role != "system"]
            assert all(one != other for one, other in pairwise(roles)), roles
            return
        plain = [msgspec.structs.replace(message, extra=None) for message in self.transcript]
        request = model_request(msgspec.structs.replace(decision, sampling=msgspec.UNSET), plain)
        for name, body in BODIES.items():
            if self.chance.random() < 0.25 or '"history"' in self.log[-2000:]:
                fault = FAULTS[name](body(request), [])
                assert "" == fault, f"{name}, {decision.reason}: {fault}"
                self.seen[name] += 1

    def _what_stays(self, sent: list[Message]) -> None:
        """The user's message, and the latest output with its results, whole; the pinned message; the last exchanges."""
        assert self.step is not None
        window = self.step.state.window
        assert self.transcript[window.user_at] in sent
        if window.turn_at and self.window is None and self.rules.get("summary_above") is None:
            assert self.transcript[window.turn_at :] == sent[-len(self.transcript[window.turn_at :]) :]
        if self.rules.get("pin"):
            assert self.transcript[self.users[0]] in sent
        plain = [_plain(message) for message in sent]
        for number in self._pinned_exchanges():
            begin, *after = self.exchanges[number : number + 2]
            assert self.transcript[begin] in sent, "the message of a pinned exchange is not sent"
            assert not after or _plain(self.transcript[after[0] - 1]) in plain, "a pinned exchange has no answer"
        texts = [text_of(message.content or "") for message in sent]
        for text in self.pinned:
            told = any(text in text_of(message.content or "") for message in self.transcript)
            assert not told or any(text in each for each in texts), f"{text} is pinned and not sent"
        keep, shrinks = self.rules.get("keep_exchanges"), self.window or self.rules.get("summary_above")
        if keep is None or shrinks:
            return
        asked = [at for at in self.users if self.transcript[at] in sent]
        assert self.users[-keep:] == asked[-keep:]
        most = keep + self.slack + (1 if self.rules.get("pin") else 0) + len(self._pinned_exchanges())
        assert len(asked) <= most, "more exchanges are sent than the rule keeps"

    def _pinned_exchanges(self) -> set[int]:
        """Return the numbers of the exchanges in which a pinned text stands."""
        found = set()
        for at, message in enumerate(self.transcript):
            if message.role != "assistant" and any(text in text_of(message.content or "") for text in self.pinned):
                found.add(self.said_at[at])
        return found

    def _what_goes(self, sent: list[Message]) -> None:
        assert self.step is not None
        user_at = self.step.state.window.user_at
        if self.rules.get("reasoning"):
            own = [each for each in self.transcript[user_at:] if _thinks(each)]
            assert all(each in sent for each in own) or self.window or self.rules.get("summary_above")
            earlier = {at for at, each in enumerate(self.transcript[:user_at]) if _thinks(each)}
            left = [each for each in earlier if self.transcript[each] in sent]
            since = [at for at in self.users if left and at >= min(left)]
            assert len(since) <= self.slack + 1 or not left, "reasoning of earlier exchanges is sent"
        rules = self.rules.get("results", [])
        if rules and not self.native:
            return
        for number, rule in enumerate(rules):
            held = [each for each in sent if self._is_whole(each, number)]
            latest = [each for each in held if each in self.transcript[self.step.state.window.turn_at or user_at :]]
            assert len(held) - len(latest) <= rule.get("keep", 0) + self.slack, "more results are sent whole"

    def _is_whole(self, message: Message, number: int) -> bool:
        """Whether a message is a long result that the rule with this number holds for, as it came."""
        text = text_of(message.content or "")
        if message.role != "tool" or len(text) < 900 or "left out" in text:
            return False
        calls = [each for said in self.transcript for each in said.tool_calls or () if each.id == message.tool_call_id]
        name = calls[0].function.name
        rules = self.rules["results"]
        own = next((at for at, rule in enumerate(rules) if name in rule.get("tools", [name])), None)
        return own == number


def _plain(message: Message) -> tuple[str, str]:
    """Return what a message says without its reasoning, which another rule may leave out."""
    return message.role, text_of(message.content or "").removeprefix(THOUGHT).strip()


def _thinks(message: Message) -> bool:
    return message.extra is not None or text_of(message.content or "").startswith(THOUGHT)


@pytest.mark.parametrize("name", RULES)
def test_prompts_keep_to_the_rules_of_wires_and_of_history(name: str) -> None:
    """In runs with corrections, failed calls, several calls at once, steering and small windows."""
    seen: Counter[str] = Counter()
    for rules in RULES[name]:
        for seed in range(RUNS):
            HistoryRun(seed, rules, seen).run()
    assert seen["switched"] > RUNS // 3
    assert seen["appended"] > RUNS
    assert seen["pinned"] > RUNS // 3
    assert all(seen[wire] > RUNS for wire in FAULTS)


def test_pinned_query_of_an_agent_stays() -> None:
    """`run(query, pinned=True)` says so in the log; the other earlier exchanges go."""
    model = ScriptedModel([says(f"Answer {at}.") for at in range(4)])
    agent = Agent(model, policies=[{"use": "history", "keep_exchanges": 1, "slack": 0}])
    result = agent.run_sync("Zero?")
    for query, pinned in (("One?", True), ("Two?", False), ("Three?", False)):
        result = agent.run_sync(query, after=result, pinned=pinned)
    _, asked, answer, latest = [str(message["content"]) for message in model.requests[-1].messages]
    assert ("One?", "Three?") == (asked, latest)
    assert "Answer 1." in answer
    logged = [event for _, event in purestep.read_events(result.log)]
    said = [event.pinned for event in logged if isinstance(event, purestep.events.UserMessageEvent)]
    assert [False, True, False, False] == said

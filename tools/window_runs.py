"""Random long runs whose every prompt is counted by a tokenizer: `python -m tools.window_runs [RUNS]`.

The tokenizer is the bundled model's own, asked over llama.cpp's server. A run has several exchanges with texts of many
kinds; the model's counts come truly, never, or as those of a server that leaves out cached tokens. Two runs of three
ask for summaries, which come in all forms, or not at all.
"""

import json
import random
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import purestep
from purestep_hosts.download import default_model
from purestep_hosts.models.llamacpp import LlamaCppOptions, serve

from .window_texts import text_of

Json = dict[str, Any]
Count = Callable[[str], int]

DIALECTS: Final = ("envelope", "native", "tool_tags", "bare", "hermes_json")
SMALLEST_WINDOW: Final = 1024
"""In which five calls at once with an answer of 300 tokens may not fit, which a run says instead of sending more."""

MAX_STATE_CHARS: Final = 20_000
_TOOL: Final = {
    "name": "read",
    "description": "Read a text.",
    "parameters": {"type": "object", "properties": {"at": {"type": "integer"}}, "required": ["at"]},
}


@dataclass(kw_only=True)
class WindowRun:
    """One run and what was found of its prompts."""

    chance: random.Random
    count: Count
    definition: Json
    room: int
    state: Json | None = None
    messages: list[Json] = field(default_factory=list)
    decision: Json = field(default_factory=dict)
    before: list[Json] = field(default_factory=list)
    task: str = ""
    prompts: int = 0
    switches: int = 0
    summaries: int = 0
    fullest: int = 0
    unfit: bool = False
    broken: str | None = None

    def send(self, observation: Json) -> None:
        """Make one step and look at the prompt that it asks for."""
        given: Json = {"observation": observation, "agent": self.definition}
        given |= {"run_id": "window"} if self.state is None else {"state": self.state}
        output = json.loads(purestep.run_agent_step(json.dumps(given)))
        if "error" in output:
            self.broken = self.broken or f"refused: {output['error']}"
            self.decision = {"type": "failed", "code": "error"}
            return
        self.state, self.decision = output["state"], output["decision"]
        self.messages += output["messages"]
        if len(json.dumps(self.state)) > MAX_STATE_CHARS + len(json.dumps(self.state.get("pending", []))):
            self.broken = self.broken or "the state grew"
        if self.decision["type"] == "call_model":
            self._look(output["log"])

    def prompt(self) -> list[Json]:
        """Give the messages that the decision names."""
        return [message for entry in self.decision["prompt"] for message in named(entry, self.messages)]

    def tokens(self) -> int:
        """Give the tokens of the prompt, in the bundled model's chat template."""
        prompt = self.prompt()
        total = self.count("<|im_start|>assistant\n") + self.count(json.dumps(self.decision.get("tools", "")))
        if prompt[0]["role"] != "system":
            prompt = [{"role": "system", "content": "You are a helpful AI assistant named SmolLM"}, *prompt]
        for message in prompt:
            calls = json.dumps(message["tool_calls"]) if message.get("tool_calls") else ""
            total += self.count(f"<|im_start|>{message['role']}\n{message.get('content') or ''}{calls}<|im_end|>\n")
        return total

    def _look(self, log: str) -> None:
        prompt, tokens = self.prompt(), self.tokens()
        switched = '"kind":"switched"' in log
        self.prompts, self.switches = self.prompts + 1, self.switches + switched
        self.fullest = max(self.fullest, tokens * 1000 // self.room)
        if tokens > self.room:
            self._break(f"{tokens} tokens are sent where {self.room} fit")
        if self.before != prompt[: len(self.before)] and not switched:
            self._break("the prompt changed and no line says why")
        if not any(message["role"] == "user" and message["content"] == self.task for message in prompt):
            self._break("the task is not in the prompt")
        self._look_at_results(prompt)
        self.before = prompt

    def _look_at_results(self, prompt: list[Json]) -> None:
        asked: set[str] = set()
        for before, message in zip([{"role": "system"}, *prompt], prompt, strict=False):
            asked |= {call["id"] for call in message.get("tool_calls") or ()}
            if message["role"] == "tool" and message["tool_call_id"] not in asked:
                self._break("a result is sent without its call")
            if str(message.get("content")).startswith("Result of") and before["role"] != "assistant":
                self._break("a result is sent without its call")

    def _break(self, what: str) -> None:
        self.broken = self.broken or f"{what} (prompt {self.prompts}, {self.definition['dialect']})"


def named(entry: Any, messages: list[Json]) -> list[Json]:
    """Give the messages of one entry of a prompt, as hosts do."""
    if isinstance(entry, list):
        return messages[entry[0] : entry[1]]
    message = messages[entry["index"]]
    cuts = tuple((begin, end, text) for begin, end, text in entry["cuts"])
    short = purestep.ShortenedMessage(index=entry["index"], cuts=cuts)
    return [{**message, "content": short.apply(message["content"])}]


def window_run(chance: random.Random, count: Count) -> WindowRun:
    """Make a random long run; what it broke is in `broken`."""
    window = chance.choice([1024, 2048, 4096, 8192])
    answer = chance.choice([None, 64, 300])
    definition: Json = {
        "dialect": chance.choice(DIALECTS),
        "instructions": "Answer briefly.",
        "tools": [_TOOL],
        "models": [{"name": "m", "window_tokens": window}],
        "limits": {"max_turns": 500, "max_corrections": 5},
    }
    summary = chance.choice([False, True, {"max_tokens": chance.choice([20, 120, 2000])}])
    if summary:
        definition["summary"] = summary
    if answer:
        definition["sampling"] = {"max_tokens": answer}
    reserve = answer or min(window // 4, 2048)
    run = WindowRun(chance=chance, count=count, definition=definition, room=window - reserve)
    usage = chance.choice(["true", "never", "uncached", "mixed"])
    for _ in range(chance.randint(1, 6)):
        run.before, run.task = [], text_of(chance, chance.randint(1, window // 60))
        run.send({"type": "user_message", "content": run.task})
        for turn in range(chance.randint(1, 25)):
            if run.decision["type"] != "call_model" or run.broken:
                break
            _turn(run, usage, turn)
        _sum_up(run, usage)
        if run.decision["type"] == "call_model":
            run.send(_said(run, "Done.", usage, _answered(run.definition["dialect"])))
        if run.decision.get("code") == "window" and window <= SMALLEST_WINDOW:
            run.unfit = True
            break
        if run.decision["type"] != "done":
            run.broken = run.broken or f"the run ended as {run.decision}"
            break
    return run


def _sum_up(run: WindowRun, usage: str) -> None:
    """Answer a request for a summary: with one, with none, or with something else."""
    while run.decision["type"] == "call_model" and run.decision["reason"] == "summary":
        run.summaries += 1
        chance, most = run.chance, run.decision["sampling"]["max_tokens"]
        if "tools" in run.decision or run.decision["sampling"]["max_tokens"] > run.room:
            run.broken = run.broken or "a summary is asked for with tools, or is too long"
        text = chance.choice([text_of(chance, chance.randint(1, most)), "Two parts were read, and one is left.", ""])
        form = chance.choice([{"content": text}, {"content": text}, _called(run.definition["dialect"], [{"at": 1}])])
        error = {"type": "model_error", "code": chance.choice(["overflow", "refused"]), "message": "no"}
        run.send(chance.choice([error, *[_said(run, text, usage, form)] * 5]))


def _turn(run: WindowRun, usage: str, turn: int) -> None:
    _sum_up(run, usage)
    if run.decision["type"] != "call_model":
        return
    chance, native = run.chance, run.definition["dialect"] == "native"
    calls = [{"at": turn * 10 + number} for number in range(chance.choice([1, 1, 1, 2, 5]) if native else 1)]
    run.send(_said(run, "", usage, _called(run.definition["dialect"], calls)))
    if run.decision["type"] == "invoke_tool":
        size = chance.choice([3, 30, 300, 3000, 20_000])
        results = [
            {"call_id": call["call_id"], "ok": True, "output": text_of(chance, chance.randint(1, size))}
            for call in run.decision["calls"]
        ]
        run.send({"type": "tool_results", "results": results})


def _said(run: WindowRun, text: str, usage: str, form: Json) -> Json:
    kind = run.chance.choice(["true", "never", "uncached"]) if usage == "mixed" else usage
    observation: Json = {"type": "model_output", "finish_reason": "stop", **form}
    if kind == "true":
        observation["usage"] = {"prompt_tokens": run.tokens(), "completion_tokens": 9}
    elif kind == "uncached":
        observation["usage"] = {"prompt_tokens": run.chance.randint(0, max(1, run.tokens() // 20))}
    return observation


def _called(dialect: str, calls: list[Json]) -> Json:
    text = json.dumps({"name": "read", "arguments": calls[0]})
    match dialect:
        case "native":
            entries = [{"id": "x", "function": {"name": "read", "arguments": json.dumps(each)}} for each in calls]
            return {"content": None, "tool_calls": entries}
        case "envelope":
            return {"content": json.dumps({"kind": "tool_call", "tool_name": "read", "arguments": calls[0]})}
        case "bare":
            return {"content": json.dumps({"tool": "read", **calls[0]})}
        case "hermes_json":
            return {"content": f"<tool_call>\n{text}\n</tool_call>"}
        case _:
            text = json.dumps({"name": "read", "args": calls[0]})
            return {"content": f"[TOOL_CALL]{text}[/TOOL_CALL]"}


def _answered(dialect: str) -> Json:
    return {"content": '{"kind":"final","content":"Done."}' if dialect == "envelope" else "Done."}


@contextmanager
def model_count() -> Iterator[Count]:
    """Give the bundled model's own count of a text's tokens, special ones read as such."""
    with serve(default_model(), options=LlamaCppOptions(n_ctx=512, n_threads=1)) as url:
        address = url.removesuffix("/v1") + "/tokenize"

        @lru_cache(maxsize=4096)
        def count(text: str) -> int:
            body = json.dumps({"content": text, "parse_special": True}).encode()
            request = urllib.request.Request(address, data=body, headers={"Content-Type": "application/json"})
            with urllib.request.urlopen(request) as response:
                return len(json.load(response)["tokens"])

        yield count


def main(runs: int) -> int:
    """Make the runs, print what they came to, and give 1 if one broke a promise."""
    prompts = switches = summaries = fullest = unfit = broken = 0
    with model_count() as count:
        for seed in range(runs):
            run = window_run(random.Random(seed), count)
            prompts, switches, fullest = prompts + run.prompts, switches + run.switches, max(fullest, run.fullest)
            unfit, summaries = unfit + run.unfit, summaries + run.summaries
            if run.broken:
                broken += 1
                print(f"seed {seed}: {run.broken}")
    print(f"{runs} runs, {prompts} prompts, {switches} shrunk, the fullest {fullest / 10:.1f} % of its room")
    print(f"{summaries} summaries were asked for")
    print(f"{unfit} ended since a turn did not fit, {broken} broke a promise")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20))

"""Random long runs whose every prompt is counted: `python -m tools.window.runs [RUNS [FIRST [TOKENIZER]]]`.

The tokenizer is the bundled model's own, asked over llama.cpp's server. A run has a carry level, a dialect, a form of
constraint, and several exchanges with texts of many kinds, links and addresses among them, in requests and results; the
model's counts come truly, never, or as those of a server that leaves out cached tokens. Two runs of three ask for
summaries, which come in all forms, or not at all. At `off` and `ground` what is sent, tools too, begins as what was
sent before, unless a line of the log says why.
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

from .messages import Json, Sayings, answered, called
from .texts import text_of

Count = Callable[[str], int]

DIALECTS: Final = ("envelope", "native", "native", "tool_tags", "bare", "hermes_json")
LEVELS: Final = ("off", "ground")
SUPPORTS: Final = (None, ("json_schema",), ("grammar",), ("lark",), ("ebnf",), ("structural_tag",))
NATIVE_SUPPORTS: Final = (None, ("tools",), ("tools", "json_schema"), ("tools", "tools_with_json_schema"))
SMALLEST_WINDOW: Final = 1024
"""In which five calls at once with an answer of 300 tokens may not fit, which a run says instead of sending more."""

KNOWN_EXCESS: Final = 15
"""Per cent by which a prompt may pass its room where the tokenizer is known."""

MAX_STATE_CHARS: Final = 20_000
MAX_CARRIED_STATE_CHARS: Final = 35_000
"""With the words and results that are kept for a carried model."""

_READS: Final = {"readOnlyHint": True}


def _tool(name: str, description: str, **properties: Json) -> Json:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"name": name, "description": description, "parameters": parameters, "annotations": _READS}


_TOOLS: Final = (
    _tool("read", "Read a text.", at={"type": "integer"}),
    _tool("fetch", "Fetch a page.", url={"type": "string", "format": "uri"}),
    _tool("find_person", "Find the person of an address.", email={"type": "string", "format": "email"}),
)


@dataclass(kw_only=True)
class WindowRun:
    """One run and what was found of its prompts."""

    chance: random.Random
    count: Count
    definition: Json
    window: int
    room: int
    excess: int = 0
    state: Json | None = None
    messages: list[Json] = field(default_factory=list)
    decision: Json = field(default_factory=dict)
    before: list[Json] = field(default_factory=list)
    tools: Json | None = None
    task: str = ""
    sayings: Sayings = field(init=False)
    prompts: int = 0
    switches: int = 0
    summaries: int = 0
    fullest: int = 0
    unfit: bool = False
    broken: str | None = None

    def __post_init__(self) -> None:
        """Begin with nothing said."""
        self.sayings = Sayings(self.chance)

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
        most = MAX_STATE_CHARS if self.level == "off" else MAX_CARRIED_STATE_CHARS
        if _chars(self.state) > most + _chars(self.state.get("pending", [])):
            self.broken = self.broken or "the state grew"
        if self.decision["type"] == "call_model":
            self._look(output["log"])

    @property
    def level(self) -> str:
        """Return the carry level of the run's model."""
        level: str = self.definition["models"][0]["carry"]
        return level

    def prompt(self) -> list[Json]:
        """Return the messages that the decision names, after those that it has itself."""
        named_ = [message for entry in self.decision["prompt"] for message in named(entry, self.messages)]
        return [*self.decision.get("messages", ()), *named_]

    def tokens(self) -> int:
        """Return the tokens of the prompt, in the bundled model's chat template."""
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
        if tokens > self.room * (100 + self.excess) // 100:
            self._break(f"{tokens} tokens are sent where {self.room} fit")
        self._look_at_beginning(prompt, log)
        self._look_at_results(prompt)

    def _look_at_beginning(self, prompt: list[Json], log: str) -> None:
        if self.before != prompt[: len(self.before)] and '"kind":"switched"' not in log:
            self._break("the prompt changed and no line says why")
        tools = self.decision.get("tools")
        if self.before and self.tools != tools and self.decision["reason"] != "summary" and not _says_why(log):
            self._break("the tools changed and no line says why")
        if not any(message["role"] == "user" and message["content"] == self.task for message in prompt):
            self._break("the task is not in the prompt")
        self.before = prompt
        self.tools = self.tools if self.decision["reason"] == "summary" else tools

    def _look_at_results(self, prompt: list[Json]) -> None:
        asked: set[str] = set()
        for before, message in zip([{"role": "system"}, *prompt], prompt, strict=False):
            asked |= {call["id"] for call in message.get("tool_calls") or ()}
            if message["role"] == "tool" and message["tool_call_id"] not in asked:
                self._break("a result is sent without its call")
            if str(message.get("content")).startswith("Result of") and before["role"] != "assistant":
                self._break("a result is sent without its call")

    def _break(self, what: str) -> None:
        model = self.definition["models"][0]
        drawn = f"{self.definition['dialect']}, {self.level}, {model.get('supports')}"
        self.broken = self.broken or f"{what} (prompt {self.prompts}, {drawn})"


def _chars(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False))


def _says_why(log: str) -> bool:
    """Whether a line of a step says why other tools are offered."""
    return any(f'"{why}"' in log for why in ("switched", "repeated_call", "final_answer"))


def named(entry: Any, messages: list[Json]) -> list[Json]:
    """Return the messages of one entry of a prompt, as hosts do."""
    if isinstance(entry, list):
        return messages[entry[0] : entry[1]]
    message = messages[entry["index"]]
    cuts = tuple((begin, end, text) for begin, end, text in entry["cuts"])
    short = purestep.ShortenedMessage(index=entry["index"], cuts=cuts)
    return [{**message, "content": short.apply(message["content"])}]


def window_run(chance: random.Random, count: Count, tokenizer: str | None = None) -> WindowRun:
    """Make a random long run; what it broke is in `broken`.

    tokenizer: the model's, where the definition names it. Its estimates are about right instead of too high, so that a
    prompt may take a little of what is left to the answer.
    """
    window = chance.choice([1024, 2048, 4096, 8192])
    answer = chance.choice([None, 64, 300])
    dialect, level = chance.choice(DIALECTS), chance.choice(LEVELS)
    supports = chance.choice(NATIVE_SUPPORTS if dialect == "native" else SUPPORTS)
    model: Json = {"name": "m", "window_tokens": window, "carry": level}
    if supports:
        model["supports"] = supports
    if tokenizer:
        model["profile"] = {"tokenizer": tokenizer}
    definition: Json = {
        "dialect": dialect,
        "instructions": "Answer briefly.",
        "tools": _TOOLS,
        "models": [model],
        "limits": {"max_turns": 500, "max_corrections": 5},
    }
    summary = chance.choice([None, {}, {"max_tokens": chance.choice([20, 120, 2000])}])
    if summary is not None:
        definition["policies"] = [{"use": "summary", **summary}]
    if answer:
        definition["sampling"] = {"max_tokens": answer}
    reserve = answer or min(window // 4, 2048)
    run = WindowRun(chance=chance, count=count, definition=definition, window=window, room=window - reserve)
    run.excess = KNOWN_EXCESS if tokenizer else 0
    usage = chance.choice(["true", "never", "uncached", "mixed"])
    for _ in range(chance.randint(1, 6)):
        run.before, run.task = [], run.sayings.request(window // 60)
        run.send({"type": "user_message", "content": run.task})
        for turn in range(chance.randint(1, 25)):
            if run.decision["type"] not in ("call_model", "invoke_tool") or run.broken:
                break
            _turn(run, usage, turn)
        _end(run, usage)
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
        call = called(run.definition["dialect"], [("read", {"at": 1})])
        form = chance.choice([{"content": text}, {"content": text}, call])
        error = {"type": "model_error", "code": chance.choice(["overflow", "refused"]), "message": "no"}
        run.send(chance.choice([error, *[_with_usage(run, usage, form)] * 5]))


def _turn(run: WindowRun, usage: str, turn: int) -> None:
    _sum_up(run, usage)
    if run.decision["type"] == "call_model":
        _call(run, usage, turn)
    if run.decision["type"] == "invoke_tool":
        size = run.chance.choice([3, 30, 300, 3000, 20_000])
        results = [
            {"call_id": call["call_id"], "ok": True, "output": run.sayings.output(size)}
            for call in run.decision["calls"]
        ]
        run.send({"type": "tool_results", "results": results})


def _call(run: WindowRun, usage: str, turn: int) -> None:
    """Have the model write calls."""
    chance, dialect = run.chance, run.definition["dialect"]
    number = chance.choice([1, 1, 1, 2, 5]) if dialect == "native" else 1
    shown = "\n".join([message.get("content") or "" for message in run.prompt() if message["role"] != "assistant"])
    calls = [run.sayings.call(shown, turn * 10 + at) for at in range(number)]
    run.send(_with_usage(run, usage, called(dialect, calls)))


def _end(run: WindowRun, usage: str) -> None:
    """Have the run end: results for calls that are still to run, and an answer."""
    for _ in range(_LAST_STEPS):
        _sum_up(run, usage)
        if run.decision["type"] == "invoke_tool":
            _turn(run, usage, 0)
        elif run.decision["type"] == "call_model":
            run.send(_with_usage(run, usage, answered(run.definition["dialect"])))


_LAST_STEPS: Final = 40
"""More than calls, summaries and an answer can need."""


def _with_usage(run: WindowRun, usage: str, form: Json) -> Json:
    kind = run.chance.choice(["true", "never", "uncached"]) if usage == "mixed" else usage
    observation: Json = {"type": "model_output", "finish_reason": "stop", **form}
    if kind == "true":
        observation["usage"] = {"prompt_tokens": run.tokens(), "completion_tokens": 9}
    elif kind == "uncached":
        observation["usage"] = {"prompt_tokens": run.chance.randint(0, max(1, run.tokens() // 20))}
    return observation


@contextmanager
def model_count() -> Iterator[Count]:
    """Return the bundled model's own count of a text's tokens, special ones read as such."""
    with serve(default_model(), options=LlamaCppOptions(n_ctx=512, n_threads=1)) as url:
        address = url.removesuffix("/v1") + "/tokenize"

        @lru_cache(maxsize=4096)
        def count(text: str) -> int:
            body = json.dumps({"content": text, "parse_special": True}).encode()
            request = urllib.request.Request(address, data=body, headers={"Content-Type": "application/json"})
            with urllib.request.urlopen(request) as response:
                return len(json.load(response)["tokens"])

        yield count


@dataclass
class Total:
    """What the runs of one carry level came to."""

    runs: int = 0
    prompts: int = 0
    switches: int = 0
    summaries: int = 0
    fullest: int = 0
    unfit: int = 0
    broken: int = 0

    def add(self, run: WindowRun) -> None:
        """Count a run."""
        self.runs, self.prompts = self.runs + 1, self.prompts + run.prompts
        self.switches, self.summaries = self.switches + run.switches, self.summaries + run.summaries
        self.fullest = max(self.fullest, run.fullest)
        self.unfit, self.broken = self.unfit + run.unfit, self.broken + (run.broken is not None)

    def __str__(self) -> str:
        """Return the figures in words."""
        return (
            f"{self.runs} runs, {self.prompts} prompts, {self.switches} shrunk, {self.summaries} summaries, "
            f"the fullest {self.fullest / 10:.1f} % of its room, {self.unfit} ended since it did not fit, "
            f"{self.broken} broke a promise"
        )


def main(runs: int, first: int = 0, tokenizer: str | None = None) -> int:
    """Make the runs of the seeds from `first`, print what they came to, and give 1 if one broke a promise."""
    totals = {level: Total() for level in LEVELS}
    with model_count() as count:
        for seed in range(first, first + runs):
            run = window_run(random.Random(seed), count, tokenizer)
            totals[run.level].add(run)
            if run.broken:
                print(f"seed {seed}: {run.broken}")
    for level, total in totals.items():
        print(f"{level}: {total}")
    return int(any(total.broken for total in totals.values()))


if __name__ == "__main__":
    _RUNS, _FIRST, _TOKENIZER = [*sys.argv[1:], *["20", "0", ""][len(sys.argv[1:]) :]]
    sys.exit(main(int(_RUNS), int(_FIRST), _TOKENIZER or None))

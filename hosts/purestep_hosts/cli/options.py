"""The options that several commands share, and their values as one object."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_type_hints

import msgspec
import typer

DEFAULT_TOOLS = (
    "add_days", "calculate", "count_words", "days_between", "list_dir", "read_file", "search_files",
    "session_note_append", "session_note_search", "time_in", "today",
)  # fmt: skip
"""Offered by default: none of them changes a file, uses the network or needs approval."""

DEFAULT_MAX_TOKENS = 512
"""Enough for a long answer, and a limit for a small model that repeats itself."""

ApproveMode = Literal["ask", "all", "none"]
CarryLevel = Literal["off", "ground"]
InFlight = Literal["refuse", "take-over", "leave"]
"""What a service does with runs under way that another definition began."""

_AGENT, _MODEL, _TOOLS, _OUTPUT, _SESSION = "Agent", "Model", "Tools", "Output", "Session"
"""The groups of options."""

AgentOption = Annotated[
    Path | None,
    typer.Option(
        "--agent", metavar="FILE", help="Agent definition, JSON or YAML; tools may be names.", rich_help_panel=_AGENT
    ),
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="MODEL",
        help="openai:NAME, anthropic:NAME, ollama:NAME, llama-server ... (see models), a GGUF file, "
        "hf:ORG/REPO[:FILE], litellm:PROVIDER/NAME, or a server's model.",
        rich_help_panel=_MODEL,
    ),
]
AdapterOption = Annotated[
    Path | None,
    typer.Option(
        "--adapter",
        metavar="FILE",
        help="Adapter of your own for the bundled model (docs/small-model.md).",
        rich_help_panel=_MODEL,
    ),
]
BaseUrlOption = Annotated[
    str | None,
    typer.Option(
        "--base-url", metavar="URL", help="OpenAI-compatible server; usually ends in /v1.", rich_help_panel=_MODEL
    ),
]
DialectOption = Annotated[
    str | None,
    typer.Option(
        "--dialect",
        metavar="NAME",
        help="How the model writes calls: envelope, native, auto ...",
        rich_help_panel=_MODEL,
    ),
]
CarryOption = Annotated[
    CarryLevel | None,
    typer.Option(
        "--carry",
        help="What is done for the model: off, or ground (examples, arguments held to what was said).",
        rich_help_panel=_AGENT,
    ),
]
ToolChoiceOption = Annotated[
    str | None,
    typer.Option(
        "--tool-choice",
        metavar="CHOICE",
        help="For these questions: auto, required (a tool before the answer), none, or the tool to call first.",
        rich_help_panel=_AGENT,
    ),
]
MaxTurnsOption = Annotated[
    int | None,
    typer.Option(
        "--max-turns",
        min=1,
        metavar="N",
        help="Most model outputs for one answer; 20 by default.",
        rich_help_panel=_AGENT,
    ),
]
MaxCostOption = Annotated[
    str | None,
    typer.Option(
        "--max-cost",
        metavar="AMOUNT",
        help="Most that one answer may cost, in the unit of the model's price: 0.05 is 5 US cents for known models.",
        rich_help_panel=_AGENT,
    ),
]
MaxTokensOption = Annotated[
    int | None,
    typer.Option(
        "--max-tokens",
        min=1,
        metavar="N",
        help=f"Most tokens of one output; {DEFAULT_MAX_TOKENS} by default.",
        rich_help_panel=_MODEL,
    ),
]
WindowTokensOption = Annotated[
    int | None,
    typer.Option(
        "--window-tokens",
        min=256,
        metavar="N",
        help="The model's window: no prompt is larger. Known of a model in this process; of a server only if given.",
        rich_help_panel=_MODEL,
    ),
]
TimeoutOption = Annotated[
    float | None,
    typer.Option(
        "--timeout",
        min=1,
        max=86_400,
        metavar="SECONDS",
        help="How long a silent model server is waited for; 180 by default.",
        rich_help_panel=_MODEL,
    ),
]
ToolsOption = Annotated[
    str | None,
    typer.Option(
        "--tools", metavar="A,B", help="Built-in tools to offer; see 'purestep tools'.", rich_help_panel=_TOOLS
    ),
]
FunctionsOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--functions",
        metavar="FILE",
        help="Python file whose functions decorated by tool are offered; it is run.",
        rich_help_panel=_TOOLS,
    ),
]
SkillsOption = Annotated[
    Path | None,
    typer.Option(
        "--skills", metavar="DIR", help="Folder of skills (SKILL.md) that the model may read.", rich_help_panel=_TOOLS
    ),
]
McpOption = Annotated[
    list[str] | None,
    typer.Option(
        "--mcp",
        metavar="SERVER",
        help="MCP server whose tools to offer: a command in quotes, or https://...; repeatable.",
        rich_help_panel=_TOOLS,
    ),
]
RootOption = Annotated[
    Path | None,
    typer.Option(
        "--root", metavar="DIR", help="Folder of the file tools; the working folder by default.", rich_help_panel=_TOOLS
    ),
]
AllowHostOption = Annotated[
    list[str] | None,
    typer.Option("--allow-host", metavar="HOST", help="Private host that fetch_url may reach.", rich_help_panel=_TOOLS),
]
ApproveOption = Annotated[
    ApproveMode,
    typer.Option(
        "--approve", help="Calls that need approval: ask on the terminal, all, or none.", rich_help_panel=_TOOLS
    ),
]
YesOption = Annotated[
    bool, typer.Option("--yes", "-y", help="Approve everything; the same as --approve all.", rich_help_panel=_TOOLS)
]
JsonOption = Annotated[
    bool,
    typer.Option("--json", help="Print one JSON object on stdout; progress stays on stderr.", rich_help_panel=_OUTPUT),
]
DataOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print only failures and questions on stderr.", rich_help_panel=_OUTPUT)
]
SessionsOption = Annotated[
    Path | None,
    typer.Option("--sessions", metavar="DIR", help="Folder that holds the sessions.", rich_help_panel=_SESSION),
]
ResumeOption = Annotated[
    str | None,
    typer.Option(
        "--resume", metavar="SESSION", help="Continue this session, or the last one: last.", rich_help_panel=_SESSION
    ),
]
ScriptOption = Annotated[
    Path | None,
    typer.Option(
        "--script",
        metavar="FILE",
        help="Model outputs to use instead of a model, one JSON value a line.",
        rich_help_panel=_MODEL,
    ),
]
StreamOption = Annotated[
    bool,
    typer.Option(
        "--stream/--no-stream", help="On a terminal, show text while the model writes it.", rich_help_panel=_OUTPUT
    ),
]
ReasoningOption = Annotated[
    bool,
    typer.Option(
        "--reasoning", help="Show the model's reasoning whole, instead of its first words.", rich_help_panel=_OUTPUT
    ),
]
AttachOption = Annotated[
    list[str] | None,
    typer.Option(
        "--attach",
        metavar="FILE",
        help="Image, PDF or text file to send with the first question, or SERVER:RESOURCE; repeatable.",
        rich_help_panel=_SESSION,
    ),
]
PromptOption = Annotated[
    list[str] | None,
    typer.Option(
        "--prompt",
        metavar="PROMPT",
        help="Prompt of an MCP server to send along as data: 'SERVER:NAME ARG=VALUE'; repeatable.",
        rich_help_panel=_SESSION,
    ),
]
LineOption = Annotated[
    int | None, typer.Option("--at", metavar="LINE", min=1, help="The last line of the log to take, counted from 1.")
]
LogArgument = Annotated[
    str, typer.Argument(metavar="LOG", help="last, a session's id or the beginning of it, a file, or - .")
]


class AgentChoice(msgspec.Struct, frozen=True, kw_only=True):
    """The options that choose the agent and its model."""

    agent: Path | None = None
    model: str | None = None
    adapter: Path | None = None
    base_url: str | None = None
    dialect: str | None = None
    carry: CarryLevel | None = None
    max_turns: int | None = None
    max_cost: str | None = None
    max_tokens: int | None = None
    window_tokens: int | None = None
    tools: str | None = None
    functions: tuple[Path, ...] = ()
    root: Path | None = None
    skills: Path | None = None
    mcp: tuple[str, ...] = ()
    remembered_skills: tuple[Path, ...] = ()
    allow_host: tuple[str, ...] = ()
    script: Path | None = None
    timeout: float | None = None
    is_taught: bool = True
    """Whether the bundled model may be asked as its adapter taught it."""


class RunOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options for how a run is executed and shown."""

    approve: ApproveMode = "ask"
    as_json: bool = False
    quiet: bool = False
    stream: bool = True
    reasoning: bool = False
    tool_choice: str | None = None
    sessions: Path | None = None
    resume: str | None = None
    attach: tuple[str, ...] = ()
    prompt: tuple[str, ...] = ()


AGENT_OPTIONS: Final[dict[str, Any]] = {
    "model": ModelOption,
    "adapter": AdapterOption,
    "base_url": BaseUrlOption,
    "dialect": DialectOption,
    "max_tokens": MaxTokensOption,
    "window_tokens": WindowTokensOption,
    "timeout": TimeoutOption,
    "agent": AgentOption,
    "carry": CarryOption,
    "max_turns": MaxTurnsOption,
    "max_cost": MaxCostOption,
    "tools": ToolsOption,
    "functions": FunctionsOption,
    "skills": SkillsOption,
    "mcp": McpOption,
    "root": RootOption,
    "allow_host": AllowHostOption,
    "script": ScriptOption,
}
"""The options behind the fields of AgentChoice, in the order of `--help`; each is None where it is not given."""

_RUN_OPTIONS: Final[dict[str, Any]] = {
    "tool_choice": ToolChoiceOption,
    "approve": ApproveOption,
    "yes": YesOption,
    "as_json": JsonOption,
    "quiet": QuietOption,
    "stream": StreamOption,
    "reasoning": ReasoningOption,
    "sessions": SessionsOption,
    "resume": ResumeOption,
    "attach": AttachOption,
    "prompt": PromptOption,
}
"""The options behind the fields of RunOptions; `--yes` is one way to say `--approve all`."""

_Command = Callable[..., int]


def with_options(*names: str) -> Callable[[_Command], _Command]:
    """Return a decorator that gives a command options in the place of its parameters `choice` and `options`.

    `choice` becomes an AgentChoice of the options named, by default of all; `options`, if the command has it, a
    RunOptions.
    """
    chosen = {name: AGENT_OPTIONS[name] for name in names or AGENT_OPTIONS}

    def decorated(command: _Command) -> _Command:
        parameters = inspect.signature(command).parameters
        groups: dict[str, dict[str, Any]] = {"choice": chosen}
        if "options" in parameters:
            groups["options"] = _RUN_OPTIONS

        @functools.wraps(command)
        def with_groups(**values: Any) -> int:
            made: dict[str, Any] = {"choice": _agent_choice({name: values.pop(name) for name in chosen})}
            if "options" in groups:
                made["options"] = _run_options(**{name: values.pop(name) for name in _RUN_OPTIONS})
            return command(**made, **values)

        hints = get_type_hints(command, include_extras=True)
        expanded: list[inspect.Parameter] = []
        for name, parameter in parameters.items():
            given = groups.get(name)
            expanded += [parameter.replace(annotation=hints[name])] if given is None else _parameters(given, parameter)
        # Typer reads the options from these two.
        with_groups.__signature__ = inspect.Signature(expanded)  # type: ignore[attr-defined]
        with_groups.__annotations__ = {parameter.name: parameter.annotation for parameter in expanded}
        return with_groups

    return decorated


def _parameters(options: dict[str, Any], place: inspect.Parameter) -> list[inspect.Parameter]:
    defaults = {"yes": False, **msgspec.structs.asdict(RunOptions())}
    return [place.replace(name=name, annotation=hint, default=defaults.get(name)) for name, hint in options.items()]


def _agent_choice(values: dict[str, Any]) -> AgentChoice:
    given: dict[str, Any] = {name: value for name, value in values.items() if value is not None}
    # An option that may be repeated is a list.
    given |= {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
    return AgentChoice(**given)


def _run_options(*, yes: bool, approve: ApproveMode, **values: Any) -> RunOptions:
    values |= {name: tuple(values[name] or ()) for name in ("attach", "prompt")}
    return RunOptions(approve="all" if yes else approve, **values)

"""Builds the parts of a run from the options: definition, toolbox, model, approver."""

from __future__ import annotations

import os
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

import purestep
from purestep_hosts.agent_file import check_tools, tool_names, with_built_in, with_profiles
from purestep_hosts.agent_tree import AgentPart, in_parts, read_agent_parts
from purestep_hosts.agents_below import with_below
from purestep_hosts.approval import TerminalApprover, approve_all, approve_none
from purestep_hosts.attachments import FolderAttachments
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.functions import with_functions
from purestep_hosts.cli.mcp_servers import without_servers
from purestep_hosts.cli.options import DEFAULT_MAX_TOKENS, DEFAULT_TOOLS, AgentChoice, RunOptions
from purestep_hosts.cli.skills import skills_for, without_folders
from purestep_hosts.cli.tool_owners import OwnTools
from purestep_hosts.extras import PRICES, MissingExtraError
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.models.adapters import TAUGHT_NAME, adapted_model, with_taught
from purestep_hosts.models.model import LOCAL_SUPPORTS, LOCAL_WINDOW_TOKENS
from purestep_hosts.models.named import (
    UnknownModelError,
    elsewhere,
    in_process,
    local_name,
    missing_key,
    served_definition,
    settings_of,
    with_model,
    with_wire,
)
from purestep_hosts.models.prices import free, says_price, with_prices
from purestep_hosts.settings import Settings, SettingsError
from purestep_hosts.show.screen import Screen
from purestep_hosts.skill_folders import FoundSkills, with_skills
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from purestep_hosts.loop import Approver
    from purestep_hosts.models.model import Model
    from purestep_hosts.tools.tool import RunningCall, Tool

_NOWHERE = Path(os.devnull)
"""The session folder for listing tools, which are not run."""


_NO_TOOLS: Final = OwnTools()


def agent_for(choice: AgentChoice, found: FoundSkills, own: OwnTools = _NO_TOOLS) -> purestep.Agent:
    """Return the agent that the options describe, with the skills of `skills_of` and the tools of `own_tools`.

    Raises AgentFileError, UsageError, PurestepError.
    """
    if choice.agent is None:
        definition = _as_asked(_built_in(choice, own.tools), choice)
        return purestep.Agent.load(with_skills(definition, found, reader_spec(found)))
    if choice.tools is not None:
        raise UsageError("--tools goes with the built-in agent; with --agent, name the tools in the file")
    file, first = choice.agent, read_agent_parts(choice.agent)
    if not all(_is_free(part.definition) for part in first.parts()):
        choice = replace(choice, is_taught=False)  # one model is loaded, with its adapter or without
    # The limits of the first agent hold for all that it calls.
    of_below = replace(choice, max_turns=None, max_cost=None)

    def made(part: AgentPart) -> dict[str, Any]:
        definition = _as_asked(_from_file(part, first, own), of_below if part.path else choice)
        offered = skills_for(part, found)
        return with_skills(definition, offered, reader_spec(offered))

    try:
        return purestep.Agent.load(first.whole(made))
    except purestep.PurestepError as error:
        raise in_parts(error, file) from None


def _as_asked(definition: dict[str, Any], choice: AgentChoice) -> dict[str, Any]:
    """Return a definition with what the options say of it, as the chosen model is asked."""
    if choice.dialect is not None:
        definition = {**definition, "dialect": choice.dialect}
    if choice.max_turns is not None:
        definition = _with(definition, "limits", "max_turns", choice.max_turns)
    if choice.max_tokens is not None:
        definition = _with(definition, "sampling", "max_tokens", choice.max_tokens)
    definition = with_window(with_carry(as_served(as_taught(definition, choice), choice), choice), choice)
    return priced(definition, choice)


def _is_free(definition: dict[str, Any]) -> bool:
    return "models" not in definition and definition.get("dialect", "compact") == "compact"


def as_taught(definition: dict[str, Any], choice: AgentChoice) -> dict[str, Any]:
    """Return the definition by which the bundled model is asked as its adapter taught it.

    What the definition says of models and dialect stands; asked in another dialect, the model goes without adapter.
    """
    if _is_free(definition) and is_taught(choice):
        return with_taught(definition, choice.adapter)
    if choice.adapter is not None:
        raise UsageError("--adapter goes with the bundled model in the dialect compact; leave it out, or the others")
    return definition


def as_served(definition: dict[str, Any], choice: AgentChoice) -> dict[str, Any]:
    """Return the definition by which a model of a server is asked; the dialect that it names stands."""
    if choice.script is not None or (settings := settings_for(choice)).runs_here:
        return definition
    from purestep_hosts.models.server_facts import facts_of

    return served_definition(definition, settings, facts_of(settings))


def priced(definition: dict[str, Any], choice: AgentChoice) -> dict[str, Any]:
    """Return the definition with the limit of cost that the options give, and the price of a model in this process.

    Raises UsageError for a limit that is no amount, and for one that no price lets hold.
    """
    if choice.script is None and settings_for(choice).runs_here:
        definition = with_prices(definition, model_name(choice), free)
    if choice.max_cost is None:
        return definition
    models = definition.get("models") or [{"name": model_name(choice)}]
    unpriced = [model for model in models if isinstance(model, dict) and not says_price(model)]
    if unpriced:
        raise UsageError(
            f"--max-cost cannot be held: no price of {unpriced[0].get('name')} is known; give it in an agent file with "
            f"--agent, as models[].price{_price_advice()}"
        )
    return _with(definition, "limits", "max_cost", _millionths(choice.max_cost))


def _price_advice() -> str:
    try:
        PRICES.require()
    except MissingExtraError as error:
        return f", or for well-known models: {error.message}"
    return ""


_MOST: Final = 1_000_000
"""Of an amount for one answer: what is above it is a mistake."""


def _millionths(amount: str) -> int:
    """Return an amount in millionths, rounded down, since more may not be spent."""
    try:
        value = Decimal(amount)
    except InvalidOperation:
        value = Decimal("NaN")
    millionths = int(value * 1_000_000) if value.is_finite() and 0 < value <= _MOST else 0
    if millionths == 0:
        raise UsageError(f"--max-cost is {amount!r}; expected an amount such as 0.05, from 0.000001 to {_MOST}")
    return millionths


def is_taught(choice: AgentChoice) -> bool:
    """Whether the options choose the bundled model, and no other way to ask it."""
    others = (
        not choice.is_taught,
        choice.script is not None,
        choice.dialect not in (None, "compact"),
        choice.carry not in (None, "off"),
    )
    return not any(others) and settings_for(choice).kind == "built_in"


def with_carry(definition: dict[str, Any], choice: AgentChoice) -> dict[str, Any]:
    """Return the definition with the level at which its models are carried; where it names levels, they stand.

    The level is in the definition and not beside it, so that the log and a resumed session have it.
    """
    models = definition.get("models", [])
    if not isinstance(models, list):
        return definition  # the core reports what is wrong with it
    if any(isinstance(model, dict) and model.get("carry") for model in models) and choice.carry is None:
        return definition
    level = choice.carry or "off"
    if level == "off" and choice.carry is None:
        return definition
    if models:
        carried = [{**model, "carry": level} if isinstance(model, dict) else model for model in models]
        return {**definition, "models": carried}
    return definition if level == "off" else {**definition, "models": [{**_model_entry(choice), "carry": level}]}


def with_window(definition: dict[str, Any], choice: AgentChoice) -> dict[str, Any]:
    """Return the definition with the window of its models, where it is known: from the option, or of a local model.

    What the definition says of a model stands, unless the option says otherwise.
    """
    tokens = choice.window_tokens
    if tokens is None and choice.script is None and settings_for(choice).runs_here:
        tokens = LOCAL_WINDOW_TOKENS
    models = definition.get("models") or [{"name": model_name(choice)}]
    if tokens is None or not isinstance(models, list):
        return definition
    return {**definition, "models": [_with_tokens(model, tokens, choice.window_tokens) for model in models]}


def _with_tokens(model: Any, tokens: int, given: int | None) -> Any:
    if not isinstance(model, dict) or (given is None and model.get("window_tokens")):
        return model
    return {**model, "window_tokens": tokens}


def _model_entry(choice: AgentChoice) -> dict[str, Any]:
    """Return the definition's entry of the chosen model: of a server nobody knows what it takes."""
    entry: dict[str, Any] = {"name": model_name(choice)}
    runs_here = choice.script is None and settings_for(choice).runs_here
    return {**entry, "supports": list(LOCAL_SUPPORTS)} if runs_here else entry


def tool_choice_for(agent: purestep.Agent, given: str | None) -> purestep.ToolChoice | None:
    """Return the choice that an option names: one of three words, else a tool; raises UsageError for no such tool."""
    if given is None:
        return None
    words: dict[str, purestep.ToolChoice] = {"auto": "auto", "required": "required", "none": "none"}
    choice = words.get(given) or purestep.OneTool(tool=given)
    try:
        purestep.start(agent, purestep.UserMessage(content="", tool_choice=choice), run_id="check")
    except purestep.PurestepError as error:
        raise UsageError(f"--tool-choice: {error.message}") from None
    return choice


def known_specs() -> list[dict[str, Any]]:
    """Return the specs of every built-in tool, sorted by name."""
    return Toolbox(ToolConfig(session_dir=_NOWHERE, root=Path.cwd())).specs()


def built_in_names() -> frozenset[str]:
    """Return the names that no function can have."""
    return frozenset((*(spec["name"] for spec in known_specs()), purestep.READ_SKILL))


def toolbox_for(
    agent: purestep.Agent, choice: AgentChoice, folder: Path, found: FoundSkills, given: OwnTools = _NO_TOOLS
) -> Toolbox:
    """Return the tools of the agent and of those that it calls, for a session's folder and with these skills.

    Raises AgentFileError for an unknown tool, and UsageError where an agent reads skills and none was found.
    """
    everyone = tuple(with_below(agent))
    names = [tool.name for each in everyone for tool in each.definition.tools if tool.name not in each.agents]
    names = list(dict.fromkeys(names))
    if purestep.READ_SKILL in names and not found.skills:
        raise UsageError(
            "the agent reads skills; give the folder that holds them with --skills DIR. Only a session of your own, "
            "made on this machine, remembers it"
        )
    known = [spec["name"] for spec in known_specs()] + ([purestep.READ_SKILL] if found.skills else [])
    own = {tool.name: tool for tool in given.tools}
    _check_served(names, [*known, *own])
    check_tools(names, [*known, *own], "the agent")
    toolbox = Toolbox(
        ToolConfig(
            session_dir=folder,
            root=root_of(choice),
            allow_hosts=choice.allow_host,
            names=tuple(name for name in names if name not in own),
            skills=found.folders(),
        ),
        FolderAttachments(folder).put,
    )
    for name in names:
        if name in own:
            toolbox.register(_ranking(own[name], agent))
    return toolbox


def _ranking(tool: Tool, agent: purestep.Agent) -> Tool:
    """Return a function that ranks tools with those of the agent that searches as its argument `tools`, if it has one.

    agent: that of the run; below it each has its own tools. Any other function comes back as it is.
    """
    ranks = any(each.definition.tools_ranked_by == tool.name for each in with_below(agent))
    if not ranks or "tools" not in tool.parameters.get("properties", {}):
        return tool
    from purestep_hosts.agents.tool_ranking import tool_texts

    def ranked(params: dict[str, Any], call: RunningCall) -> Any:
        searching = agent
        for name in () if call.model is None else call.model.path:
            searching = searching.agents[name]
        return tool.run({**params, "tools": [text._asdict() for text in tool_texts(searching)]}, call)

    return replace(tool, run=ranked)


def _check_served(names: list[str], known: list[str]) -> None:
    """Raise UsageError for a tool of an MCP server that this command was not given."""
    for name in names:
        server, sign, _ = name.partition("__")
        if sign and name not in known:
            raise UsageError(
                f"the agent has the tool {name!r} of the MCP server {server}, which is not here or lists it no more; "
                f"give the server with --mcp {server}=COMMAND, or the agent file that names it with --agent"
            )


def reader_spec(found: FoundSkills) -> dict[str, Any]:
    """Return the spec of the tool that reads these skills; an empty one without skills."""
    names = (purestep.READ_SKILL,) if found.skills else ()
    specs = Toolbox(ToolConfig(session_dir=_NOWHERE, names=names, skills=found.folders())).specs()
    return specs[0] if specs else {}


def settings_for(choice: AgentChoice) -> Settings:
    """Return which model the options, the environment and `.env` name; raises SettingsError, UsageError."""
    try:
        settings = settings_of(choice.model, choice.base_url)
    except UnknownModelError as error:
        raise UsageError(f"--model {error.message}, or add --base-url URL") from None
    if (lacks := missing_key(settings)) is not None:
        raise SettingsError(lacks)
    # Nothing is asked at an address that a folder names before a person has confirmed it.
    return settings if settings.chosen_by == ".env" else with_model(settings)


def model_name(choice: AgentChoice) -> str:
    """Return the name of the model that would be used, without loading or downloading it."""
    if choice.script is not None:
        return "script"
    if is_taught(choice):
        return TAUGHT_NAME if choice.adapter is None else choice.adapter.stem
    settings = settings_for(choice)
    return local_name(settings) if settings.runs_here else settings.model or "default"


def model_for(
    choice: AgentChoice, settings: Settings, agent: purestep.Agent | None = None, outputs_before: int = 0
) -> Model:
    """Return the model, ready to be asked; raises DownloadError, ModelLoadError, AdapterError, ScriptError.

    agent: whose definition says with which adapter a model in this process is loaded.
    """
    if choice.script is not None:
        from purestep_hosts.models.scripted import ScriptedModel

        return ScriptedModel(choice.script, outputs_before)
    if not settings.runs_here:
        from purestep_hosts.models.openai_http import HttpLimits

        given = HttpLimits()
        limits = given if choice.timeout is None else HttpLimits(read_s=choice.timeout, total_s=5 * choice.timeout)
        served = with_model(settings)
        return elsewhere(
            served if agent is None else with_wire(served, agent),
            limits,
            "The option --timeout sets how long a silent server is waited for.",
        )
    return in_process(settings, None if agent is None else adapted_model(agent), choice.adapter)


def approver_for(options: RunOptions, screen: Screen, interrupts: Interrupts) -> Approver:
    """Return what approves or refuses calls."""
    if options.approve == "all":
        return approve_all
    if options.approve == "none":
        return approve_none
    return TerminalApprover(screen.printer, lambda: screen.state, forget_interrupt=interrupts.forget)


def _from_file(part: AgentPart, first: AgentPart, own: OwnTools) -> dict[str, Any]:
    """Return a definition of an agent file with what it names: built-in tools, functions, and those of servers."""
    offered = own.specs_for(part, first)
    definition = with_functions(without_servers(without_folders(part.definition)), offered)
    specs = [*known_specs(), *own.specs()]
    check_tools(tool_names(definition), [spec["name"] for spec in specs], part.where, part.below)
    # Without `sampling` in the file, temperature 0 as in the built-in agent: small models need it.
    return {"sampling": dict(_SAMPLING), **with_profiles(with_built_in(definition, specs))}


def _built_in(choice: AgentChoice, functions: tuple[Tool, ...]) -> dict[str, Any]:
    specs = {spec["name"]: spec for spec in known_specs()}
    # Who brings functions wants those called: a small model chooses better among few tools.
    default = () if functions else DEFAULT_TOOLS
    names = default if choice.tools is None else _split(choice.tools)
    for name in names:
        if name not in specs:
            known = ", ".join(specs)
            raise UsageError(f"--tools names {name!r}, which is not a built-in tool; the built-in tools are {known}")
    return {
        "name": "purestep",
        "tools": [*(specs[name] for name in sorted(set(names))), *(tool.spec() for tool in functions)],
        # The taught model reads the beginning of a result, and was never shown how to read on.
        **({} if is_taught(choice) else {"policies": [{"use": "read_output"}]}),
        "sampling": {**_SAMPLING, "max_tokens": DEFAULT_MAX_TOKENS},
    }


_SAMPLING = {"temperature": 0}


def _split(names: str) -> tuple[str, ...]:
    return tuple(name for part in names.split(",") if (name := part.strip()))


def _with(definition: dict[str, Any], part: str, name: str, value: int) -> dict[str, Any]:
    inner = definition.get(part) or {}
    if not isinstance(inner, dict):
        return definition  # the core reports what is wrong with it
    return {**definition, part: {**inner, name: value}}


def root_of(choice: AgentChoice) -> Path:
    """Return the folder that the file tools and the shell use; raises UsageError."""
    root = choice.root or Path.cwd()
    if not root.is_dir():
        raise UsageError(f"--root names {root}, which is not a folder; give the folder that the file tools may see")
    return root

"""A definition made ready for steps: schemas compiled, prompts and constraints built once.

Compiled agents are kept by digest, so that a small state can name its definition; the table is a cache of
pure results, never a place for a run's data.
"""

from collections import OrderedDict
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final, TypeVar

from msgspec import Raw

from ..bounds import (
    BARE_MAX_TURNS,
    DEFAULT_MAX_CORRECTIONS,
    DEFAULT_MAX_PARALLEL,
    DEFAULT_MAX_REPEATS,
    DEFAULT_MAX_TURNS,
    DEFAULT_SUMMARY_TOKENS,
    DEFAULT_TREE_TURNS,
    MAX_AGENTS,
    MAX_OFFERS,
    MAX_WAYS,
)
from ..checks import LOOKS_BACK, inner_tool_names
from ..dialects import Dialect, dialect_named
from ..errors import PurestepError
from ..json_text import encode
from ..policy import options_of, policies_in_force
from ..regex import Budget, compile_budget
from ..schema import schema_at
from ..values import (
    SCHEMAS,
    TOOL_NAME_CHARS,
    AgentDefinition,
    CarryLevel,
    Message,
    Pending,
    RunState,
    ToolChoice,
    ToolSpec,
    learnt_members,
    profile_in,
    read_definition,
)
from ..window import message_tokens
from . import prompt
from .definition_checks import check_prices, check_sampling, check_supports
from .definition_policies import place_of, with_versions
from .examples import made_texts
from .grounds import grounds_of
from .history_rules import check_history
from .model_rates import rate_chooser
from .offers import Offer, check_choice, make_offer
from .output_reader import READ_OUTPUT, output_reader
from .redactions import compile_redaction
from .sent_names import names_by_sent, sent_names
from .skill_tools import compile_skills
from .tokenizers import counter_of
from .tool_search import FIND_TOOLS, ToolSearch, tool_search
from .tools import CompiledTool, compile_tools, open_checks
from .ways import Way, check_rules, way_of

_NO_OFFER: Final = Offer()
_OfferKey = tuple[int, tuple[str, ...], ToolChoice, bool, bool, bool, tuple[int, ...]]


class Agent:
    """A compiled definition; equal definitions have equal digests.

    Attributes: `definition`, `digest` (None for the bare form without a definition), `source` (canonical JSON
    bytes of the definition, b"null" without one), `tools` (compiled, by name), `host_tools` (with those that check).
    The rest is for the step function.
    """

    __slots__ = (
        "_base",
        "_offers",
        "_way",
        "_ways",
        "agents",
        "alternating",
        "answer",
        "answer_checks",
        "call_extras",
        "call_id_chars",
        "called",
        "carries",
        "cites",
        "counter",
        "definition",
        "dialect",
        "digest",
        "every_tool",
        "example_tokens",
        "executed",
        "extra_models",
        "grounded_kinds",
        "grounds",
        "guarded_tool",
        "hand_offs",
        "has_own_head",
        "has_sent_forms",
        "history",
        "host_tools",
        "inner_tools",
        "is_open",
        "judges_echoes",
        "keeps_evidence",
        "keeps_spans",
        "known_specs",
        "limits",
        "max_corrections",
        "max_parallel",
        "max_repeats",
        "max_turns",
        "may_act",
        "name_chars",
        "open_checks",
        "opening_models",
        "options",
        "own_names",
        "policies",
        "preamble",
        "rates",
        "reader",
        "redaction",
        "refuses",
        "samples",
        "search",
        "sent_names",
        "skills",
        "source",
        "summary_tokens",
        "system_roles",
        "system_tokens",
        "tools",
        "varies",
        "warns",
        "windowed",
    )

    def __init__(
        self,
        definition: AgentDefinition,
        source: bytes,
        agent_digest: str | None,
        agents: "Mapping[str, Agent] | None" = None,
    ) -> None:
        self.agents: Mapping[str, Agent] = agents or {}
        """The agents that its model may call, by the names of their tools."""
        self.hand_offs = frozenset(name for name, entry in definition.agents.items() if entry.hand_off)
        """The names of those among them that take the conversation over."""
        self.limits = definition.limits
        self.definition, self.source, self.digest = definition, source, agent_digest
        self.is_open = agent_digest is None
        """Whether any tool name is taken as it comes: the bare form without a definition."""
        self.dialect: Dialect = dialect_named(definition.dialect)
        budget = compile_budget()
        self.options = options = options_of(definition.policies or ())
        """What the definition asks for by policies without hooks."""
        schema = definition.answer_schema
        self.answer = None if schema is None else schema_at("/answer_schema", schema, options.formats, budget)
        self._note_limits()
        # What the model may call, and what only the core calls, to judge outputs and answers.
        # The built-in skills stand among the tools too: they are offered and called in the same way.
        compiled, self.answer_checks = compile_tools(definition, options.formats, budget)
        self.skills, judges = compile_skills(definition, compiled), inner_tool_names(definition)
        self.inner_tools = {name: tool for name, tool in compiled.items() if name in judges}
        offered = {name: tool for name, tool in compiled.items() if name not in judges}
        self.tools = dict(sorted({**offered, **self.skills}.items()))
        self.host_tools = {**self.tools, **self.inner_tools}
        """Every tool that a host may be told to run, by name: those that the model may call, and those that check."""
        self.open_checks = open_checks(budget) if self.is_open else ()
        """The checks of outputs of tools without a spec."""
        self._note_acts()
        self._note_checks()
        self.keeps_spans = any(model.spans for model in definition.models)
        """Whether texts of the conversation are kept, since a model copies its arguments from them."""
        self._note_redaction(budget)
        self._note_built_in(offered)
        check_choice(definition, tuple(self.tools))
        check_sampling(definition)
        self._way = Way(definition.dialect, "off", self.defers(0))
        shows = any(model.carry == "ground" for model in definition.models)
        self.preamble: tuple[Message, ...] = (
            ()
            if agent_digest is None
            else prompt.preamble(definition, self.dialect, self.shown_tools(0), examples=shows)
        )
        self._note_rules()
        self._note_profiles()
        self._base, self.has_own_head = self, False
        """Whether the prompt begins with this preamble, not with the transcript's."""
        self.carries = shows or any(rule.move == "carry" for rule in options.rules)
        """Whether a model is carried, or may come to be."""
        self.grounds = {name: grounds_of(tool.spec) for name, tool in self.tools.items()} if self.carries else {}
        """The arguments that a carried model copies, by tool, with the forms of their values."""
        self.grounded_kinds = frozenset(
            kind for kinds in self.grounds.values() for each in kinds.values() for kind in each
        )
        # The made-up texts of examples that are sent: a call with one that nobody has said is sent back.
        self.samples = made_texts(
            [tool.spec for tool in self.tools.values() if tool.reads] if shows or options.rules else ()
        )
        self._note_window()
        self._offers: OrderedDict[_OfferKey, Offer] = OrderedDict()
        self._ways: OrderedDict[Way, Agent] = OrderedDict()

    def _note_built_in(self, offered: Mapping[str, CompiledTool]) -> None:
        """Keep the built-in tools, and which tools are found by one of them."""
        definition, models = self.definition, range(len(self.definition.models))
        self.search: ToolSearch | None = tool_search(definition, offered)
        """Finds the tools that are deferred, since there are many; None where every model is offered all."""
        self.every_tool = (*self.tools, *(() if self.search is None else (FIND_TOOLS,)))
        """The names of all that a model may be offered, but for what reads on in outputs."""
        self.varies = self.search is not None and len({self.defers(at) for at in models}) > 1
        """Whether some of the models are offered all tools at once, and others not."""
        check_supports(definition, self.dialect, self.search.places if self.search and self.defers(0) else ())
        self.reader = output_reader(definition, self.options)
        """The built-in tool that reads on in cut outputs; None where it is not asked for."""
        self.called = {**self.tools}
        """Every tool that a model may call, by name, the built-in ones among them."""
        if self.reader is not None:
            self.called[READ_OUTPUT] = self.reader
        if self.search is not None:
            self.called[FIND_TOOLS] = self.search.finder
        self.known_specs = {name: tool.spec for name, tool in self.called.items()}
        self.executed = frozenset([*self.skills, *self.hand_offs, *([] if self.search is None else [FIND_TOOLS])])
        """The names of those that the core executes itself, as skills."""

    def _note_acts(self) -> None:
        guarded = [name for name, agent in self.agents.items() if agent.guarded_tool is not None]
        guarded += [name for name, tool in self.tools.items() if tool.is_guarded]
        self.guarded_tool: str | None = guarded[0] if guarded else None
        """The first tool or agent whose keys protect something: a run that has one needs an id of its own."""
        taking_over = any(self.agents[name].may_act for name in self.hand_offs)
        self.may_act: bool = taking_over or any(tool.may_act for tool in self.tools.values())
        """Whether there is a tool that may change something, also of who may take the conversation over."""

    def among(self, digest: str | None) -> "Agent | None":
        """Return the agent with that digest: this one, or one to which its conversation may be handed over."""
        if digest == self.digest:
            return self
        found = (self.agents[name].among(digest) for name in sorted(self.hand_offs))
        return next((each for each in found if each is not None), None)

    def has_below(self, tool: str) -> bool:
        """Whether a call of that name begins the run of an agent, whose answer is its result."""
        return tool in self.agents and tool not in self.hand_offs

    def below(self, call: Pending) -> "Agent":
        """Return the agent of the run that stands in a call: the one that it called, or one that took over from it."""
        called = self.agents[call.tool]
        return called if call.child is None else called.among(call.child.agent) or called

    @property
    def depth(self) -> int:
        """How many agents are below one another."""
        return max([agent.depth for agent in self.agents.values()], default=-1) + 1

    def _note_limits(self) -> None:
        check_prices(self.definition)
        limits = self.limits
        default = DEFAULT_TREE_TURNS if self.agents else DEFAULT_MAX_TURNS
        self.max_turns = limits.max_turns or (BARE_MAX_TURNS if self.digest is None else default)
        self.max_corrections = DEFAULT_MAX_CORRECTIONS if limits.max_corrections is None else limits.max_corrections
        self.max_parallel = limits.max_parallel or DEFAULT_MAX_PARALLEL
        self.max_repeats = limits.max_repeats or DEFAULT_MAX_REPEATS
        self.warns = limits.final_answer
        """Whether the model is told before a limit is reached."""

    def _note_checks(self) -> None:
        names = [check.name for check in self.answer_checks if check.call is None]
        history = self.options.history
        sums_up = self.options.summary_tokens > 0 or (history is not None and history.summary_above is not None)
        self.judges_echoes = "echo" in names or sums_up
        """Whether answers or summaries that only repeat the question are rejected."""
        self.cites, self.keeps_evidence = "citations" in names, any(name in names for name in LOOKS_BACK)
        """Whether answers cite results, and whether what was said is kept, since checks look there."""

    def _note_redaction(self, budget: Budget) -> None:
        spec, place = self.options.redaction, place_of(self.definition, "redaction")
        self.redaction = None if spec is None else compile_redaction(spec, place, self.host_tools, budget)
        """Hides texts in what comes from outside; None where the definition hides none."""

    def _note_window(self) -> None:
        """Keep whether and how the prompt is fitted into a model's window."""
        self.history = history = self.options.history
        """What of the conversation is sent; None without rules for that."""
        if history is not None:
            check_history(history, place_of(self.definition, "history"), self.tools)
        declared = any(model.window_tokens for model in self.definition.models)
        taking_over = any(self.agents[name].windowed for name in self.hand_offs)
        self.windowed: bool = history is not None or declared or taking_over
        """Whether the size of prompts is kept, since a model declares its window or there are rules of history.

        Those of who may take the conversation over count, too.
        """
        above = history is not None and history.summary_above
        self.summary_tokens = self.options.summary_tokens or (DEFAULT_SUMMARY_TOKENS if above else 0)
        if not self.windowed:
            self.summary_tokens = 0
        """Of a summary of what leaves the prompt; 0 where none is asked for."""
        self.counter = counter_of(self.definition.models)
        """Counts the tokens of prompts."""
        self._measure()

    def _note_profiles(self) -> None:
        """Keep what is known of the models' servers before they say it."""
        models = self.definition.models
        profiles = [profile_in(model) for model in models]
        self.refuses = {at: profile.refuses for at, profile in enumerate(profiles) if profile.refuses}
        """Members of requests, by the index of the model whose server does not take them."""
        self.system_roles = {
            at: profile.system for at, profile in enumerate(profiles) if profile.system not in (None, "system")
        }
        """The role that the system text has, by the index of the model, where it is another one."""
        self.alternating = frozenset([at for at, profile in enumerate(profiles) if profile.roles == "alternate"])
        """The indices of the models whose server takes no two messages of the user without an answer between."""
        self.call_id_chars = {at: each.call_id_chars for at, each in enumerate(profiles) if each.call_id_chars}
        """The characters of a call's id, by the index of the model whose server takes no others."""
        self.call_extras = {at: Raw(encode(each.call_extra)) for at, each in enumerate(profiles) if each.call_extra}
        """Members of another model's call, by the index of the model whose server wants some."""
        self.has_sent_forms = bool(self.alternating or self.call_id_chars or self.call_extras)
        self.extra_models = {each.name: each.extra_model for each in models if each.extra_model != each.name}
        """What messages call the models of which a kind of server is known, by their names."""
        self.opening_models = frozenset([at for at, each in enumerate(models) if each.reasoning == "opened"])
        """The indices of the models whose chat template opens the reasoning."""
        names = [tool.spec.name for tool in self.tools.values()] if self.dialect.native_tools else []
        self.name_chars = min([profile.name_chars or TOOL_NAME_CHARS for profile in profiles], default=TOOL_NAME_CHARS)
        """Of a tool's name at a server, at most."""
        self.sent_names = sent_names(names, self.name_chars)
        """The names under which a server is given those tools whose own it would not take."""
        self.own_names = names_by_sent([tool.spec.name for tool in self.tools.values()], self.name_chars)
        """The names of those tools by what histories have in their place, in every dialect."""

    def _note_rules(self) -> None:
        check_rules(self.options.rules, place_of(self.definition, "negotiation"))
        specs = {name: tool.spec for name, tool in sorted(self.host_tools.items())}
        self.rates = rate_chooser(self.definition, self.options.rates, place_of(self.definition, "rates"))
        """Chooses the model that is asked first; None where the first one is."""
        self.policies = policies_in_force(self.definition.policies or (), specs)
        """The rules that a definition names, in its order."""

    def _measure(self) -> None:
        sizes = [message_tokens(message, self.counter) for message in self.preamble] if self.windowed else [0]
        self.system_tokens, self.example_tokens = sum(sizes[:1]), sum(sizes[1:])

    def asked(self, state: RunState | None) -> "Agent":
        """Return this agent as its model is asked now, after a negotiation or a refusal of its server.

        The dialect or the carry level may be another one; what a call must be to run stays. state: None for the agent
        as its definition says.
        """
        base = self._base
        if state is None:
            return base
        if state.exchange.negotiated is None and not state.run.refused_members and not base.varies:
            return base
        way = way_of(state, self.definition.dialect, defers=self.defers(state.window.model))
        if way == base._way:
            return base
        known = base._ways.get(way)
        if known is None:
            known = base._ways[way] = base._in_way(way)
            if len(base._ways) > MAX_WAYS:
                base._ways.popitem(last=False)
        return known

    def _in_way(self, way: Way) -> "Agent":
        other = Agent.__new__(Agent)
        for name in Agent.__slots__:
            setattr(other, name, getattr(self, name))
        other._way, other._offers = way, OrderedDict()
        other.dialect = dialect_named(way.dialect)
        shown = self.shown_tools(0, defers=way.defers)
        other.preamble = prompt.preamble(self.definition, other.dialect, shown, examples=True)
        other.has_own_head = True
        other._measure()
        return other

    def left_out(self, state: RunState) -> tuple[str, ...]:
        """Return what the server of the model at hand does not take of a request, by its profile or its refusals."""
        model = state.window.model
        known = self.refuses.get(model, ())
        return (*known, *[member for member in learnt_members(state) if member not in known])

    def sends_plain(self, state: RunState) -> bool:
        """Whether the server at hand is given schemas of tools with a few keywords alone."""
        return (bool(self.refuses) or bool(state.run.refused_members)) and SCHEMAS in self.left_out(state)

    @staticmethod
    def load(source: "str | bytes | dict[str, Any]") -> "Agent":
        """Compile a definition, or give the compiled one; see `compile_agent`."""
        return compile_agent(source)

    def tool(self, name: str) -> CompiledTool | None:
        """Return the tool of that name, the built-in ones among them."""
        return self.called.get(name)

    def defers(self, model: int) -> bool:
        """Whether the model with that index finds most tools, instead of being offered all."""
        return self.search is not None and len(self.tools) - len(self.skills) > self.search.limits[model]

    def shown_tools(self, model: int, *, defers: bool | None = None) -> dict[str, CompiledTool]:
        """Return the tools that a model is offered from the start, by name: sorted, with the search last."""
        search = self.search
        if search is None or not (self.defers(model) if defers is None else defers):
            return self.tools
        shown = {name: tool for name, tool in self.tools.items() if name not in search.places}
        return {**shown, FIND_TOOLS: search.finder}

    def specs(
        self,
        withheld: tuple[str, ...] = (),
        *,
        reads: bool = False,
        model: int | None = None,
        found: tuple[int, ...] = (),
    ) -> dict[str, ToolSpec]:
        """Return the specs of the tools offered by name, without the withheld ones.

        reads: with the tool that reads on in outputs, since it is offered later than the others. model: the index of
        the one that is asked; None for all tools that there are. found: the places of those that it has found, last,
        so that what was offered before stands as it did.
        """
        tools = {**self.tools} if model is None else {**self.shown_tools(model)}
        if reads and self.reader is not None:
            tools[READ_OUTPUT] = self.reader
        if found and self.search is not None:
            tools |= {name: self.tools[name] for name in map(self.search.names.__getitem__, found) if name not in tools}
        return {name: tool.spec for name, tool in tools.items() if name not in withheld}

    def carry_level(self, model: int) -> CarryLevel:
        """Return how much is done for the model with that index."""
        models, least = self.definition.models, self._way.carry
        own = (models[model].carry or "off") if model < len(models) else "off"
        return own if least == "off" else least

    def takes_nothing(self, tool: str) -> bool:
        """Whether a tool has no parameters, so that there is one call of it."""
        known = self.tool(tool)
        return known is not None and not known.spec.parameters.get("properties")

    def scores(self, model: int) -> bool:
        """Whether the model with that index gives the log-probabilities of texts."""
        models = self.definition.models
        return model < len(models) and "scores" in (models[model].supports or ())

    def tells_confidence(self, model: int) -> bool:
        """Whether the host tells how sure the model with that index was."""
        models = self.definition.models
        return model < len(models) and "logprobs" in (models[model].supports or ())

    def fills_with_null(self, model: int) -> bool:
        """Whether the server of the model with that index has null for members of an answer that may be absent."""
        models = self.definition.models
        return model < len(models) and profile_in(models[model]).constraint == "strict"

    def offer(
        self,
        model: int,
        withheld: tuple[str, ...],
        choice: ToolChoice = "auto",
        *,
        reads: bool = False,
        answers_again: bool = False,
        plain: bool = False,
        found: tuple[int, ...] = (),
    ) -> Offer:
        """Return what a call of the model with that index is offered, built once for each set of withheld tools.

        choice: whether the tools may, must or must not be used now. reads: whether it may read on in outputs.
        answers_again: the model has answered, in another form than the answer's schema. plain: the server is given
        schemas of a few keywords alone. found: the places of the tools that it has found.
        """
        if self.is_open:
            return _NO_OFFER
        key = (model, withheld, choice, reads, answers_again, plain, found)
        known = self._offers.get(key)
        if known is None:
            specs = self.specs(withheld, reads=reads, model=model, found=found)
            offer = make_offer(
                self.definition,
                self.dialect,
                model,
                specs,
                choice,
                self.sent_names,
                answers_again=answers_again,
                plain=plain,
            )
            if self.windowed:
                offer = offer.counted(self.counter)
            known = self._offers[key] = offer
            if len(self._offers) > MAX_OFFERS:
                self._offers.popitem(last=False)
        return known


# --- the table of compiled agents -------------------------------------------------------------------------

_BY_DIGEST: OrderedDict[str, Agent] = OrderedDict()
_BY_SOURCE: OrderedDict[bytes, Agent] = OrderedDict()


def compile_agent(source: str | bytes | dict[str, Any]) -> Agent:
    """Compile a definition, or give the compiled one.

    source: the definition as JSON text, bytes or a decoded object. Error codes: see `read_definition`, and
    `duplicate_tool`, `unknown_dialect`, the JSON Schema codes; `path` points into the definition.
    """
    known = _BY_SOURCE.get(source) if isinstance(source, bytes) else None
    if known is not None and known.digest is not None:
        # The table by text may still hold an agent that the table by digest has evicted.
        _remember(_BY_DIGEST, known.digest, known)
        return known
    definition, canonical = read_definition(source)
    agents: dict[str, Agent] = {}
    whole = canonical
    if definition.agents:
        from .sub_agents import with_agents  # noqa: PLC0415 - few definitions have some

        definition, whole, agents = with_agents(definition, canonical, compile_agent)
    completed, named = with_versions(definition, whole)
    agent = _compile(completed, named, agents)
    if isinstance(source, bytes) and named is canonical:  # a version that is left out may mean another one later
        _remember(_BY_SOURCE, source, agent)
    return agent


def _compile(definition: AgentDefinition, canonical: bytes, agents: Mapping[str, Agent]) -> Agent:
    agent_digest = sha256(canonical).hexdigest()
    agent = _BY_DIGEST.get(agent_digest) or Agent(definition, canonical, agent_digest, agents)
    _remember(_BY_DIGEST, agent_digest, agent)
    return agent


Key = TypeVar("Key", str, bytes)


def _remember(table: OrderedDict[Key, Agent], key: Key, agent: Agent) -> None:
    table[key] = agent
    table.move_to_end(key)
    if len(table) > MAX_AGENTS:
        table.popitem(last=False)


def keep_agent(agent: Agent) -> None:
    """Have a state that names the agent find it, also if others have taken its place in the table since it was made."""
    if agent.digest is not None:
        _remember(_BY_DIGEST, agent.digest, agent)


def agent_by_digest(agent_digest: str | None) -> Agent:
    """Return the agent a state names; raises `unknown_agent` when this process was not given it."""
    if agent_digest is None:
        return BARE_AGENT
    agent = _BY_DIGEST.get(agent_digest)
    if agent is None:
        agent = _handed_to(agent_digest)
    if agent is None:
        raise PurestepError(
            "unknown_agent",
            f"the definition {agent_digest[:12]} is not loaded; call load_agent with it or send it as agent",
            "/state/agent",
        )
    if len(_BY_DIGEST) > MAX_AGENTS // 2 and agent_digest in _BY_DIGEST:
        # Only a table that may soon be full has use for the order in which its agents were needed.
        _BY_DIGEST.move_to_end(agent_digest)
    return agent


def _handed_to(agent_digest: str) -> Agent | None:
    """Return the agent to which one in the table may hand over, and remember it: a run names it at each step."""
    found = (known.among(agent_digest) for known in _BY_DIGEST.values() if known.hand_offs)
    agent = next((each for each in found if each is not None), None)
    if agent is not None:
        _remember(_BY_DIGEST, agent_digest, agent)
    return agent


def agent_from_source(source: bytes) -> Agent:
    """Return the agent of definition bytes found in a state or log; b"null" is the bare form."""
    return BARE_AGENT if source == b"null" else compile_agent(source)


BARE_AGENT: Final = Agent(AgentDefinition(dialect="bare", checks=("planning",)), b"null", None)
"""The bare form: no definition, any tool name, five turns, and the checks of agent.rs."""

"""Every bound of the core, in one place, each with the reason for its number.

A host can count on these: past one comes an error (host input) or a correction (model text), never a hang.
"""

from typing import Final

SCHEMA_VERSION: Final = 1
"""Version of the state and log shapes; raised whenever either changes."""

MAX_INPUT_BYTES: Final = 64 * 1024 * 1024
"""One call's input: fits a 10,000-message whole-state run with room to spare, and a browser tab's memory."""

MAX_TEXT_CHARS: Final = 16 * 1024 * 1024
"""One model output or tool output: far past any context window, so only a runaway server meets it."""

MAX_DEPTH: Final = 64
"""Nesting of JSON: real tools stay under 10; the smallest host stack (Pyodide) takes several times 64."""

SAFE_BRACKETS: Final = 1500
"""Opening brackets in a text, however they nest, that every host's stack takes: Pyodide's ends at some 2,300 levels."""

MAX_VALUE_DEPTH: Final = 56
"""Nesting of what states and logs wrap again (arguments, answers, definitions): leaves room below MAX_DEPTH."""

MAX_NUMBER_DIGITS: Final = 640
"""Digits of one number: the lowest limit a Python process can be set to, so no setting changes a result."""

MAX_SAFE_INTEGER: Final = 2**53 - 1
"""Counters and clocks: the largest integer that every JSON reader, JavaScript's included, keeps exactly."""

MAX_CALLS_PER_TURN: Final = 64
"""Calls in one model output: above what parallel tool calling uses, below what floods an approval list."""

MAX_TOOLS: Final = 256
"""Tools of one agent: MCP users reach dozens; more does not fit a prompt."""

MAX_TOOL_NAME_CHARS: Final = 128
"""A tool's name: OpenAI allows 64 and MCP 128."""

MAX_EXAMPLES: Final = 16
"""Examples of one tool: each is a chat turn in every prompt."""

MAX_MODELS: Final = 16
"""Models of one agent, small to large."""

MAX_GUARDRAILS: Final = 32
"""Guardrails of one agent, and postconditions of one tool."""

MAX_RUN_ID_CHARS: Final = 256
"""A run's id: room for a path-like id of any durable store."""

DEFAULT_MAX_TURNS: Final = 20
"""Turns in an exchange with a definition: ten tool uses and the corrections they may need."""

BARE_MAX_TURNS: Final = 5
"""Turns without a definition: the value programs written for the two bare functions expect."""

DEFAULT_MAX_CORRECTIONS: Final = 1
"""Corrections in a row for one cause: a second identical mistake is rarely mended by a third try."""

DEFAULT_MAX_REPEATS: Final = 1
"""Times a call may be repeated with the same result before it is corrected: once can be meant."""

DEFAULT_MAX_OUTPUT_CHARS: Final = 16_000
"""Tool output shown to the model: about 4,000 tokens, half of a small model's window."""

MAX_MODEL_RETRIES: Final = 2
"""Model errors in a row that are retried: the host's client has retried already, this bridges a restart."""

RECENT_CALLS: Final = 4
"""Call signatures remembered for the repeat guard: every step carries them, and loops of more calls are rare."""

MAX_REFUSED: Final = 1024
"""Refused calls remembered in an exchange: sixteen turns of refusals; past it the oldest are asked again."""

MAX_AGENTS: Final = 256
"""Compiled definitions kept by digest, the least recently used dropped: a server with many tenants."""

MAX_OFFERS: Final = 64
"""Compiled constraints kept per definition, one for each set of withheld tools met."""

MAX_SHOWN_CHARS: Final = 400
"""Of somebody's text quoted in an error or a correction: enough to recognise it, not to flood a window."""

MAX_SHOWN_ISSUES: Final = 8
"""Problems listed in one correction: a small model mends the first few."""

MAX_RESTARTS: Final = 8
"""Tries to find a JSON value behind stray brackets in prose: keeps the search linear in the text."""

MAX_PLANNING_CHARS: Final = 300
"""Longest text read as mere planning: longer ones usually hold an answer too."""

MIN_OUTPUT_CHARS: Final = 3
"""Shortest tool output text that the plausibility guardrail takes for content."""

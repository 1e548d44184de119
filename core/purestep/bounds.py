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
"""Model errors in a row that are retried, as the OpenAI SDKs do; hosts never retry by themselves."""

FIRST_RETRY_WAIT_MS: Final = 1_000
"""The wait before the first retry; each later one is twice as long. A server that restarts or sheds load needs that."""

MAX_RETRY_WAIT_MS: Final = 8_000
"""The longest wait of the back-off: a person may be watching."""

MAX_RETRY_AFTER_MS: Final = 60_000
"""The longest wait that a server may ask for: rate limits are counted by the minute."""

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

# --- JSON Schema, syntax and suggestions ------------------------------------------------------------------

MAX_SCHEMA_NODES: Final = 5_000
"""Subschemas in one schema. The largest tool schemas in the wild hold a few hundred; five thousand still
compile in well under a second."""

MAX_SCHEMA_DEPTH: Final = 64
"""Subschemas inside one another, and references that lead to one another. Real ones stay under fifteen; it is
the depth of the values, so a schema can describe all that it may check."""

MAX_DYNAMIC_ANCHORS: Final = 64
"""Dynamic anchors in all documents of one schema. The published metaschemas need one; each may give every
subschema that it leads to another meaning."""

MAX_CHECKED_DEPTH: Final = 64
"""Arrays and objects inside one another in a checked value. Arguments rarely pass ten, and every host,
Pyodide too, has the stack for it."""

MAX_DESCENTS: Final = 200
"""Subschemas entered inside one another during a check: three for each level of the deepest value. Each takes
two Python frames, or three in a union, which leaves a third of the default recursion limit to the caller. The
search for parts that nothing has looked at counts as one more."""

MAX_ISSUES: Final = 20
"""Issues reported for one value. A model corrects a handful at a time; more only fills its window."""

MAX_COERCION_ROUNDS: Final = 8
"""Times a value is read anew and checked again: each round mends up to twenty places, and one shows what is wrong
inside of another seldom more than once."""

MAX_EXCERPT_CHARS: Final = 60
"""Characters of a wrong value shown in an issue: enough to recognise it, too few to flood a prompt."""

MAX_SHOWN_CHOICES: Final = 20
"""Allowed values listed in an issue. A longer list is named by its size, and the closest value is
suggested."""

MAX_NATIVE_NODES: Final = 5_000
"""Nodes of a native validator after references are written out in full. Past it the portable validator alone
is cheaper to build."""

MAX_PATTERN_CHARS: Final = 2_048
"""Characters of one regular expression. The longest patterns in published tool schemas (URLs, versions) have
a few hundred."""

MAX_PATTERN_STATES: Final = 10_000
"""Automaton states of one pattern after counted repetitions are written out, so that {1,4096} fits and
{1,9}{1,9}{1,9}{1,9}{1,9} does not."""

MAX_PATTERN_GROUPS: Final = 32
"""Groups inside one another in a pattern. The parser recurses once per group; hand-written patterns use three
or four."""

MAX_PATTERN_LOOKAHEADS: Final = 16
"""Lookaheads in one pattern. Each costs one more pass over the text; password rules, their main use, need
about five."""

MAX_CACHED_MOVES: Final = 4_096
"""Automaton moves remembered per pattern. Patterns in use settle at a few dozen; when full, the memory starts
afresh."""

MAX_TEXT_DEPTH: Final = 128
"""Arrays and objects inside one another in a JSON text: a value of the greatest depth with room for the
envelope around it."""

MAX_INTEGER_DIGITS: Final = 4_300
"""Digits of an integer literal: the limit of CPython's own conversion, which the fast decoder shares."""

MAX_SUGGESTION_CANDIDATES: Final = 256
"""Names compared for one did-you-mean. An agent with more tools than this has a different problem."""

MAX_SUGGESTION_CHARS: Final = 64
"""Characters of a name that are compared: the longest tool name the model APIs allow."""

# --- texts, dialects and grammars ---------------------------------------------------------------------------

MAX_LOG_BYTES: Final = 16 * MAX_INPUT_BYTES
"""A log read at once: a gigabyte, far past any run, within any machine's memory."""

MAX_ERROR_CHARS: Final = 1000
"""Of an error's message or path: an input's own names may be megabytes."""

MAX_BLOCK_START_CHARS: Final = 128
"""Characters in which a marker with blanks or a name in it has to fit; a longer one is text."""

MAX_RESCANNED_CHARS: Final = 512 * 1024
"""Characters of blocks without an end that are looked through again, all in all: keeps the walk linear."""

MAX_BLOCKS: Final = 512
"""Blocks of one text that are read, and calls in them: eight times the calls a turn may hold."""

MAX_BLANKS_AFTER_CALL: Final = 16
"""Blanks between a call and what belongs to it that are waited for."""

MAX_BRACKET_MARKER_CHARS: Final = 16
"""More than a marker has characters that begins with a bracket."""

MAX_GRAMMAR_DIGITS: Final = 16
"""Digits of an integer or a fraction, as many as 2**53 has: a small model that may go on counting zeros does."""

MAX_EXPONENT_DIGITS: Final = 2
"""Digits of an exponent: with three, a number may be past the largest double, which no reader takes."""

MAX_INDEX_DIGITS: Final = 3
"""Digits of a call's number, where a form has one: it counts on through a talk."""

MAX_GRAMMAR_RULES: Final = 4096
"""GrammarRules of one grammar: a schema that needs more is held to the style alone."""

MAX_ENVELOPE_CANDIDATES: Final = 8
"""Bracketed stretches of one text that are tried: an envelope comes early or not at all."""

MAX_SEARCHED_CHARS: Final = 512 * 1024
"""Characters that are read for the end of arguments beyond a marker, all in all: keeps the reading linear."""

MAX_NESTED_CALLS: Final = 3
"""Objects around a call that are looked into: a list of tool calls, each with a function."""

MAX_JSON_VALUES: Final = 128
"""Values of one block that are tried, twice the calls that a turn may hold."""

MAX_EXAMPLE_DEPTH: Final = 4
"""Levels of a made sample: an example is to be read at a glance."""

MAX_FOLLOWED_REFERENCES: Final = 8
"""References and unions followed from one schema: real ones take one or two."""

MAX_ENVELOPE_HEAD_CHARS: Final = 128
"""Characters before an answer's content: more is white space, or no answer."""

MIN_CONTAINED_CHARS: Final = 3
"""Characters that a name must share with a longer one to be taken for its beginning or end; fewer are
chance."""

MAX_DIAGNOSIS_CHARS: Final = 24
"""Characters shown on each side of the place where a text stops being JSON: one line of a message."""

MAX_LOOSE_CHARS: Final = 256 * 1024
"""Longest text that is mended: arguments of real calls are far shorter, and a step stays fast."""

MAX_REPLY_CHARS: Final = 5_000_000
"""Text and arguments of one model reply: ten times what a 128k-token window can hold as text; past it a server is
stuck in a loop."""

MAX_REPLY_CALLS: Final = 128
"""Tool calls in one reply: the most that the OpenAI API allows in one message."""

MAX_REPLY_LINE_BYTES: Final = 4 * 1024 * 1024
"""One line or body that a host reads: a whole completion can come as one line, four bytes for each of a million
characters."""

MAX_ERROR_BODY_CHARS: Final = 65_536
"""Of an error reply's body, what a host hands over: it says why in a line or two."""

MAX_FAULT_CHARS: Final = 300
"""Of a server's own words in a `model_error`: enough for the reason, too little for a page of HTML or a stack trace."""

SIGNATURE_CHARS: Final = 16
"""Hex digits of a signature kept in the state: 64 bits, among eight calls of one run."""

MAX_SHOWN_BITS: Final = 256
"""Integers of more bits are described, not written out: their digits take quadratic time and CPython bounds
them."""

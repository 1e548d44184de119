"""Every bound of the core, in one place, each with the reason for its number; a package beside it has its own.

A host can count on these: past one comes an error (host input) or a correction (model text), never a hang. What a
format itself fixes, such as the 63 characters of a host name's label, stands where the format is read.

Sections: versions and numbers; JSON text; the agent's definition; a run and its steps; messages, prompts and logs; JSON
Schema; regular expressions; suggestions; blocks in a model's text; calls in a model's text; repair; constraints;
model servers; carry; skills.
"""

from typing import Final

# --- versions and numbers -----------------------------------------------------------------------------------

SCHEMA_VERSION: Final = 3
"""Version of the state and log shapes; raised whenever either changes."""

MAX_SAFE_INTEGER: Final = 2**53 - 1
"""Counters and clocks: the largest integer that every JSON reader, JavaScript's included, keeps exactly."""

MAX_CALL_NUMBER_DIGITS: Final = 16
"""Digits of the number in a call's id: as many as MAX_SAFE_INTEGER has."""

MAX_NUMBER_DIGITS: Final = 640
"""Digits of one number: the lowest limit that a Python process can be set to, so no setting changes a result."""

MAX_FORMED_DIGITS: Final = 15
"""Digits of a number that is taken from a text as a value: a float holds so many exactly; longer ones are codes."""

MAX_INTEGER_DIGITS: Final = 4_300
"""Digits of an integer in a text that is diagnosed: the limit of CPython's own conversion, which the fast decoder
shares."""

COMMON_RUN_ID: Final = "run"
"""The id of runs that were begun without one, which only those may share whose calls no key protects."""

SIGNATURE_CHARS: Final = 16
"""Hex digits of a signature kept in the state, and of a run's id that the core makes: 64 bits, among the few calls of
one run and the few runs of one definition and query."""

CALL_KEY_CHARS: Final = 32
"""Hex digits of an idempotency key: 128 bits, since hosts keep keys of all runs in one table."""

MAX_SEAL_KEY_CHARS: Final = 64
"""The name of a key that seals: room for a date or a digest, and a seal still fits a header."""

# --- JSON text ----------------------------------------------------------------------------------------------

MAX_INPUT_BYTES: Final = 64 * 1024 * 1024
"""One call's input: fits a 10,000-message whole-state run with room to spare, and a browser tab's memory."""

MAX_TEXT_CHARS: Final = 16 * 1024 * 1024
"""One model output or tool output: far past any context window, so only a runaway server meets it."""

MAX_LOG_BYTES: Final = 16 * MAX_INPUT_BYTES
"""A log that is given at once: a gigabyte, far past any run, within any machine's memory. One in
pieces may be longer."""

MAX_DEPTH: Final = 64
"""Arrays and objects inside one another: real tools stay under 10; the smallest host stack (Pyodide) takes several
times 64."""

SAFE_BRACKETS: Final = 1500
"""Opening brackets in a text, however they nest, that every host's stack takes: Pyodide's ends at some 2,300 levels."""

MAX_VALUE_DEPTH: Final = 56
"""Nesting of what states and logs wrap again (arguments, answers, definitions): leaves room below MAX_DEPTH."""

MAX_TEXT_DEPTH: Final = 128
"""Nesting of a text that is diagnosed: twice MAX_DEPTH, so the first damage is named even inside an envelope."""

MAX_RESTARTS: Final = 8
"""Tries to find a JSON value after stray brackets in prose: keeps the search linear in the text."""

MAX_LOG_LINE_BYTES: Final = 4 * MAX_INPUT_BYTES
"""A line of a log: longer than any that one call's input leads to, numbers that are written longer included; so much of
a file without line breaks is read before it is refused."""

# --- the agent's definition ---------------------------------------------------------------------------------

MAX_TOOLS: Final = 4096
"""Tools of one agent: those of dozens of MCP servers; a model is offered few of them, and finds the others."""

DEFAULT_TOOLS_OFFERED: Final = 40
"""Tools that a model is offered all at once: more take thousands of tokens of each prompt, and models mix them up."""

FOUND_AT_ONCE: Final = 5
"""Tools that one search finds: the right one is nearly always among so many, and their schemas take a page."""

RANKED_AT_ONCE: Final = 10
"""Of each order of tools that a search puts together: twice what it finds; what is further down is mostly noise."""

RANK_DAMPING: Final = 60
"""Added to the place in each of these orders: two middle places are worth more than one first. Cormack et al. 2009."""

MAX_SEARCH_CHARS: Final = 400
"""Of the words that a model searches with: two sentences."""

MAX_QUERY_TERMS: Final = 64
"""Different terms of a search that are looked for: words and their beginnings, of a sentence or two."""

MAX_INDEXED_CHARS: Final = 16_000
"""Of a text that is searched: several times a long description with all parameters."""

MAX_SHOWN_KINDS: Final = 48
"""Kinds of tools that the prompt names: some 200 tokens; the others are counted together."""

MAX_TOOL_NAME_CHARS: Final = 128
"""A tool's name: OpenAI allows 64 and MCP 128."""

MIN_TOOL_NAME_CHARS: Final = 16
"""What a profile may shorten names of tools to: a part that says something, and a digest."""

MAX_EXAMPLES: Final = 16
"""Examples of one tool: each is a chat turn in every prompt."""

MAX_MODELS: Final = 16
"""Models of one agent, small to large: a chain of fallbacks has two or three."""

MAX_PRICES: Final = 8
"""Prices of a model by the length of its prompt: servers have one to three."""

MAX_UNIT_CHARS: Final = 16
"""Of the unit of prices: currencies have three letters."""

MAX_NEGOTIATION_RULES: Final = 32
"""Rules of a negotiation: each makes its move once in an exchange, so it is also the most switches of one; the default
has 22."""

MAX_CHECKS: Final = 32
"""Checks of one list: each runs on every output of its tool, or on the answer."""

MAX_CHECK_DEPTH: Final = 4
"""Checks inside one another: any of not of any, and one more."""

MAX_CHECK_PARTS: Final = 64
"""Checks of one list with those inside them: they share the steps of one observation, so that each has enough."""

MAX_CHECK_CALLS: Final = 8
"""Checks of one list that a tool of the host makes: each is a call for every output that is judged."""

MAX_CHECK_PARAMS_BYTES: Final = 262_144
"""Arguments of one such call, which the state holds until its verdict; they may be a whole output."""

MAX_CITABLE: Final = 256
"""Results that an answer may cite, the latest ones of its exchange: more than one that a person reads would."""

MAX_CITED_VALUES: Final = 2_000
"""Values in sentences with citations: each is looked for in what the state keeps of results."""

MAX_LISTED_RESULTS: Final = 8
"""Numbers of results that a correction lists: enough to see how they are written."""

MAX_EVIDENCE_QUESTION_CHARS: Final = 8_000
"""Characters of the user's words kept for checks: two pages, more than most people write; past it they judge
only what can be known."""

MAX_EVIDENCE_RESULT_CHARS: Final = 32_000
"""Characters of an exchange's results kept for checks: two whole outputs of the default length, which every
step carries."""

MAX_DATA_TEXTS: Final = 16
"""Texts that come along with one user message: a pipe is one, and files have a way of their own."""

MAX_DATA_CHARS: Final = 1_000_000
"""Characters of them together: what a window of 128k tokens holds twice; longer texts belong into a tool."""

MAX_LABEL_CHARS: Final = 32
"""A label of tools' results: a word or two."""

MAX_LABELS: Final = 8
"""Labels of one tool: text is open, or secret in a way or two."""

MAX_RATE_ROWS: Final = 1024
"""Rows of a profile of success rates: some models in two or three ways, and the few dozen kinds of request that one
program has of the 200 that there are."""

LEAST_RATE_RUNS: Final = 10
"""Runs of one kind of request below which a wider kind says more: 10 of 10 are surely above 72 per cent."""

MAX_RATE_CAUSES: Final = 32
"""Causes of one row of such a profile: the core has fewer."""

MAX_RATE_NAME_CHARS: Final = 256
"""Of a model's name in such a profile: as long as parameters of a request are kept."""

MAX_DIALECT_NAME_CHARS: Final = 64
"""Of a dialect that another language registers: a name in a definition and in messages."""

MAX_MARKER_PAIRS: Final = 32
"""Pairs of markers that such a dialect hides from the reader: each is looked for in every character."""

MAX_FORMATTED_CHARS: Final = 65_536
"""Characters that a dialect's formatter holds back of a streamed text: far more than a marker or a table's row, and a
state that is still small."""

MAX_OFFERED_CALL_CHARS: Final = 2_000
"""Of a whole call that the correction of a cut reply shows again: a longer one may be why the reply was cut."""

MAX_POLICIES: Final = 16
"""Policies of one definition: each is asked at every step."""

MAX_POLICY_NAME_CHARS: Final = 64
"""Characters of a policy's name: the same as of a tool's."""

MAX_POLICY_STATE_BYTES: Final = 64_000
"""Bytes of what one policy keeps: a few pages of text, which every step reads and writes."""

MAX_POLICY_TEXT_CHARS: Final = 4_000
"""Characters of a reason or a correction that a policy gives: a page, which a person or a model reads."""

KEPT_POLICY_STATES: Final = 16
"""Read states of one policy that are kept by their text: those of the runs that a process is busy with."""

MAX_REDACTION_RULES: Final = 32
"""Patterns of one redaction: each is searched for in every text that comes from outside."""

MAX_REDACTION_POINTERS: Final = 64
"""Places in one tool's output that are redacted."""

MAX_REDACTION_PASSES: Final = 8
"""Times that a text is looked through again after something was replaced; one that changes still is hidden whole."""

MAX_REDACTION_STEPS: Final = 200_000
"""Steps that one pattern may take for the matches of one line; a line that needs more is hidden whole."""

MIN_HIDDEN_CHARS: Final = 6
"""A shorter text, hidden once, is not looked for elsewhere: it may be part of any word."""

HIDDEN_DIGITS: Final = 16
"""Hexadecimal digits of the digest that stands for a hidden text: two texts of one run have different ones."""

MAX_SALT_CHARS: Final = 256
"""A salt of digests: 32 random digits are enough."""

MAX_AGENTS: Final = 256
"""Compiled definitions kept by digest, the least recently used dropped: a server with many tenants."""

MAX_SUB_AGENTS: Final = 32
"""Agents that one definition names: each is a tool in its prompt, and all their definitions stand in its log."""

MAX_SUB_AGENT_WORDS: Final = 300
"""Characters of an agent's instructions that stand for its description in its caller's prompt: a few sentences."""

MAX_AGENT_DEPTH: Final = 2
"""Agents below one another: a team and its specialists; each level wraps the state and the log once more."""

MAX_OFFERS: Final = 64
"""Compiled constraints kept for one definition, one for each set of withheld tools and each tool choice met."""

MAX_WAYS: Final = 32
"""Ways of asking that are kept ready for one definition (dialect, carry level, tools): a run needs a handful."""

MAX_SHAPE_LEVELS: Final = 4
"""Levels of a documented shape in which tagged unions are narrowed for an error: observations stand one level inside
an input, and two levels of references reach every tagged union from there."""

# --- a run and its steps ------------------------------------------------------------------------------------

MAX_RUN_ID_CHARS: Final = 256
"""A run's id: room for a path-like id of any durable store."""

DEFAULT_MAX_TURNS: Final = 20
"""Turns in an exchange with a definition: ten tool uses and the corrections they may need."""

DEFAULT_TREE_TURNS: Final = 100
"""Turns in an exchange of a definition with agents, theirs among them: four agents' turns beside its own."""

BARE_MAX_TURNS: Final = 5
"""Turns without a definition: the value that programs written for the two bare functions expect."""

DEFAULT_MAX_CORRECTIONS: Final = 1
"""Corrections in a row for one cause: a second identical mistake is rarely mended by a third try."""

DEFAULT_MAX_REPEATS: Final = 1
"""Times a call may be repeated with the same result before it is corrected: once can be meant."""

MAX_CALLS_PER_TURN: Final = 64
"""Calls in one model output: above what parallel tool calling uses, below what floods an approval list."""
DEFAULT_MAX_PARALLEL: Final = 8
"""Calls that one decision holds: tools wait on networks and processes, and a laptop has about as many cores."""

MAX_LATE_CALLS: Final = 32
"""Calls of a run that go on elsewhere: their arguments and results stand in the state until the model reads them."""
MAX_HANDLE_CHARS: Final = 512
"""Room for the id of a job of any service, which many make of a path and a digest."""
MAX_NOTE_CHARS: Final = 500
"""What the model is told of a call that goes on: some sentences."""

MAX_MODEL_RETRIES: Final = 2
"""Model errors in a row that are retried, as the OpenAI SDKs do; hosts never retry by themselves."""

MAX_TIMEOUT_RETRIES: Final = 1
"""Timeouts in a row that are retried: each has cost minutes already, and a server that is silent twice stays so."""

FIRST_RETRY_WAIT_MS: Final = 1_000
"""The wait before the first retry; each later one is twice as long. A server that restarts or sheds load needs that."""

MAX_RETRY_WAIT_MS: Final = 8_000
"""The longest wait of the back-off: a person may be watching."""

MAX_RETRY_AFTER_MS: Final = 60_000
"""The longest wait that a server may ask for: rate limits are counted by the minute."""

RECENT_CALLS: Final = 4
"""Call signatures remembered for the repeat guard: every step carries them, and loops of more calls are rare."""

MAX_LOST_HOSTS: Final = 3
"""Hosts that were stopped while they ran a call that may be repeated, before a person is asked: two stops in a row are
bad luck or two releases, and each further attempt costs a worker and all its other runs a restart."""

MAX_REFUSED: Final = 1024
"""Refused calls remembered in an exchange: sixteen turns of refusals; past it the oldest are asked again."""

MAX_EFFECTS: Final = 256
"""Effects remembered in an exchange, so that none is had twice unasked; past it every destructive call asks."""

MAX_ACTS: Final = 32
"""Calls of an exchange that the state keeps to tell beside its ending; it tells how many more there were."""

MAX_ACT_CHARS: Final = 1_000
"""Bytes of the arguments of each: an address and a subject, not a letter. All take 32 kB at most."""

MAX_ACT_VALUE_CHARS: Final = 100
"""Characters of an argument that stay of longer ones: what names a thing is shorter."""

WARN_PERCENT: Final = 80
"""Per cent of a limit at which a model that is to give a final answer is warned."""

FINAL_PERCENT: Final = 90
"""Per cent of a budget of tokens, cost or time at which the final answer is asked for: that call needs some, too."""

MAX_PLANNING_CHARS: Final = 300
"""Longest text that is read as mere planning: longer ones usually hold an answer too."""

MIN_OUTPUT_CHARS: Final = 3
"""Shortest tool output text that the check plausibility takes for content."""

MAX_QUEUED_MESSAGES: Final = 16
"""User messages kept until the model is asked next: a person types a few while a tool runs."""

MAX_QUEUED_CHARS: Final = 32_000
"""Characters of them together, since every state until then holds them: a pasted page, not a file."""

MAX_QUEUED_PARTS: Final = 24
"""Parts of them together: they become one message, which has room for what it is joined to."""

MAX_MEDIA_TYPE_CHARS: Final = 127
"""Of the media type of an output, image or file that stays with the host: as RFC 6838 bounds each of its names."""

MAX_MESSAGE_PARTS: Final = 32
"""Parts of one message: a page of photographs and the words between them."""

MAX_RESULT_PARTS: Final = 6
"""Images and files of one tool result, and of all results in one message, which has room for what is queued, too."""

MAX_ASKED_FORMS: Final = 8
"""Questions that a tool asks a person in one call: a wizard has some pages, and a hostile server has no end."""

MAX_FORM_BYTES: Final = 65_536
"""Of the schema of a form, as JSON: some hundred fields with their descriptions."""

MAX_FORM_MESSAGE_CHARS: Final = 4_000
"""Of what a tool asks a person: a screen."""

MAX_FORM_STATE_CHARS: Final = 65_536
"""Of what a tool wants back with the answer: what servers sign to find their place again."""

MAX_ATTACHMENTS: Final = 256
"""Images and files of one run: every state holds a short entry of each, from which the prompt is made."""

MAX_PART_NAME_CHARS: Final = 255
"""Of the name of an image or a file: file systems take no longer ones."""

# --- messages, prompts and logs -----------------------------------------------------------------------------

DEFAULT_MAX_OUTPUT_CHARS: Final = 16_000
"""Tool output shown to the model: about 4,000 tokens, half of a small model's window."""

DEFAULT_SUMMARY_TOKENS: Final = 300
"""Tokens of a summary of what leaves the prompt: some ten sentences, a tenth of a small model's window."""

SUMMARY_SHARE: Final = 8
"""The part of a prompt's room that a summary has at most: the rest is for what is not summed up."""

MIN_SUMMARISED_TOKENS: Final = 200
"""Estimated tokens of what is left out for which a summary is asked: of less it would not be much shorter."""

SUMMARY_EXCESS: Final = 2
"""Times its tokens that a summary may have by the estimate, which is up to twice too high."""

DEFAULT_HISTORY_SLACK: Final = 2
"""Exchanges or results that may gather before a rule of history leaves any out: two of three prompts keep their
beginning."""

MAX_HISTORY_COUNT: Final = 100
"""Exchanges or results that a rule of history keeps: where each one begins stands in the state."""

MAX_HISTORY_RULES: Final = 16
"""Rules for results of one definition: each is counted for every prompt."""

MAX_RULE_TOOLS: Final = 128
"""Tools that one rule of history names."""

MAX_PINNED: Final = 64
"""Places of pinned messages, their answers and the turns that they steer: every prompt has all, and every state."""

PINNED_PLACES: Final = 3
"""Places that a pinned message takes at most: where it steers, its turn, and its exchange's message and answer."""

MAX_HISTORY_CUTS: Final = 256
"""Results and reasoning whose places the rules of history know: every state has them; past it old turns are dropped."""

MIN_DROPPED_CHARS: Final = 160
"""Characters of a result that can be dropped: a shorter one is hardly longer than the notice in its place."""

MIN_SUMMARISED_PROMPT: Final = 500
"""Tokens of a prompt above which it may be summed up: with instructions and tools a smaller one has no exchange."""

MIN_PLAN_STEPS: Final = 2
"""Steps of a plan at least: one step is the request again."""

MAX_PLANS: Final = 64
"""Plans of one run, past which it has no more: every state holds where each was asked for."""

MAX_PLAN_STEPS: Final = 8
"""Steps of a plan at most: each takes a turn or more, and a run has some twenty."""

MAX_PLAN_STEP_CHARS: Final = 500
"""Of a step of a plan: a sentence with the values that it needs; the state holds them all."""

MAX_CUT_OUTPUTS: Final = 64
"""Cut outputs of an exchange that can be read on: those of one turn; past it the oldest cannot any more."""

FRAME_TOKENS: Final = 40
"""More tokens of an output that is framed as data: two lines with a mark of eight characters."""

READ_ON_TOKENS: Final = 72
"""More tokens of the notice on a cut output where it says how to read on: the call with its id, and three numbers."""

MAX_SHOWN_CHARS: Final = 400
"""Characters of somebody's text quoted in a correction: enough to recognise it, not to flood a window."""

MAX_SHOWN_ISSUES: Final = 8
"""Issues listed in one correction: a small model mends the first few."""

MAX_NOTED_PROBLEMS: Final = 8
"""Problems of one output that a decision, the state and the log name: the rest is counted, so a line stays short."""

MAX_SHOWN_CHOICES: Final = 20
"""Allowed values listed in an issue: a longer list is named by its size, and the closest value is suggested."""

MAX_EXCERPT_CHARS: Final = 60
"""Characters of a wrong value shown in an issue: enough to recognise it, too few to flood a prompt."""

MAX_DIAGNOSIS_CHARS: Final = 24
"""Characters shown after the place where a text stops being JSON: one line of a message."""

MAX_SHOWN_BITS: Final = 256
"""Integers of more bits are described, not written out: their digits take quadratic time and CPython bounds them."""

MAX_ERROR_CHARS: Final = 1000
"""Characters of an error's message or path: an input's own names may be megabytes."""

MAX_EXAMPLE_DEPTH: Final = 4
"""Levels of a sample that is made for a prompt: an example is to be read at a glance."""

MAX_EXAMPLE_ITEMS: Final = 4
"""Items of an array in such a sample, however many the schema wants."""

MAX_EXAMPLE_WORDS: Final = 50
"""Words by which such a sample's text is lengthened, however long the schema wants it."""

MAX_FOLLOWED_REFERENCES: Final = 8
"""References and unions followed from one schema for a sample or a typed text: real ones take one or two."""

MAX_WORD_LETTERS: Final = 20
"""Letters of what is counted as one word: longer runs are keys and hashes, of which tokenizers make more tokens."""

MESSAGE_TOKENS: Final = 8
"""Tokens around one message: chat templates write a start, a role, an end and line breaks, five or six tokens."""

KNOWN_MESSAGE_TOKENS: Final = 5
"""Tokens around a message of a model whose tokenizer is known: ChatML and Llama 3 have five, OpenAI three."""

KNOWN_PROMPT_TOKENS: Final = 8
"""Tokens beside the messages of a model whose tokenizer is known: the start of the reply."""

PROMPT_TOKENS: Final = 64
"""Tokens of a prompt beside its messages: the start of the reply, and what templates add, such as a date."""

IMAGE_TOKENS: Final = 2_048
"""Tokens that an image is counted as: servers shrink larger ones to about 1,100 to 1,600 tokens."""

MIN_FILE_TOKENS: Final = 2_048
"""Tokens that a file is counted as at least: a page of a PDF, as text and as an image."""

FILE_TOKEN_BYTES: Final = 32
"""Bytes of a larger file that are counted as a token: a page of a PDF often has 60 to 100 thousand."""

ATTACHMENT_TOKENS: Final = 48
"""Tokens around a part, or in the place of one that is left out: the notice, or a text file's name and its fence."""

RESULT_TOKENS: Final = 40
"""Tokens around one tool output: its tool's name and the notice that it was cut."""

RESERVE_SHARE: Final = 4
"""The part of a window that is left to the answer where the definition names no max_tokens: a quarter."""

MAX_RESERVE_TOKENS: Final = 2_048
"""The most that is left to the answer where the definition names no max_tokens: longer answers are rare."""

MAX_SENT_PARTS: Final = 32
"""Parts of the transcript whose size is kept: every step carries them; past it neighbours are counted as one."""

MAX_SENT_CUTS: Final = 64
"""Tool outputs that can be shortened in a prompt: the calls of one output; the oldest are left whole past it."""

KEPT_OUTPUT_CHARS: Final = 400
"""Characters that a shortened tool output keeps: its first lines say what it was."""

MIN_SAVED_TOKENS: Final = 100
"""Tokens that shortening an output must save: less is not worth a new prompt, which no cache of a server knows."""

SHRUNK_SHARE: Final = 750
"""Per mille of a prompt's room that a shrunk prompt takes: the turns after it are appended to a stable prefix."""

OVERFLOW_SHARE: Final = 667
"""Per mille of a prompt that a server refused which the next one takes: a few tries reach any window."""

MAX_TOKEN_RATIO: Final = 4_000
"""Per mille by which a model's own count may raise the estimate: no tokenizer is four times as fine."""

MIN_COUNTED_SHARE: Final = 8
"""A server's count below this part of the estimate is no count of the whole prompt: some leave out cached tokens."""

# --- JSON Schema --------------------------------------------------------------------------------------------

MAX_SCHEMA_NODES: Final = 5_000
"""Subschemas of one schema: the largest tool schemas in the wild hold a few hundred; five thousand still compile in
well under a second."""

MAX_SCHEMA_DEPTH: Final = 64
"""Subschemas inside one another, and references that lead to one another: real ones stay under fifteen; it is the
depth of the values, so a schema can describe all that it may check."""

MAX_DYNAMIC_ANCHORS: Final = 64
"""Dynamic anchors in all documents of one schema: the published metaschemas need one; each may give every subschema
that it leads to another meaning."""

MAX_POINTER_INDEX_DIGITS: Final = 9
"""Digits of an array index in a JSON pointer: more than any array has items, few enough for every integer."""

MAX_CHECKED_DEPTH: Final = 64
"""Arrays and objects inside one another in a checked value: arguments rarely pass ten, and every host, Pyodide too,
has the stack for it."""

MAX_DESCENTS: Final = 200
"""Subschemas entered inside one another during a check: three for each level of the deepest value. Each takes two
Python frames, or three in a union, which leaves a third of the default recursion limit to the caller. The search for
unevaluated parts counts as one more."""

MAX_ISSUES: Final = 20
"""Issues reported for one value: a model corrects a handful at a time; more only fills its window."""

MAX_COERCION_ROUNDS: Final = 8
"""Times a value is coerced and checked again: each round mends up to twenty places, and one shows what is wrong inside
of another seldom more than once."""

MAX_CHECK_STEPS: Final = 3_000_000
"""Steps of the checks of one observation or one call of `check_value`, about a second of CPython: a value of 100,000
parts fits most schemas, and a service answers others within seconds whatever it is sent. Counted, not timed, so that
every host refuses the same."""

MAX_COMPILE_STEPS: Final = 400_000
"""Steps in which all schemas and patterns of one definition compile, about a second of CPython: 20 times those of the
largest definitions in the wild, and the largest single schema fits."""

MAX_NATIVE_NODES: Final = 5_000
"""Nodes of a native validator after references are written out in full: past it the portable validator alone is
cheaper to build."""

# --- regular expressions ------------------------------------------------------------------------------------

MAX_PATTERN_CHARS: Final = 2_048
"""Characters of one regular expression: the longest in published tool schemas (URLs, versions) have a few hundred."""

MAX_PATTERN_GROUPS: Final = 32
"""Groups inside one another in a pattern: the parser recurses once for each; hand-written ones use three or four."""

MAX_PATTERN_LOOKAHEADS: Final = 16
"""Lookaheads in one pattern: each costs one more pass over the text; password rules, their main use, need five."""

MAX_PATTERN_STATES: Final = 10_000
"""Automaton states of one pattern after counted repetitions are written out, so that {1,4096} fits and
{1,9}{1,9}{1,9}{1,9}{1,9} does not."""

MAX_REPETITION_DIGITS: Final = 9
"""Digits of a number in a counted repetition: far past MAX_PATTERN_STATES, few enough for every integer."""

MAX_CACHED_MOVES: Final = 4_096
"""Automaton moves cached for one pattern: those in use settle at a few dozen; when full, the cache is cleared."""

MAX_CACHED_STATES: Final = 200_000
"""Automaton states in the cached moves of one pattern, since one move may hold ten thousand: a few megabytes."""

# --- suggestions ("did you mean") ---------------------------------------------------------------------------

MAX_SUGGESTION_CANDIDATES: Final = 256
"""Names compared for one suggestion: an agent with more tools than this has a different problem."""

MAX_SUGGESTION_CHARS: Final = 64
"""Characters of a name that are compared: the longest tool name that most model APIs allow."""

MAX_SUGGESTIONS: Final = 16
"""Names of one text for which a known one is suggested: each is compared with all tools, and a reader mends a few."""

CHARS_PER_EDIT: Final = 3
"""Characters of the longer name for each edit by which a suggestion may differ: past it two names are two ideas."""

MIN_CONTAINED_CHARS: Final = 3
"""Characters that a name must share with a longer one to be taken for its beginning or end; fewer are chance."""

# --- blocks in a model's text -------------------------------------------------------------------------------

MAX_BLOCKS: Final = 512
"""Blocks of one text that are read, and calls in them: eight times the calls that a turn may hold."""

MAX_BLOCK_START_CHARS: Final = 128
"""Characters in which a marker with blanks or a name in it has to fit; a longer one is text."""

MAX_ADDRESSED_CHARS: Final = 2_048
"""Characters of a text after a line that may be its recipient, in which a call has to begin for the line to be that:
words before a call are few, and a stream holds them back."""

MAX_TAG_CHARS: Final = 96
"""Characters of a tag inside of a block up to its name's value, blanks and a namespace among them; fits
MAX_BLOCK_START_CHARS."""

MAX_BRACKET_MARKER_CHARS: Final = 16
"""More characters than any marker has that begins with a bracket."""

MAX_RESCANNED_CHARS: Final = 512 * 1024
"""Characters of blocks without an end that are scanned again, all in all: keeps the walk linear."""

MAX_DRAFT_CHARS: Final = 64 * 1024
"""Characters of reasoning that are kept because it may end in calls: a stream holds no more; longer drafts are none."""

MAX_DRAFT_STARTS: Final = 16
"""Markers of calls in reasoning that are tried as the beginning of the calls that it ends in."""

MAX_SEARCHED_CHARS: Final = 512 * 1024
"""Characters that are searched for the end of arguments after a marker, all in all: keeps the reading linear."""

MAX_BLANKS_AFTER_CALL: Final = 16
"""Blanks between a call and what belongs to it that are waited for."""

MAX_WATCHED_BRACKETS: Final = 32
"""Brackets that the text after a call opens one in the other: more are no sentence about it."""

MAX_STRAY_MARKERS: Final = 4
"""Markers without a meaning that a text may end with after its last block: its own twice, those around it, the end of
the turn."""

MAX_MARKER_TABLES: Final = 64
"""Marker tables kept for dialects that hosts registered: a process registers a handful."""

MAX_ENVELOPE_CANDIDATES: Final = 8
"""Bracketed stretches of one text that are tried as an envelope: it comes early or not at all."""

MAX_ENVELOPE_HEAD_CHARS: Final = 128
"""Characters before an answer's content in an envelope: more is white space, or no answer."""

MAX_COMPACT_ABOUT_CHARS: Final = 90
"""Characters of a tool's description in the compact dialect: models were taught with so many."""

MAX_COMPACT_CHOICES: Final = 8
"""Choices of a parameter that the compact dialect lists; of more it says the type, as it was taught."""

MAX_COMPACT_RESULT_CHARS: Final = 300
"""Characters of a result in the compact dialect: models were taught with so many."""

MAX_COMPACT_TOOLS_CHARS: Final = 2_400
"""Characters of the tools' lines in the compact dialect: twice what 14 tools of usual size have, and more than models
were taught with (700 tokens with the conversation)."""

# --- calls in a model's text --------------------------------------------------------------------------------

MAX_JSON_VALUES: Final = 128
"""Values or calls of one block that are tried: twice the calls that a turn may hold."""

MAX_NESTED_CALLS: Final = 3
"""Objects around a call that are looked into: a list of tool calls, each with a function."""

MAX_MARKER_NAME_CHARS: Final = 96
"""A tool's name inside a marker: fits MAX_BLOCK_START_CHARS with the brackets and blanks around it."""

MAX_SHORT_NAME_CHARS: Final = 64
"""A tool's name in a form that prose may have too, such as `[name(`: what OpenAI allows; a longer one is prose."""

MAX_CALL_HEAD_CHARS: Final = 200
"""A call's name where a family writes it with a prefix and a number (`functions.name:0`)."""

MAX_KEY_CHARS: Final = 256
"""A parameter's name between tags of its own: names that schemas of generated code reach."""

MAX_ATTRIBUTE_CHARS: Final = 64
"""What else a tag may hold besides a name: a type or a flag, such as `string="true"`."""

MAX_KEYED_HEAD_CHARS: Final = 32
"""Characters after a name in which the first tag of keys and values must come."""

MAX_CALL_BLANKS: Final = 64
"""Blanks between the calls of a list in Python's form: a line break and its indentation."""

# --- repair -------------------------------------------------------------------------------------------------

MAX_REPAIRED_CHARS: Final = 256 * 1024
"""Longest text that is repaired: arguments of real calls are far shorter, and a step stays fast."""

MAX_KEY_AHEAD_BLANKS: Final = 16
"""Blanks between a name and its colon that are looked past to tell a name from other text."""

MAX_CLOSERS_AHEAD: Final = 64
"""Closing brackets and blanks after a quote that are looked past to tell whether it ends its string: as many as values
nest deep."""

MAX_UNESCAPED_ROUNDS: Final = 2
"""Times that a text whose quotes are all escaped is unescaped: JSON in JSON in JSON is as far as servers wrap it."""

MAX_SHOWN_GUESS_CHARS: Final = 160
"""Characters of a guessed value in a correction: enough to see where the reading went wrong."""

# --- constraints --------------------------------------------------------------------------------------------

MAX_SPAN_TEXTS: Final = 6
"""Texts that are kept for arguments to be copied from, the latest ones: what was asked, and the results and questions
of an exchange since."""

# --- what model servers say ---------------------------------------------------------------------------------

MAX_REQUEST_PARAMETERS: Final = 64
"""Parameters of one request that the log keeps, and items of a list among them: the most that llama.cpp's server takes
is about as many."""

MAX_RESPONSE_ID_CHARS: Final = 256
"""Characters of a provider's id of an output: the longest known have 70."""

MAX_FAULT_CHARS: Final = 300
"""Of a server's own words in a `model_error`: enough for the reason, too little for a page of HTML or a stack trace."""

# --- carry --------------------------------------------------------------------------------------------------

MAX_CANDIDATES = 12
"""Values of one argument that it is held to: of more, which a small model cannot choose from, it is free."""

MAX_CARRIED_VALUES = 64
"""Values that the state keeps for arguments that are copied: those of a few results with links."""

MAX_CARRIED_VALUE_CHARS = 400
"""Characters of each: longer addresses are hardly ever copied by a small model."""

MAX_GROUNDED_CHARS = 100_000
"""Characters of one text in which values are looked for: in more, the values of its forms count as unknown."""

MAX_CHOSEN_TOOLS = 3
"""Tools that a model's scores choose; among more a small one guesses."""

MAX_CONFIDENCE_NATS = 1_000_000
"""A reply of a hundred thousand tokens, each as unlikely as a vocabulary allows, has a log-probability above that."""

MAX_SCORE_NATS = 1_000
"""No two texts differ by more; what a host gives beyond is no log-probability."""

MAX_SCORED_TOOLS = 32
"""Tools that a model scores: each is an example in the prompt, which a small window has to hold."""

MAX_OWN_STATES = 64
"""States kept as they were given out, so that they are not checked, and plain ones not read, when they come back: runs
that go on at once.

As many that were written as that were given as values."""

MAX_OWN_STATE_BYTES = 16_384
"""A larger state is read and checked each time; with this the kept texts take a mebibyte at most."""

MAX_ECHO_CHARS = 2_000
"""A longer question is not repeated by a model as its answer."""

MIN_ECHO_WORDS = 3
"""Shorter ones ("hi", "Good morning") are rightly answered in kind."""

MAX_TOTAL_CHARS: Final = 1_000
"""Characters of an output that may be a sum alone, with the command before it."""

# --- skills -------------------------------------------------------------------------------------------------

MAX_SKILLS: Final = 64
"""Skills of one agent: of each written one a line stands in every prompt."""

MAX_SKILL_DESCRIPTION_CHARS: Final = 1_024
"""Of a written skill: what the Agent Skills specification allows."""

MAX_SKILL_OUTPUT_TOKENS: Final = 1_024
"""Tokens of one output of a skill: some hundred extracted values; a model that repeats one ends there."""

MAX_REFUSED_CHARS: Final = 1_000
"""Characters of a refused output that the model is shown again: its beginning shows what was wrong with its form."""

MAX_REFUSED_MEMBERS: Final = 16
"""Members of requests that the servers of a run may refuse before it fails: more than any request has."""

MAX_WRITTEN_VALUES: Final = 100
"""Values of one kind that a model is let write in one output: what MAX_SKILL_OUTPUT_TOKENS have room for. What the core
finds by itself has no bound but the text."""

MAX_NAMED_ABSENT: Final = 5
"""Values without a place in the text that a correction names: more of them say no more."""

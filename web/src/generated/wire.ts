// Made from the core's own shapes by web/scripts/make_types.mjs; do not edit.

/**
 * A value that stands in the conversation in a form of its own, such as an address.
 * 
 * @minItems 2
 * @maxItems 2
 */
export type KnownValue = [("date" | "datetime" | "email" | "number" | "path" | "quote" | "time" | "url"), (string | number | number)]
/**
 * A call signature remembered for the repeat guard; written as an array, since every step carries a few.
 * 
 * `stage` is 0 while the call is free, 1 once it was corrected, 2 once it was forbidden.
 * 
 * @minItems 1
 * @maxItems 4
 */
export type Recent = [string]|[string, string]|[string, string, number]|[string, string, number, number]
/**
 * A tool output of which the model was shown the beginning: its call, its line in the log and its characters.
 * 
 * @minItems 4
 * @maxItems 4
 */
export type CutOutput = [string, string, number, number]
/**
 * An accepted result that an answer may cite: its call and tool, and where it stands in the evidence.
 * 
 * @minItems 4
 * @maxItems 4
 */
export type Citable = [string, string, number, number]
/**
 * Messages [begin, end) that are sent or dropped together: the user's, or an output with its results.
 * 
 * `opens`: it begins an exchange. `cuts` are its outputs that can be shortened, `shortened` tells that they are.
 * 
 * @minItems 3
 * @maxItems 6
 */
export type SentPart = [number, number, number]|[number, number, number, boolean]|[number, number, number, boolean, OutputCut[]]|[number, number, number, boolean, OutputCut[], boolean]
/**
 * What of one tool output is left out once its part is shortened; `saved` is the estimated tokens.
 * 
 * `begin` and `end` count code points of the content of the message with that index.
 * 
 * @minItems 4
 * @maxItems 4
 */
export type OutputCut = [number, number, number, number]
/**
 * What of one message a rule of the policy `history` leaves out: of a result of `tool`, or reasoning where "".
 * 
 * `begin` and `end` count code points of its text, `parts` are its images and files [from, to), `saved` is in
 * estimated tokens. `done`: it is left out.
 * 
 * @minItems 4
 * @maxItems 7
 */
export type HistoryCut = [number, number, number, number]|[number, number, number, number, string]|[number, number, number, number, string, [number, number]]|[number, number, number, number, string, [number, number], boolean]
/**
 * An image or a file of the transcript: its message, its index among the parts, and its estimated tokens.
 * 
 * `left_out`: a notice is sent in its place, so that the prompt fits. `about`: of a tool's result, its media type and
 * size, which a model that is not sent it is told; empty for what a user sends.
 * 
 * @minItems 4
 * @maxItems 6
 */
export type SentAttachment = [number, number, ("audio" | "file" | "image" | "text"), number]|[number, number, ("audio" | "file" | "image" | "text"), number, boolean]|[number, number, ("audio" | "file" | "image" | "text"), number, boolean, string]
/**
 * How far the scan of a block is: which part of it, the number of open brackets or tags, what ends a string.
 * 
 * quote: the quote of an open string, or the name of the tag that an open value began with.
 * 
 * @minItems 0
 * @maxItems 3
 */
export type Scanned = []|[number]|[number, number]|[number, number, string]
export type Observation = (UserMessage | ModelOutput | ToolResults | ToolPending | Approvals | ModelError | Cancel | Resumed | AgentChanged)
export type Decision = (CallModel | InvokeTool | InvokeSkill | RequestApproval | Done | Failed)
export type Event = (RunStarted | UserMessageEvent | ModelResponse | ToolResultEvent | ToolPendingEvent | ApprovalEvent | ModelErrorEvent | Cancelled | ResumedEvent | AgentChangedEvent | ChildLine | ToolCallEvent | ApprovalRequestEvent | CorrectionEvent | VerdictEvent | SkillStarted | SkillEnded | ChildEnded | Decided | Switched | FinalAnswer | RunFailed)

export interface Wire {
UserMessage?: UserMessage
TextPart?: TextPart
ImagePart?: ImagePart
FilePart?: FilePart
DataText?: DataText
OneTool?: OneTool
ModelOutput?: ModelOutput
NativeCall?: NativeCall
NativeFunction?: NativeFunction
Usage?: Usage
Confidence?: Confidence
ToolResults?: ToolResults
ToolResult?: ToolResult
OutputReference?: OutputReference
AskedForm?: AskedForm
ToolPending?: ToolPending
Approvals?: Approvals
Approval?: Approval
ModelError?: ModelError
Cancel?: Cancel
Resumed?: Resumed
AgentChanged?: AgentChanged
CallModel?: CallModel
ShortenedMessage?: ShortenedMessage
Message?: Message
Problem?: Problem
ScoredChoice?: ScoredChoice
InvokeTool?: InvokeTool
ToolCall?: ToolCall
OutputPart?: OutputPart
FormAnswer?: FormAnswer
InvokeSkill?: InvokeSkill
RequestApproval?: RequestApproval
ApprovalCall?: ApprovalCall
ArgumentOrigin?: ArgumentOrigin
Done?: Done
Citation?: Citation
Act?: Act
Failed?: Failed
Inconclusive?: Inconclusive
RunStarted?: RunStarted
UserMessageEvent?: UserMessageEvent
ModelResponse?: ModelResponse
ToolResultEvent?: ToolResultEvent
ToolPendingEvent?: ToolPendingEvent
ApprovalEvent?: ApprovalEvent
ModelErrorEvent?: ModelErrorEvent
Cancelled?: Cancelled
ResumedEvent?: ResumedEvent
AgentChangedEvent?: AgentChangedEvent
ChildLine?: ChildLine
ToolCallEvent?: ToolCallEvent
ApprovalRequestEvent?: ApprovalRequestEvent
CorrectionEvent?: CorrectionEvent
VerdictEvent?: VerdictEvent
SkillStarted?: SkillStarted
SkillEnded?: SkillEnded
ChildEnded?: ChildEnded
Decided?: Decided
RequestKind?: RequestKind
ModelRate?: ModelRate
Switched?: Switched
FinalAnswer?: FinalAnswer
RunFailed?: RunFailed
RunState?: RunState
RunProgress?: RunProgress
Pending?: Pending
QueuedMessage?: QueuedMessage
Carried?: Carried
KnownValue?: KnownValue
RefusedMember?: RefusedMember
ExchangeState?: ExchangeState
ExchangeUse?: ExchangeUse
Recent?: Recent
CutOutput?: CutOutput
Negotiated?: Negotiated
Evidence?: Evidence
Citable?: Citable
JudgedAnswer?: JudgedAnswer
Summing?: Summing
SentPart?: SentPart
OutputCut?: OutputCut
Plan?: Plan
SkillProgress?: SkillProgress
SkillFault?: SkillFault
Failure?: Failure
WindowState?: WindowState
Sent?: Sent
HistoryState?: HistoryState
HistoryCut?: HistoryCut
SentAttachment?: SentAttachment
AgentDefinition?: AgentDefinition
ToolSpec?: ToolSpec
Annotations?: Annotations
Check?: Check
Example?: Example
SubAgent?: SubAgent
SkillEntry?: SkillEntry
ModelSpec?: ModelSpec
Price?: Price
Adapter?: Adapter
Profile?: Profile
Limits?: Limits
ApprovalPolicy?: ApprovalPolicy
HostParts?: HostParts
ModelProfile?: ModelProfile
StandaloneReading?: StandaloneReading
Checked?: Checked
ValueProblem?: ValueProblem
Replayed?: Replayed
Verified?: Verified
Redriven?: Redriven
PolicyDiff?: PolicyDiff
ChangedMove?: ChangedMove
Move?: Move
LogDiff?: LogDiff
Explanation?: Explanation
ExplainedCall?: ExplainedCall
ExplainedAnswer?: ExplainedAnswer
CitedSentence?: CitedSentence
ExplainedFailure?: ExplainedFailure
ExplainedCorrection?: ExplainedCorrection
ExplainedOutput?: ExplainedOutput
ExplainedWindow?: ExplainedWindow
ExplainedOmission?: ExplainedOmission
ExplainedAgent?: ExplainedAgent
StreamOutput?: StreamOutput
Stream?: Stream
Position?: Position
Scanned?: Scanned
Trimmed?: Trimmed
StreamText?: StreamText
StreamReasoning?: StreamReasoning
StreamCall?: StreamCall
StreamStop?: StreamStop
StreamRetract?: StreamRetract
ProjectionInput?: ProjectionInput
Projection?: Projection
Walk?: Walk
OpenCall?: OpenCall
ModelUsage?: ModelUsage
StreamForm?: StreamForm
UIMessages?: UIMessages
Spans?: Spans
OpenAIChat?: OpenAIChat
ProjectionOutput?: ProjectionOutput
ReplyEnd?: ReplyEnd
ReplyOutput?: ReplyOutput
Reply?: Reply
Completion?: Completion
GrowingText?: GrowingText
CallSoFar?: CallSoFar
ProviderParts?: ProviderParts
ReplyPart?: ReplyPart
TokenSums?: TokenSums
Flaw?: Flaw
SkillStep?: SkillStep
SkillState?: SkillState
Observation?: Observation
Decision?: Decision
Event?: Event
}
/**
 * What the user said: it starts a run, a new exchange in a run that has ended, or steers one that goes on.
 * 
 * `content` is text, or parts of text, images and files, whose bytes stay with the host. In the middle of a run it is
 * put before the next model call; the decision stays the same until then. `tool_choice` holds for this exchange, from
 * then on, instead of the definition's. `data` are texts that came along and are not the user's: the model reads them
 * framed, after the content, and nothing in them counts as said by the user. `refused`, where it begins an exchange:
 * members of requests that the model's server has refused in other runs, by what `model_error` says of them.
 * `pinned`: the policy `history` never leaves it and its answer out.
 */
export interface UserMessage {
type: "user_message"
content: (string | (TextPart | ImagePart | FilePart)[])
data?: DataText[]
tool_choice?: (("auto" | "none" | "required") | OneTool | null)
refused?: string[]
pinned?: boolean
at?: (number | null)
run_id?: (string | null)
}
/**
 * Words among the parts of a message.
 */
export interface TextPart {
type: "text"
text: string
}
/**
 * An image whose bytes stay with the host: their SHA-256 (64 hex digits), media type and number.
 */
export interface ImagePart {
type: "image"
digest: string
media_type: string
bytes: number
name?: (string | null)
call_id?: (string | null)
}
/**
 * A file whose bytes stay with the host: their SHA-256 (64 hex digits), media type and number.
 */
export interface FilePart {
type: "file"
digest: string
media_type: string
bytes: number
name?: (string | null)
call_id?: (string | null)
}
/**
 * Text that came along with a user message and is not the user's own: what was piped in, a page that was dropped.
 * 
 * `name`: what it is called, such as a file's name.
 */
export interface DataText {
text: string
name?: (string | null)
}
/**
 * This tool has to be called first.
 */
export interface OneTool {
tool: string
}
/**
 * What the model said, raw; `finish_reason` as OpenAI names it (stop, length, tool_calls, content_filter).
 * 
 * `scores`: where the decision had `choices`, the log-probability of each by its id. What is no number counts as
 * missing, so any JSON is taken here. `confidence`: where the decision had `logprobs` and the host can tell. `extra`:
 * what the provider sent beside these and wants back with the message, such as its reasoning; the core keeps it and
 * never reads it.
 * 
 * `request`, `response_id`, `asked_at` and `first_token_at` are kept for those who read the log, and decide nothing:
 * the parameters that were sent, the provider's id of the output, and when it was asked for and began to come.
 */
export interface ModelOutput {
type: "model_output"
content?: (string | null)
tool_calls?: (NativeCall[] | null)
finish_reason?: (string | null)
usage?: (Usage | null)
model?: (string | null)
scores?: ({
[k: string]: unknown
} | null)
confidence?: (Confidence | null)
extra?: unknown
request?: ({
[k: string]: string | number | boolean | (string | number | boolean)[]
} | null)
response_id?: (string | null)
asked_at?: (number | null)
first_token_at?: (number | null)
at?: (number | null)
run_id?: (string | null)
}
/**
 * One entry of an OpenAI assistant message's `tool_calls`.
 */
export interface NativeCall {
function: NativeFunction
id?: (string | null)
type?: string
}
/**
 * The function part of an OpenAI tool call; `arguments` is JSON as text.
 */
export interface NativeFunction {
name: string
arguments?: (string | {
[k: string]: unknown
} | null)
}
/**
 * Tokens that one model call used; other counters of the server are dropped.
 * 
 * `cached_tokens` are those of the prompt that the server had in its cache, `reasoning_tokens` those of the completion
 * that the reasoning took: parts of the counts above, not in addition to them. `cache_write_tokens`, another part of
 * the prompt's, are those that the server wrote into its cache, where that has a price of its own.
 */
export interface Usage {
prompt_tokens?: (number | null)
completion_tokens?: (number | null)
cached_tokens?: (number | null)
reasoning_tokens?: (number | null)
cache_write_tokens?: (number | null)
}
/**
 * How sure a model was of a decision, as the host tells it: sums of natural log-probabilities, to two decimals.
 * 
 * `branch`: of what it does at all, a call, a question or an answer. `name`: of the name of the tool, 0 without one.
 * `args`: of the rest.
 */
export interface Confidence {
branch: number
name: number
args: number
}
/**
 * Results of any of the pending calls, in any order.
 */
export interface ToolResults {
type: "tool_results"
results: ToolResult[]
at?: (number | null)
run_id?: (string | null)
}
/**
 * The result of one tool call: `output` or a `reference` to one when ok, `error` and its kind when not.
 * 
 * `error_kind` is `invalid_arguments`, `execution` or `io`; or `interrupted`: the call may have run, and nobody knows
 * what it did, since it was stopped, ran past its time, or gave a result that cannot be used. `parts`: images and
 * files that it gave beside its output, whose bytes the host keeps. `ended_at`: when the call ended, since results
 * that come together have one `at`. `asks`, in the place of an output or error: the call has not ended, and
 * goes on once a person has answered. `usage`: what the tool had the model at hand use, which counts as its own.
 * `key`: the call's, by which a result of another run's call is refused.
 */
export interface ToolResult {
call_id: string
ok: boolean
output?: unknown
error?: (string | null)
error_kind?: (string | null)
reference?: (OutputReference | null)
parts?: (ImagePart | FilePart)[]
ended_at?: (number | null)
asks?: (AskedForm | null)
usage?: (Usage | null)
key?: (string | null)
}
/**
 * An output whose bytes stay with the host: their SHA-256 (64 hex digits), media type and number.
 */
export interface OutputReference {
digest: string
media_type: string
bytes: number
}
/**
 * What a tool asks a person in the middle of its call.
 * 
 * `form`: the JSON Schema of what is to be filled in, an object. `state`: what the tool wants back with the answer,
 * which nobody reads.
 */
export interface AskedForm {
message: string
form?: {
[k: string]: unknown
}
state?: string
}
/**
 * A call that was handed out goes on elsewhere; `tool_results` for it come later, in whatever phase.
 * 
 * `handle`: by which the host finds it again. `note`: what the model is told of it meanwhile.
 */
export interface ToolPending {
type: "tool_pending"
call_id: string
handle: string
note?: (string | null)
at?: (number | null)
run_id?: (string | null)
}
/**
 * Answers for any of the calls that wait for approval.
 */
export interface Approvals {
type: "approvals"
approvals: Approval[]
at?: (number | null)
run_id?: (string | null)
}
/**
 * A person's answer for one call; must name the call's key.
 * 
 * `params` replaces its arguments; where the call asks (`form`), it is what was filled in.
 */
export interface Approval {
call_id: string
key: string
approved: boolean
params?: ({
[k: string]: unknown
} | null)
reason?: (string | null)
by?: (string | null)
}
/**
 * The model gave nothing: overflow, timeout, rate_limit, unavailable or refused.
 * 
 * `retry_after_ms` is how long the server asked clients to wait. `refused`: the member of the request that the server
 * names as what it does not take, such as `tools` or `temperature`. The members after it are those of `model_output`,
 * of a reply that broke off; they decide nothing, and `usage` counts against no limit.
 */
export interface ModelError {
type: "model_error"
code: string
message?: string
retryable?: boolean
retry_after_ms?: (number | null)
refused?: (string | null)
usage?: (Usage | null)
request?: ({
[k: string]: string | number | boolean | (string | number | boolean)[]
} | null)
response_id?: (string | null)
asked_at?: (number | null)
first_token_at?: (number | null)
at?: (number | null)
run_id?: (string | null)
}
/**
 * The user or the host stops the run.
 * 
 * The members after `reason` are those of `model_output`, of the output that was stopped with it: they decide nothing.
 */
export interface Cancel {
type: "cancel"
reason?: (string | null)
usage?: (Usage | null)
request?: ({
[k: string]: string | number | boolean | (string | number | boolean)[]
} | null)
response_id?: (string | null)
asked_at?: (number | null)
first_token_at?: (number | null)
at?: (number | null)
run_id?: (string | null)
}
/**
 * The host that ran the calls was stopped, and the run goes on: those handed out may have run.
 */
export interface Resumed {
type: "resumed"
at?: (number | null)
run_id?: (string | null)
}
/**
 * The run goes on under another definition, which is given whole, as JSON.
 */
export interface AgentChanged {
type: "agent_changed"
agent: unknown
at?: (number | null)
}
/**
 * Ask the model with the named messages of the transcript, once `wait_ms` have passed.
 * 
 * An entry of `prompt` is a range [from, to) of messages that are sent as they are, or one message with cuts.
 * 
 * `messages`, where they are given, are sent first.
 * 
 * `tool_choice`, in OpenAI's form, goes with `tools` where the definition or the user message chooses.
 * 
 * `problems`, with a correction: what of the output could not be read as written.
 * 
 * `choices`, with the reason `choice`: nothing is to be written; the observation has the `scores` of these texts.
 * 
 * `logprobs`: the observation has the `confidence` of what is written.
 * 
 * `without`: members that the model's server has refused, which the host adds to no request of its own accord.
 * 
 * `system`: the role that messages of the role `system` have for the model's server; for `user`, such a text is one
 * message with the user's that follows it, a blank line between them.
 * 
 * `extra_model`, where it is not `model`: whose `extra` goes with the messages, as they say it.
 * 
 * `extra_from`: messages of the transcript before this index whose calls have an `extra` are sent without it.
 * 
 * `apart`: a word of the assistant that is sent between results of tools, or a message of the user, and a message of
 * the user after it, since the chat template of the model's server demands that roles alternate.
 * 
 * `call_id_chars`: the ids of calls are sent as numbers of so many digits, from 1 in the order in which they come.
 * 
 * `call_extra`: members that go with the first call of each message after the user's last one that has no `extra` of
 * the model's own, since its server takes no call without them.
 * 
 * `skill`, with the reason `skill`: the skill that is executed; `cause` is there once its output was sent back.
 * 
 * `path` and `run_id`, where an agent that was called asks: the names of the agents down to it, and its run, whose own
 * transcript `prompt` names and which the observation names too.
 */
export interface CallModel {
type: "call_model"
prompt: ([number, number] | ShortenedMessage)[]
reason: string
skill?: string
messages?: Message[]
cause?: string
model?: string
tools?: unknown
tool_choice?: unknown
response_format?: unknown
grammar?: string
stop?: string[]
sampling?: unknown
wait_ms?: number
problems?: Problem[]
choices?: ScoredChoice[]
logprobs?: boolean
without?: string[]
system?: string
apart?: string
call_id_chars?: number
call_extra?: unknown
extra_model?: string
path?: string[]
run_id?: string
extra_from?: number
}
/**
 * The message `index` of the transcript, sent with some of its content replaced.
 * 
 * Each cut is [begin, end, text]: the code points from `begin` to before `end` are replaced by the text. The cuts are
 * in order and do not overlap. Where the content has parts, they are cuts of the first, which is text. Each entry of
 * `parts` is [index, text]: the part with that index is replaced by the text.
 */
export interface ShortenedMessage {
index: number
cuts: [number, number, string][]
parts?: [number, string][]
}
/**
 * One transcript message, as it is sent to an OpenAI-compatible server.
 * 
 * The `content` of a user's message may have parts, of which the host sends images and files by their bytes.
 * `extra` is what the provider sent with its calls and wants back with them: an object, whose members are sent among
 * the message's own, in the place of those with the same name (`sent_message`). `extra_model` is the kind of server
 * and the name of the model that gave it, and no other gets it: reasoning comes encrypted or signed for one model.
 */
export interface Message {
role: string
content?: (string | (TextPart | ImagePart | FilePart)[] | null)
tool_calls?: NativeCall[]
tool_call_id?: string
extra?: unknown
extra_model?: string
}
/**
 * Something about the text that is not as it should be; `code` is one of FATAL or NOTES.
 */
export interface Problem {
code: string
message: string
}
/**
 * One of the texts that a model may continue with; its first token differs from that of the others.
 */
export interface ScoredChoice {
id: string
text: string
}
/**
 * Run the calls, at most `limits.max_parallel` of those without a result, the first ones first.
 * 
 * `tool`, `params`, `call_id` and `key` mirror the first for hosts that run one at a time. `problems` are what of the
 * output was not read as written; a call's own are what was changed in its arguments. `path` and `run_id` as in
 * `call_model`.
 */
export interface InvokeTool {
type: "invoke_tool"
tool: string
params: {
[k: string]: unknown
}
call_id: string
key: string
calls: ToolCall[]
problems?: Problem[]
path?: string[]
run_id?: string
}
/**
 * One call that may run now; `key` is its idempotency key, `problems` what was changed in its arguments.
 * 
 * part: the call is answered from the log, by `read_part`, and no tool is run. answer: what a person said to what the
 * call has asked, with which it goes on. checks: the id of the call whose output
 * this one judges or the search that it ranks for, or `answer`; the model did not ask for it.
 */
export interface ToolCall {
call_id: string
tool: string
params: {
[k: string]: unknown
}
key: string
part?: OutputPart
checks?: string
problems?: Problem[]
answer?: FormAnswer
handle?: string
}
/**
 * Characters [begin, end) of the tool output that the log holds in the line `seq`.
 */
export interface OutputPart {
seq: number
begin: number
end: number
}
/**
 * What a person said to a form: `content`, which fits it, where it was filled in; `state` is the question's.
 */
export interface FormAnswer {
accepted: boolean
content?: {
[k: string]: unknown
}
state?: string
}
/**
 * Execute a skill that the model named, in a run without a definition; its result is a tool result.
 * 
 * `calls` holds it alone, as a call of the tool with its name. With a definition the core executes its skills itself.
 */
export interface InvokeSkill {
type: "invoke_skill"
skill: string
params: {
[k: string]: unknown
}
call_id: string
key: string
calls: ToolCall[]
problems?: Problem[]
}
/**
 * Ask a person about the calls; nothing of this turn runs before all are answered.
 * 
 * `problems` are what of the output was not read as written. `path` and `run_id` as in `call_model`; the key of a
 * call tells whose it is, so an answer need not name its run.
 */
export interface RequestApproval {
type: "request_approval"
calls: ApprovalCall[]
problems?: Problem[]
path?: string[]
run_id?: string
}
/**
 * One call that a person must answer for, and why.
 * 
 * `problems` are what was changed in its arguments; `origins` tell where their text came from. `note`: the question
 * in words, which a person is shown in the place of the reason. `form`: the call asks, and this is the JSON Schema of
 * the `params` that answer it; a refusal is an answer too. `path`: that of the decision, set by hosts that show calls
 * of several agents together.
 */
export interface ApprovalCall {
call_id: string
tool: string
params: {
[k: string]: unknown
}
key: string
reason: string
note?: string
problems?: Problem[]
origins?: ArgumentOrigin[]
form?: {
[k: string]: unknown
}
path?: string[]
}
/**
 * Where the text of an argument came from: the user's words, data that came along with them, a call's result, or
 * the model, which worded it.
 * 
 * `path`: JSON Pointer into the arguments. `call_id`, `tool`: of the result. `labels`: that the text carries; none
 * for text that is trusted.
 */
export interface ArgumentOrigin {
path: string
source: ("data" | "model" | "result" | "user")
call_id?: string
tool?: string
labels?: string[]
}
/**
 * The final answer; `data` is its value where an answer schema was given.
 * 
 * `problems` are what of the output was not read as written, and what was changed in the data. `citations`: the
 * results that it cites, where the definition demands that. `acts`: the calls of the exchange that may have changed
 * something, in order; empty where nothing was changed, absent where no tool may act. `acts_left_out`: how many later
 * ones there were, past the bound.
 * `question`: it asks the user for something, and the next message goes on from there.
 */
export interface Done {
type: "done"
answer: string
data?: unknown
problems?: Problem[]
citations?: Citation[]
question?: boolean
acts?: Act[]
acts_left_out?: number
}
/**
 * A result that an answer cites: its call, and the code points [begin, end) of the answer that name it.
 */
export interface Citation {
call_id: string
tool: string
/**
 * @minItems 2
 * @maxItems 2
 */
at: [number, number]
}
/**
 * A call of a tool that may act.
 * 
 * `cut`: `params` has only a part of the arguments, since they are long; the log has all. `path`: the names of the
 * agents down to the one that called it.
 */
export interface Act {
call_id: string
tool: string
params: {
[k: string]: unknown
}
status: ("failed" | "refused" | "succeeded" | "unknown")
cut?: boolean
path?: string[]
}
/**
 * The run ended without an answer; `code` is stable, `message` is for people, `acts` as beside an answer.
 */
export interface Failed {
type: "failed"
code: string
message: string
detail?: {
[k: string]: unknown
}
acts?: Act[]
acts_left_out?: number
}
/**
 * The output was neither a call nor an answer: ask the model again. Whole-state form without a definition only.
 * 
 * output: what it said. cause: why that is no answer. prompt: the messages to ask with, the last of which says so.
 */
export interface Inconclusive {
type: "inconclusive"
output: string
cause: string
prompt: ([number, number] | ShortenedMessage)[]
}
/**
 * A run began, with this definition (null: the bare form).
 * 
 * An imported one began with these messages, and was complete if it has an answer; `tool_choice` is that of its
 * last user message.
 */
export interface RunStarted {
kind: "run_started"
schema_version: number
run_id: string
agent: unknown
history?: unknown
answer?: string
tool_choice?: (("auto" | "none" | "required") | OneTool | null)
seq?: number
at?: number
}
/**
 * The user said something, in text or parts; the other members are those of `user_message`.
 */
export interface UserMessageEvent {
kind: "user_message"
content: (string | (TextPart | ImagePart | FilePart)[])
data?: DataText[]
tool_choice?: (("auto" | "none" | "required") | OneTool | null)
refused?: string[]
pinned?: boolean
seq?: number
at?: number
}
/**
 * The model's raw output, recorded before it is read; with how it was asked for and when it came, as told.
 * 
 * `cost`: of its tokens at the price that the definition gives, in millionths of its unit; absent without one.
 */
export interface ModelResponse {
kind: "model_response"
content?: (string | null)
tool_calls?: (NativeCall[] | null)
finish_reason?: (string | null)
usage?: (Usage | null)
model?: (string | null)
scores?: ({
[k: string]: unknown
} | null)
confidence?: (Confidence | null)
extra?: unknown
request?: ({
[k: string]: string | number | boolean | (string | number | boolean)[]
} | null)
response_id?: (string | null)
asked_at?: (number | null)
first_token_at?: (number | null)
cost?: (number | null)
seq?: number
at?: number
}
/**
 * The result of a tool call, whole, before any check or cut; or a `reference` to one that stays with the host.
 * 
 * `asks`: the call has not ended, and asks a person. `usage` and `cost`: of the model, which the tool had asked.
 * `more`: another late result came with it after the answer, in the next line, and both begin one exchange.
 */
export interface ToolResultEvent {
kind: "tool_result"
tool_name: string
output?: unknown
call_id?: string
ok?: boolean
error?: (string | null)
error_kind?: (string | null)
reference?: (OutputReference | null)
parts?: (ImagePart | FilePart)[]
ended_at?: (number | null)
asks?: (AskedForm | null)
usage?: (Usage | null)
cost?: (number | null)
more?: boolean
seq?: number
at?: number
}
/**
 * A call goes on elsewhere, under this handle; its result comes in a later `tool_result`.
 */
export interface ToolPendingEvent {
kind: "tool_pending"
tool_name: string
call_id: string
handle: string
note?: (string | null)
seq?: number
at?: number
}
/**
 * A person's answer for a call.
 */
export interface ApprovalEvent {
kind: "approval"
call_id: string
key: string
approved: boolean
params?: ({
[k: string]: unknown
} | null)
reason?: (string | null)
by?: (string | null)
seq?: number
at?: number
}
/**
 * The model gave nothing; where the host tells it, with what was sent and used until its reply broke off.
 */
export interface ModelErrorEvent {
kind: "model_error"
code: string
message?: string
retryable?: boolean
retry_after_ms?: (number | null)
refused?: (string | null)
usage?: (Usage | null)
request?: ({
[k: string]: string | number | boolean | (string | number | boolean)[]
} | null)
response_id?: (string | null)
asked_at?: (number | null)
first_token_at?: (number | null)
seq?: number
at?: number
}
/**
 * Somebody stopped the run; with the facts of the output that was stopped with it, as told.
 */
export interface Cancelled {
kind: "cancelled"
reason?: (string | null)
usage?: (Usage | null)
request?: ({
[k: string]: string | number | boolean | (string | number | boolean)[]
} | null)
response_id?: (string | null)
asked_at?: (number | null)
first_token_at?: (number | null)
seq?: number
at?: number
}
/**
 * The host was stopped while calls were handed out, and the run goes on.
 */
export interface ResumedEvent {
kind: "resumed"
seq?: number
at?: number
}
/**
 * The run goes on under this definition; the digests name the one before (null: the bare form) and this one.
 * 
 * Derived, with `prev`, where the model has handed the conversation over by a call: to the agent of that name.
 */
export interface AgentChangedEvent {
kind: "agent_changed"
agent: unknown
from_digest: (string | null)
to_digest: string
call_id?: string
handed_to?: string
prev?: string
seq?: number
at?: number
}
/**
 * A line of the run of an agent that a call called, as that run has it; with `prev` where it is derived here.
 */
export interface ChildLine {
kind: "child"
call_id: string
line: unknown
prev?: string
seq?: number
at?: number
}
/**
 * Derived: a call that passed every check and is due, once approved where approval is needed.
 * 
 * `problems` say what of the arguments was changed before they passed; the turn's first call also names what of the
 * output was not read as written. `checks`: the id of the call whose output it judges or the search that it ranks for,
 * or `answer`.
 */
export interface ToolCallEvent {
kind: "tool_call"
call_id: string
tool_name: string
arguments: {
[k: string]: unknown
}
key: string
checks?: string
problems?: Problem[]
seq?: number
at?: number
prev?: string
}
/**
 * Derived: a call that waits for a person; `policy`: the one that has the person asked, `note`: its question.
 */
export interface ApprovalRequestEvent {
kind: "approval_request"
call_id: string
tool_name: string
key: string
reason: string
policy?: string
note?: string
seq?: number
at?: number
prev?: string
}
/**
 * Derived: feedback that the model is sent, and how many in a row for this cause.
 * 
 * `problems` say what of the output could not be read as written.
 */
export interface CorrectionEvent {
kind: "correction"
cause: string
attempt: number
content: string
problems?: Problem[]
seq?: number
at?: number
prev?: string
}
/**
 * Derived: what the checks said of a tool output or an answer.
 */
export interface VerdictEvent {
kind: "verdict"
verdict: string
check?: string
call_id?: string
reason?: string
seq?: number
at?: number
prev?: string
}
/**
 * Derived: the core began to execute a call as a skill; the model's outputs up to its end are of that.
 * 
 * `problems` say what of the output with the call was not read as written, unless a `tool_call` line says so.
 */
export interface SkillStarted {
kind: "skill_started"
call_id: string
skill: string
params: {
[k: string]: unknown
}
problems?: Problem[]
seq?: number
at?: number
prev?: string
}
/**
 * Derived: the skill gave its output, or failed with an error of this kind.
 */
export interface SkillEnded {
kind: "skill_ended"
call_id: string
skill: string
ok: boolean
output?: unknown
error?: (string | null)
error_kind?: (string | null)
seq?: number
at?: number
prev?: string
}
/**
 * Derived: an agent that was called has ended, its log with this `head`, and its answer is the call's result.
 * 
 * `error_kind` is the code with which it failed.
 */
export interface ChildEnded {
kind: "child_ended"
call_id: string
agent: string
head: string
ok: boolean
output?: unknown
error?: (string | null)
error_kind?: (string | null)
seq?: number
at?: number
prev?: string
}
/**
 * Derived: a move that the model did not ask for.
 * 
 * With the reason `late` the model goes on without the result of the call that the line before names, with
 * `late_results` it reads such results, of these `tools`. With `retry` it is asked again after `wait_ms`, for the
 * `attempt`th time; with `near_limit` it is told `content`, and with `final_answer` also given no tools. With
 * `steered` the user messages that came since the model was asked are put before its next call, or begin the next
 * exchange where an answer stands before the line. With `one_call` the next call is the only one that the definition
 * leaves; with `scored` the model's scores chose the `tools` that it is offered, none where it is asked for an answer.
 * With `step` the `attempt`th step of a plan is asked, which is `content`. With `rates` the `model` is asked first,
 * because of what is known of each for a request of this `request` kind.
 */
export interface Decided {
kind: "decided"
reason: string
tools?: string[]
wait_ms?: number
attempt?: number
content?: string
model?: string
request?: (RequestKind | null)
rates?: ModelRate[]
seq?: number
at?: number
prev?: string
}
/**
 * What of a request is known before the first call, in few bins.
 * 
 * `tools`: how many are offered. `arguments`: the hardest form among their parameters. `attachments`: whether it has
 * images or files. `length`: its characters.
 */
export interface RequestKind {
tools: ("0" | "1-3" | "17+" | "4-8" | "9-16")
arguments: ("enum" | "flat" | "list" | "nested" | "none")
attachments: boolean
length: ("0-200" | "1001-4000" | "201-1000" | "4001+")
}
/**
 * What is known of one model for a kind of request: counts, and the interval of its rate in thousandths.
 * 
 * `basis`: the members of the kind by which the counts were chosen; fewer where those of the whole kind are too few.
 */
export interface ModelRate {
model: string
runs: number
succeeded: number
low: number
high: number
basis: string[]
}
/**
 * Derived: later model calls differ from those before in more than what was appended, and why.
 * 
 * `what` is `prompt` (outputs `shortened`, messages `dropped`, about `tokens` remain), `history` (the same, by its
 * rule `cause`), `model` (now `to`), `summary` (of `dropped` messages it is asked for with about `tokens`; then,
 * `written`, it has up to `tokens`), `no_summary`, `plan` (asked of `to`; then, `written`, `to` is asked its steps),
 * `no_plan` (`to` goes on without one), `spans` (arguments cannot be copied from `dropped` characters of a long text),
 * or a move of the negotiation: `dialect`, `carry` or `examples`. It is `request` where the server refused the member
 * `cause` of the request, which is left out since; `to` is then what stands for it: another member, or the dialect
 * that writes calls into the text.
 */
export interface Switched {
kind: "switched"
what: string
cause: string
to?: string
shortened?: number
dropped?: number
tokens?: number
seq?: number
at?: number
prev?: string
}
/**
 * Derived: the run ended with this answer.
 * 
 * `problems` say what of the output was not read as written, and what of its data was changed to make it fit;
 * `citations` which results it cites; `acts` the calls of the exchange that may have changed something, and
 * `acts_left_out` how many later ones there were.
 * `question`: it asks the user for something.
 */
export interface FinalAnswer {
kind: "final_answer"
content: string
data?: unknown
problems?: Problem[]
citations?: Citation[]
question?: boolean
acts?: Act[]
acts_left_out?: number
seq?: number
at?: number
prev?: string
}
/**
 * Derived: the run ended without an answer; `acts` as beside an answer.
 */
export interface RunFailed {
kind: "run_failed"
code: string
message: string
detail?: ({
[k: string]: unknown
} | null)
acts?: Act[]
acts_left_out?: number
seq?: number
at?: number
prev?: string
}
/**
 * Everything a run needs between two steps, on any host: what hosts read, then what steps keep, in groups.
 */
export interface RunState {
schema_version: number
agent: (string | null)
run_id: string
phase: ("approval" | "done" | "failed" | "model" | "tools")
head: string
messages: number
run: RunProgress
exchange: ExchangeState
window: WindowState
pending?: Pending[]
policies?: {
[k: string]: string
}
}
/**
 * What counts and is known over the whole run.
 */
export interface RunProgress {
seq: number
calls: number
changed?: boolean
late?: Pending[]
handed?: string[]
unsettled?: string[]
queued?: QueuedMessage[]
carried?: (Carried | null)
span_texts?: string[]
refused_members?: RefusedMember[]
plan_requests?: number[]
}
/**
 * One call of the current turn, until all calls of the turn have their result.
 * 
 * `text` is the result as the model will read it; `fault` names the cause when a check rejected it, and
 * `rejected_by` that check; `edited`
 * tells that a person changed the arguments, which the model has to learn; `problems` say what the core changed;
 * `approved` records that a person said yes.
 * `unknown` tells that the call may have run: its host was stopped, or it failed on the way. `again` tells that it
 * repeats an effect. `skill` tells that the host is to execute it as a skill (the bare form).
 * `origins` tell where its arguments came from, where a person is asked. `asked_by` names the policy that asks the
 * person, `reason` is what it says to that, and `note` its question in words.
 * `lost` counts the hosts that were stopped while they ran it.
 * `in_doubt` tells that a result leaves open whether it has acted: the call was stopped, or it failed after one whose
 * host was stopped before has failed.
 * `parts` are the images and files of its result.
 * `asks` is what it asks a person in the middle, `answer` what a person said to that, and `asked` how often it has.
 * `child` is the run of the agent that it calls, while that one goes on. `handle` is that of a call that goes on
 * elsewhere.
 * `checks` is the id of the call whose output this one judges, or of the search that it ranks tools for, or `answer`;
 * `condition` the index of the check that asks for it. `said` is what an output adds to the evidence once all its
 * checks accept it.
 */
export interface Pending {
call_id: string
tool: string
params: {
[k: string]: unknown
}
key: string
status: ("approval" | "asks" | "done" | "run" | "skill")
ok?: boolean
text?: string
fault?: string
rejected_by?: string
edited?: boolean
unknown?: boolean
again?: boolean
problems?: Problem[]
approved?: boolean
checks?: string
condition?: number
said?: string
skill?: boolean
origins?: ArgumentOrigin[]
asked_by?: string
reason?: string
note?: string
lost?: number
in_doubt?: boolean
parts?: (ImagePart | FilePart)[]
asks?: (AskedForm | null)
answer?: (FormAnswer | null)
asked?: number
child?: (RunState | null)
handle?: string
}
/**
 * A user message that came in the middle of a run, until the model is asked next.
 */
export interface QueuedMessage {
content: (string | (TextPart | ImagePart | FilePart)[])
data?: DataText[]
tool_choice?: (("auto" | "none" | "required") | OneTool | null)
pinned?: boolean
}
/**
 * What carries the model through a conversation; bounded, whatever the length of the run.
 * 
 * `values`: of the kinds that arguments are copied from, the latest last. `lost`: the kinds of which some are not
 * kept any more, so that arguments are not held to the others. `scoring`: the tools that the model is asked to score
 * now; `chosen`: those that its scores chose for this exchange, none for an answer; null where all are offered.
 */
export interface Carried {
values?: KnownValue[]
lost?: ("date" | "datetime" | "email" | "number" | "path" | "quote" | "time" | "url")[]
scoring?: string[]
chosen?: (string[] | null)
}
/**
 * A member of a request that the server of a model, by its index, does not take.
 */
export interface RefusedMember {
model: number
member: string
}
/**
 * What holds from a user message to the answer or failure; the next message begins with a new one.
 */
export interface ExchangeState {
used: ExchangeUse
started_at?: (number | null)
tool_choice?: (("auto" | "none" | "required") | OneTool | null)
reason?: string
cause?: string
wait_ms?: number
model_errors?: number
corrections?: {
[k: string]: number
}
warned?: boolean
final?: boolean
succeeded?: string[]
acts?: (Act[] | null)
acts_left_out?: number
recent?: Recent[]
refused?: string[]
effects?: string[]
withheld?: string[]
found?: number[]
cut?: CutOutput[]
asked?: string
said_samples?: string[]
negotiated?: (Negotiated | null)
evidence?: (Evidence | null)
citable?: Citable[]
judged?: (JudgedAnswer | null)
summing?: (Summing | null)
plan?: (Plan | null)
skill?: (SkillProgress | null)
problems?: Problem[]
answer?: (string | null)
data?: unknown
citations?: Citation[]
question?: boolean
failure?: (Failure | null)
}
/**
 * What an exchange has used of its budgets; it stands until the next one begins.
 */
export interface ExchangeUse {
turns: number
tool_calls?: number
input_tokens?: number
output_tokens?: number
cached_tokens?: number
reasoning_tokens?: number
cost?: number
}
/**
 * What failed in an exchange, and how the model is asked since; kept from the first failure on.
 * 
 * `faults`: how often each cause came, less what succeeded since. `moved`: the numbers of the rules that have made
 * their move. `failed_at`: the index of the first of the latest outputs that led to nothing; 0 where the latest led to
 * something. `skipped`: ranges of the transcript that are not sent. `examples`: corrections show one.
 */
export interface Negotiated {
faults?: {
[k: string]: number
}
moved?: number[]
failed_at?: number
skipped?: [number, number][]
dialect?: string
carry?: ("" | "ground")
examples?: boolean
}
/**
 * What was said in this exchange, kept only where a check looks there, and cut to a bound.
 * 
 * `question`: the user's words. `results`: what the accepted results say, one after another.
 */
export interface Evidence {
question?: string
question_cut?: boolean
results?: string
results_cut?: boolean
}
/**
 * An answer that waits for the verdicts of its checks, with its data and what was changed to make them fit.
 */
export interface JudgedAnswer {
answer: string
data?: unknown
problems?: Problem[]
}
/**
 * A summary that the model is asked for, and what it is asked afterwards.
 * 
 * `parts`: what is summed up, and the task; `asked`: the index of the messages that ask; `max_tokens`: of the summary.
 */
export interface Summing {
reason: string
cause?: string
parts?: SentPart[]
asked?: number
max_tokens?: number
}
/**
 * A request in steps, which a larger model has given and a smaller one is asked one by one.
 * 
 * `steps`: none while the larger model is asked for them; `at`: how many are done; `asked`: the index of the message
 * that asks for the one at hand, 0 where a host has edited the transcript. Until they came, `asked` is that of the
 * messages that ask for them, and `model` that of the smaller model.
 */
export interface Plan {
steps?: string[]
at?: number
model?: number
asked?: number
}
/**
 * How far the skill is that a run executes: the first of its pending calls that waits for that.
 * 
 * `outputs`: model outputs that were read. `errors`: model errors in a row. `fault`: what is corrected. `refused`:
 * the output that is corrected.
 */
export interface SkillProgress {
outputs?: number
errors?: number
wait_ms?: number
fault?: (SkillFault | null)
refused?: string
}
/**
 * Why an input or an output was refused, in a sentence.
 */
export interface SkillFault {
kind: string
message: string
}
/**
 * Why the run ended without an answer.
 */
export interface Failure {
code: string
message: string
detail?: ({
[k: string]: unknown
} | null)
}
/**
 * Which messages are sent, and to which model.
 */
export interface WindowState {
model?: number
preamble?: number
kept_from?: number
user_at?: number
turn_at?: number
level?: number
sent?: (Sent | null)
history?: (HistoryState | null)
attachments?: SentAttachment[]
}
/**
 * The parts of the transcript after the preamble that are sent, and what the model's own counts say of them.
 * 
 * `ratio`: per mille by which estimates are raised, from `usage.prompt_tokens`. `room`: tokens that a prompt may
 * have after the server refused a longer one; 0 as declared. `counted`: the tokens of the latest prompt by the model's
 * own count, as long as prompts only append to it; `since`: the estimate of what was appended. `summary`: the index
 * at which the part begins that sums up what was left out; it stands after the task and is dropped last. `known`:
 * messages before this index are in a part, or were asked apart from the conversation.
 */
export interface Sent {
parts?: SentPart[]
ratio?: number
room?: number
counted?: number
since?: number
summary?: number
known?: number
pinned?: number[]
}
/**
 * What the rules of the policy `history` count, and what they have left out.
 * 
 * `exchanges`: where the latest begin, as many as are counted. `cuts`: in the order of their messages. Messages before
 * `kept_from` are not sent, but for pinned ones; those before `reasoning_from` are sent without their reasoning.
 */
export interface HistoryState {
exchanges?: number[]
cuts?: HistoryCut[]
kept_from?: number
reasoning_from?: number
}
/**
 * What an agent is, as data; see docs/agent-definition.md.
 * 
 * `tools_offered`: of more tools than that a model is offered those that are `always` offered, and finds the others.
 * `tools_ranked_by`: a tool that only the core calls, whose scores count beside the words of a search.
 * `checks`: those of the answer. `sampling`: settings that are passed to the model as they are, by the names of its
 * server; of these, `max_tokens` is read here too.
 */
export interface AgentDefinition {
name?: string
instructions?: string
dialect?: string
tools?: ToolSpec[]
tools_offered?: number
tools_ranked_by?: (string | null)
agents?: {
[k: string]: SubAgent
}
skills?: (string | SkillEntry)[]
models?: ModelSpec[]
limits?: Limits
approval?: ApprovalPolicy
tool_choice?: (("auto" | "none" | "required") | OneTool)
answer_schema?: ({
[k: string]: unknown
} | boolean | null)
checks?: (string | Check)[]
sampling?: {
[k: string]: unknown
}
policies?: ({
[k: string]: unknown
}[] | null)
}
/**
 * A tool as the model sees it, and the schemas that the core validates its calls and outputs against.
 * 
 * `always`: it is offered from the start, also where there are more tools than a model is offered. `late`: a call that
 * goes on elsewhere (`tool_pending`) is waited for; else the model goes on without its result, and reads it later.
 */
export interface ToolSpec {
name: string
description?: string
parameters?: {
[k: string]: unknown
}
output_schema?: ({
[k: string]: unknown
} | boolean | null)
annotations?: (Annotations | null)
checks?: (string | Check)[]
max_output_chars?: (number | null)
approval?: (("ask" | "auto" | "deny") | null)
labels?: string[]
examples?: Example[]
always?: boolean
late?: ("wait" | null)
}
/**
 * MCP's behaviour hints; hints only, a host that does not trust the tool's source sets `approval`.
 */
export interface Annotations {
title?: (string | null)
readOnlyHint?: (boolean | null)
destructiveHint?: (boolean | null)
idempotentHint?: (boolean | null)
openWorldHint?: (boolean | null)
}
/**
 * One check; besides `message`, which replaces its reason, it has exactly one form.
 * 
 * `use`: a check by name; `tools` are those that `obligation` demands, and after which `observations` holds.
 * `schema`: a JSON Schema that the value fits. `pattern`: a regular expression found in its text.
 * `tool`: a tool of the host that accepts it, called with `params`; a text that begins with a slash is a JSON Pointer
 * into `/output` or `/arguments`, anything else a constant. `any`: at least one of these accepts. `not`: this rejects.
 */
export interface Check {
use?: (string | null)
tools?: (string[] | null)
schema?: ({
[k: string]: unknown
} | boolean | null)
tool?: (string | null)
params?: ({
[k: string]: unknown
} | null)
any?: ((string | Check)[] | null)
not?: (string | Check | null)
message?: (string | null)
}
/**
 * One use of the tool, shown to the model as chat turns: a query, the call, its result, the answer.
 */
export interface Example {
query: string
arguments: {
[k: string]: unknown
}
result?: unknown
answer?: (string | null)
}
/**
 * An agent that another one may call: its whole `agent` definition, and what the caller's model reads of it.
 * 
 * Without a `description` that is the beginning of its instructions. With `hand_off` it does not answer the caller: it
 * takes the conversation over, from the model's call on.
 */
export interface SubAgent {
agent: {
[k: string]: unknown
}
description?: string
hand_off?: boolean
}
/**
 * A skill of a definition: a built-in one by its name alone, else a written one, which has a description.
 * 
 * The body of a written skill stays with the host; the model reads it with the tool `read_skill`.
 */
export interface SkillEntry {
name: string
description?: string
}
/**
 * A model the host has, and what its server takes.
 * 
 * `profile`: how its server wants to be asked, or the name of that in the table of servers and models.
 * `reasoning`: `opened` when its chat template opens the reasoning and the server hands it over in the text.
 * `carry`: what the core does for it: nothing (`off`), or examples and arguments held to what was said (`ground`).
 * What it `supports` may have `spans`: strings of arguments are copied from the conversation, where a grammar holds
 * the output to that; and `logprobs`: the host tells how sure it was. `sha256` of its file and `adapter`, the weights
 * put on it, tell which weights answered. `tools_offered`: of this model, in place of the definition's.
 */
export interface ModelSpec {
name: string
window_tokens?: (number | null)
price?: (Price[] | Price | null)
supports?: (("audio" | "ebnf" | "files" | "grammar" | "images" | "json_schema" | "lark" | "logprobs" | "scores" | "spans" | "structural_tag" | "tools" | "tools_with_json_schema")[] | null)
reasoning?: ("opened" | null)
carry?: (("ground" | "off") | null)
sha256?: (string | null)
adapter?: (Adapter | null)
profile?: (string | Profile | null)
tools_offered?: (number | null)
}
/**
 * What a million tokens cost, in millionths of a unit, such as `USD`; nothing where nothing is given.
 * 
 * `cached_input`: of the prompt what the server had in its cache; `cache_write`: what it wrote into it. Where one is
 * left out, that costs what the input does. `above`: of several prices, this one is for prompts of more tokens.
 */
export interface Price {
input?: number
output?: number
cached_input?: (number | null)
cache_write?: (number | null)
above?: number
unit?: string
}
/**
 * Weights that are put on a model's own: what they are called, and their file's SHA-256.
 */
export interface Adapter {
name: string
sha256: string
}
/**
 * How a model's server wants to be asked; what is left out is as its `name`, a row of the table, has it.
 * 
 * `wire`: for the host. `dialect`: of a definition that names none. `supports`, `reasoning`, `price`: of a model that
 * says nothing of them. `constraint`: `strict` where the server holds an output to a schema in OpenAI's strict form.
 * `refuses`: members of requests that it does not take; for tools, calls are written into the text. `system`: the role
 * that the system text has. `roles`: `alternate` where the chat template takes no two messages of the user without an
 * answer between them. `call_id_chars`: of a call's id exactly, without which any id is taken. `call_extra`: members
 * of the first call of an output that another model has written, where the server takes none without. `name_chars`:
 * of a tool's name at most. `parallel_calls`: whether several calls in one output are asked for or forbidden, by the
 * member `parallel_tool_calls`. `tokenizer`: by which tokens are estimated.
 */
export interface Profile {
name?: (string | null)
wire?: (("anthropic" | "google" | "openai" | "responses") | null)
dialect?: (string | null)
supports?: (("audio" | "ebnf" | "files" | "grammar" | "images" | "json_schema" | "lark" | "logprobs" | "scores" | "spans" | "structural_tag" | "tools" | "tools_with_json_schema")[] | null)
constraint?: (("json_schema" | "strict") | null)
reasoning?: ("opened" | null)
refuses?: (string[] | null)
system?: (("developer" | "system" | "user") | null)
roles?: ("alternate" | null)
call_id_chars?: (number | null)
call_extra?: ({
[k: string]: unknown
} | null)
name_chars?: (number | null)
parallel_calls?: (boolean | null)
tokenizer?: (string | null)
price?: (Price[] | Price | null)
}
/**
 * What one exchange (a user message to its answer) may use; null is the default or no limit.
 * 
 * `max_cost` is in millionths of the unit of the models' prices. `final_answer`: the model is warned once before a
 * limit, and the last model call before it asks for an answer instead of failing after it.
 */
export interface Limits {
max_turns?: (number | null)
max_corrections?: (number | null)
max_tool_calls?: (number | null)
max_input_tokens?: (number | null)
max_output_tokens?: (number | null)
deadline_ms?: (number | null)
max_cost?: (number | null)
final_answer?: boolean
max_repeats?: (number | null)
max_parallel?: (number | null)
}
/**
 * Which calls need a person: per tool here, else the tool's own rule, else the default.
 * 
 * `unknown_outcome`: what becomes of a run whose call may have run when its host was stopped, and may not run twice:
 * a person is asked (`ask`) or the run fails (`fail`).
 */
export interface ApprovalPolicy {
tools?: {
[k: string]: "ask" | "auto" | "deny"
}
unknown_outcome?: ("ask" | "fail")
}
/**
 * What a host adds to a definition: the specs of its tools in any shape, and the profile of its model.
 * 
 * `rules_of` is a definition whose approval rules hold at least: the host's own, for a definition of somebody else.
 * `asks_before_acting`: a person is asked about each call of a tool that does not say that it only reads.
 */
export interface HostParts {
tools?: (unknown[] | null)
profile?: (ModelProfile | null)
rules_of?: unknown
asks_before_acting?: boolean
}
/**
 * How a model is best asked, as a probe finds it; `figures` is what was measured and is read by nobody here.
 * 
 * `scores` says that the host gives log-probabilities of it, which are asked for where its level is `ground`.
 * `policies` are those under which it is asked in that dialect, beside the definition's own; one that says that there
 * are none has none. `sha256` and `adapter` name its weights, `price` says what they cost, however it is asked.
 * `profile` is that of its server, for each of the definition's models.
 */
export interface ModelProfile {
name: string
dialect?: (string | null)
supports?: (("audio" | "ebnf" | "files" | "grammar" | "images" | "json_schema" | "lark" | "logprobs" | "scores" | "spans" | "structural_tag" | "tools" | "tools_with_json_schema")[] | null)
carry?: (("ground" | "off") | null)
window_tokens?: (number | null)
scores?: boolean
policies?: {
[k: string]: unknown
}[]
sha256?: (string | null)
adapter?: (Adapter | null)
price?: (Price[] | Price | null)
profile?: (string | Profile | null)
figures?: unknown
}
/**
 * What a model's text says, read without a run.
 */
export interface StandaloneReading {
content: (string | null)
reasoning: (string | null)
calls: {
[k: string]: unknown
}[]
problems: Problem[]
}
/**
 * Whether a value fits a schema, and each thing that does not fit.
 */
export interface Checked {
ok: boolean
errors: ValueProblem[]
}
/**
 * One thing that is wrong with a value, as a message of the core.
 */
export interface ValueProblem {
path: string
code: string
message: string
}
/**
 * A log replayed: where the run stands, what it asks for, and its transcript.
 * 
 * `also` and `children`: what else is asked for, and the transcripts of the agents that go on, by the ids of their
 * runs. `lost` are derived lines that a crash cut off: append them before going on. `torn_bytes` is the length of a
 * torn last line: cut it off before appending anything.
 */
export interface Replayed {
state: RunState
decision: (CallModel | InvokeTool | InvokeSkill | RequestApproval | Done | Failed)
messages: Message[]
lost?: string
torn_bytes?: number
also?: (CallModel | InvokeTool | InvokeSkill | RequestApproval | Done | Failed)[]
children?: {
[k: string]: Message[]
}
}
/**
 * What checking a log found; `line` (from 1), `expected` and `got` name the first line that differs.
 */
export interface Verified {
ok: boolean
lines: number
head: string
code?: (string | null)
message?: (string | null)
line?: (number | null)
expected?: (string | null)
got?: (string | null)
}
/**
 * A recorded run driven again.
 * 
 * `same`: nothing differs. `steps`: facts that led to the same. `line`: the number in the log, from 1, of the first
 * fact that does not; `recorded` and `redriven` what it led to in the log and now, and `message` why it could not be
 * given to the step. `state` and `log` are the run driven again, up to there.
 */
export interface Redriven {
same: boolean
steps: number
state: RunState
log: string
line?: (number | null)
recorded?: {
[k: string]: unknown
}[]
redriven?: {
[k: string]: unknown
}[]
message?: (string | null)
}
/**
 * How a recorded run would have been decided under another definition.
 * 
 * `points`: facts that were decided about under both. `left_out`: facts that the other one could not be asked about,
 * since what waited there would not stand under it. `changes`: what differs.
 */
export interface PolicyDiff {
points: number
left_out: number
changes: ChangedMove[]
}
/**
 * A move of the recorded run, and what the other definition does in its place; `line`: of the fact, from 1.
 */
export interface ChangedMove {
line: number
was: Move
becomes: Move
}
/**
 * What a step does: of a call with its `tool` and `params`; `why` it asks, corrects, rejects or fails.
 * 
 * `said`: the answer. `path`: the names of the agents down to its own.
 */
export interface Move {
does: ("allowed" | "answer" | "asked" | "correction" | "failed" | "hand-off" | "nothing" | "refused" | "rejected")
tool?: string
params?: {
[k: string]: unknown
}
why?: string
said?: string
path?: string[]
}
/**
 * Where two runs part.
 * 
 * `same`: they do not. `events`: how many say the same in both. `lines`: the number of the line in each, from 1, in
 * which they part; null where that log has ended. `one` and `other`: up to three events of each from there.
 */
export interface LogDiff {
same: boolean
events: number
/**
 * @minItems 2
 * @maxItems 2
 */
lines?: [(number | null), (number | null)]
one?: {
[k: string]: unknown
}[]
other?: {
[k: string]: unknown
}[]
}
/**
 * A log explained, each list in the log's order; `outputs` are those with reasoning, where there are any.
 * 
 * `window` is how full the model's window is at the last line, where the definition declares one. `left_out` is what
 * is not sent by then, in the order of the messages, where it has rules of history. `agents`: of a whole log, what is
 * told of the runs of agents that it called, by their calls; numbers of lines are those of their own logs.
 */
export interface Explanation {
calls: ExplainedCall[]
answers: ExplainedAnswer[]
failures: ExplainedFailure[]
corrections?: ExplainedCorrection[]
outputs?: ExplainedOutput[]
window?: ExplainedWindow
left_out?: ExplainedOmission[]
agents?: ExplainedAgent[]
}
/**
 * A call: the labels of its result, where its arguments came from, and the checks that its output is held to.
 * 
 * `origins` are those that a person was shown; none where nobody was asked. `checks` are in their order, by the names
 * that verdicts have; the check that one rejects by is the first that fails.
 */
export interface ExplainedCall {
call_id: string
tool: string
labels?: string[]
origins?: ArgumentOrigin[]
checks?: string[]
}
/**
 * The answer in the line `seq`: the checks that it was held to and passed, and its sentences with citations.
 */
export interface ExplainedAnswer {
seq: number
checks?: string[]
sentences?: CitedSentence[]
}
/**
 * A sentence of an answer that has citations: its code points [begin, end), and the calls that it rests on.
 */
export interface CitedSentence {
/**
 * @minItems 2
 * @maxItems 2
 */
at: [number, number]
calls: string[]
}
/**
 * The failure in the line `seq`: what a person can do, where its message does not say that.
 */
export interface ExplainedFailure {
seq: number
advice?: string
}
/**
 * The correction in the line `seq` of an answer: what the model had said, without the form it was written in.
 */
export interface ExplainedCorrection {
seq: number
said: string
}
/**
 * The model's output in the line `seq`: its reasoning, apart from what it says.
 */
export interface ExplainedOutput {
seq: number
reasoning: string
}
/**
 * What a prompt of the run has at its last line, in tokens: `tokens` at most, of `room`, in a window of `window`.
 * 
 * `instructions`, `tools`, `earlier` (exchanges before this one, or their summary) and `exchange` add up to `tokens`.
 * `counted`: the model's server has counted a prompt that this one appends to; else all of it is estimated.
 */
export interface ExplainedWindow {
window: number
room: number
tokens: number
instructions: number
tools?: number
earlier?: number
exchange?: number
counted?: boolean
}
/**
 * Messages [begin, end) of the transcript that the prompt has not, or has `shortened`, at the log's last line.
 * 
 * `why`: the rule of history, `keep_exchanges`, `results` or `reasoning`; or `size`, where they did not fit, were
 * summed up, or only asked for a summary or a plan.
 */
export interface ExplainedOmission {
begin: number
end: number
why: string
shortened?: boolean
}
/**
 * The run of an agent below, explained: the call that called it, and the agent's name.
 */
export interface ExplainedAgent {
call_id: string
agent: string
explanation: Explanation
}
/**
 * The filter to hand back, null once it is closed, and what can be shown now.
 */
export interface StreamOutput {
stream: (Stream | null)
events?: (StreamText | StreamReasoning | StreamCall | StreamStop | StreamRetract)[]
}
/**
 * The state of a filter.
 * 
 * agent: the definition's digest, tools: specs by name; they say which names are tools'. stage: how the output is
 * read. position, object_position: how far the scans are, of the text and of an object that is the whole output.
 * shown, calls, stopped: what was emitted. chars: the characters so far. parts: the output so far where it is read at
 * its end. undecided: the end of an object's text that is not decided. thought_chars: how much was taken of the
 * reasoning that is open. text, thought: which white space waits for text after it, of the text and of the reasoning
 * that is open. thoughts: reasoning was emitted before that. formatted: what the dialect's formatter holds back.
 * truncated: the host says that the output was cut. silent: nothing is shown. In JSON position is `place`,
 * object_position `watched`, chars `fed`, parts `whole` and undecided `head`.
 */
export interface Stream {
dialect: string
agent?: (string | null)
tools?: ({
[k: string]: ToolSpec
} | null)
stage?: ("content" | "head" | "hidden" | "segments" | "start")
place?: Position
watched?: Position
shown?: boolean
calls?: number
stopped?: boolean
fed?: number
whole?: string[]
head?: string
thought_chars?: number
text?: Trimmed
thought?: Trimmed
thoughts?: boolean
formatted?: string
truncated?: boolean
silent?: boolean
}
/**
 * Where a scanner is in a text that comes in chunks.
 * 
 * block_start, start_marker, scanned, parts: the block it is in: which start, its marker as written, how far the scan
 * for its end is, its text so far. last, ticks: the last visible character, or as many backticks as may begin a fence,
 * and the number of code fences. fence: the start of a code fence around calls, which is not shown; a line break once
 * a call was taken. shown, called: visible text came, a call did. maybe_reasoning: the text may have started inside
 * reasoning. answering: it is in a message that is nothing but the answer. wrapper: the closing tag of the answer's
 * wrapper. draft: the reasoning before, where it may end in calls. stopped: no calls count any more. rescanned_chars,
 * blocks: work done, both bounded. unsure: a bracket too many would make the last call another. brackets: after a call
 * without a marker at its end, a sign of whether it was repaired and what closes those that the text opens, another
 * sign where a quote is open in one, with a quote before them where one came. quoting: what is open in the text that
 * is shown: quotes in its line, brackets where it begins with one, a quoted line, a blank where a line has only begun
 * with blanks, and a mark where text that follows makes the last call a quoted one. held: not decided.
 * In JSON block_start is `opener`, start_marker `begun`, maybe_reasoning `inside` and rescanned_chars `tries`.
 */
export interface Position {
mode?: ("behind" | "block" | "ending" | "over" | "reasoning" | "rest" | "start" | "text")
opener?: number
begun?: string
scanned?: Scanned
parts?: string[]
last?: string
ticks?: number
fence?: string
shown?: boolean
called?: boolean
inside?: boolean
wrapper?: string
draft?: string
answering?: boolean
stopped?: boolean
tries?: number
blocks?: number
unsure?: boolean
brackets?: string
quoting?: string
held?: string
}
/**
 * Text that comes in pieces, without the white space at its beginning and its end.
 * 
 * begun: text was given. blanks: the white space since, given once text follows it.
 */
export interface Trimmed {
begun?: boolean
blanks?: string[]
}
/**
 * Text that is safe to show.
 */
export interface StreamText {
type: "text"
text: string
}
/**
 * More of the reasoning, as the model or its server wrote it: no answer, so it is shown apart from the text.
 */
export interface StreamReasoning {
type: "reasoning"
reasoning: string
}
/**
 * A complete call, as the model wrote it; nothing about its arguments is checked yet, and nothing may run.
 */
export interface StreamCall {
type: "call"
tool: string
params: {
[k: string]: unknown
}
}
/**
 * The decision is certain: the host may stop generating. Comes once.
 * 
 * at: how many characters (code points) of the output matter; the same however the text was cut into chunks.
 */
export interface StreamStop {
type: "stop"
at: number
}
/**
 * All text before was reasoning that the chat template had opened: take back what was shown as text.
 */
export interface StreamRetract {
type: "retract"
}
/**
 * `form` and `log` project a whole log, `form` alone opens a projection.
 * 
 * `projection` and `log` feed it further lines, `projection` and `stream` what a filter gave, `projection` alone
 * closes it.
 */
export interface ProjectionInput {
form?: string
projection?: Projection
log?: string
stream?: (StreamText | StreamReasoning | StreamCall | StreamStop | StreamRetract)[]
}
/**
 * Where the projection of a log into a form stands: plain data, bounded by what one exchange may hold.
 */
export interface Projection {
walk: Walk
fold: (StreamForm | UIMessages | Spans | OpenAIChat)
}
/**
 * Where the reading of a log stands; bounded by what one exchange may hold, whatever the log's length.
 * 
 * `head`: the chain's head after the latest line; `trace` that after the first, `exchange` that after the latest user
 * message; `is_asking` until that is answered or has failed. `skill`: the id of the call that the core executes.
 * `usage`: of the exchange, an entry for each model. `queued`: what the user said since the model was asked.
 * `goes_on`: the call that goes on elsewhere by the latest line; `late`: the tools of those without which the model
 * goes on, by their ids; `came`: their results until the model reads them.
 * `dialect`: that of the definition, `negotiated` the one that the model is asked in since; `opening`: the models
 * whose chat template opens the reasoning; `model`: the one that is asked. While an ending is told, `acts`: what may
 * have been changed; `question`: whether it asks the user for something. `below`: the runs of agents, by the ids of
 * their open calls; in each of these, `path`: the names down to it, `place`: the ids of those calls, with
 * which its own ones begin, `parent`: the span of its call.
 */
export interface Walk {
run_id?: string
agent?: string
models?: string[]
head?: string
trace?: string
exchange?: string
seq?: number
line?: number
at?: (number | null)
calls?: {
[k: string]: OpenCall
}
skill?: string
usage?: ModelUsage[]
is_asking?: boolean
queued?: (string | (TextPart | ImagePart | FilePart)[])[]
goes_on?: string
late?: {
[k: string]: string
}
came?: {
[k: string]: unknown
}[]
dialect?: string
negotiated?: string
opening?: string[]
model?: string
acts?: ({
[k: string]: unknown
} | null)
question?: boolean
path?: string[]
place?: string
parent?: string
below?: {
[k: string]: Walk
}
}
/**
 * A call without a settled result.
 * 
 * `approval`: the key that an answer has to name, while the call waits for a person. `output`: what it gave, while
 * checks judge that. `span`, `at`: the id and the time of the line from which on it could run. `ended_at`: when it
 * ended, where its host has told that. `parts`: the images and files that it gave. `has_asked`: it
 * waits for the answer to a form. `is_declined`: a person has refused to fill that in. `path`: the names of the agents
 * down to the one that made it.
 */
export interface OpenCall {
tool: string
arguments: {
[k: string]: unknown
}
span: string
at: (number | null)
checks?: string
path?: string[]
is_skill?: boolean
is_edited?: boolean
has_asked?: boolean
is_declined?: boolean
approval?: string
output?: unknown
ended_at?: (number | null)
parts?: (ImagePart | FilePart)[]
}
/**
 * What one model used in an exchange, as far as its server said; a count that it never named is null.
 */
export interface ModelUsage {
model: string
prompt_tokens?: (number | null)
completion_tokens?: (number | null)
cached_tokens?: (number | null)
reasoning_tokens?: (number | null)
}
/**
 * Where the stream of one run stands.
 * 
 * `segment`: the id of the part of the exchange that is open; `text` that of the text, of which `shown` is out.
 * `thought`: the id of the reasoning that is open; `thought_shown`: what was streamed of the reasoning before its
 * output is in the log; `reasoning`: that of the latest output, until it is certain that it was not sent back.
 * `reasons`: why calls wait for a person, since `asked_at`; `is_asking`: the pause is not written yet. `messages`:
 * what the next part was asked with.
 */
export interface StreamForm {
form: "stream"
protocol: ("ag-ui" | "ai-sdk")
segment?: string
step?: number
in_step?: boolean
has_output?: boolean
text?: string
texts?: number
shown?: string
thought?: string
thoughts?: number
thought_shown?: string
reasoning?: string
reasons?: {
[k: string]: string
}
is_asking?: boolean
asked_at?: (number | null)
messages?: Message[]
}
/**
 * The parts of the assistant message so far; `tools` says at which place the part of an open call stands.
 * 
 * `reasoning`: of the latest output, until it is certain that it was not sent back; `thoughts`: how many came.
 */
export interface UIMessages {
form: "ai-sdk-messages"
parts?: {
[k: string]: unknown
}[]
tools?: {
[k: string]: number
}
reasoning?: string
thoughts?: number
}
/**
 * The spans that are not over: the agent's, and the model's until it is known what became of its output.
 * 
 * `began_at`: when the exchange began. `asked_at`: when the model was asked. `below`: those of agents, by their calls.
 */
export interface Spans {
form: "otel"
began_at?: (number | null)
asked_at?: (number | null)
chat?: ({
[k: string]: unknown
} | null)
chat_attributes?: {
[k: string]: unknown
}
below?: {
[k: string]: Spans
}
}
/**
 * The calls of the message that is not complete yet.
 */
export interface OpenAIChat {
form: "openai"
calls?: {
[k: string]: unknown
}[]
}
/**
 * What the input adds to the form, and the projection to hand back; of a whole log, the bytes of a torn line.
 */
export interface ProjectionOutput {
events: {
[k: string]: unknown
}[]
projection?: Projection
torn_bytes?: number
}
/**
 * How a model's reply ended, as the host saw it; says nothing of what the reply holds.
 * 
 * kind: `ended` by itself; `cut` off; `status`, an error reply over HTTP; `timeout`, `unreachable`, `insecure` (TLS
 * failed), `unusable` (the client's own settings), `too_long` (a line or body past the host's bound), `not_utf8`,
 * `stopped` (by the host), `thrown` (by a library), `not_loaded` and `not_fetched` (a model in the host).
 * source: what to call the server or model. library: what runs a model in the host: `llama.cpp`, `webllm`, `wllama`,
 * `transformers`, `prompt_api`; "" for a server. status, headers, body: of the error reply; of the headers, those of
 * `FAULT_HEADERS`. media_type: of a body that did not stream. name, message:
 * of an error. limit_ms: the time limit. limit_bytes: the bound. used, window: tokens, if a library reports them.
 * secret: the key that was sent, and key_name: where it is set. sent: the names of the request's members, of which a
 * server may say that it does not know them. hide: other texts to keep out of the message.
 * base_end: what the base URL of such a server usually ends in, "" for one that says nothing by that.
 * advice: a sentence of the host's own at the end of the message.
 */
export interface ReplyEnd {
type: "reply_end"
kind?: ("cut" | "ended" | "insecure" | "not_fetched" | "not_loaded" | "not_utf8" | "status" | "stopped" | "thrown" | "timeout" | "too_long" | "unreachable" | "unusable")
source?: string
library?: string
status?: number
headers?: {
[k: string]: string
}
body?: string
media_type?: string
name?: string
message?: string
limit_ms?: number
limit_bytes?: number
used?: (number | null)
window?: (number | null)
secret?: string
key_name?: string
sent?: string[]
hide?: string[]
base_end?: string
advice?: string
}
/**
 * The reply to hand back, while it is open, and what can be shown now.
 * 
 * text: what the chunks added. is_over: the rest of the reply need not be read. is_settled: its
 * decision is certain, however it ends. observation: its result.
 */
export interface ReplyOutput {
reply?: Reply
events?: (StreamText | StreamReasoning | StreamCall | StreamStop | StreamRetract)[]
text?: string
is_over?: boolean
is_settled?: boolean
observation?: (ModelOutput | ModelError | Cancel)
}
/**
 * Where a reply is.
 * 
 * stream: the filter of the run that waits for it; None without a run. asked: the model that was asked. chars: the
 * characters of its text. stop_at: how many of them matter, once that is certain. is_shown: whether the host shows
 * anything of it. unread: a text that the filter reads once more comes, since it has no stop before its end.
 */
export interface Reply {
stream?: (Stream | null)
asked?: string
chars?: number
stop_at?: (number | null)
completion?: Completion
choices?: ScoredChoice[]
request?: ({
[k: string]: string | number | boolean | (string | number | boolean)[]
} | null)
asked_at?: (number | null)
first_token_at?: (number | null)
is_shown?: boolean
unread?: string
}
/**
 * A completion so far. size: the characters of text, arguments and parts. error: the server's own, as JSON.
 */
export interface Completion {
text?: GrowingText
calls?: CallSoFar[]
parts?: ProviderParts
size?: number
finish_reason?: (string | null)
usage?: (Usage | null)
model?: string
response_id?: string
is_complete?: boolean
speaker?: (number | null)
is_refused?: boolean
first_token?: [string, number][]
sums?: (TokenSums | null)
error?: string
flaw?: (Flaw | null)
odd?: (Flaw | null)
}
/**
 * A text so far. half: the four digits of half a character that the next piece may complete.
 */
export interface GrowingText {
parts?: string[]
half?: string
}
/**
 * One call while its pieces come. index: its place; number: that of the server; choice: the one that it is of.
 */
export interface CallSoFar {
index: number
number?: (number | null)
choice?: number
id?: string
name?: string
arguments?: GrowingText
extra?: unknown
is_open?: boolean
}
/**
 * The parts of a reply so far.
 */
export interface ProviderParts {
texts?: {
[k: string]: GrowingText
}
lists?: ReplyPart[]
content?: unknown
}
/**
 * One typed part of a list while its pieces come.
 */
export interface ReplyPart {
of: string
rest?: {
[k: string]: unknown
}
texts?: {
[k: string]: GrowingText
}
}
/**
 * The sums so far. text: of the tokens in which branch and name are decided. is_untold: a token was not told.
 */
export interface TokenSums {
part?: ("args" | "branch" | "name")
text?: string
branch?: number
name?: number
args?: number
is_untold?: boolean
}
/**
 * Why what came is no chat completion. syntax: it is no JSON. retryable: asking again may help.
 */
export interface Flaw {
message: string
retryable?: boolean
syntax?: boolean
}
/**
 * The state after a step, and the single next act that is asked of the host.
 */
export interface SkillStep {
state: SkillState
decision: (CallModel | Done | Failed)
}
/**
 * Where the execution of a skill stands.
 * 
 * `outputs`: model outputs that were read; 0 at the end: the core decided alone. `errors`: model errors in a row.
 * `fault`: what is corrected, or why it failed. `refused`: the output that is corrected. `left_out`: members of
 * requests that the model's server has refused. `data`: the output.
 */
export interface SkillState {
schema_version: number
skill: string
params: {
[k: string]: unknown
}
phase: ("done" | "failed" | "model")
model?: (ModelSpec | null)
outputs?: number
errors?: number
wait_ms?: number
fault?: (SkillFault | null)
refused?: string
left_out?: string[]
data?: ({
[k: string]: unknown
} | null)
}

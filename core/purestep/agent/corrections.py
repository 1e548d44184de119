"""The words of corrections: what was wrong, what is expected, and the form to use. Made here and nowhere else.

A correction is short, names the place, shows what came, and ends with what to do now.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from ..bounds import MAX_SHOWN_CHARS, MAX_SHOWN_ISSUES
from ..json_text import encode_sorted
from ..schema import Issue, render
from ..skills import unknown_skill as no_skill


def shown(text: str) -> str:
    """Return a text cut to the length that an error or a correction quotes."""
    return text if len(text) <= MAX_SHOWN_CHARS else f"{text[:MAX_SHOWN_CHARS]}..."


def unreadable(problem: str, remind: str) -> str:
    """Say that an output could not be read."""
    return f"Your last reply could not be read: {problem}. {remind}"


def cut_off(remind: str, answer: bool, first: str = "") -> str:
    """Say that an output ended before it was complete; first: the first of its calls, where that was whole."""
    if answer:
        return "Your last answer was cut off by the length limit. Give a complete, shorter answer."
    whole = f"Its first call was whole; make that one alone first: {first}\n" if first else ""
    return f"Your last reply was cut off before it was complete. Write a shorter one. {whole}{remind}"


def too_many_calls(number: int, limit: int) -> str:
    """Say that one output held too many calls."""
    return f"it held {number} tool calls, and at most {limit} are possible at once"


def unknown_tool(name: str, known: Sequence[str], near: str | None) -> str:
    """Say that no tool has that name, with the nearest one and those that are offered."""
    hint = f' Did you mean "{near}"?' if near else ""
    names = ", ".join(known) if known else "none; answer without a tool"
    return f'There is no tool named "{shown(name)}".{hint} The tools are: {names}.'


def offered_tools(lines: Sequence[str]) -> str:
    """Tell of tools that the model was not shown and has called, or nearly; stands before what was wrong."""
    return "\n".join([*lines, ""])


def found_tools(lines: Sequence[str]) -> str:
    """Tell of the tools that a search has found."""
    return "\n".join(["These tools fit best, and can be called now:", *lines])


def no_tool_found(query: str) -> str:
    """Say that no tool has any of the words that were searched for."""
    return f"No tool has words of {json_text(query)}. Search in other words, or answer without a tool."


def unknown_skill(name: str, known: tuple[str, ...]) -> str:
    """Say that no skill has that name, as the fault of a skill says it."""
    said = no_skill(name, known).message
    return f"UnknownSkill: {said}{'' if said.endswith('?') else '.'} Call one that there is, or go on without."


def invalid_arguments(tool: str, issues: Sequence[Issue]) -> str:
    """Say what is wrong with a call's arguments, with paths."""
    wrong = _listed(issues, "argument")
    return f"The arguments of {tool} are not right. {wrong} Call {tool} again with the arguments corrected."


def wrong_answer(issues: Sequence[Issue]) -> str:
    """Say where an answer does not fit its schema."""
    return f"The answer does not have the form asked for. {_listed(issues)} Give the answer again in that form."


def rejected_answer(reason: str, then: str, remind: str) -> str:
    """Say why a check rejects an answer, and what to do: what the check says of that, or another answer."""
    instead = then or "Give an answer in which that is right."
    return f"Your last answer was rejected: {shown(reason)}. {instead} {remind}"


def answer_no_json(problem: str) -> str:
    """Say that an answer that must be JSON is not."""
    return f"The answer must be JSON, and this is not: {problem}. Give the answer again as JSON only."


def _listed(issues: Sequence[Issue], member: str = "property") -> str:
    lines = [render(issue, member) for issue in issues[:MAX_SHOWN_ISSUES]]
    more = len(issues) - len(lines)
    return "; ".join(lines) + (f"; and {more} more." if more > 0 else ".")


def wrote_nothing() -> str:
    """Stand for an output without text and calls."""
    return "(nothing)"


def no_result() -> str:
    """Stand for the result that a call of an earlier program's messages did not get."""
    return "(no result)"


def not_answered() -> str:
    """Stand for the answer that a user message did not get, before the next one: many chat templates alternate."""
    return "(no answer)"


def empty_output(remind: str) -> str:
    """Say that an output held nothing."""
    return f"Your last reply held no answer. {remind}"


def made_up_argument(tool: str, name: str, value: str) -> str:
    """Say that an argument is a value of the example, which nobody has said."""
    return (
        f'The argument {name} of {tool} is "{shown(value)}", which only the example says. '
        "Use a value of the user's words or of an earlier result; where there is none, answer and say what is missing."
    )


def unsaid_argument(tool: str, name: str, value: str, said: Sequence[str]) -> str:
    """Say that an argument is a link, an address or the like that nobody has said, with those that were said."""
    return (
        f'The argument {name} of {tool} is "{shown(value)}", which stands neither in the user\'s words nor in a '
        f"result. These were said: {', '.join([shown(each) for each in said[:MAX_SHOWN_ISSUES]])}. "
        "Use one of them; where none is right, answer and say what is missing."
    )


def obligation(tools: Iterable[str], remind: str) -> str:
    """Say that an answer needs a tool result first."""
    names = ", ".join(tools)
    which = f"one of these tools: {names}" if names else "a tool"
    return f"Do not answer from memory. Use {which} first, then answer with its result. {remind}"


def numbered(number: int, text: str) -> str:
    """Return a result with the number by which an answer cites it."""
    return f"[{number}] {text}"


def no_tools_here(remind: str) -> str:
    """Say that a call was made where the exchange takes none."""
    return f"No tool can be used for this request. Answer it without one. {remind}"


def another_tool(called: str, tool: str, remind: str) -> str:
    """Say that another tool has to be called first."""
    return f"{shown(called)} was not run: call {tool} first. {remind}"


def rejected_output(tool: str, reason: str, acts: bool | None) -> str:
    """Return the text that a tool's output was rejected; it stands where its result would.

    acts: whether the tool changes something, so that the model must not be sent to do it twice; None where its
    annotations do not say.
    """
    instead = "Call the tool again with other arguments, or use another tool."
    if acts:
        instead = "The call has taken effect: do not make it again. Use another tool to see what it did."
    elif acts is None:
        instead = "The call may have taken effect: do not make it again. Use other arguments, or another tool."
    return (
        f"The output of {tool} was rejected: {reason}. It is not a result and must not be used in an answer. {instead}"
    )


def unchecked_output(tool: str, why: str) -> str:
    """Say that an output was not checked, since the run ended; stands where the result would."""
    return f"The output of {tool} was not checked: {why}. It is not a result and must not be used in an answer."


def see_checks(tools: Iterable[str]) -> str:
    """Say what a person can do about a run that checks have ended."""
    return f"see what was wrong for {', '.join(dict.fromkeys(tools))}, put that right, and ask again"


def see_output(tool: str) -> str:
    """Say what a person can do about a run that a rejected output has ended."""
    return f"nothing that {tool} gave was used: look at it, then ask in another way"


def see_answer() -> str:
    """Say what a person can do about a run that has ended with answers that a check rejects."""
    return "ask in another way, or change what the answer is held to"


def no_output() -> str:
    """Say that a call has run and gave nothing; stands where its result would."""
    return "done, no output"


def repeated_call(tool: str, result: str | None) -> str:
    """Say that a call was made again with the same result; None: it is not to be quoted outside of its frame."""
    quoted = ", which stands above." if result is None else f": {shown(result)}"
    return (
        f"You called {tool} again with the same arguments and got the same result{quoted}\n"
        "Do not repeat that call. Use this result to answer, or do something else."
    )


def forbidden_call(tool: str, refused: bool) -> str:
    """Say that a call was not run, since it was corrected or refused before; stands where its result would."""
    if refused:
        return f"{tool} was not run: this same call was refused before. Do something else, or answer without it."
    return f"{tool} was not run: this same call has already given you its result. Answer with that result now."


def edited_call(params: dict[str, Any]) -> str:
    """Say with which arguments a call ran that a person has changed; stands before its result."""
    return f"(A person changed the arguments to {encode_sorted(params).decode()}.)"


def user_adds(text: str) -> str:
    """Return what the user has said meanwhile, where it stands after something else in one message."""
    return f"The user adds: {text}"


def refused_call(tool: str, reason: str | None) -> str:
    """Say that a person refused a call; stands where its result would."""
    why = f": {shown(reason)}" if reason else ""
    return f"{tool} was not run: a person refused this call{why}. Try another way, ask, or answer without it."


def refused_rerun(tool: str, reason: str | None) -> str:
    """Say that a person did not want a call run again whose outcome is unknown; stands where its result would."""
    why = f": {shown(reason)}" if reason else ""
    return f"{tool} was interrupted; it may have run. A person refused to run it again{why}. Do not repeat this call."


def may_have_run(tool: str) -> str:
    """Say that nobody knows whether a call had its effect; stands where its result would."""
    return f"{tool} was interrupted; it may have run."


def outcome_unknown(calls: Sequence[str]) -> str:
    """Say that a run ends since nobody knows whether calls had their effect, and what a person can do."""
    shown_calls = ", ".join(calls[:MAX_SHOWN_ISSUES])
    more = f" and {len(calls) - MAX_SHOWN_ISSUES} more" if len(calls) > MAX_SHOWN_ISSUES else ""
    return (
        f"the run was stopped while {shown_calls}{more} ran, and nobody knows whether it took effect; "
        "look what it did, then ask for what is left to do"
    )


def unreported(tool: str) -> str:
    """Say that a call was handed out whose result its host did not report; stands where its result would."""
    return f"{tool} may have run: its result was not reported. Do not repeat this call before you know what it did."


def hidden_text_lost(stand_in: str) -> str:
    """Say that a call cannot be run: the text that its arguments need was hidden, and nobody has it any more."""
    return (
        f"{stand_in} stands for a text that is not known here any more, so the call was not run; get the text again, "
        "from where it came, or ask the user for it"
    )


def interrupted(error: str | None) -> str:
    """Say what is known of a call that was stopped, with what its host says of it."""
    said = "interrupted; it may have run"
    if error and any(words in error for words in _KNOWN_TO_RUN):
        return error
    return f"{said}: {error}" if error else said


_KNOWN_TO_RUN: Final = ("may have run", " ran; ")
"""What hosts write of calls that ran past their time, or whose result cannot be used."""


def denied_call(tool: str) -> str:
    """Say that the approval policy forbids a call; stands where its result would."""
    return f"{tool} was not run: it is not allowed here. Try another way, or answer without it."


def asked_too_often(most: int) -> str:
    """Say that a call was ended since it asked the user again and again."""
    return f"it asked the user more than {most} times in one call, and was ended; it may have run"


def agent_failed(name: str, code: str, message: str, done: Sequence[str]) -> str:
    """Say that an agent that was called has ended without an answer, and what it has done before."""
    before = f" Before that it called {', '.join(done)}." if done else ""
    return f"{name} ended without an answer ({code}): {shown(message)}.{before}"


def handed_over(name: str) -> str:
    """Tell an agent that it has the conversation from now on."""
    return f"This conversation was handed over: you are {name} now, and go on with it."


def not_handed_over(name: str, why: str) -> str:
    """Say why an agent does not take the conversation over."""
    return f"The conversation was not handed over to {name}: {why}."


def comes_later(tool: str, note: str) -> str:
    """Tell the model that the result of a call is not there yet; note: what is said of it."""
    said = f" What is known of it: {note}" if note else ""
    return f"{tool} was begun and goes on; its result comes by itself, later: do not call it again for that.{said}"


def came_later(tool: str, params: str) -> str:
    """Say of which call a result is that comes now."""
    return f"The result of {tool}({shown(params)}), which was begun before, is there:"


def unchecked_late(tool: str) -> str:
    """Say that a result came which a tool was to judge, and could not."""
    return f"The result of {tool} came, but what judges it could not run; it is left out."


def not_run(tool: str, why: str) -> str:
    """Say that a pending call will never run; stands where its result would."""
    return f"{tool} was not run: {why}."


def referred_output(media_type: str, size: int, digest: str) -> str:
    """Tell the model of an output whose bytes it cannot read."""
    unit = "byte" if size == 1 else "bytes"
    return (
        f"(An output of the type {media_type}, {size} {unit}, is kept under {digest}. Its content is not shown here.)"
    )


def definition_changed() -> str:
    """Say why a call that waited is answered when the definition has changed."""
    return "the tools have changed, and this call is not one that may run as it was made"


def near_limit(name: str, used: str, allowed: str) -> str:
    """Warn the model, once, that a limit is near."""
    counted = f"{used} of {allowed}{LIMIT_WORDS[name]}"
    return f"Note: {counted} are used. Finish soon: do only what is needed, then answer."


LIMIT_WORDS = {
    "max_turns": " turns",
    "max_tool_calls": " tool calls",
    "max_input_tokens": " input tokens",
    "max_output_tokens": " output tokens",
    "max_cost": "",  # its amounts have their unit
    "deadline_ms": " milliseconds",
}
"""What each limit counts, in the words of a warning, which follow an amount."""


def worked_example(query: str, written: str) -> str:
    """Show how a request is met; stands after a correction."""
    return f"For example, for {json_text(query)} write this:\n{written}"


def example_arguments(query: str, tool: str, arguments: dict[str, Any]) -> str:
    """Show how a tool is called where a call is not written as text."""
    written = encode_sorted(arguments).decode()
    return f"For example, for {json_text(query)} call {tool} with these arguments:\n{written}"


def json_text(text: str) -> str:
    """Return a text in quotes, cut where it is long."""
    return encode_sorted(shown(text)).decode()


def answer_now() -> str:
    """Say that this is the last model call: an answer with what is known, and no tools."""
    return (
        "This is the last turn, and no tool can be used any more. Answer now with what you know; say what is missing."
    )


def before_summary() -> str:
    """Return the turn before a summary is asked for: roles alternate in many chat templates."""
    return "Before I go on, I sum up what I know."


def ask_summary(max_tokens: int) -> str:
    """Ask for a summary of the messages above, which later prompts are without."""
    return (
        "Sum up the conversation above for yourself: it will be removed. Write plain sentences, no tool call, at most "
        f"{max_tokens // 2} words. Keep names, numbers, what was done and found, and what is still to be done."
    )


def summary(text: str) -> str:
    """Return a summary as the model's own turn."""
    return f"Summary of what was left out: {text}"


def go_on() -> str:
    """Return the turn after a summary."""
    return "Go on with the task."


def before_plan() -> str:
    """Return the turn before a plan is asked for: roles alternate in many chat templates."""
    return "Before I go on, I plan the steps."


def ask_plan(least: int, most: int) -> str:
    """Ask a larger model for the steps that a smaller one is asked one by one."""
    return (
        "Break what is left of the request above into steps for a smaller model, which has the same tools and is asked "
        f"one step at a time. Write {least} to {most} numbered lines, no tool call: one short step each, with the tool "
        "to use and all names and values that it needs. The last step ends with the answer to the request."
    )


def plan(steps: Sequence[str]) -> str:
    """Return a plan as the model's own turn."""
    lines = [f"{number}. {step}" for number, step in enumerate(steps, 1)]
    return "The plan:\n" + "\n".join(lines)


def do_step(step: str, number: int, of: int) -> str:
    """Ask for one step of a plan; the last one ends with the answer."""
    if number == of:
        return f"Step {number} of {of}: {step}\nDo this step, then answer the whole request."
    return f"Step {number} of {of}: {step}\nDo this step alone, then say in one sentence what came of it."


def left_out(chars: int) -> str:
    """Say that the rest of an old tool output is not in the prompt any more; stands in its place."""
    return f"\n[{chars} characters left out to save room]"


def old_result(chars: int) -> str:
    """Say that an old result is not sent any more, or only its beginning; stands in its place."""
    return f"[{chars} characters of an older result left out; call the tool again to read them]"


_PART_WORDS: Final = {"image": "an image", "file": "a file", "text": "a text file", "audio": "a sound"}


def part_words(kind: str) -> str:
    """Return what a part of this kind is called."""
    return _PART_WORDS[kind]


def part_left_out(kind: str, about: str = "") -> str:
    """Say that an image or a file is not in the prompt any more; stands in its place. about: its type and size."""
    return f"[{_PART_WORDS[kind]} of this message{about and f' ({about})'} is left out to save room]"


def part_not_taken(kind: str, about: str = "") -> str:
    """Say that a message has what the model cannot read; stands in its place. about: its type and size."""
    return f"[this message has {_PART_WORDS[kind]}{about and f' ({about})'}, which is not shown to you]"


def parts_past_room(parts: int) -> str:
    """Say that images and files of results have no room in a message; follows the result."""
    return f"[{parts} more images or files are left out: a message holds a few]"


def cut_output(text: str, limit: int) -> str:
    """Return a tool output cut to the limit, with a notice of what is missing."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n[cut here: {limit} of {len(text)} characters are shown]"


def cut_to_read_on(text: str, limit: int, call_id: str) -> str:
    """Return a tool output that is longer than the limit, cut there, with a notice of how to read on."""
    return f"{text[:limit]}\n[cut here: {limit} of {len(text)} characters are shown; {_read_on(call_id, limit)}]"


def output_part(text: str, begin: int, chars: int, call_id: str) -> str:
    """Return a part of an output, with a notice of where it ends and how to read on."""
    end = begin + len(text)
    then = "this is its end" if end >= chars else _read_on(call_id, end)
    return f"{text}\n[characters {begin} to {end} of {chars}; {then}]"


def _read_on(call_id: str, begin: int) -> str:
    arguments = encode_sorted({"call_id": call_id, "from": begin}).decode()
    return f"call read_output with {arguments} for more"


def past_end(call_id: str, chars: int) -> str:
    """Say that an output has nothing where a call reads on; stands where its result would."""
    return f"the output of {call_id} has {chars} characters, so nothing is left there"


def not_cut(call_id: str, known: Sequence[str]) -> str:
    """Say that a call reads on in an output that was not cut."""
    if not known:
        return "No output was cut, so there is nothing to read on in. Go on without read_output."
    names = ", ".join(known)
    return (
        f'The arguments of read_output are not right. No output of "{shown(call_id)}" was cut; these were: {names}. '
        "Call read_output again with the arguments corrected."
    )

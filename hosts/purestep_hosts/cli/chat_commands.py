"""What a person may type in a chat besides questions: lines that begin with a slash."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Final

from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line

if TYPE_CHECKING:
    import purestep
    from purestep_hosts.sessions import Session
    from purestep_hosts.show.screen import Screen

QUIT: Final = ("/quit", "/exit")
NEW: Final = "/new"
_HELP: Final = (
    ("/help", "lists these commands"),
    ("/tools", "lists the tools that the model is offered"),
    ("/log", "says where the log of this conversation is"),
    ("/new", "begins a new conversation, in a session of its own"),
    ("/quit", "ends; quit, exit and Ctrl-D do too. Ctrl-C drops a line, or stops an answer"),
)
_COMMAND: Final = re.compile(r"/[A-Za-z]+")
_LEAVING: Final = (*QUIT, "quit", "exit")


def is_command(text: str) -> bool:
    """Return whether a typed line is a command and no question, such as one about `/etc/passwd`."""
    return _COMMAND.fullmatch(text) is not None


def is_leaving(text: str) -> bool:
    """Return whether a typed line ends the chat: also the bare word, which is no question."""
    return text.lower() in _LEAVING


def answer(text: str, screen: Screen, agent: purestep.Agent, session: Session | None) -> None:
    """Carry out a command that only shows something; session: the conversation's, None before the first question."""
    match text.lower():
        case "/help":
            rows = [Row(name, said) for name, said in _HELP]
        case "/tools":
            how = {name: _asks(tool.approval) for name, tool in agent.host_tools.items()}
            rows = [Row(each, _names(how, each)) for each in dict.fromkeys(how.values())] or [Row("tools", "none")]
        case "/log" if session is not None:
            folder = one_line(shlex.quote(str(session.folder)))
            rows = [Row("log", f"{folder}; purestep replay {folder} prints it")]
        case "/log":
            rows = [Row("log", "none yet; it begins with the first question")]
        case _:
            rows = [Row("note", f"there is no command {one_line(text)}; /help lists them", "warning")]
    screen.printer.listed(rows)


def _names(how: dict[str, str], each: str) -> str:
    return ", ".join([one_line(name) for name, said in how.items() if said == each])


def _asks(approval: str) -> str:
    return {"auto": "runs", "ask": "asks first", "deny": "is denied"}.get(approval, approval)

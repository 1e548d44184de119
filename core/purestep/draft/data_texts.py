"""Texts that come along with a user message and are not the user's: shown framed, and known as results are.

Nothing in them is an order, and nothing in them was said by the user. Values may be taken from them as from a result
that anybody may have written.
"""

from collections.abc import Sequence

from ..agent import Agent
from ..bounds import MAX_DATA_CHARS, MAX_PART_NAME_CHARS
from ..errors import PurestepError
from ..json_text import without_terminal_codes
from ..values import Content, DataText, labels_of, parts_of, text_of
from ..window import data_text
from .draft import Draft
from .evidence import note_text
from .origins import note_said
from .policies import begin_policies, wants_facts


def check_data(data: Sequence[DataText]) -> None:
    """Raise `invalid_input` for empty texts and those with a name that is none; `input_too_large` for long ones."""
    for index, each in enumerate(data):
        path = f"/observation/data/{index}"
        if not each.text:
            raise PurestepError("invalid_input", "expected text; leave data out where there is none", f"{path}/text")
        if each.name is not None and not _is_name(each.name):
            raise PurestepError(
                "invalid_input", f"expected a name of 1 to {MAX_PART_NAME_CHARS} characters on one line", f"{path}/name"
            )
    if sum([len(each.text) for each in data]) > MAX_DATA_CHARS:
        raise PurestepError(
            "input_too_large",
            f"expected at most {MAX_DATA_CHARS} characters that come along; let a tool read longer texts",
            "/observation/data",
        )


def _is_name(name: str) -> bool:
    return 0 < len(name) <= MAX_PART_NAME_CHARS and all(character >= " " and character != "\x7f" for character in name)


def note_message(draft: Draft, content: Content, data: Sequence[DataText]) -> None:
    """Keep for the rules on flows what the user has said, and what came along with that: texts, images and files."""
    if data:
        _note_data(draft, data)
    if wants_facts(draft):
        said = without_terminal_codes(text_of(content))
        if draft.above is not None and not draft.state.messages and _reads_labelled(draft.above.agent):
            # A model has worded the question, and may have taken it from text that anybody has written.
            said, data = "", (DataText(text=said),)
        begin_policies(draft, said, data, attached=bool(parts_of(content)))


def _reads_labelled(agent: Agent) -> bool:
    """Whether a tool of an agent gives what carries a label."""
    return any(labels_of(tool.spec) for tool in agent.host_tools.values())


def _note_data(draft: Draft, data: Sequence[DataText]) -> None:
    """Keep texts that came along: for arguments, for checks of values, and with their label."""
    text = data_text(data)
    note_said(draft, text)
    note_text(draft, text)

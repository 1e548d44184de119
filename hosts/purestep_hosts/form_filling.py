"""A form at the terminal: what a tool asks, field by field, and nothing is sent before a person has said yes to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import purestep
from purestep import Approval, ApprovalCall, PurestepError
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line, sanitize, sanitized_json

if TYPE_CHECKING:
    from purestep_hosts.show.printer import Printer

_NOTE: Final = "A server asks this, not purestep. Give it no password or key; an empty line leaves a field out."
_SEND: Final = "[y]es, send it, [n]o, [a]gain, [q]uit: "
_WORDS: Final = {"true": True, "yes": True, "y": True, "false": False, "no": False, "n": False}


class FormFilling:
    """Fills in a form with the person at the terminal."""

    def __init__(
        self,
        printer: Printer,
        read: Callable[[str], str | None],
        check: Callable[[Approval], None],
        guard: Callable[[], None],
    ) -> None:
        """`read` gives a line, None at the end of input; `check` raises PurestepError for an answer that is wrong."""
        self._printer = printer
        self._read = read
        self._check = check
        self._guard = guard

    def answer(self, call: ApprovalCall, form: dict[str, Any]) -> Approval:
        """Return a person's answer; raises KeyboardInterrupt when the person quits."""
        self._printer.block(sanitize(call.note or ""))
        self._printer.row(Row("note", _NOTE, "quiet"))
        self._guard()
        refused = Approval(call_id=call.call_id, key=call.key, approved=False, by="terminal")
        while True:
            content = self._filled(form)
            if content is None:
                return refused
            self._printer.block(sanitized_json(content, indent=2))
            match (self._read(_SEND) or "n").strip().lower():
                case "y" | "yes":
                    filled = Approval(call_id=call.call_id, key=call.key, approved=True, params=content, by="terminal")
                    if self._fits(filled):
                        return filled
                case "n" | "no":
                    return refused
                case "q" | "quit":
                    raise KeyboardInterrupt
                case _:
                    continue

    def _fits(self, approval: Approval) -> bool:
        try:
            self._check(approval)
        except PurestepError as error:
            self._printer.row(Row("not taken", sanitize(error.message), "warning"))
            return False
        return True

    def _filled(self, form: dict[str, Any]) -> dict[str, Any] | None:
        """Return what was typed for each field; None at the end of input."""
        content: dict[str, Any] = {}
        for name, field in form.get("properties", {}).items():
            needed = "" if name in form.get("required", ()) else ", may be left out"
            line = self._read(f"{_title(name, field)} ({_kind(field)}{needed}): ")
            if line is None:
                return None
            if line.strip():
                content[name] = _value(field, line.strip())
        return content


def _title(name: str, field: dict[str, Any]) -> str:
    title, description = field.get("title", ""), field.get("description", "")
    told = f" - {one_line(description)}" if description else ""
    return f"{one_line(title or name)}{told}"


def _kind(field: dict[str, Any]) -> str:
    if field["type"] == "array":
        return f"some of {one_line(', '.join(field['items'].get('enum', ())))}, with commas between"
    if "enum" in field:
        return f"one of {one_line(', '.join(field['enum']))}"
    kind = {"string": field.get("format", "text"), "boolean": "yes or no"}.get(field["type"], field["type"])
    return str(kind)


def _value(field: dict[str, Any], line: str) -> Any:
    """Return a line as the kind of value that a field has; as text where it is none, which the check refuses."""
    match field["type"]:
        case "array":
            return [each.strip() for each in line.split(",") if each.strip()]
        case "boolean":
            return _WORDS.get(line.lower(), line)
        case "integer" | "number":
            try:
                return purestep.decode_json(line.encode())
            except PurestepError:
                return line
        case _:
            return line

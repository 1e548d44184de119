"""The scanner's table of modes: texts take all of its moves and no others, and one module changes a scan's state."""

import ast
from pathlib import Path

import purestep.scanner
from purestep.dialects import dialect_named
from purestep.scanner import Block, BlockResult, BlockStart, Scanner, Table
from purestep.scanner.scanner import MODES
from purestep.values.reading import ReadCall
from purestep.values.toolspec import Tools

CALL = '{"name": "f", "arguments": {}}'
TEXTS = (
    f"<think>x</think>Hi <tool_call>{CALL}</tool_call><tool_response>",
    f"<tool_call>{CALL}</tool_call>\n<think>x</think>",
    f"Hi <tool_call>{CALL}</tool_call> x</think>{CALL}; {CALL}",
    f"Hi <tool_call>{CALL}</tool_call><tool_response></think>x",
    "Hi\n<think>x</think>y",
    "f[ARGS]{}",
    '{"kind": "final", "content": "x"} y',
    f"```json\n{CALL}\n```\nx",
    f"<tool_call>{CALL}</tool_call>" * 513,
)
OBJECTS = ("{} {}", "{} x")
"""Texts of a table whose calls must follow one another."""


def _read(_block: Block, _tools: Tools | None) -> BlockResult:
    return BlockResult(calls=(ReadCall(tool="f", params={}),), ends="calls")


OBJECT = BlockStart(pattern=r"(?P<inner>)\{", partial="(?!)", first_chars="{", scan="balanced", read=_read)


def _moves(table: Table | None, text: str) -> set[tuple[str, str]]:
    assert table is not None
    scanner, moves = Scanner(table, None), set()
    for chunk in [*text, ""]:
        scanner.take(chunk)
        scanner.final = not chunk
        has_more = True
        while has_more:
            before = scanner.mode
            has_more = MODES[before].run(scanner)
            moves.add((before, scanner.mode))
    return {(before, after) for before, after in moves if before != after}


def test_texts_take_the_moves_of_the_table() -> None:
    """Each move of the table is one that a text takes, and texts take no others."""
    taken = set[tuple[str, str]]().union(
        *(_moves(dialect_named("auto").table, text) for text in TEXTS),
        *(_moves(Table((OBJECT,)), text) for text in OBJECTS),
    )
    assert {(mode, after) for mode, step in MODES.items() for after in step.leads_to} == taken


def test_steps_change_a_scan_by_its_methods_only() -> None:
    """No module of steps assigns to a scan's members: `scan_state` has every change."""
    room = Path(purestep.scanner.__file__).parent
    assigned = [
        f"{name}.py:{node.lineno}"
        for name in ("text_modes", "block_modes")
        for node in ast.walk(ast.parse((room / f"{name}.py").read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    ]
    assert [] == assigned

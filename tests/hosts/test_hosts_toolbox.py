"""The toolbox: names, limits, and results whatever a tool does."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.tool import RunningCall, Tool, ToolFailure, parameters, text
from purestep_hosts.tools.toolbox import Toolbox


@pytest.fixture
def box(tmp_path: Path) -> Toolbox:
    """All built-in tools over one folder."""
    return Toolbox(ToolConfig(session_dir=tmp_path, root=tmp_path))


def tool(run: Any, **more: Any) -> Tool:
    """Return a tool without arguments that runs `run`."""
    return Tool(name="probe", description="A probe.", parameters=parameters(), run=run, **more)


def run(box: Toolbox, function: Any, **more: Any) -> dict[str, Any]:
    """Register such a tool and run it."""
    box.register(tool(function, **more))
    return box.run("probe", {}, "k")


def test_built_in_tools_are_all_there(box: Toolbox) -> None:
    """The specs are sorted and complete, and JSON."""
    specs = box.specs()
    assert [
        "add_days",
        "add_numbers",
        "calculate",
        "calculator",
        "count_words",
        "days_between",
        "echo",
        "fetch_url",
        "list_dir",
        "read_file",
        "search_files",
        "session_note_append",
        "session_note_search",
        "shell",
        "time_in",
        "today",
        "write_file",
    ] == [spec["name"] for spec in specs]
    assert specs == json.loads(json.dumps(specs))
    assert {"shell", "write_file"} == {spec["name"] for spec in specs if spec["approval"] == "ask"}


def test_every_example_fits_its_schema(box: Toolbox) -> None:
    """An example uses exactly the arguments that its tool takes."""
    for spec in box.specs():
        for example in spec["examples"]:
            assert set(spec["parameters"]["properties"]) == set(example["arguments"])
            assert {"query", "arguments", "result", "answer"} == set(example)


def test_examples_of_pure_tools_are_true(box: Toolbox) -> None:
    """What an example promises is what the tool returns."""
    pure = ("add_numbers", "calculator", "echo", "session_note_append", "session_note_search")
    for spec in (spec for spec in box.specs() if spec["name"] in pure):
        for example in spec["examples"]:
            found = box.run(spec["name"], example["arguments"], "k")
            assert found == {"ok": True, "output": example["result"]}


def test_numbers_stay_numbers(box: Toolbox) -> None:
    """A sum is a JSON number, whole when it is whole."""
    assert box.run("add_numbers", {"a": 40, "b": 2}, "k") == {"ok": True, "output": 42}
    assert box.run("add_numbers", {"a": 0.1, "b": 0.2}, "k") == {"ok": True, "output": 0.3}
    assert box.run("calculator", {"expression": "6 * 7"}, "k") == {"ok": True, "output": 42}


def test_names_select_the_tools(tmp_path: Path) -> None:
    """Only the tools named are offered, and no file tool without a root."""
    assert len(Toolbox(ToolConfig(session_dir=tmp_path, names=("echo",))).specs()) == 1
    names = {spec["name"] for spec in Toolbox(ToolConfig(session_dir=tmp_path)).specs()}
    assert not names & {"read_file", "list_dir", "write_file"}
    with pytest.raises(ValueError, match="no built-in tool"):
        Toolbox(ToolConfig(session_dir=tmp_path, names=("fly",)))


def test_duplicate_name_is_an_error(box: Toolbox) -> None:
    """Two tools cannot share a name."""
    box.register(tool(lambda params, call: 1))
    with pytest.raises(ValueError, match="'probe' is registered already"):
        box.register(tool(lambda params, call: 2))


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("nope", {}),
        ("echo", {}),
        ("echo", {"text": "x", "root": "/"}),
        ("echo", {"text": 5}),
        ("read_file", {"path": "x" * 10_000}),
        ("echo", ["x"]),
        ("add_numbers", {"a": True, "b": 1}),
        ("add_numbers", {"a": "1", "b": 1}),
        ("calculator", {"expression": "2 +"}),
    ],
)
def test_wrong_arguments_are_told_apart(box: Toolbox, name: str, params: Any) -> None:
    """A wrong name, argument or type is the caller's error and no crash."""
    found = box.run(name, params, "k")
    assert (found["ok"], found["error_kind"]) == (False, "invalid_arguments")
    assert found["error"]


def test_kinds_of_failure_are_kept_apart(box: Toolbox, tmp_path: Path) -> None:
    """Execution and I/O failures have their own kinds; messages hold no traceback."""
    assert run(box, lambda params, call: 1 // 0)["error_kind"] == "execution"
    assert box.run("read_file", {"path": "none.txt"}, "k")["error_kind"] == "io"


@pytest.mark.parametrize("raised", [SystemExit(3), KeyboardInterrupt(), RecursionError(), ValueError("x" * 9999)])
def test_whatever_a_tool_raises_is_a_result(box: Toolbox, raised: BaseException) -> None:
    """Not even an exit leaves the toolbox, and what an exception says comes whole."""

    def fail(params: Any, call: RunningCall) -> None:
        raise raised

    found = run(box, fail)
    assert (found["ok"], found["error_kind"]) == (False, "execution")
    assert found["error"] == f"probe failed: {type(raised).__name__}: {raised}".removesuffix(": ")


def test_output_that_is_not_json_is_a_failure(box: Toolbox) -> None:
    """A tool cannot put foreign values or NaN into the log."""
    assert not run(box, lambda params, call: object())["ok"]


def nested(levels: int, leaf: Any = 1) -> Any:
    """Return a value in so many lists."""
    for _ in range(levels):
        leaf = [leaf]
    return leaf


class Words(str):
    """Text of a tool's own class, which says something else of itself."""

    __slots__ = ()

    def __str__(self) -> str:
        return "other"


@pytest.mark.parametrize(
    ("output", "taken"),
    [
        (nested(56), nested(56)),
        (nested(55, {}), nested(55, {})),
        (Words("text"), "text"),
        ({None: 1, True: 2, 3: (4,)}, {"null": 1, "true": 2, "3": [4]}),
        ({"half": "\ud800"}, {"half": "\ufffd"}),
    ],
)
def test_output_comes_as_plain_values(box: Toolbox, output: Any, taken: Any) -> None:
    """Keys and types that JSON has no form for come as JSON writes them, so that the core takes every result."""
    found = run(box, lambda params, call: output)
    assert {"ok": True, "output": taken} == found
    assert type(taken) is type(found["output"])


@pytest.mark.parametrize(
    ("output", "error"),
    [
        (nested(57), "expected a result nested at most 56 levels deep; flatten it"),
        (nested(56, {}), "expected a result nested at most 56 levels deep; flatten it"),
        (nested(5000), "expected a result nested at most 56 levels deep; flatten it"),
        pytest.param(10**640, "expected numbers of at most 640 digits; send longer ones as strings", id="long number"),
    ],
)
def test_output_that_the_core_refuses_is_a_failure(box: Toolbox, output: Any, error: str) -> None:
    """The tool has run, so the run goes on with an error that says so and that the model can read."""
    said = f"probe ran; its result cannot be used: {error}"
    assert {"ok": False, "error": said, "error_kind": "interrupted"} == run(box, lambda params, call: output)


def test_list_in_itself_is_a_failure(box: Toolbox) -> None:
    """A value without an end is too deep."""
    endless: list[Any] = []
    endless.append(endless)
    assert "nested at most 56 levels" in run(box, lambda params, call: endless)["error"]


def test_tool_cannot_change_its_output_afterwards(box: Toolbox) -> None:
    """What is logged is what the tool gave when it returned."""
    rows = [1]
    found = run(box, lambda params, call: rows)
    rows.append(2)
    assert {"ok": True, "output": [1]} == found


def test_exception_without_words_is_a_result(box: Toolbox) -> None:
    """An exception that cannot be read is no tool that hangs."""

    class Silent(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    def fail(params: Any, call: RunningCall) -> None:
        raise Silent

    error = "probe failed: Silent, which does not say why"
    assert run(box, fail) == {"ok": False, "error": error, "error_kind": "execution"}


def test_nan_is_a_failure(box: Toolbox) -> None:
    """NaN is no JSON."""
    assert not run(box, lambda params, call: float("nan"))["ok"]


@pytest.mark.parametrize("output", ["x" * 5000, ["x" * 5000], {"a": "x" * 5000}])
def test_long_output_comes_whole(box: Toolbox, output: Any) -> None:
    """What the model reads of an output is the core's to cut."""
    assert {"ok": True, "output": output} == run(box, lambda params, call: output, max_output_chars=200)


@pytest.mark.parametrize("output", ["é" * 500_001, ["x" * 999_997], {"a": ["", "x" * 1_000_000]}])
def test_output_past_the_memory_bound_is_an_error(box: Toolbox, output: Any) -> None:
    """The error says what was expected, how much came and what to do; a byte less passes."""
    found = run(box, lambda params, call: output)
    assert (found["ok"], found["error_kind"]) == (False, "interrupted")
    said = "probe ran; its result cannot be used: expected a result of at most 1000000 bytes, got 1000"
    assert found["error"].startswith(said)
    assert found["error"].endswith("; ask for a part of it")


@pytest.mark.parametrize("output", ["é" * 500_000, ["x" * 999_996]])
def test_output_at_the_memory_bound_passes(box: Toolbox, output: Any) -> None:
    """The bound counts bytes of a text, and of other values their JSON."""
    assert {"ok": True, "output": output} == run(box, lambda params, call: output)


def test_error_past_the_memory_bound_says_how_long_it_was(box: Toolbox) -> None:
    """Not even an error fills the memory."""

    def fail(params: Any, call: RunningCall) -> None:
        raise ToolFailure("x" * 1_000_001, "io")

    error = "it failed with a message of 1000001 bytes, where at most 1000000 are taken"
    assert run(box, fail) == {"ok": False, "error": error, "error_kind": "io"}


def test_hanging_tool_is_left_behind(box: Toolbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool that ignores its limit costs the limit and a short grace."""
    monkeypatch.setattr("purestep_hosts.tools.toolbox._GRACE_S", 0.1)
    release, ended = threading.Event(), threading.Event()

    def hang(params: Any, call: RunningCall) -> None:
        release.wait(60)
        ended.set()

    found = run(box, hang, time_limit_s=0.1)
    assert not ended.is_set()
    release.set()
    error = "probe did not end within 0.1 seconds; it may have run"
    assert {"ok": False, "error": error, "error_kind": "interrupted"} == found


def test_tool_that_minds_its_limit_reports_itself(box: Toolbox) -> None:
    """A call tells its tool when the time is over."""

    def patient(params: Any, call: RunningCall) -> None:
        while True:
            call.check()
            time.sleep(0.01)

    error = "the time limit was reached; it may have run"
    assert {"ok": False, "error": error, "error_kind": "interrupted"} == run(box, patient, time_limit_s=0.1)


def test_argument_cannot_reach_the_configuration(box: Toolbox, tmp_path: Path) -> None:
    """Arguments named like configuration are refused, not used."""
    for name in ("root", "session_dir", "allow_hosts"):
        found = box.run("read_file", {"path": "x", name: "/"}, "k")
        assert found["error_kind"] == "invalid_arguments"


def test_tool_can_choose_its_kind(box: Toolbox) -> None:
    """ToolFailure carries message and kind to the result."""

    def fail(params: Any, call: RunningCall) -> None:
        raise ToolFailure("the disk is full", "io")

    assert run(box, fail) == {"ok": False, "error": "the disk is full", "error_kind": "io"}


def test_parameters_are_closed_objects() -> None:
    """A schema made here allows exactly its properties."""
    schema = parameters(path=text("a path"))
    assert schema["required"] == ["path"]
    assert schema["additionalProperties"] is False


def test_notes_are_found_again_and_a_key_counts_once(box: Toolbox, tmp_path: Path) -> None:
    """A repeated call does not note twice; another call with the same words does."""
    for key in ("k1", "k1", "k2"):
        assert box.run("session_note_append", {"note": "Buy milk"}, key)["ok"]
    box.run("session_note_append", {"note": "Call Ann"}, "k3")
    again = Toolbox(ToolConfig(session_dir=tmp_path))
    assert again.run("session_note_search", {"query": "MILK"}, "k4")["output"] == "Buy milk\nBuy milk"
    assert again.run("session_note_search", {"query": "fish"}, "k5")["output"] == "no note contains: fish"


def test_torn_note_does_not_swallow_the_next(box: Toolbox, tmp_path: Path) -> None:
    """After a crash in mid-write the next note is on a line of its own."""
    (tmp_path / "notes.jsonl").write_text('{"key": "a", "value": "old"}\n{"key": "b", "val')
    box.run("session_note_append", {"note": "new"}, "c")
    assert box.run("session_note_search", {"query": ""}, "d")["output"] == "old\nnew"


def test_empty_note_is_refused(box: Toolbox) -> None:
    """Blank text is no note."""
    assert box.run("session_note_append", {"note": "  "}, "k")["error_kind"] == "invalid_arguments"

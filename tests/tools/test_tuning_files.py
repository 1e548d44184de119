"""Files that the small model is taught from: trees, tools of a user, and folders of public data."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tools.tuning import form
from tools.tuning.__main__ import main
from tools.tuning.converters import CONVERTERS, SourceFolderError
from tools.tuning.tool_files import ToolFileError, read_tools
from tools.tuning.trees import Tree, TreeFileError, read_trees, write_trees

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


def written(path: Path, value: Any) -> Path:
    """A file with this value as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def converted(source: str, folder: Path) -> list[tuple[str, str]]:
    """What a converter makes of a folder: what is said, and the output."""
    made = list(CONVERTERS[source](folder, 1))
    assert all(tree.system == form.system_text(list(tree.tools)) for tree in made)
    return sorted((turn.text, turn.output) for tree in made for branch in tree.branches for turn in branch)


def test_trees_are_read_as_they_were_written(tmp_path: Path) -> None:
    """A file of trees loses nothing."""
    path = tmp_path / "trees.jsonl"
    assert 0 == main(["generate", "--number", "7", "--out", str(path)])
    trees = list(read_trees(path))
    assert 7 == len(trees)
    assert 7 == write_trees(tmp_path / "again.jsonl", trees)
    assert trees == list(read_trees(tmp_path / "again.jsonl"))


def test_the_short_form_of_trees_is_read(tmp_path: Path) -> None:
    """Its system text loses its marks, a result may be JSON, and `head` is what only the branch is learnt of."""
    branch = [["user", "q", '{"tool": "a", "args": {}}', "full"], ["result", {"b": 1}, "", "head"]]
    path = written(tmp_path / "t.jsonl", {"sys": "<|im_start|>system\nTools:\na()<|im_end|>\n", "branches": [branch]})
    (tree,) = read_trees(path)
    assert "Tools:\na()" == tree.system
    assert [("user", "q", "all"), ("result", '{"b":1}', "branch")] == [
        (turn.kind, turn.text, turn.learnt) for turn in tree.branches[0]
    ]


@pytest.mark.parametrize("line", ["{", "[]", '{"system": 3}', '{"sys": "x"}', '{"sys": "x", "branches": [[["user"]]]}'])
def test_what_is_no_tree_is_named_with_its_line(line: str, tmp_path: Path) -> None:
    """The error says file and line."""
    path = tmp_path / "t.jsonl"
    path.write_text(f"\n{line}\n")
    with pytest.raises(TreeFileError, match=r"t\.jsonl:2: expected a tree"):
        list(read_trees(path))


@pytest.mark.parametrize(
    "value",
    [
        {"tools": [{"name": "add", "description": "Add.", "inputSchema": SCHEMA}]},
        [{"type": "function", "function": {"name": "add", "description": "Add.", "parameters": SCHEMA}}],
        {"tools": [{"name": "add", "description": "Add.", "parameters": SCHEMA}]},
        [{"name": "add", "description": "Add.", "input_schema": SCHEMA}],
    ],
)
def test_tools_in_the_forms_that_people_have(value: Any, tmp_path: Path) -> None:
    """The list of an MCP server, tools as APIs take them, and an agent's definition all give the same specs."""
    spec = {"name": "add", "description": "Add.", "parameters": SCHEMA}
    assert (spec,) == read_tools(written(tmp_path / "t.json", value)).specs


def test_examples_of_a_tool_are_read(tmp_path: Path) -> None:
    """Words and the arguments that they mean stand beside a tool."""
    tool = {"name": "add", "inputSchema": SCHEMA, "examples": [{"say": "add one", "args": {"a": 1}}]}
    own = read_tools(written(tmp_path / "t.json", [tool]))
    assert {"a": 1} == own.examples["add"][0].args


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "expected a list of tools"),
        ({"a": 1}, "expected a list of tools"),
        ([{"description": "x"}], 'tool 0 has no "name"'),
        ([{"name": "a", "examples": [{"say": 3}]}], "examples of a"),
        ([{"name": "a", "parameters": {"type": "array"}}], "the tool a cannot be offered"),
    ],
)
def test_what_are_no_tools_is_said(value: Any, said: str, tmp_path: Path) -> None:
    """The error says what was expected and what came."""
    with pytest.raises(ToolFileError, match=said):
        read_tools(written(tmp_path / "t.json", value))


def test_a_missing_file_ends_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command says what is missing, and its exit code is 1."""
    assert 1 == main(["convert", "clinc", str(tmp_path), "--out", str(tmp_path / "o.jsonl")])
    assert "expected data_full.json of CLINC150" in capsys.readouterr().err


def test_a_training_elsewhere_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In an environment without numpy and torch the command names the one that has them."""
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert 1 == main(["--generated", "1"])
    assert "numpy is not installed here; ./build.sh tuning has an environment with it" in capsys.readouterr().err


def test_an_unknown_language_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """The command says which languages there are."""
    with pytest.raises(SystemExit):
        main(["--languages", "en,tlh"])
    assert "expected en, de, fr, es, it, nl with commas between, got 'tlh'" in capsys.readouterr().err


def test_clinc_sentences_call_the_tool_of_their_intent(tmp_path: Path) -> None:
    """An intent is a tool without parameters; what is out of scope calls nothing."""
    train = [["turn it up", "louder"], ["sing it again", "repeat_song"], ["are we there", "eta"]]
    written(tmp_path / "data_full.json", {"train": train, "oos_train": [["who won", "oos"]]})
    made = converted("clinc", tmp_path)
    for text, intent in train:
        assert (text, f'{{"tool": "{intent}", "args": {{}}}}') in made
    assert {"who won"} >= {text for text, output in made if output == form.answer("")} - {text for text, _ in train}


def test_snips_slots_are_arguments(tmp_path: Path) -> None:
    """A slot that all sentences of an intent have is required; a sentence that has one twice is left out."""
    parts = [
        {"text": "put "},
        {"text": "Blue", "entity": "track"},
        {"text": " on "},
        {"text": "my list", "entity": "playlist"},
    ]
    twice = [{"text": "a", "entity": "track"}, {"text": "b", "entity": "track"}]
    written(tmp_path / "Add" / "train_AddToPlaylist_full.json", {"AddToPlaylist": [{"data": parts}, {"data": twice}]})
    expected = '{"tool": "add_to_playlist", "args": {"playlist": "my list", "track": "Blue"}}'
    assert [("put Blue on my list", expected)] == converted("snips", tmp_path)


XSID = """# id: 1
# text = Weck mich um sieben
# intent = alarm/set_alarm
# slots = 9:18:datetime
1\tWeck\talarm/set_alarm\tO
2\tmich\talarm/set_alarm\tO
3\tum\talarm/set_alarm\tB-datetime
4\tsieben\talarm/set_alarm\tI-datetime

# text = Zeig sie
# intent = alarm/show_alarms
1\tZeig\talarm/show_alarms\tO
2\tsie\talarm/show_alarms\tB-reference

"""


def test_xsid_tokens_are_spans_of_the_text(tmp_path: Path) -> None:
    """A slot is what stands in the text from its first token to its last; test files are not read."""
    (tmp_path / "de.valid.conll").write_text(XSID, encoding="utf-8")
    (tmp_path / "de.test.conll").write_text(XSID.replace("Weck", "TEST"), encoding="utf-8")
    made = [each for each in converted("xsid", tmp_path) if each[1] != form.answer("")]
    assert [
        ("Weck mich um sieben", '{"tool": "set_alarm", "args": {"datetime": "um sieben"}}'),
        ("Zeig sie", '{"tool": "show_alarms", "args": {"reference": "sie"}}'),
    ] == made


def bfcl(folder: Path, name: str) -> None:
    """A folder of BFCL with one request, and one that no function is for."""
    properties = {
        "radius": {"type": "float"},
        "unit": {"type": "string"},
        "deep": {"type": "tuple", "items": {"type": "float"}},
    }
    function = {
        "name": name,
        "description": "Area.",
        "parameters": {"type": "dict", "properties": properties, "required": ["radius"]},
    }
    asked = {"id": "s_1", "question": [[{"role": "user", "content": "Area for radius 5?"}]], "function": [function]}
    key = {"id": "s_1", "ground_truth": [{name: {"radius": [5.5, 5], "unit": ["", "m"]}}]}
    for category in ("simple_python", "multiple", "live_simple", "live_multiple", "irrelevance", "live_irrelevance"):
        written(folder / f"BFCL_v4_{category}.json", {**asked, "id": f"{category}_1"})
        if "irrelevance" not in category:
            written(folder / "possible_answer" / f"BFCL_v4_{category}.json", {**key, "id": f"{category}_1"})


def test_bfcl_keys_are_arguments(tmp_path: Path) -> None:
    """The accepted value that was said is taken, an optional one that was not said is left out; types are JSON's."""
    bfcl(tmp_path, "circle.area")
    made = [*converted("bfcl", tmp_path), *converted("bfcl-held-out", tmp_path)]
    call = '{"tool": "circle.area", "args": {"radius": 5}}'
    assert 4 * [("Area for radius 5?", call)] + 2 * [("Area for radius 5?", form.answer(""))] == sorted(
        made, reverse=True
    )
    trees = [*CONVERTERS["bfcl"](tmp_path, 0), *CONVERTERS["bfcl-held-out"](tmp_path, 0)]
    assert "circle.area(radius: number, deep?: list of number, unit?: string): Area." in trees[0].system


def test_bfcl_functions_are_taught_or_held_out(tmp_path: Path) -> None:
    """Every function is in one of both, by its name, and about every fifth is held out."""
    held_out = []
    for number in range(40):
        folder = tmp_path / str(number)
        bfcl(folder, f"function_{number}")
        taught, held = (converted(source, folder) for source in ("bfcl", "bfcl-held-out"))
        assert (6, 0) == (len(taught) + len(held), min(len(taught), len(held)))
        held_out.append(bool(held))
    assert 3 <= sum(held_out) <= 14


def test_sgd_dialogues_ask_call_and_tell(tmp_path: Path) -> None:
    """A request for a slot is a question, a complete request a call, and its result what the answer tells of it."""
    slots = [
        {"name": "city", "description": "Where", "is_categorical": False, "possible_values": []},
        {"name": "seats", "description": "How many", "is_categorical": True, "possible_values": ["1", "2"]},
    ]
    intent = {
        "name": "FindTable",
        "description": "Find a table",
        "required_slots": ["city", "seats"],
        "optional_slots": {},
    }
    written(tmp_path / "schema.json", [{"service_name": "Tables_1", "slots": slots, "intents": [intent]}])

    def said(text: str, values: dict[str, list[str]]) -> dict[str, Any]:
        state = {"active_intent": "FindTable", "slot_values": values}
        return {"speaker": "USER", "utterance": text, "frames": [{"service": "Tables_1", "state": state}]}

    def told(text: str, act: str, **more: Any) -> dict[str, Any]:
        return {
            "speaker": "SYSTEM",
            "utterance": text,
            "frames": [{"service": "Tables_1", "actions": [{"act": act}], **more}],
        }

    call = {"service_call": {"method": "FindTable"}, "service_results": [{"name": "Luigi", "price": "high"}]}
    turns = [
        said("A table in Graz", {"city": ["Graz"]}),
        told("For how many?", "REQUEST"),
        said("2 please", {"city": ["Graz"], "seats": ["2"]}),
        told("There is Luigi.", "OFFER", **call),
    ]
    written(tmp_path / "dialogues_001.json", [{"services": ["Tables_1"], "turns": turns}])
    (tree,) = CONVERTERS["sgd"](tmp_path, 0)
    assert [
        ("user", "A table in Graz", form.ask("For how many?")),
        ("user", "2 please", '{"tool": "FindTable", "args": {"city": "Graz", "seats": 2}}'),
        ("result", '[{"name":"Luigi"}]', form.answer("There is Luigi.")),
    ] == [(turn.kind, turn.text, turn.output) for turn in tree.branches[0]]


def test_a_folder_of_something_else_is_an_error(tmp_path: Path) -> None:
    """Each converter says which file it expected."""
    for source, convert in CONVERTERS.items():
        with pytest.raises(SourceFolderError, match="expected"):
            list(convert(tmp_path, 0))
        assert source
    (tmp_path / "data_full.json").write_text("{")
    with pytest.raises(SourceFolderError, match="expected JSON"):
        list(CONVERTERS["clinc"](tmp_path, 0))


def test_trees_have_a_system_text() -> None:
    """A tree without branches is one too: nothing is learnt of it."""
    assert () == Tree(system="x", branches=()).branches

"""Tools of typed functions in JavaScript: schemas of zod, valibot and ArkType give types, checks and JSON Schema."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
WEB = HERE.parents[1] / "web"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
LIBRARIES = ("zod", "valibot", "arktype")


@pytest.fixture(scope="module")
def tools(node: str, package: Path) -> dict[str, Any]:
    """The outcome of each tool."""
    command = [node, HERE / "typed_tools.mjs", package]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert 0 == done.returncode, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def compiled(node: str, folder: Path, text: str) -> str:
    """Compile a program in a project of its own; gives what the compiler says."""
    modules = folder / "node_modules"
    modules.mkdir()
    (modules / "purestep").symlink_to(WEB)
    for name in ("zod", "valibot", "arktype", "@valibot"):
        (modules / name).symlink_to(WEB / "node_modules" / name)
    (folder / "package.json").write_text('{"type":"module"}')
    (folder / "program.ts").write_text(text)
    flags = ["--strict", "--exactOptionalPropertyTypes", "--noEmit", "--skipLibCheck", "--module", "nodenext"]
    lib = ["--lib", "es2023,dom,dom.iterable,dom.asynciterable"]
    compiler = WEB / "node_modules/typescript/bin/tsc"
    done = subprocess.run(
        [node, compiler, *flags, *lib, "program.ts"], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def test_arguments_and_outputs_have_the_types_of_their_schemas(node: str, package: Path, tmp_path: Path) -> None:
    """The compiler infers what the functions get and must return, and narrows events by their type."""
    del package
    assert "" == compiled(node, tmp_path, (HERE / "typed_tools.ts").read_text())


def test_wrong_types_are_errors(node: str, package: Path, tmp_path: Path) -> None:
    """Without the marks that expect them, the errors of the program are errors."""
    del package
    text = (HERE / "typed_tools.ts").read_text()
    marked = text.count("@ts-expect-error")
    said = compiled(node, tmp_path, text.replace("@ts-expect-error", "expected"))
    assert (7, 7) == (marked, said.count("error TS"))


@pytest.mark.parametrize("library", LIBRARIES)
def test_functions_get_what_the_schema_gives(library: str, tools: dict[str, Any]) -> None:
    """Defaults are filled in; arguments that do not fit are corrected and never reach the function."""
    found = tools["libraries"][library]
    assert [{"number": 7, "city": "Oslo"}, {"number": 8, "city": "Bergen"}] == found["got"]
    assert ["ran", "ran", "done"] == found["results"]


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_model_is_shown_the_librarys_json_schema(library: str, tools: dict[str, Any]) -> None:
    """It is the schema of what goes in: a member with a default may be left out."""
    schema = tools["libraries"][library]["parameters"]
    assert (DRAFT, "object", ["number"]) == (schema["$schema"], schema["type"], schema["required"])
    assert "integer" == schema["properties"]["number"]["type"]


def test_checks_of_the_library_are_read_by_the_model(tools: dict[str, Any]) -> None:
    """What JSON Schema cannot say is an error result with the place, also where the check is asynchronous."""
    assert ["invalid_arguments: items.1.n: must be odd", "ran", "done"] == tools["refined"]["results"]


def test_functions_get_transformed_values(tools: dict[str, Any]) -> None:
    """The date is a Date for the function, which JSON writes as a point in time."""
    assert [{"day": "2026-01-02T00:00:00.000Z"}] == tools["transformed"]["got"]


def test_outputs_are_checked_by_the_core(tools: dict[str, Any]) -> None:
    """An output that is not what the schema says is sent back: the model calls again."""
    assert [{"sum": "no"}, {"sum": 1}, "done"] == tools["output"]["results"]


def test_failures_are_words_for_the_model(tools: dict[str, Any]) -> None:
    """`ToolFailure` chooses its words and kind; another exception is told with its name."""
    told = ["invalid_arguments: there is no order 1", "execution: t failed: RangeError: out of paper", "done"]
    assert told == tools["failing"]["results"]
    assert ["interrupted: t did not end within 0.02 seconds; it may have run", "done"] == tools["slow"]["results"]


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("late", "t did not end within 0.02 seconds; it may have run"),
        ("endless", "t ran; its result cannot be used: "),
        ("function", "t ran; its result cannot be used: expected a value that JSON has; got function"),
        ("large", "t ran; its result cannot be used: expected a result of at most 1000000 bytes, got 1000001; "),
    ],
)
def test_call_that_may_have_acted_is_not_made_again_unasked(way: str, words: str, tools: dict[str, Any]) -> None:
    """What ran out of time, and what returned something useless, has perhaps paid: a person is asked about a second."""
    found = tools["acting"][way]
    assert ([{}], "waiting") == (found["got"], found["results"][-1])
    assert found["results"][0].startswith(f"interrupted: {words}")


def test_json_schema_is_handed_over_or_found(tools: dict[str, Any]) -> None:
    """`toJsonSchema` makes it for a library that does not give it; a JSON Schema stays as it is."""
    assert {"n": {"type": "number"}} == tools["handed_over"]["properties"]
    assert ["total"] == tools["answer_schema"]["required"]  # what comes out has it, default or not
    assert {"type": "object"} == tools["plain"]


def test_schemas_without_json_schema_are_refused(tools: dict[str, Any]) -> None:
    """The error says what to do."""
    valibot, date, unknown = tools["without_json_schema"]
    assert "wrap it with toStandardJsonSchema of @valibot/to-json-schema" in valibot
    assert "zod says: Date cannot be represented in JSON Schema" in date
    assert "give toJsonSchema, a function that makes it" in unknown

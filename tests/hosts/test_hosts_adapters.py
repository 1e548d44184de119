"""The bundled model with its adapter: it answers by calls of its own, and a wrong part is an error before it runs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import purestep
from purestep_hosts.agents import Agent, tool
from purestep_hosts.models import adapters
from purestep_hosts.models.adapters import (
    SHIPPED,
    TAUGHT_NAME,
    AdapterError,
    adapted_model,
    adapter_file,
    taught_members,
    with_taught,
)
from purestep_hosts.models.llamacpp import LlamaCppModel, ModelLoadError
from purestep_hosts.models.named import in_process
from purestep_hosts.models.openai_http import HttpModel, completions_url
from purestep_hosts.settings import Settings
from tests.hosts.conftest import OPTIONS

FILE = SHIPPED[TAUGHT_NAME].path


def entry(**members: Any) -> purestep.ModelSpec:
    """What a definition says of the taught model, with these members in the place of its own."""
    given = {**taught_members()["models"][0], **members}
    found = adapted_model(purestep.Agent.load({"dialect": "compact", "models": [given]}))
    assert found is not None
    return found


@tool(read_only=True)
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@pytest.fixture(scope="module")
def taught(model_path: Path) -> Iterator[LlamaCppModel]:
    """The bundled model with its adapter, on one thread."""
    model = LlamaCppModel(model_path, OPTIONS, name=TAUGHT_NAME, adapter=adapter_file(entry(), model_path))
    yield model
    model.close()


def test_it_calls_a_tool_and_answers_with_the_result(taught: LlamaCppModel) -> None:
    """A sum is the model's own call and its own answer, in two requests."""
    result = Agent(taught, tools=[add], **taught_members()).run_sync("What is 17 plus 25?")
    assert ("done", "42") == (result.status, result.answer)
    assert [{"a": 17, "b": 25}] == [event.arguments for _, event in purestep.read_events(result.log) if _called(event)]


def test_its_cache_has_all_that_was_sent_before(taught: LlamaCppModel) -> None:
    """llama.cpp tells how many tokens it had: those of the request before and of most of its output; they are free."""
    result = Agent(taught, tools=[add], **taught_members()).run_sync("What is 17 plus 25?")
    first, second = [event.usage for _, event in purestep.read_events(result.log) if _came(event)]
    assert second.cached_tokens >= first.prompt_tokens
    assert result.usage.cached_tokens >= second.cached_tokens
    assert 0 == result.usage.cost


def _called(event: Any) -> bool:
    return isinstance(event, purestep.events.ToolCallEvent)


@pytest.mark.parametrize("served", [False, True], ids=["in process", "over HTTP"])
def test_it_says_how_sure_it_was(taught: LlamaCppModel, llama_url: str, served: bool) -> None:
    """The log has the sums of each output; on a server the untaught base is held to the same grammar."""
    model = HttpModel(completions_url(llama_url), model=TAUGHT_NAME, api_key="right-key") if served else taught
    result = Agent(model, tools=[add], **taught_members()).run_sync("What is 17 plus 25?")
    told = [event.confidence for _, event in purestep.read_events(result.log) if _came(event)]
    assert told
    assert all(each is not None and max(each.branch, each.name, each.args) <= 0 for each in told)
    assert purestep.verify(result.log).ok


def _came(event: Any) -> bool:
    return isinstance(event, purestep.events.ModelResponse)


def test_what_may_act_is_asked_about_unless_it_is_trusted(taught: LlamaCppModel) -> None:
    """A function that does not say that it only reads waits for a person."""

    def set_timer(minutes: int) -> str:
        """Set a timer."""
        return f"{minutes} minutes"

    waiting = Agent(taught, tools=[set_timer], **taught_members()).run_sync("Set a timer for 9 minutes")
    (call,) = waiting.approvals
    assert ("confidence", True) == (call.reason, str(call.note).endswith("run `set_timer` with minutes 9?"))
    trusted = Agent(taught, tools=[tool(approval="auto")(set_timer)], **taught_members())
    assert "done" == trusted.run_sync("Set a timer for 9 minutes").status


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({}, ["confidence"]),
        ({"policies": [{"use": "coerce"}]}, ["coerce", "confidence"]),
        ({"policies": [{"use": "confidence", "below": -1}]}, ["confidence"]),
        ({"policies": []}, []),
    ],
    ids=["none named", "others", "its own", "none wanted"],
)
def test_policies_of_the_definition_stand(given: dict[str, Any], names: list[str]) -> None:
    """The model's own comes after them, once."""
    found = with_taught(given)["policies"]
    assert names == [use["use"] for use in found]
    assert given.get("policies", [])[:1] == [use for use in found[:1] if "policies" in given]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, {"temperature": 0}),
        ({"sampling": {"max_tokens": 9}}, {"temperature": 0, "max_tokens": 9}),
        ({"sampling": {"temperature": 0.5}}, {"temperature": 0.5}),
    ],
    ids=["none", "others", "its own"],
)
def test_the_likeliest_output_is_taken_unless_the_definition_says_otherwise(
    given: dict[str, Any], expected: dict[str, Any]
) -> None:
    """A drawn output of a small model may cut what it copies; settings of the definition stand."""
    assert expected == with_taught(given)["sampling"]
    assert {"temperature": 0} == taught_members()["sampling"]


def test_a_code_is_copied_as_it_was_said(taught: LlamaCppModel) -> None:
    """A word that the model cannot spell comes out as the user wrote it."""

    @tool(read_only=True)
    def find_parcel(code: str) -> str:
        """Find a parcel by its code."""
        return f"{code} is on its way"

    result = Agent(taught, tools=[find_parcel], **taught_members()).run_sync("Where is the parcel zwzzweem-8Q?")
    called = [event.arguments["code"] for _, event in purestep.read_events(result.log) if _called(event)]
    assert ["zwzzweem-8Q"] == called[:1]


@pytest.mark.parametrize(
    "text",
    [
        'He said "stop" twice',
        "a path C:\\Users\\ann\\new",
        "party \N{PARTY POPPER}\N{BALLOON} at 8",
        "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd",
        "Gr\u00fc\u00dfe aus K\u00f6ln, l'\u00e9t\u00e9",
        "\u65e5\u672c\u8a9e\u306e\u30e1\u30e2",
    ],
    ids=["quotes", "backslashes", "emoji", "right to left", "accents", "no spaces"],
)
def test_a_text_is_copied_with_all_its_signs(taught: LlamaCppModel, text: str) -> None:
    """What JSON escapes and what a tokenizer cuts apart comes out whole."""
    saved: list[str] = []

    def save_note(text: str) -> str:
        """Save a note."""
        saved.append(text)
        return "saved"

    Agent(taught, tools=[save_note], approve=lambda _: True, **taught_members()).run_sync(f"Save this note: {text}")
    assert [text] == saved


def test_tools_with_dots_dashes_and_no_description_are_called(taught: LlamaCppModel) -> None:
    """Of two names of which one begins with the other, the one that was meant is called; neither has parameters."""
    called: list[str] = []

    def named(name: str) -> Any:
        return tool(name=name, description="")(lambda: called.append(name))

    tools = [named("mail.list-unread"), named("mail.list-unread.delete")]
    Agent(taught, tools=tools, approve=lambda _: True, **taught_members()).run_sync("list my unread mail")
    assert ["mail.list-unread"] == called[:1]


def test_the_log_names_the_weights() -> None:
    """The first line of a run has the digests of the base file and of the adapter."""
    definition = json.loads(Agent().definition.source)
    shipped = SHIPPED[TAUGHT_NAME]
    weights = {"sha256": shipped.base_sha256, "adapter": {"name": TAUGHT_NAME, "sha256": shipped.sha256}}
    assert weights.items() <= definition["models"][0].items()


def test_another_dialect_goes_without_the_adapter() -> None:
    """Asked in a form that it was not taught, the bundled model is the one that is downloaded, by its own name."""
    model = json.loads(Agent(dialect="envelope").definition.source)["models"][0]
    assert ("SmolLM2-135M-Instruct.Q4_1", False) == (model["name"], "adapter" in model)


def test_another_base_file_is_refused(model_path: Path, tmp_path: Path) -> None:
    """The adapter does not fit another file, not even one that differs by a byte."""
    other = tmp_path / "other.gguf"
    other.write_bytes(model_path.read_bytes()[:-1] + b"\0")
    with pytest.raises(AdapterError, match="belongs to SmolLM2-135M-Instruct"):
        in_process(Settings(kind="file", model_path=other), entry())


def test_a_copy_of_the_base_file_is_taken(model_path: Path, tmp_path: Path) -> None:
    """The file is told by its bytes, not by its place."""
    copy = shutil.copy(model_path, tmp_path / "copy.gguf")
    assert FILE == adapter_file(entry(), Path(copy))


@pytest.mark.parametrize(
    ("adapter", "said"),
    [
        ({"name": "none such", "sha256": "0" * 64}, "'none such' is not here; expected smollm2-135m-tools"),
        ({"name": TAUGHT_NAME, "sha256": "0" * 64}, "use the version of purestep-hosts"),
    ],
)
def test_an_adapter_that_is_not_here_is_refused(adapter: dict[str, str], said: str, model_path: Path) -> None:
    """A definition of another version, or of another program, says what is missing."""
    with pytest.raises(AdapterError, match=said):
        adapter_file(entry(adapter=adapter), model_path)


@pytest.mark.parametrize("damage", [b"", b"GGUF"])
def test_a_damaged_adapter_is_refused(
    damage: bytes, model_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shipped file that was changed is found before the model is loaded."""
    path = tmp_path / "adapter.gguf"
    path.write_bytes(damage)
    shipped = {TAUGHT_NAME: adapters.KnownAdapter(**{**_members(), "path": path})}
    monkeypatch.setattr(adapters, "SHIPPED", shipped)
    with pytest.raises(AdapterError, match="is damaged"):
        adapter_file(entry(), model_path)


def _members() -> dict[str, Any]:
    shipped = SHIPPED[TAUGHT_NAME]
    return {name: getattr(shipped, name) for name in shipped.__struct_fields__}


def test_an_adapter_of_ones_own_is_taken(model_path: Path, tmp_path: Path) -> None:
    """A file of the user's is named after itself, with its digest, and is used where the definition names it."""
    own = Path(shutil.copy(FILE, tmp_path / "my_tools.gguf"))
    members = taught_members(own)["models"][0]
    assert ("my_tools", SHIPPED[TAUGHT_NAME].sha256) == (members["name"], members["adapter"]["sha256"])
    assert own == adapter_file(entry(**members), model_path, own)
    with pytest.raises(AdapterError, match=r"'my_tools' is not here; .*--adapter"):
        adapter_file(entry(**members), model_path)


def test_an_adapter_of_ones_own_is_read_first(tmp_path: Path) -> None:
    """One that is not there is an error before anything is loaded."""
    with pytest.raises(AdapterError, match=r"none\.gguf cannot be read"):
        taught_members(tmp_path / "none.gguf")


def test_a_wrong_path_of_an_adapter_is_an_error(model_path: Path, tmp_path: Path) -> None:
    """The model is not loaded without the adapter that it was to have."""
    with pytest.raises(ModelLoadError, match="cannot be read"):
        LlamaCppModel(model_path, OPTIONS, adapter=tmp_path / "none.gguf")


def test_a_file_that_is_no_adapter_is_an_error(model_path: Path) -> None:
    """A model is no adapter of itself, and llama.cpp does not go on without one."""
    with pytest.raises(ModelLoadError):
        LlamaCppModel(model_path, OPTIONS, adapter=model_path)

"""A definition completed with what its host knows: only what the definition leaves open."""

import json
from typing import Any

import pytest

import purestep

TOOL = {"name": "count_books", "parameters": {"type": "object"}}
OTHER = {"name": "count_pages", "parameters": {"type": "object"}}
PROFILE = {
    "name": "small",
    "dialect": "hermes_json",
    "supports": ["grammar"],
    "carry": "ground",
    "window_tokens": 4096,
    "figures": {"right": 4},
}
ENTRY = {"name": "small", "carry": "ground", "window_tokens": 4096, "supports": ["grammar"]}


def completed(definition: Any, **parts: Any) -> Any:
    """Complete a definition and decode it."""
    return json.loads(purestep.complete_agent(json.dumps(definition), json.dumps(parts)))


def test_empty_definition_takes_all_of_the_host() -> None:
    """Tools and profile are in it, and the core takes it."""
    found = completed({}, tools=[TOOL], profile=PROFILE)
    assert {"tools": [TOOL], "dialect": "hermes_json", "models": [ENTRY]} == found
    purestep.Agent.load(found)


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ({"tools": [OTHER]}, {"tools": [OTHER]}),
        ({"models": [{"name": "small", "carry": "off"}]}, {"models": [{**ENTRY, "carry": "off"}]}),
        (
            {"models": [{"name": "small"}, {"name": "large", "carry": "ground"}]},
            {"models": [{k: v for k, v in ENTRY.items() if k != "carry"}, {"name": "large", "carry": "ground"}]},
        ),
        (
            {"dialect": "native"},
            {"dialect": "native", "models": [{k: v for k, v in ENTRY.items() if k != "supports"}]},
        ),
        (
            {"models": [{"name": "small", "supports": ["tools"]}]},
            {"models": [{**ENTRY, "supports": ["tools"]}]},
        ),
        ({"models": [{"name": "other"}]}, {"models": [{"name": "other", "carry": "ground"}]}),
    ],
    ids=["tools", "level", "level of another", "dialect", "supports", "another model"],
)
def test_what_the_definition_says_stands(definition: Any, expected: Any) -> None:
    """A dialect and what the output is held to go together: where one is named, neither is added."""
    given = {"dialect": "hermes_json", "tools": [TOOL], **expected}
    if "dialect" not in expected and expected.get("models", [ENTRY])[0].get("supports") != ["grammar"]:
        del given["dialect"]
    given.setdefault("models", [ENTRY])
    assert given == completed(definition, tools=[TOOL], profile=PROFILE)


def test_level_off_adds_nothing() -> None:
    """A model that needs no help leaves the definition, and so its digest, as they are."""
    definition = {"name": "a", "sampling": {"temperature": 0.1}}
    assert definition == completed(definition, profile={"name": "small", "carry": "off"})


def test_numbers_and_unknown_members_are_kept() -> None:
    """Completing changes no digit, and what is wrong is left for the reader of definitions to tell."""
    text = '{"wrong":[9007199254740993,0.1],"sampling":{"seed":123456789012345678}}'
    assert text == purestep.complete_agent(text, "{}")


@pytest.mark.parametrize("text", ["null", "[1]", '{"models":{"a":1}}', '{"models":[3]}'])
def test_what_is_no_definition_is_given_back(text: str) -> None:
    """Its own error comes from `load_agent`, with its path."""
    assert text == purestep.complete_agent(text, json.dumps({"profile": PROFILE}))


@pytest.mark.parametrize(
    ("definition", "host", "code", "path"),
    [
        ("{", "{}", "invalid_json", ""),
        ("{}", "{", "invalid_json", ""),
        ("{}", "[]", "invalid_input", ""),
        ("{}", '{"profile":{"carry":"ground"}}', "invalid_input", "/profile"),
        ("{}", '{"profile":{"name":"m","carry":"much"}}', "invalid_input", "/profile/carry"),
        ("{}", '{"models":[]}', "invalid_input", "/models"),
        ("{}", json.dumps({"tools": [TOOL] * 5000}), "invalid_input", "/tools"),
    ],
)
def test_wrong_parts_are_errors_as_data(definition: str, host: str, code: str, path: str) -> None:
    """Each is named with its place."""
    error = json.loads(purestep.complete_agent(definition, host))["error"]
    assert (code, path) == (error["code"], error["path"])


def test_completing_twice_is_completing_once() -> None:
    """What was added stands as if the definition had said it."""
    once = completed({}, tools=[TOOL], profile=PROFILE)
    assert once == completed(once, tools=[OTHER], profile={**PROFILE, "carry": "ground", "dialect": "native"})


@pytest.mark.parametrize(
    ("definition", "profile", "supports"),
    [
        ({}, {"carry": "ground"}, ["tools", "json_schema", "scores"]),
        ({}, {}, None),
        ({"models": [{"name": "small", "carry": "ground"}]}, {}, ["tools", "json_schema", "scores"]),
        ({"models": [{"name": "small", "carry": "ground", "supports": ["tools"]}]}, {}, ["tools"]),
        ({"models": [{"name": "other", "carry": "ground"}]}, {}, None),
        ({}, PROFILE, ["grammar", "scores"]),
        ({}, {**PROFILE, "supports": ["scores", "grammar"]}, ["scores", "grammar"]),
    ],
    ids=["ground", "off", "ground of the definition", "supports", "another", "of a probe", "known already"],
)
def test_scores_are_asked_for_where_the_host_has_them_and_grounds(
    definition: Any, profile: dict[str, Any], supports: list[str] | None
) -> None:
    """They stand beside what is presumed or was found of the model, unless the definition says what it supports."""
    found = completed(definition, profile={"name": "small", **profile, "scores": True})
    assert supports == (found.get("models") or [{}])[0].get("supports")
    purestep.Agent.load(found)

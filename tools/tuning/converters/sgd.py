"""SGD: dialogues with services whose intents have slots; questions for a missing slot, a call, and what is told of it.

Source: Rastogi et al. 2020, "Towards Scalable Multi-domain Conversational Agents: The Schema-Guided Dialogue Dataset",
github.com/google-research-datasets/dstc8-schema-guided-dialogue, `train/schema.json` and `train/dialogues_*.json`.
Licence: CC BY-SA 4.0, so what is taught with it is given under that licence.
"""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from tools.tuning import form
from tools.tuning.converters.source_folder import files_of, json_of
from tools.tuning.trees import Branch, Tree, Turn

_DIALOGUES: Final = 4
"""Dialogues with one service that share a prompt."""
_OTHERS: Final = (0, 1, 2)
"""Intents of other services in a prompt."""


def sgd_trees(folder: Path, seed: int) -> Iterator[Tree]:
    """Yield trees of the dialogues with one service, up to its first call; raises SourceFolderError."""
    chance = Random(seed)
    (schema_path, *_) = files_of(folder, "schema.json", "SGD")
    services = {service["service_name"]: _tools(service) for service in json_of(schema_path)}
    by_service: dict[str, list[Branch]] = defaultdict(list)
    for path in files_of(schema_path.parent, "dialogues_*.json", "SGD"):
        for dialogue in json_of(path):
            service = dialogue["services"][0]
            branch = _branch(dialogue["turns"], service, services[service])
            if len(dialogue["services"]) == 1 and branch:
                by_service[service].append(branch)
    for service, branches in sorted(by_service.items()):
        for begin in range(0, len(branches), _DIALOGUES):
            others = chance.sample(sorted(set(services) - {service}), min(len(services) - 1, chance.choice(_OTHERS)))
            strange = [chance.choice(list(services[other].values())) for other in others]
            named = {spec["name"]: spec for spec in [*strange, *services[service].values()]}
            specs = chance.sample(list(named.values()), len(named))
            made = tuple(branches[begin : begin + _DIALOGUES])
            yield Tree(system=form.system_text(specs), branches=made, tools=tuple(specs))


def _tools(service: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the specs of a service's intents."""
    slots = {slot["name"]: slot for slot in service["slots"]}
    found = {}
    for intent in service["intents"]:
        names = [*intent["required_slots"], *intent["optional_slots"]]
        parameters = {
            "type": "object",
            "properties": {name: _schema(slots[name]) for name in names},
            "required": list(intent["required_slots"]),
        }
        found[intent["name"]] = {
            "name": intent["name"],
            "description": intent["description"],
            "parameters": parameters,
        }
    return found


def _schema(slot: dict[str, Any]) -> dict[str, Any]:
    choices = slot["possible_values"] if slot["is_categorical"] else []
    described = {"description": slot["description"]}
    if set(choices) == {"True", "False"}:
        return {"type": "boolean", **described}
    if choices and all(choice.isdigit() for choice in choices):
        return {"type": "integer", **described}
    return {"type": "string", **({"enum": choices} if choices else {}), **described}


def _branch(turns: list[dict[str, Any]], service: str, tools: dict[str, dict[str, Any]]) -> Branch:
    """Return the turns of a dialogue as far as they are questions for a slot, and the call with what is told of it."""
    made: list[Turn] = []
    said = ""
    for user, system in zip(turns[::2], turns[1::2], strict=False):
        (frame, *more), heard = user["frames"], system["frames"][0]
        said = f"{said} {user['utterance']}"
        spec = tools.get(frame["state"]["active_intent"])
        if more or frame["service"] != service or spec is None:
            break
        arguments = _arguments(frame["state"]["slot_values"], spec, said)
        missing = [name for name in spec["parameters"]["required"] if name not in arguments]
        if missing and any(action["act"] == "REQUEST" for action in heard["actions"]):
            made.append(Turn(text=user["utterance"], output=form.ask(system["utterance"])))
            said = f"{said} {system['utterance']}"
            continue
        if not missing:
            made.append(Turn(text=user["utterance"], output=form.call(spec, arguments)))
            made += _told(system["utterance"], heard)
        break
    return tuple(made)


def _told(utterance: str, frame: dict[str, Any]) -> list[Turn]:
    """Return the result of the call, as far as the answer tells of it, and the answer, where the dialogue has them."""
    results = frame.get("service_results")
    if "service_call" not in frame or results is None:
        return []
    told = {name: value for result in results[:1] for name, value in result.items() if value in utterance}
    return [Turn(kind="result", text=form.result_text([told] if told else []), output=form.answer(utterance))]


def _arguments(slots: dict[str, list[str]], spec: dict[str, Any], said: str) -> dict[str, Any]:
    """Return the arguments that were said, in one of the forms that a slot's value has."""
    properties = spec["parameters"]["properties"]
    found: dict[str, Any] = {}
    for name, forms in slots.items():
        schema = properties.get(name)
        if schema is None:
            continue
        if schema["type"] == "boolean":
            found[name] = forms[0] == "True"
        elif schema["type"] == "integer":
            if forms[0].isdigit():
                found[name] = int(forms[0])
        elif "enum" in schema:
            if forms[0] in schema["enum"]:
                found[name] = forms[0]
        else:
            value = next((each for each in forms if each.lower() in said.lower()), None)
            if value is not None:
                found[name] = value
    return found

"""`POST /skill/extract` on every host: the output, or the kind of the fault."""

from typing import Any

import pytest

from tests.edge.drivers import Service
from tests.edge.model_server import ModelServer

PATH = "/skill/extract"


def test_form_is_extracted_without_the_model(service: Service, llm: ModelServer) -> None:
    """The answer is the skill's output and nothing else."""
    before = len(llm.asked)
    answer = service.post(PATH, {"text": "Write to (Bob <bob@mail.example>).", "target": "email"})
    assert (200, {"email": ["bob@mail.example"]}) == (answer.status, answer.json())
    assert before == len(llm.asked)


def test_names_are_asked_of_the_model(service: Service, llm: ModelServer) -> None:
    """With the schema of the output, and none of the decision's own members."""
    answer = service.post(PATH, {"text": "Anna met Tom. [names]", "target": "name"})
    assert (200, {"name": ["Tom"]}) == (answer.status, answer.json())
    assert "json_schema" == llm.asked[-1]["response_format"]["type"]
    assert not {"skill", "reason", "cause"} & llm.asked[-1].keys()


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({"text": "", "target": "email"}, "EmptyInput"),
        ({"target": "email"}, "EmptyInput"),
        ({"text": "a", "target": "phone"}, "InvalidTarget"),
        ({"text": "Anna met Tom. [prose]", "target": "name"}, "MalformedOutput"),
        ({"text": "Anna met Tom. [other]", "target": "name"}, "SchemaViolation"),
        ({"text": "Anna met Tom. [liar]", "target": "name"}, "HallucinationDetected"),
        ({"text": "a", "target": "email", "lang": "en"}, "invalid_input"),
        ([], "invalid_input"),
    ],
)
def test_fault_is_400_with_its_kind(service: Service, given: Any, kind: str) -> None:
    """As `{"error", "message"}`, also where the request itself is wrong."""
    answer = service.post(PATH, given)
    error = answer.json()
    assert (400, ["error", "message"], kind) == (answer.status, list(error), error["error"])
    assert error["message"]


def test_body_that_is_no_json_is_400(service: Service) -> None:
    """In the same shape."""
    answer = service.send("POST", PATH, b"{")
    assert (400, "invalid_json") == (answer.status, answer.json()["error"])


def test_failing_model_is_500(service: Service) -> None:
    """It is no mistake of the request."""
    answer = service.post(PATH, {"text": "Anna met Tom. [locked]", "target": "name"})
    assert (500, "model_error") == (answer.status, answer.json()["error"])


def test_model_that_hangs_ends_with_the_request(service: Service) -> None:
    """The limit holds as for a run; there is nothing to go on with."""
    answer = service.post(PATH, {"text": "Anna met Tom. [hang]", "target": "name"})
    assert (504, "time_limit") == (answer.status, answer.json()["error"]["code"])


def test_wrong_method_is_405(service: Service) -> None:
    """As on the other paths."""
    assert 405 == service.send("GET", PATH).status

"""The published test suite of JSON Schema 2020-12 (see conftest.py)."""

from typing import Any

import pytest

from purestep.schema import FORMATS, SchemaError, compile_schema
from tests.core.schema.conftest import Group, Suite
from tests.core.schema.native_side import native_accepts

MANDATORY = 1257
"""Tests of the locked suite, so that a changed folder cannot empty it unseen."""

NEED_A_DOCUMENT = 44
"""Of these, the tests of schemas with a reference into a document that neither the schema nor the core holds."""

NOT_OURS = [
    "vocabulary: schema that uses custom metaschema with with no validation vocabulary: "
    "no validation: invalid number, but it still validates"
]
"""It needs a metaschema of somebody else, which says that `minimum` means nothing; here it always means the same."""


def wrong(groups: list[Group], **choices: Any) -> list[str]:
    """The tests whose verdict is not the suite's, by either validator."""
    found = []
    for group in groups:
        compiled = compile_schema(group.schema, unknown="ignore", **choices)
        for test in group.tests:
            valid = compiled.portable_check(test["data"]) == ()
            native = native_accepts(compiled, test["data"])
            if valid is not test["valid"] or (native and not valid):
                found.append(f"{group.file}: {group.about}: {test['description']}")
    return found


def is_alone(group: Group) -> bool:
    """Whether the schema compiles without any further document."""
    try:
        compile_schema(group.schema, unknown="ignore")
    except SchemaError as error:
        if error.code != "unresolvable_ref":
            raise
        return False
    return True


def count(groups: list[Group]) -> int:
    """How many tests the groups hold."""
    return sum(len(group.tests) for group in groups)


def test_every_mandatory_test_passes(suite: Suite) -> None:
    """All that the suite demands of schemas which stand alone holds, by the portable and the native validator."""
    alone = [group for group in suite.mandatory if is_alone(group)]
    assert NOT_OURS == wrong(alone)
    assert MANDATORY == count(suite.mandatory)
    assert MANDATORY - NEED_A_DOCUMENT == count(alone)


def test_remote_references_work_with_the_documents_given(suite: Suite) -> None:
    """With the suite's further documents at hand its tests about remote references pass too."""
    remote = [group for group in suite.mandatory if not is_alone(group)]
    assert [] == wrong(remote, documents=suite.remotes)
    assert count(remote) > 0


@pytest.mark.parametrize("name", FORMATS)
def test_every_test_of_a_format_passes(suite: Suite, name: str) -> None:
    """Where formats judge, those that we judge are judged as the suite does."""
    groups = [group for group in suite.optional if group.file == f"optional/format/{name}"]
    assert [] == wrong(groups, formats="assert")
    assert count(groups) > 0


def test_formats_only_describe_unless_asked(suite: Suite) -> None:
    """Without being asked no format refuses anything, as the suite demands of the default."""
    groups = [group for group in suite.mandatory if group.file == "format"]
    assert [] == wrong(groups)
    assert count(groups) > 0


@pytest.mark.parametrize(
    "file", ["anchor", "bignum", "dynamicRef", "float-overflow", "id", "non-bmp-regex", "no-schema"]
)
def test_optional_tests_pass(suite: Suite, file: str) -> None:
    """What the suite leaves open and we take a side on goes its way."""
    groups = [group for group in suite.optional if group.file == f"optional/{file}"]
    assert [] == wrong(groups)
    assert count(groups) > 0

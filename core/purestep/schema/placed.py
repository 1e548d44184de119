"""Schemas and patterns that stand in a definition: what is wrong with them is told with their place there."""

from typing import Any

from ..errors import PurestepError
from ..regex import Budget, OverBudgetError, Pattern, PatternError, compile_pattern
from .compile import too_much_work
from .issues import SchemaError
from .keywords import Formats
from .schema import Schema, compile_schema


def schema_at(path: str, source: dict[str, Any] | bool, formats: Formats, budget: Budget) -> Schema:
    """Return a compiled schema; raises its own error with its path.

    budget: that of all schemas and patterns of the definition.
    """
    try:
        return compile_schema(source, path, formats=formats, budget=budget)
    except SchemaError as error:
        raise PurestepError(error.code, error.message, error.path) from None


def pattern_at(path: str, source: str, budget: Budget) -> Pattern:
    """Return a compiled pattern; raises its own error with its path, or `schema_too_large`."""
    try:
        return compile_pattern(source, budget)
    except PatternError as error:
        raise PurestepError(error.code, error.message, path) from None
    except OverBudgetError:
        raise PurestepError("schema_too_large", too_much_work(budget), path) from None

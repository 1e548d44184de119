"""The two names of pydantic-core that the core uses, without the package's own modules of types and helpers."""

from ._pydantic_core import SchemaError, SchemaValidator

__all__ = ["SchemaError", "SchemaValidator"]

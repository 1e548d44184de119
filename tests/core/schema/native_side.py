"""The native validator of a schema, asked alone."""

from purestep.schema import Schema


def native_accepts(schema: Schema, value: object) -> bool | None:
    """Whether it accepts the value; None when the schema has no native form."""
    native = schema.native
    return None if native is None else native.accepts(value)

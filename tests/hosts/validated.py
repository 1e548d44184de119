"""A type with a rule that no JSON Schema has."""

import pydantic


class Even(pydantic.BaseModel):
    """An even number."""

    number: int

    @pydantic.field_validator("number")
    @classmethod
    def even(cls, value: int) -> int:
        """Refuse an odd one."""
        if value % 2:
            raise ValueError("it is odd")
        return value

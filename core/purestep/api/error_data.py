"""Errors as data: what a JSON function returns where the typed form raises."""

from collections.abc import Callable
from typing import Any

from ..errors import PurestepError
from ..json_text import encode


def guarded(make: Callable[..., bytes], *arguments: Any) -> str:
    """Return what the function makes, or its error as data."""
    try:
        return make(*arguments).decode()
    except Exception as error:
        return error_text(error)


def error_text(error: Exception) -> str:
    """Return an error as data; a defect of ours must not cross the boundary as an exception, nor pass for a result."""
    if not isinstance(error, PurestepError):
        name = type(error).__name__
        error = PurestepError("internal_error", f"this is a defect in purestep ({name}); please report the input")
    return encode(error.as_data()).decode()

"""The extras of this distribution, and the error for one that is needed and not installed.

A module that needs the packages of an extra imports them inside `with`, so that the error for a missing one names
the line that installs it:

    with LOCAL:
        import xllamacpp
"""

from __future__ import annotations

from importlib.util import find_spec
from types import TracebackType
from typing import Final


class MissingExtraError(ImportError):
    """A part was used whose extra is not installed; `message` holds the line that installs it."""

    code = "missing_extra"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Extra:
    """One extra: its name, the modules that its packages bring, and what can be done without them."""

    def __init__(self, name: str, *modules: str, instead: str = "") -> None:
        self.name = name
        self.modules = modules
        self._instead = instead

    def require(self) -> None:
        """Raise MissingExtraError if a module of the extra is not installed; imports none of them."""
        for module in self.modules:
            if find_spec(module) is None:
                raise self._missing(module)

    def __enter__(self) -> None:
        """Start imports of the extra's modules."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Turn an import that failed because the extra is not installed into MissingExtraError."""
        if isinstance(error, ModuleNotFoundError) and error.name in self.modules:
            raise self._missing(error.name) from None

    def _missing(self, module: str) -> MissingExtraError:
        return MissingExtraError(
            f"this needs the Python module {module}, which is not installed; "
            f"install it with: pip install 'purestep-hosts[{self.name}]'{self._instead}"
        )


CLI: Final = Extra("cli", "typer", "rich", "dotenv", "yaml", "platformdirs")
LOCAL: Final = Extra(
    "local",
    "xllamacpp",
    "platformdirs",
    instead="; or name a model behind a server, such as ollama:NAME or openai:NAME",
)
OPENAI: Final = Extra("openai", "httpx2")
LITELLM: Final = Extra("litellm", "litellm", "mcp")
HUB: Final = Extra("hub", "huggingface_hub")
MCP: Final = Extra("mcp", "mcp", "httpx2")
PRICES: Final = Extra("prices", "genai_prices")
SERVE: Final = Extra("serve", "starlette", "uvicorn")
METRICS: Final = Extra("metrics", "prometheus_client")
TRACES: Final = Extra("traces", "opentelemetry", "opentelemetry.sdk", "opentelemetry.exporter")
ANCHOR: Final = Extra("anchor", "cryptography", "httpx2", "rfc3161_client")
RECEIPT: Final = Extra("receipt", "cbor2", "cryptography")
DURABLE: Final = Extra("durable", "dbos", "sqlalchemy")
EVAL: Final = Extra("eval", "jinja2", "pygal")
TEMPORAL: Final = Extra("temporal", "temporalio")

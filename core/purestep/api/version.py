"""The version of the core, as its distributions carry it."""

from typing import Final

VERSION: Final = "0.1.0"

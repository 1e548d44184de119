"""The stores that runs are killed in, by name; a server has to be named for the last one."""

from typing import Final

from .database import SqliteRuns
from .files import FileRuns
from .page import PageRuns
from .trial import Store

STORES: Final[dict[str, Store]] = {"files": FileRuns, "sqlite": SqliteRuns, "postgresql": SqliteRuns, "page": PageRuns}

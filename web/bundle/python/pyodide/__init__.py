"""The parts of the package `pyodide` that the interpreter's start needs, without event loop and package loader.

The core is called synchronously and loads nothing, so asyncio, archives and temporary files need not be there.
"""

__version__ = "314.0.7"

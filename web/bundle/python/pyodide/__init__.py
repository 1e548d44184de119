"""What the start of the interpreter asks of the package `pyodide`, without its event loop and its package loader.

The core is called synchronously and loads nothing, so asyncio, archives and temporary files need not be there.
"""

__version__ = "314.0.7"

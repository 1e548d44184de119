"""Imported when the interpreter starts; the core is called synchronously, so the event loop itself is left out."""

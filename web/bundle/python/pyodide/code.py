"""Looked for when the interpreter starts; nothing of it is used."""

"""Looked for when the interpreter starts; the core gives and takes text, so none of its classes is used."""

"""Imported when the interpreter starts; not used."""

"""Imported when the interpreter starts; the core exchanges text only, so its classes are not used."""

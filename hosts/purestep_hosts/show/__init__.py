"""Shows a run in a terminal: text sanitized, events as rows, the live screen, the answer."""

"""How a run looks to people: foreign text made safe, events as rows, the live screen, the answer."""

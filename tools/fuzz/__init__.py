"""Fuzzing of the functions that take text from models, hosts and logs: `python -m tools.fuzz --minutes N`."""

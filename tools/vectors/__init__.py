"""The conformance vectors: `python -m tools.vectors` plays the scenarios and writes them; with --check it compares.

A vector is a call of one JSON function and the exact text that comes out. What the scenarios of `scenarios/F/M.py`
record stands in `tests/vectors/F/M.jsonl`, and what is asked of the logs of their runs in
`tests/vectors/replay/M.jsonl`; so a new module needs no list. A module may define:

- `STEPS`: runs in the delta form, by name: the name of a definition and what is observed.
- `WHOLE`: runs in the whole-state form: the query, the name of a definition, the steps.
- `AGENTS`, `HISTORIES`: definitions by the names that scenarios use; messages that a run of `STEPS` begins with.
- `EXPLAINED`: the runs of `STEPS` whose logs are also redriven and explained.
- `CALLS`: single calls by name: a function and its arguments.
- `vectors()`: what is played in another way.
- `files()`: the texts of files beside the module's own, by name.
"""

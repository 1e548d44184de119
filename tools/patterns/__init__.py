"""Every regular expression of the tree, driven with runs: `./build.sh break patterns`.

`found.py` lists them: those that can be told from the source, and those that are built, as they are built while the
vectors are played. `runs.py` reads out of each pattern what leads to its repeats and what a repeat takes. `growth.py`
drives a pattern with such runs and measures how the time grows. The patterns of the JavaScript sources are listed by
the TypeScript compiler and driven in Node (`literals.mjs`, `drive.mjs`).
"""

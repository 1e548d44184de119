"""The crash harness: runs with effects, killed at every boundary and gone on with, and what must hold after that.

Theory of operation. A trial plays one generated run again and again: a process is forked, passes a number of boundaries
(`points`), and ends at one of them without a word, as with `kill -9`. A boundary lies before and after each write, each
model call, each effect and each answer of a person. A write may be torn at any byte, and what was not yet forced to
disk may be lost with the process, as when the power fails. The next process takes up what it finds and may be killed
as well; the last one reaches the end. Outside of all that lie the effects: a sink that honours keys and one that does
not; and what the store said it had kept (`witness`). `checks` holds the store against both.

`files` keeps runs in the folders of sessions, `database` in SQLite or PostgreSQL by the durable host, `page` in the
storage of a browser: there the playground is what is killed, with its browser or as a tab alone, and a write may be
refused, or the storage cleared, besides.
"""

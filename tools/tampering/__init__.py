"""Every change of a log: each byte, each line dropped, swapped, repeated, each end cut off; and what finds them.

`changes` makes them, `verdicts` asks a verifier of each and holds its answer against what was changed. There are two
verifiers: the core's `verify_log`, and `web/verify/verify_log.mjs`, which knows the chain alone and runs in Node.
"""

"""Simulated flaky models, and what negotiation makes of them: `./build.sh bench negotiation`.

`simulated.json` holds the models as rates of failure, the tools and the tasks. A model writes real text in the form
that it was asked for; the core reads it through the public step function, as any host's.
"""

"""Where the threshold of the policy `confidence` belongs: what it asks about and lets pass, on a set of its own.

`python -m tools.calibrating decide REQUESTS RECORDS` has the bundled model decide about requests that it was not
taught, and writes for each how sure it was and whether tool and arguments were the right ones. A line of the requests
is `{"q": TEXT, "tools": [..], "calls": [[NAME, ARGUMENTS], ..]}`; no calls where none fits. `python -m
tools.calibrating curve RECORDS` prints, for each threshold, what is asked about and what is wrong among the rest.
"""

"""The optional rules that come along with purestep, each a policy that a definition names.

The kernel (`purestep`) imports none of them: a policy is loaded once a definition names it. Each is a room of its own
with its theory of operation, its options, what it keeps, and its bounds.
"""

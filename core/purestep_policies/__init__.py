"""The optional rules that come along with purestep, each a policy that a definition names.

The kernel (`purestep`) imports none of them: a policy is loaded once a definition names it. Each is a room of its own
with its theory of operation, its options, what it keeps, and its bounds.

Options of the kernel that are no policies, since a policy is told of what the log holds and gives verdicts on calls,
answers and offered tools, and no more:

- Redaction changes what the log will hold, before anything else reads it.
- Citations number the results in the prompt, and an answer's citations are members of its decision.
- Negotiation changes the dialect, the model and the constraint that a model is asked with.
- A summary is a request to the model of its own, and shortens the prompt.
- Grounding offers values to the constraint of a request, made of the schemas of its tools.
"""

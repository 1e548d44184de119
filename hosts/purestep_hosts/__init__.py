"""Native hosts of purestep: the loop, models, tools, sessions and the command."""

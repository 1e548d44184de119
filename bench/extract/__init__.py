"""Texts of many kinds with what stands in them, and what the skill `extract` finds: by itself, and with a model."""

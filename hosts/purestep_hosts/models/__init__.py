"""Adapters that turn a model request into an observation; import the one you need."""

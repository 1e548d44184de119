"""Conversations of strangers with models that make no mistake: the core takes each as it is, without a word more."""

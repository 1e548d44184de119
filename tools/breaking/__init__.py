"""The break harness: attacks on promises that the documentation makes, run for minutes and counted.

Each module of `attacks` holds attacks of one kind. An attack is a function that tries one hostile thing, made from a
random number generator, and returns what broke, or None. `./build.sh break` shares its minutes among them.
"""

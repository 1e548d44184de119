"""The two forms in which programs call the core: text in and text out, or values.

`json_functions` are for any host that can pass a string; they never raise. `typed` is the same step for Python, on
values, and raises `PurestepError`. Both give the same states, messages and log bytes. `formats` are the JSON functions
that another package computes, loaded when they are called. No other room imports this one: its public names are listed
once, by the package itself.
"""

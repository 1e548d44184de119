"""The built-in tools of native hosts: their specs and their functions."""

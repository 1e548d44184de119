"""All conformance vectors on every host, the one place where they are: as a table for people, and as tests."""

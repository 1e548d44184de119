"""The wires of models' servers, each against a server that holds requests to its vendor's own types."""

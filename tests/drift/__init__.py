"""Model outputs that drift from the form of their family, as models of that family do: none is lost or misread."""

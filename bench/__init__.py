"""Measurements: every figure is a median of one run, and what is compared is measured side by side."""

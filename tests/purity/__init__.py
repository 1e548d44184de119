"""The core computes and does nothing else: no I/O, clock or chance, and the same bytes wherever Python runs."""

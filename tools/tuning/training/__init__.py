"""Training with torch: the base model read from its GGUF file, low-rank matrices beside its weights, and their file."""

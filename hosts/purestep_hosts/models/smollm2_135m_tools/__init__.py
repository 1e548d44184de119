"""The adapter that taught SmolLM2-135M-Instruct to call tools: README.md is its card, LICENSE its terms."""

"""Teaching the small model to call tools: `python -m tools.tuning`, or `./build.sh tuning`, which has what it needs.

Data are **trees** (`trees`): the tools of a prompt, and the conversations that follow it, each a **branch** of
**turns**. `form` writes a prompt with the core's own dialect, so that a model is asked as it was taught. Trees come
from folders of public data (`converters`), from `generators` with a seed, and from files; `mix` draws them by weight.
`packing` lays trees into rows: the branches of a tree share its prompt, each sees that and itself, and only outputs are
learnt. `training` needs torch: it trains low-rank matrices beside the weights of a GGUF file and writes them as an
adapter that llama.cpp applies. `measuring` asks a model about trees that it was not taught, as the core asks it.

Word lists are fine here: they are examples of what people say, and no rule of the product.
"""

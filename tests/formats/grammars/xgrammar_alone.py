"""XGrammar without PyTorch: a program that says which texts a constraint takes, one JSON request a line.

What it imports for tensors, tokenizers and GPUs is never used to follow a text, so empty modules stand for it. In a
process of its own, since other packages look for these modules too. Argument: the folder with its packages.
"""

import json
import sys
from types import ModuleType
from typing import Any


class StandIn(ModuleType):
    """A module whose every name is a class that can be made of anything."""

    def __getattr__(self, name: str) -> Any:
        """Return the class of that name."""
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {"__init__": lambda self, *args, **more: None})


def load() -> Any:
    """Import XGrammar; its binding comes first, since that tries to use a PyTorch that is there."""
    sys.path.insert(0, sys.argv[1])
    import tvm_ffi  # noqa: F401

    for name in ("torch", "transformers", "numpy", "numpy.typing"):
        sys.modules[name] = StandIn(name)
    import xgrammar

    return xgrammar


def main() -> None:
    """Answer each request: `{"ebnf"|"structural_tag", "texts"}` with `{"taken"}` or `{"error"}`."""
    xgrammar = load()
    vocabulary = [chr(code) for code in range(1, 127)] + ["<end>"]
    compiler = xgrammar.GrammarCompiler(xgrammar.TokenizerInfo(vocabulary, stop_token_ids=[126]), max_threads=1)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if "ebnf" in request:
                compiled = compiler.compile_grammar(request["ebnf"])
            else:
                compiled = compiler.compile_structural_tag(request["structural_tag"])
        except Exception as error:
            print(json.dumps({"error": str(error)}), flush=True)
            continue
        taken = []
        for text in request["texts"]:
            matcher = xgrammar.GrammarMatcher(compiled)
            taken.append(matcher.accept_string(text) and matcher.is_completed())
        print(json.dumps({"taken": taken}), flush=True)


if __name__ == "__main__":
    main()

"""Rules for the core's sources that no linter has: nothing of a machine, a clock or a Python release decides.

Each rule walks a module's syntax tree and yields what it found. They see names, not types, so they are
approximate: they catch a slip where it is written, and the tests of determinism and purity what runs.
"""

import ast
import re
from collections.abc import Callable, Iterator

from tools.checks.finding import Finding
from tools.checks.set_order import set_order

Rule = Callable[[ast.Module], Iterator[Finding]]

# None of these reads a clock, a file, the environment or the network.
ALLOWED_IMPORTS = frozenset(
    {
        "__future__",
        "_thread",
        "abc",
        "bisect",
        "collections",
        "collections.abc",
        "dataclasses",
        "enum",
        "functools",
        "hashlib",
        "itertools",
        "math",
        "operator",
        "re",
        "string",
        "types",
        "typing",
        "msgspec",
        "msgspec.json",
        "msgspec.structs",
    }
)
# What the pure functions of the tools may import: decimal and json follow a specification, not a machine.
TOOLS_IMPORTS = ALLOWED_IMPORTS - {"msgspec", "msgspec.json", "msgspec.structs"} | {"decimal", "json"}
KERNEL = "purestep"
TOOLS_PACKAGE = "purestep_tools"

SEAMS = {
    "pydantic_core": ("schema/native.py",),
    "importlib": (
        *("__init__.py", "api/formats.py", "policy/registry.py", "dialects/registry.py"),
        *("constraints.py", "values/profiles.py"),
    ),
}
"""The modules of the kernel that alone import the validator, or a package beside the kernel by its name."""

STATE_ROOMS = ("values/state.py", "draft/", "steps/")
"""Where a run's state is made and changed."""

STATE_NAMES = frozenset({"begun", "kept", "run", "state"})
"""What a variable or member that holds a state is called."""

FORBIDDEN_CALLS = {
    "hash": "differs between processes; compare values, or use hashlib",
    "id": "differs between processes; use a counter in the state",
    "open": "the core does no I/O; a host reads and passes the text",
    "print": "the core does no I/O; return the text",
    "input": "the core does no I/O; a host asks and passes the answer",
    "eval": "runs text; parse it instead",
    "exec": "runs text; parse it instead",
    "compile": "runs text; parse it instead",
    "breakpoint": "is for debugging",
    "__import__": "hides an import from the checks; use the statement",
}

# Results depend on Python's Unicode tables, which change with its releases.
UNICODE_METHODS = frozenset(
    {
        "capitalize",
        "casefold",
        "isalnum",
        "isalpha",
        "isdecimal",
        "isdigit",
        "isidentifier",
        "islower",
        "isnumeric",
        "isprintable",
        "isspace",
        "istitle",
        "isupper",
        "lower",
        "splitlines",
        "swapcase",
        "title",
        "upper",
    }
)
# Only without an argument do these look into the Unicode table of white space.
WHITESPACE_METHODS = frozenset({"lstrip", "rsplit", "rstrip", "split", "strip"})

RE_FUNCTIONS = frozenset({"compile", "findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn"})
LAZY_PATTERN = "lazy_pattern"
"""The function of `purestep.lazy` whose arguments are those of `re.compile`."""

MADE_WHEN_USED = {"re.compile": LAZY_PATTERN, "msgspec.json.Decoder": "lazy_decoder"}
"""What takes too long for an import, and what a module uses in its place."""

RE_UNICODE_CLASS = re.compile(r"\\[wWdDsSbB]|\(\?[a-zA-Z]*i", re.ASCII)
RE_ASCII_FLAGS = frozenset({"A", "ASCII"})
RE_IGNORECASE_FLAGS = frozenset({"I", "IGNORECASE"})

# IEEE 754 says every bit of these, or they compute nothing; C libraries differ in the last bit of the others.
EXACT_MATH = frozenset(
    {
        *("ceil", "copysign", "e", "fabs", "floor", "fmod", "frexp", "gcd", "inf", "isclose", "isfinite", "isinf"),
        *("isnan", "isqrt", "ldexp", "nan", "pi", "sqrt", "trunc"),
    }
)

FLOAT_SPEC = re.compile(r"[eEfFgGn%]\Z", re.ASCII)
FLOAT_PERCENT = re.compile(r"%[-+ #0-9.*]*[eEfFgG]", re.ASCII)


def imports(tree: ast.Module, path: str, package: str) -> Iterator[Finding]:
    """Yield imports of modules that are not known to be pure, and those of the kernel from the packages on it."""
    for line, name in _imported(tree):
        root = name.partition(".")[0]
        if root in SEAMS:
            if package != KERNEL or path not in SEAMS[root]:
                yield Finding(line, f"only {' and '.join(SEAMS[root])} import {root}; use what they offer")
        elif root not in {KERNEL, package} and name not in ALLOWED_IMPORTS:
            yield Finding(line, f"import of {name}: it is not on the list of pure modules")


def tools_imports(tree: ast.Module) -> Iterator[Finding]:
    """Yield imports of modules that are not known to be pure, or that the tools' package would have to bring along."""
    for line, name in _imported(tree):
        if name.partition(".")[0] != TOOLS_PACKAGE and name not in TOOLS_IMPORTS:
            yield Finding(line, f"import of {name}: {TOOLS_PACKAGE} uses the standard library's pure modules only")


def calls(tree: ast.Module) -> Iterator[Finding]:
    """Yield calls of built-ins that do I/O, run text, or answer differently in the next process."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
            yield Finding(node.lineno, f"{node.func.id}() {FORBIDDEN_CALLS[node.func.id]}")


def state_changes(tree: ast.Module, path: str) -> Iterator[Finding]:
    """Yield what makes or changes a run's state outside its rooms; `path` is relative to the package."""
    if path.startswith(STATE_ROOMS):
        return
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="RunState") | ast.Attribute(attr="RunState")):
                yield Finding(node.lineno, "a run's state is made here: only values/state.py, draft/ and steps/ may")
            case ast.Call(
                func=ast.Name(id=name) | ast.Attribute(attr=name),
                args=[ast.Name(id=changed) | ast.Attribute(attr=changed), *others],
            ) if changed in STATE_NAMES and (name == "force_setattr" or (name == "replace" and not others)):
                yield Finding(node.lineno, "a run's state is changed here: only draft/ and steps/ may")


def unicode_methods(tree: ast.Module) -> Iterator[Finding]:
    """Yield string methods that follow Unicode tables; bytes have methods of the same names that do not."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        name, bare = node.func.attr, not (node.args or node.keywords)
        if name in UNICODE_METHODS or (name in WHITESPACE_METHODS and bare):
            yield Finding(node.lineno, f".{name}() of a str follows Unicode tables: work on ASCII alone")


def patterns(tree: ast.Module) -> Iterator[Finding]:
    """Yield regular expressions whose classes or case folding follow Unicode tables for want of re.ASCII."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _is_re_call(node.func) and node.args and _needs_ascii(node):
            yield Finding(node.lineno, "the pattern follows Unicode tables: add re.ASCII")


def made_at_import(tree: ast.Module) -> Iterator[Finding]:
    """Yield patterns and decoders that are made where a module is imported, outside of every function."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.Call) and (made := ast.unparse(node.func)) in MADE_WHEN_USED:
            yield Finding(node.lineno, f"{made} at import: use {MADE_WHEN_USED[made]}, which waits for the first use")
        waiting.extend(ast.iter_child_nodes(node))


def float_formats(tree: ast.Module) -> Iterator[Finding]:
    """Yield formatting that rounds floats or follows a locale."""
    for node in ast.walk(tree):
        if _formats_float(node):
            line = getattr(node, "lineno", 0)
            yield Finding(line, "a float is formatted: write numbers as JSON does, by msgspec")


def inexact_math(tree: ast.Module) -> Iterator[Finding]:
    """Yield functions of `math` whose last digit the C library decides."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="math"), attr=name, lineno=line) if name not in EXACT_MATH:
                yield Finding(line, f"math.{name} differs between C libraries in its last bit: compute it exactly")


# Each rule with the word that exempts a line, followed by a reason: `# ascii: a number's digits`.
RULES: tuple[tuple[str, Rule], ...] = (
    ("pure", calls),
    ("ascii", unicode_methods),
    ("ascii", patterns),
    ("exact", float_formats),
    ("exact", inexact_math),
    ("order", set_order),
)


# What is imported by every program that imports the core.
CORE_RULES: tuple[tuple[str, Rule], ...] = (*RULES, ("eager", made_at_import))


def check_module(source: str, path: str, package: str = KERNEL) -> list[Finding]:
    """Return what breaks a rule in one module of a package of the core; `path` is relative to the package."""
    tree = ast.parse(source)
    changes = state_changes(tree, path if package == KERNEL else "")
    return sorted([*imports(tree, path, package), *changes, *_marked_findings(tree, source, CORE_RULES)])


def check_tools_module(source: str) -> list[Finding]:
    """Return what breaks a rule in one module of the tools' pure functions."""
    tree = ast.parse(source)
    return sorted([*tools_imports(tree), *_marked_findings(tree, source, RULES)])


def _marked_findings(tree: ast.Module, source: str, rules: tuple[tuple[str, Rule], ...]) -> Iterator[Finding]:
    """Yield what breaks a rule from which a line can be exempted."""
    lines = source.split("\n")
    for mark, rule in rules:
        reason = re.compile(rf"# {mark}: \S")
        for found in rule(tree):
            if not reason.search(lines[found.line - 1]):
                yield found._replace(message=f"{found.message}, or say '# {mark}: why' on the line")


def _imported(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the full name of every module imported from another package."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=str(name), level=0):
                yield node.lineno, name


def _is_re_call(func: ast.expr) -> bool:
    match func:
        case ast.Attribute(value=ast.Name(id="re"), attr=name):
            return name in RE_FUNCTIONS
        case ast.Name(id=name):
            return name == LAZY_PATTERN
        case _:
            return False


def _needs_ascii(call: ast.Call) -> bool:
    flags = {node.attr for node in ast.walk(call) if isinstance(node, ast.Attribute)}
    if flags & RE_ASCII_FLAGS:
        return False
    match call.args[0]:
        case ast.Constant(value=bytes()) | ast.BinOp(left=ast.Constant(value=bytes()), op=ast.Mod()):
            return False  # a pattern of bytes knows ASCII only
        case ast.Constant(value=str() as text):
            return bool(RE_UNICODE_CLASS.search(text) or flags & RE_IGNORECASE_FLAGS) and "(?a" not in text
        case _:
            return True  # put together elsewhere, so it may hold anything


def _formats_float(node: ast.AST) -> bool:
    match node:
        case ast.FormattedValue(format_spec=ast.JoinedStr(values=[*_, ast.Constant(value=str() as spec)])):
            return bool(FLOAT_SPEC.search(spec))
        case ast.BinOp(left=ast.Constant(value=str() as text), op=ast.Mod()):
            return bool(FLOAT_PERCENT.search(text))
        case ast.Call(func=ast.Name(id="format" | "round")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str() as text), attr="format")):
            return re.search(r"\{[^}]*:[^}]*[eEfFgGn%]\}", text, re.ASCII) is not None
        case _:
            return False

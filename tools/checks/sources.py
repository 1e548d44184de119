"""Check the rules that no linter has: `python -m tools.checks.sources`, run by ./build.sh lint."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tools.checks.core_rules import check_module, check_tools_module
from tools.checks.finding import Finding
from tools.checks.front_doors import check_doors, doubled_classes
from tools.checks.word_lists import check_words

ROOT = Path(__file__).resolve().parents[2]
CORE = "core/"
TOOLS = "hosts/purestep_tools/"
PACKAGES = (CORE, TOOLS, "hosts/purestep_hosts/")

# Words that say nothing about what a thing does.
EMPTY_WORDS = frozenset({"context", "engine", "handler", "helper", "helpers", "manager", "util", "utils"})
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", re.ASCII)

# Addresses of package indexes, and folders of one machine. The dots are classes so that this file passes.
FORBIDDEN_TEXT = (
    (
        re.compile(r"pypi[.]org|pythonhosted[.]org|npmjs[.](?:org|com)|deb[.]debian[.]org", re.ASCII),
        "an index's address",
    ),
    (re.compile(r'--(?:extra-)?index[-]url|"resolved"[:] *"http', re.ASCII), "an index's address"),
    (
        re.compile(r"(?<![\w.~])/(?:root|home/[a-z][\w-]*|Users/[A-Za-z][\w-]*)/[\w.]", re.ASCII),
        "a path of one machine",
    ),
)


def check_text(text: str) -> list[Finding]:
    """Return the lines that hold what belongs to one machine or one index."""
    rules = (*FORBIDDEN_TEXT, (re.compile(re.escape(f"{ROOT}/")), "a path of one machine"))
    return [
        Finding(number, f"{what}: leave it to the machine's own set-up")
        for number, line in enumerate(text.split("\n"), start=1)
        for pattern, what in rules
        if pattern.search(line)
    ]


def check_names(source: str, path: str) -> list[Finding]:
    """Return the names defined in one module, its own included, that hold an empty word."""
    names = [(1, Path(path).stem), *_defined_names(ast.parse(source))]
    return [
        Finding(line, f"the name {name} says '{word}': name what it does or is")
        for line, name in names
        for word in (part.lower() for part in WORD.findall(name))
        if word in EMPTY_WORDS
    ]


def check_file(path: str, content: bytes) -> list[Finding]:
    """Return what breaks a rule in one file; `path` is relative to the repository, with slashes."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return []  # a binary file, such as a picture
    findings = check_text(text)
    if path.endswith(".py") and path.startswith(PACKAGES):
        findings += check_names(text, path) + check_doors(text, path)
    if path.endswith(".py") and path.startswith(CORE):
        package, _, inner = path.removeprefix(CORE).partition("/")
        findings += check_module(text, inner, package)
    if path.endswith(".py") and path.startswith(TOOLS):
        findings += check_tools_module(text)
    return findings


def main() -> int:
    """Print what breaks a rule in a file that git tracks or would, and return the exit code."""
    paths = _repository_files()
    findings = [(path, found) for path in paths for found in check_file(path, (ROOT / path).read_bytes())]
    modules = [path for path in paths if path.endswith(".py") and path.startswith(PACKAGES)]
    findings += doubled_classes({path: (ROOT / path).read_text(encoding="utf-8") for path in modules})
    core = [path for path in paths if path.startswith(CORE)]
    findings += check_words({path.removeprefix(CORE): (ROOT / path).read_text("utf-8", "replace") for path in core})
    for path, found in findings:
        print(f"{path}:{found.line}: {found.message}")
    return 1 if findings else 0


def _defined_names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield node.lineno, name


def _repository_files() -> list[str]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    # A file that was deleted and not yet committed as such is still listed.
    return sorted(path for path in set(listing.split("\0")) if path and (ROOT / path).is_file())


if __name__ == "__main__":
    sys.exit(main())

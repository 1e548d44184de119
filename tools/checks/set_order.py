"""The rule that the order of a set, which differs between processes, never reaches a result of the core."""

import ast
from collections.abc import Iterable, Iterator

from tools.checks.finding import Finding

SET_TYPES = frozenset({"AbstractSet", "MutableSet", "Set", "frozenset", "set"})
# What comes out of these is the same in whatever order the elements went in.
ORDER_BLIND = frozenset({"all", "any", "frozenset", "len", "max", "min", "set", "sorted"})
ORDER_KEEPING = frozenset({"enumerate", "filter", "iter", "list", "map", "next", "tuple", "zip"})
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def set_order(tree: ast.Module) -> Iterator[Finding]:
    """Yield places that go through a set in its own order and keep that order."""
    blind = {id(node) for parent in ast.walk(tree) for node in _order_blind_parts(parent)}
    for iterable in _set_uses(tree, frozenset(), blind):
        yield Finding(iterable.lineno, "the order of a set is not fixed: use sorted(...) or a tuple")


def _set_uses(scope: ast.AST, outer: frozenset[str], blind: set[int]) -> Iterator[ast.expr]:
    """Yield the sets gone through in order in a scope and inside it; `outer` names the sets it sees."""
    nodes = list(_own_nodes(scope))
    names = (outer - _bound_names(nodes)) | _set_names(nodes)
    for node in nodes:
        if isinstance(node, FUNCTIONS):
            yield from _set_uses(node, names, blind)
        elif id(node) not in blind:
            yield from (iterable for iterable in _ordered_uses(node) if _is_set(iterable, names))


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a scope, a function inside it as one node without its body."""
    for node in ast.iter_child_nodes(scope):
        yield node
        if not isinstance(node, FUNCTIONS):
            yield from _own_nodes(node)


def _order_blind_parts(node: ast.AST) -> list[ast.expr]:
    """Return the expressions inside `node` whose order it does not keep."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in ORDER_BLIND:
            return arguments
        case ast.Set(elts=elements):
            return elements
        case _:
            return []


def _ordered_uses(node: ast.AST) -> list[ast.expr]:
    """Return the expressions that `node` goes through in order."""
    match node:
        case ast.For(iter=iterable) | ast.Starred(value=iterable):
            return [iterable]
        case ast.ListComp() | ast.DictComp() | ast.GeneratorExp():
            return [part.iter for part in node.generators]
        case ast.Call(func=ast.Name(id=name)) if name in ORDER_KEEPING:
            return list(node.args)
        case ast.Call(func=ast.Attribute(attr="join" | "extend" | "fromkeys")):
            return list(node.args)
        case _:
            return []


def _is_set(node: ast.expr, names: frozenset[str]) -> bool:
    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in SET_TYPES
        case ast.Name(id=name):
            return name in names
        case ast.BinOp(left=left, op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor(), right=right):
            return _is_set(left, names) or _is_set(right, names)
        case _:
            return False


def _bound_names(nodes: Iterable[ast.AST]) -> frozenset[str]:
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return frozenset(stored | {node.arg for node in nodes if isinstance(node, ast.arg)})


def _set_names(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Return the names that are given a set or annotated as one."""
    names: set[str] = set()
    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=value) if _is_set(value, frozenset()):
                names.update(target.id for target in targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation) if _is_set_type(annotation):
                names.add(name)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if _is_set(value, frozenset()):
                names.add(name)
            case ast.arg(arg=name, annotation=ast.expr() as annotation) if _is_set_type(annotation):
                names.add(name)
    return frozenset(names)


def _is_set_type(annotation: ast.expr) -> bool:
    match annotation:
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)):
            return name in SET_TYPES
        case _:
            return False

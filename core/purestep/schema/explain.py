"""Why a value is not valid: the issues, in a fixed order.

Only refused parts are visited, and no subschema twice for the same place, so the work stays in proportion to the value
and the schema.
"""

from collections.abc import Iterable, Iterator

from ..bounds import MAX_CHECKED_DEPTH, MAX_ISSUES
from ..json_text import excerpt_of
from ..regex import SHORT, Budget, OverBudgetError
from .addresses import pointer_token
from .assertions import IssueParts, assertion_faults, is_of_types, suggested
from .issues import Issue
from .portable import Verdicts, has_unevaluated_keyword, members, unevaluated_subschema
from .subschemas import ArrayRules, Part, SchemaRules, TooDeepError, in_place, kind_of, parts
from .unions import closest_branch, expectations


def explain(subschemas: tuple[SchemaRules, ...], value: object, budget: Budget) -> tuple[Issue, ...]:
    """Return the issues of a decoded JSON value under a compiled schema, root first; none when it is valid."""
    explanation = _Explanation(subschemas, budget)
    try:
        explanation.visit(0, value, "", 0)
    except OverBudgetError:
        return (Issue(path="", code="schema_budget", params={"limit": budget.limit}),)
    except TooDeepError:
        return (Issue(path="", code="too_deep", params={"limit": MAX_CHECKED_DEPTH}),)
    return tuple(explanation.issues)


class _Explanation:
    def __init__(self, subschemas: tuple[SchemaRules, ...], budget: Budget) -> None:
        self.subschemas = subschemas
        self.budget = budget
        self.verdicts = Verdicts(subschemas, budget)
        self.issues: list[Issue] = []
        self.visited: set[tuple[int, str]] = set()

    def add(self, path: str, code: str, params: dict[str, object]) -> None:
        issue = Issue(path=path, code=code, params=params)
        if len(self.issues) < MAX_ISSUES and issue not in self.issues:
            self.issues.append(issue)

    def visit(self, index: int, value: object, path: str, depth: int) -> None:
        """Add the issues that one subschema has with the value."""
        if len(self.issues) >= MAX_ISSUES or (index, path) in self.visited:
            return
        self.visited.add((index, path))
        if self.verdicts.accepts(index, value, depth):
            return
        self.verdicts.enter(value, depth)
        rules = self.subschemas[index]
        if is_of_types(rules, value):
            for code, params in assertion_faults(rules, value, depth, self.budget, described=True):
                self.add(path, code, params)
            self.visit_parts(rules, parts(rules, value, self.budget), path, depth)
            self.visit_in_place(rules, value, path, depth)
            self.visit_unevaluated(rules, value, path, depth)
        else:
            self.add(path, *_type_fault(rules, value))
        self.verdicts.descents -= 1

    def visit_unevaluated(self, rules: SchemaRules, value: object, path: str, depth: int) -> None:
        if not has_unevaluated_keyword(rules):
            return
        # While other keywords refuse the value, a part that may be evaluated once it is corrected is no issue.
        if self.verdicts.judge(rules, value, depth, with_unevaluated=False):
            found = self.verdicts.unevaluated_parts(rules, value, depth)
        else:
            found = self.never_evaluated(rules, value)
        self.visit_parts(rules, found, path, depth)

    def never_evaluated(self, rules: SchemaRules, value: object) -> Iterator[Part]:
        """Yield the parts that stay unevaluated even if other parts of the value are corrected.

        No subschema for the same value would evaluate them, whether it accepts the value or not.
        """
        index, around = unevaluated_subschema(rules, value), self.around(rules)
        self.budget.spend(len(around) - 1)
        evaluates_by_content = any(each.array is not None and each.array.contains is not None for each in around)
        if index is None or evaluates_by_content:
            return
        if any(unevaluated_subschema(each, value) is not None for each in around[1:]):
            return
        seen = {part.token for each in around for part in parts(each, value, self.budget) if part.role != "name"}
        for token, part in members(value, self.budget):
            if token not in seen:
                yield Part(index, part, token, "unevaluated")

    def around(self, rules: SchemaRules) -> list[SchemaRules]:
        """Return the rules, and those of every other subschema that may apply to the same value."""
        found, seen = [rules], set[int]()
        for each in found:
            inner = [index for index in in_place(each) if index not in seen]
            seen.update(inner)
            found += [self.subschemas[index] for index in inner]
        return found

    def visit_parts(self, rules: SchemaRules, found: Iterable[Part], path: str, depth: int) -> None:
        for part in found:
            if len(self.issues) >= MAX_ISSUES:
                return
            place = path + pointer_token(part.token)
            fault = self.name_fault(rules, part, depth + 1)
            if fault is not None:
                self.add(place, *fault)
            elif part.role != "name":
                self.visit(part.index, part.value, place, depth + 1)

    def name_fault(self, rules: SchemaRules, part: Part, depth: int) -> IssueParts | None:
        """Return what is wrong with the name of a part rather than with its value."""
        if part.role == "name" and not self.verdicts.accepts(part.index, part.value, depth):
            return "property_name", {"name": part.token}
        if (
            part.role in ("other", "unevaluated")
            and isinstance(part.token, str)
            and self.subschemas[part.index].types == ()
        ):
            # A branch that refuses the value may know the very name.
            known = [name for name in self.known_names(rules, part.role) if name != part.token]
            near = suggested(part.token, known, self.budget)
            hint: dict[str, object] = {} if near is None else {"closest": near}
            return "additional", {"name": part.token} | hint
        return None

    def known_names(self, rules: SchemaRules, role: str) -> list[str]:
        """Return the known names: those of the rules, and for unevaluated parts those of all rules in place."""
        around = self.around(rules) if role == "unevaluated" else [rules]
        objects = [each.object for each in around if each.object is not None]
        self.budget.spend(len(around) + sum(len(each.properties) for each in objects) // SHORT)
        return [name for each in objects for name in each.properties]

    def visit_in_place(self, rules: SchemaRules, value: object, path: str, depth: int) -> None:
        for index in self.verdicts.conjuncts(rules, value, depth):
            self.visit(index, value, path, depth)
        if rules.any_of is not None:
            self.visit_union("any_of", rules.any_of, value, path, depth)
        if rules.one_of is not None:
            self.visit_union("one_of", rules.one_of, value, path, depth)
        if rules.negated is not None and self.verdicts.accepts(rules.negated, value, depth):
            self.add(path, "not", {"value": excerpt_of(value)})
        if rules.array is not None and not self.verdicts.contains_enough(rules, value, depth):
            self.add(path, "contains", self.contains_params(rules.array, value, depth))

    def visit_union(self, code: str, branches: tuple[int, ...], value: object, path: str, depth: int) -> None:
        matched = self.verdicts.accepting(branches, value, depth, stop_after=2)
        if len(matched) > 1 and code == "one_of":
            self.add(path, code, {"matched": matched, "value": excerpt_of(value)})
        elif not matched:
            branch = closest_branch(self.verdicts, branches, value, depth)
            if branch is not None:
                self.visit(branch, value, path, depth)
            else:
                expected = expectations(self.verdicts, branches)
                self.add(path, code, {"expected": expected, "value": excerpt_of(value)})

    def contains_params(self, rules: ArrayRules, value: object, depth: int) -> dict[str, object]:
        assert rules.contains is not None  # only then too few or too many items fit
        assert isinstance(value, list)
        count = sum(self.verdicts.accepts(rules.contains, item, depth + 1) for item in value)
        return {"minimum": rules.min_contains, "maximum": rules.max_contains, "count": count}


def _type_fault(rules: SchemaRules, value: object) -> IssueParts:
    if rules.types == ():
        return "never", {"value": excerpt_of(value)}
    got = kind_of(value) or type(value).__name__
    return "type", {"expected": list(rules.types or ()), "got": got, "value": excerpt_of(value)}

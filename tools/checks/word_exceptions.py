"""What the rule on lists of words leaves alone: names of standards, names of the core's own, and exceptions.

An exception is a module, from core/ on, and a name in it, under the sentence that says why it may stay. A rule on words
that people say is an exception of the last group, and each of those says what else was tried or why nothing else can.
"""

from collections.abc import Mapping

_JSON = frozenset(
    {
        *("string", "number", "integer", "boolean", "object", "array", "null", "true", "false"),
        *("True", "False", "None", "TRUE", "FALSE", "NULL", "nil", "undefined"),
    }
)
"""JSON's types and constants, and how other languages write the constants."""

_JSON_SCHEMA = frozenset(
    {
        *("additionalItems", "additionalProperties", "allOf", "anyOf", "const", "contains", "contentEncoding"),
        *("contentMediaType", "contentSchema", "default", "definitions", "dependencies", "dependentRequired"),
        *("dependentSchemas", "deprecated", "description", "else", "enum", "examples", "exclusiveMaximum"),
        *("exclusiveMinimum", "format", "if", "items", "maxContains", "maxItems", "maxLength", "maxProperties"),
        *("maximum", "minContains", "minItems", "minLength", "minProperties", "minimum", "multipleOf", "not", "oneOf"),
        *("pattern", "patternProperties", "prefixItems", "properties", "propertyNames", "readOnly", "required"),
        *("then", "title", "type", "unevaluatedItems", "unevaluatedProperties", "uniqueItems", "writeOnly"),
    }
)
"""The keywords of JSON Schema, drafts 7 to 2020-12."""

_ROLES = frozenset({"assistant", "developer", "function", "functions", "system", "tool", "user"})
"""Whose message it is, in every chat template and protocol."""

STANDARD_NAMES = _JSON | _JSON_SCHEMA | _ROLES

NamesByModule = Mapping[str, tuple[str, ...]]
"""Names in modules, by the path of the module from core/ on."""

DECLARED: NamesByModule = {
    "purestep/errors/catalogue.py": ("CATALOGUE",),
    "purestep/schema/keywords.py": ("SUBSCHEMAS",),
    "purestep/schema/issues.py": ("ISSUE_CODES",),
    "purestep/values/options.py": ("FAULT_OF",),
    "purestep_formats/rates/fold.py": ("UNDECIDED",),
}
"""Where the core declares names of its own, such as codes of errors. They are no words elsewhere."""

EXCEPTIONS: Mapping[str, NamesByModule] = {
    "Words that are shown to a model or a person; nothing is compared with them.": {
        "purestep/agent/corrections.py": ("LIMIT_WORDS", "_PART_WORDS"),
        "purestep/json_text/excerpt.py": ("TYPE_PHRASES",),
        "purestep/skills/extract.py": ("_KINDS", "_SHOWN"),
        "purestep_formats/replies/faults.py": ("_error",),
    },
    "The table of servers and models, by the names that their makers give them and their parameters.": {
        "purestep_formats/server_profiles.py": ("ROWS", "_NO_SAMPLING", "MODELS"),
    },
    "Members of the core's own JSON, which its schema of the definition does not list.": {
        "purestep/policy/options.py": ("options_among",),
        "purestep/redaction/hidden.py": ("_NAMES",),
        "purestep/skills/extract.py": ("GROUPS",),
    },
    "Keys of former definitions, which an error names together with what to write instead.": {
        "purestep/values/former_keys.py": ("_OF_CHECKS",),
    },
    "Keywords of JSON Schema and OpenAPI, formats, and the bounds of annotated types, by the names of others.": {
        "purestep/agent/grounds.py": ("_FORMATS",),
        "purestep/schema/keywords.py": ("ANNOTATIONS",),
        "purestep/schema/native.py": ("_whole_bounds",),
    },
    "Members, events and constants of other protocols, by their specifications.": {
        "purestep/values/tool_shapes.py": ("_RENAMED",),
        "purestep_formats/projections/ag_ui.py": ("PARTS", "_usage"),
        "purestep_formats/projections/ai_sdk.py": ("PARTS", "_metadata", "_input", "held_back"),
        "purestep_formats/projections/otel.py": ("_FLOATS",),
        "purestep_formats/replies/faults.py": ("FAULT_HEADERS", "_MONTHS"),
    },
    "Markers, tags and keys that families of models write, as their templates have them.": {
        "purestep/dialects/call_keys.py": ("ARGUMENTS", "WRAPPERS"),
        "purestep/scanner/block_modes.py": ("_CALL_ENDS",),
        "purestep/scanner/reasoning.py": ("REASONING",),
        "purestep_formats/call_readers/marked_calls.py": ("FLOWERS_CALLS",),
        "purestep_formats/call_readers/tags.py": ("_PARAMETER",),
        "purestep_formats/families/drifted_markers.py": ("_SUFFIXED",),
        "purestep_formats/families/family_markers.py": ("_KINDS", "KEYED", "RESULTS"),
        "purestep_formats/families/stray_markup.py": ("_PREFIXED", "_ARGUMENT"),
        "purestep_formats/families/unmarked_calls.py": ("_KEYS",),
    },
    "Types, names and texts of servers' errors, each from its source: many say it no other way.": {
        "purestep_formats/replies/finish_reasons.py": ("_CALLED",),
        "purestep_formats/replies/fault_table.py": (
            "_TOO_LONG",
            "STATUS_OF_TYPE",
            "LIBRARIES",
            "TEMPLATE",
            "MEMBERS",
            "NAMED",
        ),
    },
    "Names of settings and beginnings of keys that mark a secret: to hide too much is the safe side.": {
        "purestep/redaction/known_secrets.py": ("_KEYS", "_NAMES"),
    },
    "The check `planning`, English by its nature: it holds only where a definition names it, or in the bare form.": {
        "purestep/checks/named.py": ("_PLANNING",),
    },
    "Last labels of hosts without a scheme, from the registry of domains: a file's name has the same form.": {
        "purestep/text/forms.py": ("_TOP_DOMAINS",),
    },
    "The estimate of tokens, which decides only how much is sent: without it, English counts 24 to 36 % more.": {
        "purestep/window/common_words.py": ("_WORDS",),
    },
}
"""Why a list of words may stay, with the modules, from core/ on, and the names in them."""

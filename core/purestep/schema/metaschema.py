"""The metaschema, in our own writing: it accepts exactly what the published 2020-12 metaschema accepts.

The published one is eight documents, one for each vocabulary; this is one document under its URI, so references to
single vocabularies lead nowhere (2020-12, core, 8 to 11, and validation, 6 to 9).
"""

from typing import Any, Final

METASCHEMA_ADDRESS: Final = "https://json-schema.org/draft/2020-12/schema"

_Schema = dict[str, Any]

_ANY_SCHEMA: Final[_Schema] = {"$dynamicRef": "#meta"}
_SCHEMAS: Final[_Schema] = {"type": "array", "minItems": 1, "items": _ANY_SCHEMA}
_BY_NAME: Final[_Schema] = {"type": "object", "additionalProperties": _ANY_SCHEMA}
_TEXT: Final[_Schema] = {"type": "string"}
_FLAG: Final[_Schema] = {"type": "boolean"}
_FLAGS: Final[_Schema] = {"type": "object", "additionalProperties": _FLAG}
_NUMBER: Final[_Schema] = {"type": "number"}
_COUNT: Final[_Schema] = {"type": "integer", "minimum": 0}
_NAMES: Final[_Schema] = {"type": "array", "items": _TEXT, "uniqueItems": True}
_TYPE: Final[_Schema] = {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]}
_REFERENCE: Final[_Schema] = {"type": "string", "format": "uri-reference"}
_ANCHOR: Final[_Schema] = {"type": "string", "pattern": "^[A-Za-z_][-A-Za-z0-9._]*$"}

_FORMS: Final[tuple[tuple[_Schema, tuple[str, ...]], ...]] = (
    (_ANY_SCHEMA, ("additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames")),
    (_ANY_SCHEMA, ("then", "unevaluatedItems", "unevaluatedProperties")),
    (_SCHEMAS, ("allOf", "anyOf", "oneOf", "prefixItems")),
    (_BY_NAME, ("$defs", "definitions", "dependentSchemas", "properties")),
    (_BY_NAME | {"propertyNames": {"format": "regex"}}, ("patternProperties",)),
    (_TEXT, ("$comment", "contentEncoding", "contentMediaType", "description", "format", "title")),
    (_TEXT | {"format": "regex"}, ("pattern",)),
    (_TEXT | {"format": "uri"}, ("$schema",)),
    (_FLAG, ("deprecated", "readOnly", "uniqueItems", "writeOnly")),
    (_NUMBER, ("exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum")),
    (_NUMBER | {"exclusiveMinimum": 0}, ("multipleOf",)),
    (_COUNT, ("maxContains", "maxItems", "maxLength", "maxProperties")),
    (_COUNT, ("minContains", "minItems", "minLength", "minProperties")),
    (_NAMES, ("required",)),
    ({"type": "object", "additionalProperties": _NAMES}, ("dependentRequired",)),
    ({"type": "array"}, ("enum", "examples")),
    ({"anyOf": [_TYPE, {"type": "array", "items": _TYPE, "minItems": 1, "uniqueItems": True}]}, ("type",)),
    (_REFERENCE, ("$dynamicRef", "$recursiveRef", "$ref")),
    (_REFERENCE | {"pattern": "^[^#]*#?$"}, ("$id",)),
    (_ANCHOR, ("$anchor", "$dynamicAnchor", "$recursiveAnchor")),
    (_FLAGS | {"propertyNames": {"type": "string", "format": "uri"}}, ("$vocabulary",)),
    ({"type": "object", "additionalProperties": {"anyOf": [_ANY_SCHEMA, _NAMES]}}, ("dependencies",)),
)
"""Each form that a keyword's value may have, with the keywords that have it."""

METASCHEMA: Final[_Schema] = {
    "$id": METASCHEMA_ADDRESS,
    "$dynamicAnchor": "meta",
    "type": ["object", "boolean"],
    "properties": {keyword: form for form, keywords in _FORMS for keyword in keywords},
}

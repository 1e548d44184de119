"""Values that are checked against JSON Schemas, as data."""


def _classes(number: int) -> str:
    """Return a pattern of so many classes, each of which excludes another character: quick to count, and too large."""
    return "".join(f"[^{chr(0x4E00 + 2 * each)}]" for each in range(number))


CHECKS: dict[str, str] = {
    "check-integer-float": '{"schema":{"type":"integer"},"value":3.0}',
    "check-bool-is-no-number": '{"schema":{"type":"number"},"value":true}',
    "check-union": '{"schema":{"anyOf":[{"type":"string"},{"type":"null"}]},"value":[]}',
    "check-one-of": '{"schema":{"oneOf":[{"minimum":1},{"maximum":5}]},"value":3}',
    "check-pattern": '{"schema":{"pattern":"^[a-z]+$"},"value":"abc\\n"}',
    "check-pattern-slow": '{"schema":{"pattern":"^(a+)+$"},"value":"' + "a" * 200 + '!"}',
    "check-multiple-of": '{"schema":{"multipleOf":0.01},"value":19.99}',
    "check-unique": '{"schema":{"uniqueItems":true},"value":[1,1.0]}',
    "check-length-astral": '{"schema":{"maxLength":1},"value":"\\ud83d\\ude00"}',
    "check-recursive": '{"schema":{"$defs":{"n":{"properties":{"next":{"$ref":"#/$defs/n"}},"required":["v"]}},'
    '"$ref":"#/$defs/n"},"value":{"v":1,"next":{"next":{}}}}',
    "check-unsupported": '{"schema":{"properties":{"a":{"minLenght":1}}},"value":1}',
    "check-annotations-of-others": '{"schema":{"properties":{"a":{"x-order":1,"example":"b","type":"string"}}},'
    '"value":{"a":1}}',
    "check-unsupported-ignored": '{"schema":{"properties":{"a":{"order":1,"type":"null"}}},"value":{"a":1},'
    '"unknown":"ignore"}',
    "check-bad-schema": '{"schema":{"type":"strin"},"value":1}',
    "check-bad-choice": '{"schema":true,"value":1,"formats":"maybe"}',
    "check-boolean-schema": '{"schema":{"properties":{"a":true,"b":false}},"value":{"a":1,"b":1}}',
    "check-annotations": '{"schema":{"$comment":"c","$vocabulary":{"x:y":true},"contentEncoding":"base64",'
    '"contentMediaType":"application/json","contentSchema":{"type":"null"},"format":"date","default":1},"value":"x"}',
    "check-anchor": '{"schema":{"$ref":"#n","$defs":{"a":{"$anchor":"n","type":"integer"}}},"value":"x"}',
    "check-id": '{"schema":{"$id":"https://example.org/a/b","items":{"$ref":"../c#/$defs/d"},"$defs":{"c":{"$id":"/c",'
    '"$defs":{"d":{"type":"integer"}}}}},"value":[1,"x"]}',
    "check-id-twice": '{"schema":{"$defs":{"a":{"$id":"x"},"b":{"$id":"./x"}}},"value":1}',
    "check-anchor-malformed": '{"schema":{"$anchor":"1"},"value":1}',
    "check-ref-nowhere": '{"schema":{"$ref":"other.json#a"},"value":1}',
    "check-ref-loop": '{"schema":{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/a"}]}}},"value":1}',
    "check-ref-document": '{"schema":{"$ref":"https://example.org/a#n"},"value":"x",'
    '"documents":{"https://example.org/a":{"items":{"$anchor":"n","type":"integer"}}}}',
    "check-metaschema": '{"schema":{"$ref":"https://json-schema.org/draft/2020-12/schema"},'
    '"value":{"properties":{"a":{"minLength":-1}}}}',
    "check-dynamic-ref": '{"schema":{"$id":"https://example.org/strict","$dynamicAnchor":"node","$ref":"tree",'
    '"unevaluatedProperties":false,"$defs":{"tree":{"$id":"tree","$dynamicAnchor":"node","type":"object",'
    '"properties":{"children":{"items":{"$dynamicRef":"#node"}}}}}},"value":{"children":[{"childen":[]}]}}',
    "check-unevaluated-properties": '{"schema":{"properties":{"a":true},"anyOf":[{"properties":{"b":{"type":"null"}}},'
    '{"properties":{"colour":true}}],"unevaluatedProperties":false},"value":{"a":1,"b":1,"color":1}}',
    "check-unevaluated-items": '{"schema":{"prefixItems":[true],"contains":{"type":"string"},'
    '"unevaluatedItems":{"type":"null"}},"value":[1,"a",2,null]}',
    "check-unevaluated-after-if": '{"schema":{"if":{"properties":{"a":{"const":1}}},"unevaluatedProperties":false},'
    '"value":{"a":1,"b":2}}',
    "check-deep-dynamic": '{"schema":{"$dynamicAnchor":"n","anyOf":[{"anyOf":[{"contains":{"$dynamicRef":"#n"}},'
    '{"maxItems":0}]}],"unevaluatedItems":false},"value":' + "[" * 60 + "]" * 60 + "}",
    "check-deep-leftover": '{"schema":{"oneOf":[{"anyOf":[{"type":"array"}]},{"const":1}],'
    '"unevaluatedItems":{"$ref":"#"}},"value":' + "[" * 62 + "]" * 62 + "}",
    "check-over-budget": '{"schema":{"pattern":"(a|b)*a(a|b){1500}$"},"value":"' + "ab" * 600 + '"}',
    "check-over-budget-to-compile": '{"schema":{"items":{"pattern":"(?:a|b|c|d){1,1600}"},"prefixItems":['
    + ",".join(f'{{"pattern":"{_classes(250 + number)}"}}' for number in range(6))
    + ']},"value":[]}',
    "check-if-then-else": '{"schema":{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}},'
    '"value":{"a":1}}',
    "check-not": '{"schema":{"not":{"type":"object"}},"value":{}}',
    "check-one-of-nothing": '{"schema":{"oneOf":[{"type":"string"},{"const":5}]},"value":3}',
    "check-nearest-branch": '{"schema":{"anyOf":[{"type":"object","properties":{"a":{"type":"integer"}},'
    '"required":["a","b"]},{"type":"object","properties":{"c":{"type":"integer"}},"required":["c"]}]},'
    '"value":{"c":"1"}}',
    "check-tagged-branch": '{"schema":{"oneOf":[{"properties":{"k":{"const":"a"}},"required":["x"]},'
    '{"properties":{"k":{"const":"b"}},"required":["y"]}]},"value":{"k":"b"}}',
    "check-dependent-required": '{"schema":{"dependentRequired":{"a":["b","c"]}},"value":{"a":1,"c":1}}',
    "check-dependent-schemas": '{"schema":{"dependentSchemas":{"a":{"maxProperties":1}}},"value":{"a":1,"b":1}}',
    "check-prefix-items": '{"schema":{"prefixItems":[{"type":"string"}],"items":false},"value":[1,2]}',
    "check-contains": '{"schema":{"contains":{"type":"null"},"minContains":2,"maxContains":3},"value":[null,1]}',
    "check-property-names": '{"schema":{"propertyNames":{"pattern":"^[a-z]+$"}},"value":{"a":1,"B":1}}',
    "check-pattern-properties": '{"schema":{"patternProperties":{"^x-":{"type":"null"}},"additionalProperties":false},'
    '"value":{"x-a":1,"y":1}}',
    "check-enum-object": '{"schema":{"enum":[{"a":[1,{"b":null}]},"x"]},"value":{"a":[1.0,{"b":false}]}}',
    "check-const-object": '{"schema":{"const":{"a":1,"b":[true]}},"value":{"b":[true],"a":1.0}}',
    **{
        f"check-format-{name}": f'{{"schema":{{"items":{{"format":"{name}"}}}},"value":["{good}","{bad}"],'
        '"formats":"assert"}'
        for name, good, bad in (
            ("date", "2024-02-29", "2023-02-29"),
            ("time", "23:59:60Z", "23:58:60Z"),
            ("date-time", "2026-01-31t08:30:00.5+01:00", "2026-01-31 08:30:00Z"),
            ("duration", "P1Y2M3DT4H", "P1YT"),
            ("email", "ada.l+x@example.org", "ada..l@example.org"),
            ("hostname", "a-1.example", "a_1.example"),
            ("ipv4", "192.0.2.255", "192.0.2.256"),
            ("ipv6", "::ffff:192.0.2.1", "1::2::3"),
            ("uri", "https://u@[::1]:80/a%20b?c#d", "//example.org/a"),
            ("uri-reference", "../a?b", "a b"),
            ("uuid", "123E4567-e89b-12d3-a456-426614174000", "123e4567e89b12d3a456426614174000"),
            ("json-pointer", "/a~1b/0", "a/b"),
            ("relative-json-pointer", "1/a", "-1/a"),
            ("regex", "^(?:a|b)+$", "(a"),
            ("iri", "x", "y"),
        )
    },
}

CALLS = {name: ("check_value", text) for name, text in CHECKS.items()}

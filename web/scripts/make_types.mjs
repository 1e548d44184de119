// Writes the TypeScript types of the core's shapes: python -m tools.types.wire_schema | node web/scripts/make_types.mjs OUTPUT
import { writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { compile } from "json-schema-to-typescript";

const schema = JSON.parse(await text(process.stdin));
const types = await compile(schema, "Wire", {
  additionalProperties: false, // an object with known members has no others; where any may come, the schema says so
  bannerComment: "// Made from the core's own shapes by web/scripts/make_types.mjs; do not edit.",
  enableConstEnums: false,
  format: false,
  unreachableDefinitions: false,
  unknownAny: true,
});
await writeFile(process.argv[2], types);

// Reads texts as JSON from stdin and prints what sanitize and sanitizedJson make of each.
import { readFileSync } from "node:fs";

const { sanitize, sanitizedJson } = await import(process.argv[2]);
const texts = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => [sanitize(text), sanitizedJson(JSON.stringify(text))])));

// Lists the regular expressions of TypeScript and JavaScript files: node literals.mjs FILE...; prints JSON.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname } from "node:path";

const web = createRequire(new URL("../../web/package.json", import.meta.url));
const { parseAst } = await import(web.resolve("rolldown/parseAst"));
const LANGUAGES = { ".ts": "ts", ".tsx": "tsx", ".js": "js", ".mjs": "js" };
const found = [];
for (const file of process.argv.slice(2)) {
  const source = readFileSync(file, "utf8");
  walk(parseAst(source, { lang: LANGUAGES[extname(file)] }), (node) => {
    const place = `${file}:${source.slice(0, node.start).split("\n").length}`;
    if (node.regex) found.push({ place, source: node.regex.pattern, flags: node.regex.flags });
    const isBuilt = ["NewExpression", "CallExpression"].includes(node.type) && node.callee.name === "RegExp";
    if (isBuilt) found.push({ place, built: source.slice(node.start, node.end) });
  });
}
console.log(JSON.stringify(found));

function walk(node, see) {
  if (typeof node !== "object" || node === null) return;
  if (typeof node.type === "string") see(node);
  for (const each of Object.values(node)) walk(each, see);
}

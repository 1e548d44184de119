// node own_dialect_node.mjs PACKAGE TIER > FOUND.json
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { tried } from "./own_dialect.mjs";

const [folder, tier] = process.argv.slice(2);
const api = await import(pathToFileURL(join(folder, "index.js")).href);
console.log(JSON.stringify(await tried(api, { tier })));

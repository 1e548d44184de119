// Which functions of its host the core calls during steps: node step_imports.mjs PACKAGE_FOLDER TIER < INPUTS.json
//
// Every function that the interpreter imports from JavaScript is wrapped. After two warm rounds of all inputs (the first
// loads what is loaded when it is needed, and the heap has its size after the second) the wrappers count, and those
// named as traps throw. Prints {"called": {name: times}, "wrapped": number, "outputs": [text]}.
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const [packageFolder, tier, ...traps] = process.argv.slice(2);
const { boot } = await import(pathToFileURL(join(packageFolder, "core/boot.js")).href);
const called = new Map();
let watching = false;
let wrapped = 0;

const core = await boot({ tier, onImports });
const inputs = JSON.parse(await text(process.stdin));
const play = () => inputs.map(([name, ...args]) => core.call(name, ...args));
play();
play();
watching = true;
const outputs = play();
watching = false;
console.log(JSON.stringify({ tier: core.report.tier, called: Object.fromEntries(called), wrapped, outputs }));

function onImports(imports) {
  // One table stands under several module names.
  for (const functions of new Set(Object.values(imports))) {
    for (const [name, value] of Object.entries(functions)) {
      if (typeof value !== "function") continue;
      wrapped += 1;
      functions[name] = watched(name, value);
    }
  }
}

function watched(name, original) {
  const wrapper = (...args) => {
    if (watching) {
      called.set(name, (called.get(name) ?? 0) + 1);
      if (traps.includes(name)) throw new Error(`trapped: ${name}`);
    }
    return original(...args);
  };
  return Object.assign(wrapper, original); // Emscripten keeps signatures as properties
}

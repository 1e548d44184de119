// Isolates the interpreter's script from its host, and marks it; the other changes of form are in trim.mjs.
import { sha256 } from "./inputs.mjs";

/**
 * Takes Node, eval and imports out of the script: it runs as in a worker on every host, and accesses nothing.
 *
 * That also keeps bundlers from rewriting it, which would look like damage to the loader.
 */
export function sealed(text) {
  const swaps = [
    [/var ENVIRONMENT_IS_WEB=[^;]*;/, "var ENVIRONMENT_IS_WEB=false;"],
    [/var ENVIRONMENT_IS_WORKER=[^;]*;/, "var ENVIRONMENT_IS_WORKER=true;"],
    [/var ENVIRONMENT_IS_NODE=[^;]*;/, "var ENVIRONMENT_IS_NODE=false;"],
    [/var ENVIRONMENT_IS_SHELL=[^;]*;/, "var ENVIRONMENT_IS_SHELL=false;"],
    [/import\.meta\.url/g, '"core.mjs"'],
    [/\b[\w$]+\.IN_(?:NODE|DENO|SHELL)\b/g, "false"],
    // Only extensions with JavaScript inside are evaluated, and none of ours has any; a page may forbid eval altogether.
    [/\b(?:eval|import)\(/g, "refused("],
    [
      /^async function _createPyodideModule\([^)]*\)\{/,
      "$&var refused=()=>{throw Error('this core loads and evaluates no script')};",
    ],
  ];
  return swaps.reduce((before, [pattern, by]) => {
    if (before.search(pattern) < 0) throw new Error(`expected ${pattern} in pyodide.asm.mjs`);
    return before.replace(pattern, by);
  }, text);
}

/**
 * Adds the script's own mark, as a second export: the SHA-256 of the source text of the function it exports.
 *
 * A bundler may minify the script that it copies, which changes the text and keeps the mark.
 */
export async function marked(script) {
  return Buffer.concat([script, Buffer.from(`\nexport const mark="${await sourceHash(script)}";\n`)]);
}

/** Gives the SHA-256 of the source text of the function that a script exports. */
export async function sourceHash(script) {
  const { default: exported } = await import(`data:text/javascript;base64,${Buffer.from(script).toString("base64")}`);
  return sha256(exported.toString());
}

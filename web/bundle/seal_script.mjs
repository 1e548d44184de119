// Isolates the interpreter's script from its host; the other changes of form are in trim.mjs.

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

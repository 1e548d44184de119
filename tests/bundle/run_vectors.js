// Runs conformance vectors on a loaded core: the same module on every host.

/**
 * Loads the core by `boot` with `options` and runs every vector.
 *
 * Gives what passed and failed, a hash of all outputs in order (equal on hosts that agree on every byte), and the report
 * of the load; a load that fails gives its error.
 */
export async function runVectors(boot, options, vectors) {
  let core;
  try {
    core = await boot(options);
  } catch (error) {
    return { error: { code: error.code ?? null, message: String(error.message ?? error) }, passed: 0, failed: [] };
  }
  const failed = [];
  const outputs = [];
  for (const { name, function: called, args, output } of vectors) {
    const found = core.call(called, ...args);
    outputs.push(found);
    if (found !== output) failed.push({ name, expected: output, found });
  }
  const passed = vectors.length - failed.length;
  return {
    error: null,
    passed,
    failed: failed.slice(0, 5),
    failures: failed.length,
    outputs: await digest(outputs),
    report: core.report,
  };
}

async function digest(texts) {
  const bytes = new TextEncoder().encode(texts.join("\n"));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

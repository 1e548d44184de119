// From nothing to the first answered step, with the bundle and with Pyodide as its package comes: the same on every host.
const MODEL_OUTPUT = '{"tool":"shell","command":"ls"}';

/** Loads the core by the loader at an address, in one of its forms, and takes a step. */
export async function withBundle({ loader, tier }) {
  const { boot } = await import(loader);
  const { call, report } = await boot({ tier });
  if (report.tier !== tier) throw new Error(`fell back: ${report.fallback.message}`);
  return firstStep((name, text) => call(name, text));
}

/** Loads Pyodide with its own standard library and the same wheels and sources, read by `read`, and takes a step. */
export async function withStock({ pyodide, indexURL, archives, core }, read) {
  const { loadPyodide } = await import(pyodide);
  const python = await loadPyodide({ indexURL });
  for (const archive of archives) python.unpackArchive(await read(archive), "wheel");
  python.unpackArchive(await read(core), "zip", { extractDir: "/core" });
  python.runPython("import sys; sys.path.insert(0, '/core')");
  const purestep = python.pyimport("purestep");
  return firstStep((name, text) => purestep[name](text));
}

function firstStep(call) {
  const state_json = call("create_agent_state", "List the files");
  const { decision } = JSON.parse(call("run_agent_step", JSON.stringify({ state_json, model_output: MODEL_OUTPUT })));
  if (decision.tool !== "shell") throw new Error(`expected a call of shell; got ${JSON.stringify(decision)}`);
  return decision;
}

// Records what the interpreter compiles while it starts and answers every vector, by way of the loader that starts it later.
import { readFileSync } from "node:fs";
import { vectors } from "../bundle/inputs.mjs";

const BUNDLE = new URL("../dist/bundle/", import.meta.url);

/** Gives the bytes of each module that was compiled with `new WebAssembly.Module`, in the order of their first use. */
export async function recordedModules(tier, parts) {
  const recorded = new Map();
  const real = WebAssembly.Module;
  WebAssembly.Module = new Proxy(real, {
    construct(module, [bytes]) {
      const copy = Buffer.from(new Uint8Array(bytes));
      recorded.set(copy.toString("hex"), copy);
      return new module(bytes);
    },
  });
  try {
    const call = await started(tier, parts);
    for (const vector of vectors()) check(vector, call(vector.function, ...vector.args));
  } finally {
    WebAssembly.Module = real;
  }
  return [...recorded.values()];
}

async function started(tier, { script, main, rest, data }) {
  const { startInterpreter } = await import("../dist/core/interpreter.js");
  const { openCalls } = await import("../dist/core/calls.js");
  const { RestOfModule } = await import("../dist/core/rest.js");
  const { readSnapshot } = await import("../dist/core/snapshot.js");
  const { SIDE_MODULES } = await import("../dist/core/side_modules.js");
  const compiled = Object.entries(SIDE_MODULES).map(async ([name, path]) => ({
    path,
    module: await WebAssembly.compile(read(name)),
  }));
  const parts = {
    createModule: (await import(new URL(script, BUNDLE).href)).default,
    main: await WebAssembly.compile(read(main)),
    sideModules: await Promise.all(compiled),
    rest: rest && new RestOfModule(await WebAssembly.compile(read(rest))),
  };
  const python = tier === "zip" ? { library: read(data) } : { snapshot: readSnapshot(read(data)) };
  return openCalls(await startInterpreter({ ...parts, ...python })).call;
}

function read(name) {
  return new Uint8Array(readFileSync(new URL(name, BUNDLE)));
}

function check(vector, output) {
  if (output !== vector.output)
    throw new Error(`the bundle's core fails the vector ${vector.name}; build the bundle again`);
}

/**
 * Loads the core from its bundle: from a heap snapshot if it can be restored, else by starting the interpreter with its
 * library as a zip.
 *
 * Every file is checked against the manifest, and the report says which of the two forms was used, and why.
 */
import { PurestepError } from "../errors.js";
import type { ReadFile, ReadPart } from "./bundle_files.js";
import { BundleFiles, namesOf } from "./bundle_files.js";
import type { Tier } from "./bundle_manifest.js";
import { MANIFEST } from "./bundle_manifest.js";
import type { Call, Calls } from "./calls.js";
import { openCalls } from "./calls.js";
import { PolicyWatch } from "./content_policy.js";
import { RestOfModule } from "./rest.js";
import type { Register } from "./dialects.js";
import type { InterpreterParts } from "./interpreter.js";
import { startInterpreter } from "./interpreter.js";
import type { LoadProgress } from "./progress.js";
import { BundleProgress } from "./progress.js";
import { SIDE_MODULES } from "./side_modules.js";
import { readSnapshot } from "./snapshot.js";

export type { LoadProgress } from "./progress.js";

const REST = "core_rest.wasm";

export interface BootOptions {
  /** The folder of the bundle; by default the files beside this package, which bundlers find by themselves. */
  bundleURL?: string | URL;
  /** The form to try first: "snapshot" (default; falls back to the other) or "zip". */
  tier?: Tier;
  onProgress?: (progress: LoadProgress) => void;
  /** How a file is read; by default from the disk for file addresses, else by fetch. Scripts are imported by address. */
  read?: ReadFile;
  /** For tests: receives the interpreter's imports from JavaScript before it starts, and may wrap them. */
  onImports?: (imports: WebAssembly.Imports) => void;
}

export interface LoadReport {
  tier: Tier;
  /** Why the snapshot was not used, if it was tried. */
  fallback: { code: string; message: string } | null;
  /** Why a page has the core in its own thread, where `loadCore` wanted a worker. */
  noWorker: { code: string; message: string } | null;
  parts: ReadPart[];
  totalMs: number;
  versions: Record<string, string>;
}

export interface BootedCore {
  /** Runs one JSON function of the core by its Python name; errors are returned as `{"error"}`. */
  call: Call;
  /** Registers a dialect whose functions are JavaScript's. */
  register: Register;
  report: LoadReport;
}

/**
 * Loads the core into this thread.
 *
 * Throws PurestepError `bundle_missing` or `bundle_damaged` when neither form can be loaded, `blocked_by_csp` when the
 * page's policy is the reason, `core_failed` when the loaded core does not answer as recorded when the bundle was built.
 */
export async function boot(options: BootOptions = {}): Promise<BootedCore> {
  const started = performance.now();
  const progress = new BundleProgress(options.onProgress);
  const files = new BundleFiles(options.bundleURL, options.read, progress);
  const policy = new PolicyWatch(() => files.addresses());
  const { tier, calls, fallback, rest } = await loaded(options, files, progress)
    .catch(async (error: unknown) => {
      throw await policy.explained(error);
    })
    .finally(() => policy.end());
  progress.end();
  const report: LoadReport = {
    tier,
    fallback,
    noWorker: null,
    parts: files.parts,
    totalMs: performance.now() - started,
    versions: { ...MANIFEST.versions },
  };
  return { call: rest ? completing(calls.call, rest, files) : calls.call, register: calls.register, report };
}

/**
 * When the rest of the interpreter is loaded: by then a page that decides at once has its first decision, with which the
 * rest would compete for the line and the processor.
 */
const REST_AFTER_MS = 2000;

/** Runs calls as they are, and some time after the first of them loads the rest of the interpreter in the background. */
function completing(call: Call, rest: RestOfModule, files: BundleFiles): Call {
  let begun = false;
  return (name, ...args) => {
    if (!begun) {
      begun = true;
      setTimeout(() => {
        // Not having it is no failure: who needs it loads it then.
        files.module(REST).then(
          (module) => rest.arrived(module),
          () => undefined,
        );
      }, REST_AFTER_MS);
    }
    return call(name, ...args);
  };
}

interface LoadedCore extends LoadedTier {
  tier: Tier;
  fallback: LoadReport["fallback"];
}

async function loaded(options: BootOptions, files: BundleFiles, progress: BundleProgress): Promise<LoadedCore> {
  const first = options.tier ?? "snapshot";
  try {
    return { tier: first, ...(await loadTier(first, options, files, progress)), fallback: null };
  } catch (error) {
    if (first === "zip") throw error;
    const fallback = { code: codeOf(error), message: messageOf(error) };
    if (!files.has("zip")) throw new PurestepError(fallback.code, `${fallback.message}. ${ONE_TIER}`);
    return { tier: "zip", ...(await secondTry(fallback, options, files, progress)), fallback };
  }
}

const ONE_TIER =
  "A bundler copies this tier alone; with a copy of dist/bundle whose address is given as bundleURL there is another";

async function secondTry(
  first: { code: string; message: string },
  options: BootOptions,
  files: BundleFiles,
  progress: BundleProgress,
): Promise<LoadedTier> {
  try {
    return await loadTier("zip", options, files, progress);
  } catch (error) {
    const message = `${messageOf(error)}. Before that the snapshot failed: ${first.message}`;
    throw new PurestepError(codeOf(error), message);
  }
}

interface LoadedTier {
  calls: Calls;
  /** What is loaded after the first call, if anything is. */
  rest?: RestOfModule | undefined;
}

async function loadTier(
  tier: Tier,
  options: BootOptions,
  files: BundleFiles,
  progress: BundleProgress,
): Promise<LoadedTier> {
  if (tier === "snapshot" && !MANIFEST.files["core.snapshot"]) {
    throw new PurestepError("bundle_missing", "expected a bundle with a snapshot; this one was built with --zip-only");
  }
  const unread = namesOf(tier).filter((name) => !files.parts.some((part) => part.name === name));
  progress.expect(unread.reduce((sum, name) => sum + MANIFEST.files[name]!.bytes, 0));
  const parts = await (tier === "snapshot" ? snapshotParts(files) : zipParts(files));
  const calls = openCalls(await startInterpreter({ ...parts, onImports: options.onImports }));
  const answer = calls.call("core_info");
  if (answer !== MANIFEST.coreInfo) {
    throw new PurestepError(
      "core_failed",
      `expected the core of this bundle to answer ${MANIFEST.coreInfo}; got ${answer}`,
    );
  }
  return { calls, rest: files.canLoadNow ? parts.rest : undefined };
}

async function zipParts(files: BundleFiles): Promise<InterpreterParts> {
  const [createModule, main, sideModules, library] = await Promise.all([
    files.script("pyodide.asm.mjs"),
    files.module("pyodide.asm.wasm"),
    sideModulesOf(files),
    files.bytes("python.zip"),
  ]);
  return { createModule, main, sideModules, library };
}

async function snapshotParts(files: BundleFiles): Promise<InterpreterParts> {
  files.chooseForm();
  const [createModule, main, sideModules, snapshot, rest] = await Promise.all([
    files.script("core.mjs"),
    files.module("core.wasm"),
    sideModulesOf(files),
    files.bytes("core.snapshot"),
    // Where a file cannot be read at once later, nothing is left for later.
    files.canLoadNow ? () => files.moduleNow(REST) : files.module(REST),
  ]);
  return { createModule, main, sideModules, rest: new RestOfModule(rest), snapshot: readSnapshot(snapshot) };
}

function sideModulesOf(files: BundleFiles): Promise<InterpreterParts["sideModules"]> {
  const named = Object.entries(SIDE_MODULES);
  return Promise.all(named.map(async ([name, path]) => ({ path, module: await files.module(name) })));
}

function codeOf(error: unknown): string {
  return error instanceof PurestepError ? error.code : "core_failed";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

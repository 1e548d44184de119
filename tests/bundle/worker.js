// The worker of page.js.
import { boot } from "/dist/core/boot.js";
import { runVectors } from "./run_vectors.js";

self.onmessage = async ({ data: { options, vectors } }) => self.postMessage(await runVectors(boot, options, vectors));

// Runs the vectors of a request's body with the core as the worker loads it.
import { report } from "./run_vectors.js";
import { coreInWorkerd } from "./workerd_core.js";

const core = await coreInWorkerd();

export default {
  async fetch(request) {
    return new Response(report(core, await request.text()));
  },
};

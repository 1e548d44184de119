// Answers the calls of a request's body with the core as the worker loads it.
import { answered } from "./calls.js";
import { coreInWorkerd } from "./workerd_core.js";

const core = await coreInWorkerd();

export default {
  async fetch(request) {
    return new Response(JSON.stringify(answered(core, await request.json())));
  },
};

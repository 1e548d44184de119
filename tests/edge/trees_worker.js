// Answers requests about trees of agents, with the core as the worker loads it.
import { treeAnswer } from "./trees.js";
import { coreInWorkerd } from "./workerd_core.js";

const core = await coreInWorkerd();

export default {
  async fetch(request) {
    return new Response(await treeAnswer(core, await request.json(), "workerd"));
  },
};

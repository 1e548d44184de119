// Loads the core in a worker of Deno's, calls it, and ends it: prints what came.
import { createWorkerCore } from "../../web/dist/worker/index.js";

const core = await createWorkerCore({ tier: "zip" });
const info = await core.core_info();
const pending = core.core_info().catch((error) => error.code);
core.close();
console.log(
  JSON.stringify({ info, pending: await pending, later: await core.core_info().catch((error) => error.code) }),
);

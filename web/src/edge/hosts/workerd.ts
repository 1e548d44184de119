/** The edge service as a worker: `web/bundle_workerd/build.mjs` makes dist/workerd of it. */
import { createEdgeHandler } from "../handler.js";
import { readConfig } from "./config.js";
import { wired } from "./wiring.js";
import { coreInWorkerd } from "./workerd_core.js";

/** What the worker is bound to by its configuration. */
interface Bindings {
  /** The text of the service's configuration. */
  CONFIG: string;
  /** Reaches the model's server only; without it the model is called by the global fetch. */
  MODEL?: { fetch: typeof fetch };
}

type Service = (request: Request) => Promise<Response>;

const core = await coreInWorkerd();

// Made of the bindings alone, which are the same for every request.
let service: Service | undefined;

function serviceOf({ CONFIG, MODEL }: Bindings): Service {
  const ways = MODEL ? { model: ((input, init) => MODEL.fetch(input, init)) as typeof fetch } : {};
  const onServed = (served: object): void => console.log(JSON.stringify(served));
  return createEdgeHandler({ ...wired(readConfig(CONFIG), core, "workerd", ways), onServed });
}

export default {
  fetch(request: Request, bindings: Bindings): Promise<Response> {
    service ??= serviceOf(bindings);
    return service(request);
  },
};

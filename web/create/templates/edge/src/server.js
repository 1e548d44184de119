import { randomBytes } from "node:crypto";
import { serve } from "@hono/node-server";
import { createAgentCore } from "purestep";
import { createEdgeHandler } from "purestep/edge";
import { openAiModel } from "purestep/openai";
import { tools } from "./tools.js";

const { MODEL_SERVER, MODEL, MODEL_KEY, PORT, SEAL_KEY = randomBytes(32).toString("base64") } = process.env;
const key = MODEL_KEY ? { apiKey: MODEL_KEY } : {};
const service = createEdgeHandler({
  core: await createAgentCore(),
  model: openAiModel({ baseUrl: MODEL_SERVER, model: MODEL, hideAddress: true, ...key }),
  tools,
  sealKeys: [{ id: "key-1", secret: SEAL_KEY }],
});

serve({ fetch: service, hostname: "127.0.0.1", port: Number(PORT) }, ({ port }) =>
  console.log(`listening on http://127.0.0.1:${port}`),
);

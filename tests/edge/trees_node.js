// Answers requests about trees of agents in Node, at the port of a configuration: node trees_node.js CONFIG.json
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { createAgentCore } from "../../web/dist/core/core.js";
import { treeAnswer } from "./trees.js";

const { port } = JSON.parse(await readFile(process.argv[2], "utf8"));
const core = await createAgentCore();
const server = createServer(async (request, response) => {
  response.end(
    await treeAnswer(core, await json(request), "node").catch((error) => JSON.stringify({ error: error.stack })),
  );
});
server.listen(port, "127.0.0.1", () => console.log("listening on", port));

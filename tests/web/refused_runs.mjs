// Asks servers that refuse something, each twice by agents of their own: refused_runs.mjs PACKAGE_FOLDER < CASES.json
//
// A case: {"url", "definition", "parameters": those of the only tool, "query"}. A result: [{"ended", "log"}, ...].
export async function played({ Agent, createAgentCore, openAiModel }, cases) {
  const core = await createAgentCore();
  const spec = { name: "find_order", description: "Look up an order.", annotations: { readOnlyHint: true } };
  const results = [];
  for (const { url, definition, parameters, query } of cases) {
    const runs = [];
    for (const run_id of ["first", "second"]) {
      let log = "";
      const ports = {
        model: openAiModel({ baseUrl: url, model: "m" }),
        tools: [{ spec: { ...spec, parameters }, run: async () => ({ ok: true, output: "shipped" }) }],
        log: { append: (lines) => void (log += lines) },
      };
      const ended = await new Agent(core, ports, definition, { run_id }).ask(query);
      runs.push({ ended, log });
    }
    results.push(runs);
  }
  return results;
}

if (globalThis.process?.argv[2]) {
  const { text } = await import("node:stream/consumers");
  const { pathToFileURL } = await import("node:url");
  const load = (file) => import(new URL(file, pathToFileURL(`${process.argv[2]}/`)).href);
  const parts = { ...(await load("index.js")), ...(await load("models/openai.js")) };
  console.log(JSON.stringify(await played(parts, JSON.parse(await text(process.stdin)))));
}

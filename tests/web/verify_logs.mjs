// Checks the logs on stdin, [log, head] each, without the core, and prints what was found: under Node and Deno.
const { verifyLog } = await import(process.argv[2]);
let text = "";
for await (const chunk of process.stdin) text += chunk;
console.log(
  JSON.stringify(await Promise.all(JSON.parse(text).map(([log, head]) => verifyLog(log, head ?? undefined)))),
);

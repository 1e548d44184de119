// Checks changes of logs without the core: each line from stdin is [log, head, [kind, begin, end, put][]], with bytes in
// base64; each line written is what was found, [code, line] or null for a log that was taken.
import { createInterface } from "node:readline";
import { verifyLog } from "../../web/verify/verify_log.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  const [text, head, changes] = JSON.parse(line);
  const log = Buffer.from(text, "base64");
  const found = [];
  for (const [, begin, end, put] of changes) {
    const made = Buffer.concat([log.subarray(0, begin), Buffer.from(put, "base64"), log.subarray(end)]);
    const { ok, code, line: named } = await verifyLog(new Uint8Array(made), head);
    found.push(ok ? null : [code, named]);
  }
  console.log(JSON.stringify(found));
}

// Checks the logs on stdin, [log, head] each, without the core, and prints what was found: under Node and Deno. A log of
// bytes is given in base64, and checked in pieces of a few of them.
const { verifyLog } = await import(process.argv[2]);
let text = "";
for await (const chunk of process.stdin) text += chunk;

function* piecesOf(bytes) {
  for (let begin = 0, size = 1; begin < bytes.length; begin += size, size = (size * 7) % 61) {
    yield bytes.subarray(begin, begin + size);
  }
}

const given = (log) => (typeof log === "string" ? log : piecesOf(Buffer.from(log.base64, "base64")));
console.log(
  JSON.stringify(await Promise.all(JSON.parse(text).map(([log, head]) => verifyLog(given(log), head ?? undefined)))),
);

/** Checks receipts with a COSE library that is not ours: lines of JSON in, the payload that it accepts out. */
import { createPublicKey } from "node:crypto";
import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const { Sign1 } = createRequire(new URL("../../web/package.json", import.meta.url))("@auth0/cose");
const bytesOf = (text) => Uint8Array.from(Buffer.from(text, "base64"));

async function payloadOf({ receipt, key, root }) {
  const message = Sign1.decode(bytesOf(receipt));
  await message.verify(createPublicKey(key), root ? { detachedPayload: bytesOf(root) } : {});
  return Buffer.from(root ? bytesOf(root) : message.payload).toString("base64");
}

for await (const line of createInterface({ input: process.stdin })) {
  const said = await payloadOf(JSON.parse(line)).catch((error) => `refused: ${error.message}`);
  console.log(JSON.stringify(said));
}

// Checks the receipt and the log of a request's body in workerd, with the core and without it.
import { verifyReceipt, verifyRun } from "../../web/verify/receipts.mjs";
import { coreInWorkerd } from "./workerd_core.js";

const core = await coreInWorkerd();
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

async function foundOf({ receipt, key, now, log, derive }) {
  const { statements } = await verifyReceipt(bytesOf(receipt), key, { now });
  return verifyRun(bytesOf(log), statements[0], derive ? { core } : {});
}

export default {
  async fetch(request) {
    const found = await foundOf(await request.json()).catch(({ code, message, line }) => ({ code, message, line }));
    return Response.json(found);
  },
};

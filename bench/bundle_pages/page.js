// Takes the first step in this page, between two marks that the server measures at.
import { withBundle, withStock } from "./first_step.js";

const job = await (await fetch("/job")).json();
const read = async (address) => (await fetch(address)).arrayBuffer();
await new Promise((resolve) => setTimeout(resolve, 500)); // the browser's own start is not what is measured
await fetch("/mark/start", { method: "POST", body: "" });
let error = null;
try {
  await (job.tier ? withBundle(job) : withStock(job, read));
} catch (caught) {
  error = String(caught.message ?? caught);
}
await fetch("/mark/end", { method: "POST", body: "" });
await fetch("/result", { method: "POST", body: JSON.stringify({ error }) });

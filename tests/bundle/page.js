// Starts run_vectors.js in this page or in a module worker, and posts the result back to the server it came from.
import { runVectors } from "./run_vectors.js";

const job = await (await fetch("/job")).json();
let longestGapMs = 0;
let last = performance.now();
const beat = setInterval(() => {
  longestGapMs = Math.max(longestGapMs, performance.now() - last);
  last = performance.now();
}, 1);
const result = await (job.worker ? inWorker(job) : inPage(job));
clearInterval(beat);
await fetch("/result", { method: "POST", body: JSON.stringify({ ...result, longestGapMs }) });

async function inPage({ options, vectors }) {
  const { boot } = await import("/dist/core/boot.js");
  return runVectors(boot, options, vectors);
}

function inWorker(job) {
  const worker = new Worker("worker.js", { type: "module" });
  return new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) =>
      resolve({ error: { code: null, message: message ?? "the worker failed" }, passed: 0, failed: [] });
    worker.postMessage(job);
  });
}

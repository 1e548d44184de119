// Takes the first step in the page or in a worker of its own: `visit(job)`; gives the longest task that the page saw.
import { withBundle, withStock } from "./first_step.js";

const read = async (address) => (await fetch(address)).arrayBuffer();

/** Takes the step in this thread. */
export const step = (job) => (job.tier ? withBundle(job) : withStock(job, read));

/** Takes the step where the job says; gives the milliseconds by the clock of the longest task of 50 or more, else 0. */
export async function visit(job) {
  let longest = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  });
  observer.observe({ type: "longtask" });
  await (job.worker ? inWorker(job) : step(job));
  await new Promise((resolve) => setTimeout(resolve, 50)); // a task is told after its end
  observer.disconnect();
  return longest;
}

function inWorker(job) {
  const worker = new Worker(new URL("visit_worker.js", import.meta.url), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data === "done" ? resolve() : reject(new Error(data)));
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(job);
  });
}

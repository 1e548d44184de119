/** Puts the page for phones beside the playground: one file of its own, and the worker that keeps it on the phone. */
import type { Plugin } from "vite";
import { approvePage as made, approveWorker } from "../approve_page/build.mjs";

const WORKER = "approve_worker.js";

export function approvePage(): Plugin {
  return {
    name: "purestep-approve-page",
    apply: "build",
    async generateBundle() {
      const { html } = await made({ worker: WORKER });
      this.emitFile({ type: "asset", fileName: "approve.html", source: html });
      this.emitFile({ type: "asset", fileName: WORKER, source: approveWorker() });
    },
  };
}

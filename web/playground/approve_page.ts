/** Puts the page for phones beside the playground: it is one file of its own. */
import type { Plugin } from "vite";
import { approvePage as made } from "../approve_page/build.mjs";

export function approvePage(): Plugin {
  return {
    name: "purestep-approve-page",
    apply: "build",
    async generateBundle() {
      const { html } = await made();
      this.emitFile({ type: "asset", fileName: "approve.html", source: html });
    },
  };
}

/** Puts the page that checks logs without the core beside the playground: it is one file of its own. */
import type { Plugin } from "vite";
import { verifyPage as made } from "../verify_page/build.mjs";

export function verifyPage(): Plugin {
  return {
    name: "purestep-verify-page",
    apply: "build",
    async generateBundle() {
      const { html } = await made({ playground: true });
      this.emitFile({ type: "asset", fileName: "verify.html", source: html });
    },
  };
}

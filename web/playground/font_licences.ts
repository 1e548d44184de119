/** Puts the licences of the two fonts beside them in the build: theirs ask for that. */
import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";

const FONTS = ["inter", "jetbrains-mono"];

export function fontLicences(): Plugin {
  return {
    name: "purestep-font-licences",
    apply: "build",
    async generateBundle() {
      for (const font of FONTS) {
        const source = await readFile(
          new URL(`../node_modules/@fontsource-variable/${font}/LICENSE`, import.meta.url),
          "utf-8",
        );
        this.emitFile({ type: "asset", fileName: `assets/${font}-LICENSE.txt`, source });
      }
    },
  };
}

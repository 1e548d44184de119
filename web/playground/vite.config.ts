/** Builds the playground into web/dist-playground, and serves it with the headers it is meant to have. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { approvePage } from "./approve_page.ts";
import { binaryFiles } from "./binary_files.ts";
import { compiledPackage } from "./compiled_package.ts";
import { firstChunk } from "./first_chunk.ts";
import { fontLicences } from "./font_licences.ts";
import { HEADERS } from "./headers.ts";
import { modelFiles } from "./model_files.ts";
import { offlineFiles } from "./offline_files.ts";
import { sandboxCode } from "./sandbox_code.ts";
import { verifyPage } from "./verify_page.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

export default defineConfig({
  root: here,
  // Relative, so that the folder can be served from anywhere.
  base: "./",
  plugins: [
    compiledPackage(),
    binaryFiles(),
    modelFiles(HEADERS),
    fontLicences(),
    sandboxCode(),
    verifyPage(),
    approvePage(),
    offlineFiles(),
  ],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es", plugins: () => [compiledPackage(), sandboxCode()] },
  build: {
    outDir: fileURLToPath(new URL("../dist-playground", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    // A data: address would need a hole in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The model libraries come in chunks of their own, which are loaded when one is chosen.
    chunkSizeWarningLimit: 8000,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: firstChunk, debugName: "first" }] } } },
  },
  preview: { host: "127.0.0.1", port: 4173, headers: HEADERS },
  server: { host: "127.0.0.1" },
});

/**
 * Makes the page for phones: one file with its style and its script, of which its policy has the hashes.
 *
 *     node build.mjs     writes web/dist/approve.html
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pageOfOneFile, writePage } from "../scripts/page_of_one_file.mjs";

const HERE = new URL(".", import.meta.url);
const STYLES = "../playground/src/styles/";

/** Gives the page and the hashes of its two parts as a policy names them; worker: the name of the worker beside it. */
export function approvePage({ worker = "" } = {}) {
  return pageOfOneFile(HERE, {
    script: "main.tsx",
    styles: [...["tokens", "base", "controls", "approval"].map((name) => `${STYLES}${name}.css`), "page.css"],
    policy: [
      "require-trusted-types-for 'script'",
      worker ? "trusted-types default; worker-src 'self'" : "trusted-types 'none'",
    ],
    replaced: worker ? { "<html": `<html data-worker="${worker}"` } : {},
  });
}

/** Gives the worker's text. */
export function approveWorker() {
  return readFileSync(new URL("worker.js", HERE), "utf8");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writePage("approve.html", await approvePage());

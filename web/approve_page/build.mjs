/**
 * Makes the page for phones: one file with its style and its script, of which its policy has the hashes.
 *
 *     node build.mjs     writes web/dist/approve.html
 */
import { fileURLToPath } from "node:url";
import { pageOfOneFile, writePage } from "../scripts/page_of_one_file.mjs";

const HERE = new URL(".", import.meta.url);
const STYLES = "../playground/src/styles/";

/** Gives the page and the hashes of its two parts as a policy names them. */
export function approvePage() {
  return pageOfOneFile(HERE, {
    script: "main.tsx",
    styles: [...["tokens", "base", "controls", "approval"].map((name) => `${STYLES}${name}.css`), "page.css"],
    policy: ["require-trusted-types-for 'script'", "trusted-types 'none'"],
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writePage("approve.html", await approvePage());

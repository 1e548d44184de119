/**
 * Makes the page that checks logs: one file with its style and its script, of which its policy has the hashes.
 *
 *     node build.mjs     writes web/dist/verify.html
 */
import { fileURLToPath } from "node:url";
import { pageOfOneFile, writePage } from "../scripts/page_of_one_file.mjs";

const HERE = new URL(".", import.meta.url);
const PLAYGROUND = ', or <a id="playground" href="./index.html">the playground</a> in your browser';

/** Gives the page and the hashes of its two parts as a policy names them; playground: it stands beside that. */
export function verifyPage({ playground = false } = {}) {
  return pageOfOneFile(HERE, {
    script: "page.ts",
    styles: ["page.css"],
    replaced: { "<!-- playground -->": playground ? PLAYGROUND : "" },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writePage("verify.html", await verifyPage());

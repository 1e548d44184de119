/** Makes pages of one file: with their style and their script in them, of which their policy has the hashes. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const DIST = new URL("../dist/", import.meta.url);

/**
 * Gives the page of a folder, and the hashes of its two parts as a policy names them.
 *
 * policy: directives besides those that shut everything; replaced: texts of `index.html` that others stand for.
 */
export async function pageOfOneFile(folder, { script, styles, policy = [], replaced = {} }) {
  const read = (name) => readFileSync(new URL(name, folder), "utf8");
  // A page of one file has no fonts to load.
  const style = styles
    .map(read)
    .join("")
    .replace(/@font-face \{[^}]*\}/g, "")
    .replace(/\s*\n\s*/g, "");
  const code = await bundled(fileURLToPath(new URL(script, folder)));
  const hashes = { script: hashOf(code), style: hashOf(style) };
  const shut = `default-src 'none'; script-src ${hashes.script}; style-src ${hashes.style}; base-uri 'none'; form-action 'none'`;
  let html = read("index.html").replace(/\s*\n\s*/g, " ");
  for (const [mark, text] of Object.entries(replaced)) html = html.replace(mark, () => text);
  // By functions, as the text that is put in may hold the signs of a replacement.
  html = html
    .replace("POLICY", () => [shut, ...policy].join("; "))
    .replace("<style></style>", () => `<style>${style}</style>`)
    .replace("></script>", () => `>${code}</script>`);
  return { html: `${html.trim()}\n`, hashes };
}

/** Writes a page into the package. */
export function writePage(name, { html }) {
  mkdirSync(DIST, { recursive: true });
  writeFileSync(new URL(name, DIST), html);
}

async function bundled(input) {
  const bundle = await rolldown({
    input,
    resolve: { extensionAlias: { ".js": [".ts", ".tsx", ".js"] } },
  });
  const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false });
  await bundle.close();
  if (output.length !== 1) throw new Error(`expected one script; got ${output.length}`);
  // It stands in a page, which ends a script at these letters.
  return output[0].code.trim().replaceAll("</script", "<\\/script");
}

const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

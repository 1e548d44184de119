/**
 * Makes the page that checks logs: one file with its style and its script, of which its policy has the hashes.
 *
 *     node build.mjs     writes web/dist/verify.html
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const HERE = new URL(".", import.meta.url);
const PLAYGROUND = ', or <a id="playground" href="./index.html">the playground</a> in your browser';

/** Gives the page and the hashes of its two parts as a policy names them; playground: it stands beside that. */
export async function verifyPage({ playground = false } = {}) {
  const style = read("page.css").replace(/\s*\n\s*/g, "");
  const script = await bundled("page.ts");
  const hashes = { script: hashOf(script), style: hashOf(style) };
  const policy = `default-src 'none'; script-src ${hashes.script}; style-src ${hashes.style}; base-uri 'none'; form-action 'none'`;
  // By functions, as the text that is put in may hold the signs of a replacement.
  const html = read("index.html")
    .replace(/\s*\n\s*/g, " ")
    .replace("<!-- playground -->", playground ? PLAYGROUND : "")
    .replace("POLICY", () => policy)
    .replace("<style></style>", () => `<style>${style}</style>`)
    .replace("></script>", () => `>${script}</script>`);
  return { html: `${html.trim()}\n`, hashes };
}

const read = (name) => readFileSync(new URL(name, HERE), "utf8");

async function bundled(name) {
  const bundle = await rolldown({
    input: fileURLToPath(new URL(name, HERE)),
    resolve: { extensionAlias: { ".js": [".ts", ".js"] } },
  });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  await bundle.close();
  if (output.length !== 1) throw new Error(`expected one script; got ${output.length}`);
  // It stands in a page, which ends a script at these letters.
  return output[0].code.trim().replaceAll("</script", "<\\/script");
}

const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { html } = await verifyPage();
  mkdirSync(new URL("../dist/", HERE), { recursive: true });
  writeFileSync(new URL("../dist/verify.html", HERE), html);
}

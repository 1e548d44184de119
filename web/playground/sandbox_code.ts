/**
 * Gives the code that tools find in their sandbox as one text: zod without its translations, and the package's `tool`.
 *
 * The sandbox is an interpreter of its own, which takes no module of the page.
 */
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import type { Plugin } from "vite";

const NAME = "virtual:sandbox-code";
const INSIDE = fileURLToPath(new URL("src/own_tools/inside/inside.ts", import.meta.url));
/** zod's messages in 50 languages, of which the model is told the English ones. */
const TRANSLATIONS = /[\\/]locales[\\/]index\.js$/;
const NOTHING = "\0nothing";

async function bundled(): Promise<string> {
  const build = await rolldown({
    input: INSIDE,
    platform: "browser",
    resolve: { extensionAlias: { ".js": [".ts", ".js"] } },
    plugins: [
      {
        name: "without-translations",
        resolveId: (id) => (TRANSLATIONS.test(id) ? NOTHING : null),
        load: (id) => (id === NOTHING ? "export {}" : null),
      },
    ],
  });
  const { output } = await build.generate({ format: "esm", minify: true, codeSplitting: false });
  return output[0].code;
}

export function sandboxCode(): Plugin {
  let code: Promise<string> | undefined;
  return {
    name: "purestep-sandbox-code",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load: async (id) => (id === `\0${NAME}` ? `export default ${JSON.stringify(await (code ??= bundled()))}` : null),
  };
}

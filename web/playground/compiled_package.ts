/**
 * Takes the package as it is published, compiled to web/dist: the bundle's manifest exists only beside that.
 *
 * The page's own files name the sources, so that types are checked against what is being written now.
 */
import { dirname, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const SOURCES = fileURLToPath(new URL("../src", import.meta.url)) + sep;
const COMPILED = fileURLToPath(new URL("../dist", import.meta.url)) + sep;

export function compiledPackage(): Plugin {
  return {
    name: "purestep-compiled-package",
    enforce: "pre",
    resolveId(source, importer) {
      if (!importer || !source.startsWith(".")) return null;
      const path = resolve(dirname(importer), source);
      return path.startsWith(SOURCES) ? COMPILED + path.slice(SOURCES.length) : null;
    },
  };
}

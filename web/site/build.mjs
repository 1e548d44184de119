/** Builds the documentation as static files: node build.mjs [BASE] [TARGET] */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, extname, join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vitepress";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = resolve(HERE, "../..");
const LINK = /\[([^\]]*)\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?\)/g;
const PICTURE = /(?:src|srcset)="(?!https?:)([^"]+)"/g;
const GROUP = /^\| ([^|]+) \| (.*) \|$/gm;

/** Returns the pages and files that a page leads to, also through other pages, by their paths from the root. */
function reached(pages) {
  const found = new Set(pages);
  for (const page of found) {
    if (!page.endsWith(".md")) continue;
    const text = readFileSync(join(ROOT, page), "utf8");
    const paths = [...text.matchAll(LINK)].map(([, , path]) => path);
    const pictures = [...text.matchAll(PICTURE)].map(([, path]) => path);
    for (const path of [...paths, ...pictures].map((each) => from(page, each))) if (isFile(path)) found.add(path);
  }
  return found;
}

function from(page, path) {
  return posix.join(posix.dirname(page), path);
}

/** An example may look like a link. */
function isFile(path) {
  return existsSync(join(ROOT, path)) && statSync(join(ROOT, path)).isFile();
}

/** Writes pages where they stand in the tree, so that their links hold; other files are served as they are. */
function writeSource(files, source) {
  for (const file of files) {
    const target = join(source, file.endsWith(".md") ? file : `public/${served(file)}`);
    mkdirSync(dirname(target), { recursive: true });
    if (file.endsWith(".md")) writeFileSync(target, page(file));
    else cpSync(join(ROOT, file), target);
  }
  writeFileSync(join(source, "index.md"), page("README.md"));
}

/** Returns a page's text; a link to a folder, of which a server would show nothing, is its text alone. */
function page(file) {
  return readFileSync(join(ROOT, file), "utf8").replaceAll(LINK, (link, text, path, place = "") => {
    const found = from(file, path);
    if (isFile(found)) return `[${text}](${served(path)}${place})`;
    return existsSync(join(ROOT, found)) ? text : link;
  });
}

/** Returns the path under which a file is served: any but these endings would be taken for a page. */
function served(path) {
  return [".md", ".svg", ".png", ".json"].includes(extname(path)) ? path : `${path}.txt`;
}

/** Returns the sidebar: the groups of the README's table of pages. */
function sidebar() {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  return [...readme.slice(readme.indexOf("## Read on")).matchAll(GROUP)].flatMap(([, text, links]) => {
    const pages = [...links.matchAll(/\[([^\]]+)\]\(([^)#]+)\.md\)/g)];
    const items = pages.map(([, name, path]) => ({ text: name, link: `/${path}` }));
    return items.length > 0 ? [{ text: text[0].toLocaleUpperCase("en") + text.slice(1), items }] : [];
  });
}

const [base = "/", target = join(ROOT, "web/dist-site")] = process.argv.slice(2);
const source = join(HERE, "source");
const files = reached(["README.md"]);
rmSync(source, { recursive: true, force: true });
writeSource(files, source);
const found = { base, outDir: resolve(target), sidebar: sidebar(), files: [...files].map(served) };
mkdirSync(join(source, ".vitepress"));
writeFileSync(join(source, ".vitepress/site.json"), JSON.stringify(found));
cpSync(join(HERE, "config.mjs"), join(source, ".vitepress/config.mjs"));
cpSync(join(HERE, "theme"), join(source, ".vitepress/theme"), { recursive: true });
await build(source);

/** VitePress's configuration; what depends on the tree stands in site.json beside it. */
import { readFileSync } from "node:fs";

const { base, outDir, sidebar, files } = JSON.parse(readFileSync(new URL("site.json", import.meta.url), "utf8"));

/** Pages are text, also where they look like a template of Vue. */
function asText(md) {
  for (const kind of ["text", "code_inline"]) {
    const write = md.renderer.rules[kind];
    md.renderer.rules[kind] = (...given) => write(...given).replaceAll("{{", "&#123;&#123;");
  }
}

export default {
  title: "purestep",
  description: "An agent decision core that runs anywhere Python can be compiled to.",
  base,
  outDir,
  // What is no page is served beside them.
  ignoreDeadLinks: [(link) => files.some((file) => file.endsWith(link.replace(/^[./]+/, "")))],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    attrs: { disable: true },
    config: asText,
  },
  vue: { template: { transformAssetUrls: false } }, // pictures stand beside the pages
  themeConfig: {
    search: { provider: "local" },
    sidebar,
    outline: "deep",
    nav: [
      { text: "Playground", link: "/playground/index.html", target: "_self" },
      { text: "Check a log", link: "/playground/verify.html", target: "_self" },
    ],
  },
};

/** Reduces an HTML page to the text that a reader sees, its title first, one line a block: on hosts with and without a DOM. */
import { Parser } from "htmlparser2";
import { BLOCKS, joined_lines, UNSEEN } from "./page_text.js";

/** Gives the visible text of a page. */
export function html_text(page: string): string {
  const parts: string[] = [];
  const hidden = new Map<string, number>();
  let in_title = false;
  const parser = new Parser({
    onopentagname(name) {
      in_title = name === "title";
      if (name === "body") hidden.clear(); // a head that was never closed ends here
      if (UNSEEN.has(name)) hidden.set(name, (hidden.get(name) ?? 0) + 1);
      if (BLOCKS.has(name)) parts.push("\n");
    },
    ontext(text) {
      if (in_title || hidden.size === 0) parts.push(text.replaceAll("\n", " "));
    },
    onclosetag(name) {
      in_title = false;
      const open = (hidden.get(name) ?? 0) - 1;
      if (open > 0) hidden.set(name, open);
      else hidden.delete(name);
      if (BLOCKS.has(name)) parts.push("\n");
    },
  });
  parser.end(page);
  return joined_lines(parts);
}

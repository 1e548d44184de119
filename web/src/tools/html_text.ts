/**
 * Reduces an HTML page to the text that a reader sees, its title first, one line a block: for hosts without a DOM.
 *
 * Only what hides or separates text is looked at, tag by tag: a tree of a hostile page takes seconds to build.
 */
import { Tokenizer } from "htmlparser2";
import { BLOCKS, joinedLines, UNSEEN } from "./page_text.js";

/** Gives the visible text of a page, in time proportional to its length. */
export function htmlText(page: string): string {
  const seen = new SeenText(page);
  const tokenizer = new Tokenizer({ decodeEntities: true }, seen);
  tokenizer.write(page);
  tokenizer.end();
  return joinedLines(seen.parts);
}

/** What the tokenizer tells of a page, by places in it. */
class SeenText {
  readonly parts: string[] = [];
  readonly #hidden = new Map<string, number>();
  #inTitle = false;

  constructor(readonly page: string) {}

  onopentagname(from: number, to: number): void {
    const name = this.#name(from, to);
    this.#inTitle = name === "title";
    if (name === "body") this.#hidden.clear(); // a head that was never closed ends here
    if (UNSEEN.has(name)) this.#hidden.set(name, (this.#hidden.get(name) ?? 0) + 1);
    this.#separate(name);
  }

  onclosetag(from: number, to: number): void {
    const name = this.#name(from, to);
    this.#inTitle = false;
    const open = (this.#hidden.get(name) ?? 0) - 1;
    if (open > 0) this.#hidden.set(name, open);
    else this.#hidden.delete(name);
    this.#separate(name);
  }

  ontext(from: number, to: number): void {
    this.#show(this.page.slice(from, to));
  }

  ontextentity(codePoint: number): void {
    this.#show(String.fromCodePoint(codePoint));
  }

  #name(from: number, to: number): string {
    return this.page.slice(from, to).toLowerCase();
  }

  #separate(name: string): void {
    if (BLOCKS.has(name)) this.parts.push("\n");
  }

  #show(text: string): void {
    if (this.#inTitle || this.#hidden.size === 0) this.parts.push(text.replaceAll("\n", " "));
  }

  // Attributes, comments and declarations are no text.
  onattribdata(): void {}
  onattribend(): void {}
  onattribentity(): void {}
  onattribname(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onopentagend(): void {}
  onprocessinginstruction(): void {}
  onselfclosingtag(): void {}
}

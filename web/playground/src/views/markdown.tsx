/**
 * An answer's Markdown as elements of the page.
 *
 * The parser only gives tokens, and each becomes an element of ours with text in it: HTML in an answer stays text, images
 * are never loaded, and only web and mail addresses become links.
 */
import type { Token, Tokens } from "marked";
import { Lexer } from "marked";
import type { ComponentChildren } from "preact";
import { sanitize } from "../../../src/sanitize.js";

// Longer answers are shown as they are: nobody reads so much laid out, and parsing would hold the page up.
const MAX_CHARS = 20_000;
// Deeper nesting is shown as text.
const MAX_DEPTH = 12;

export function Markdown({ text }: { text: string }) {
  if (text.length > MAX_CHARS) return <p class="plain">{sanitize(text)}</p>;
  return <>{blocks(new Lexer({ gfm: true }).lex(sanitize(text)), 0)}</>;
}

function blocks(tokens: readonly Token[], depth: number): ComponentChildren {
  return depth > MAX_DEPTH ? tokens.map(({ raw }) => raw).join("") : tokens.map((token) => block(token, depth + 1));
}

function block(token: Token, depth: number): ComponentChildren {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "paragraph":
      return <p>{inlines(token as Tokens.Paragraph, depth)}</p>;
    case "heading":
      return <p class="heading">{inlines(token as Tokens.Heading, depth)}</p>;
    case "code":
      return (
        <pre class="code" tabIndex={0}>
          {(token as Tokens.Code).text}
        </pre>
      );
    case "blockquote":
      return <blockquote>{blocks((token as Tokens.Blockquote).tokens, depth)}</blockquote>;
    case "list":
      return list(token as Tokens.List, depth);
    case "table":
      return table(token as Tokens.Table, depth);
    case "hr":
      return <hr />;
    default:
      return inline(token, depth);
  }
}

function list({ ordered, start, items }: Tokens.List, depth: number): ComponentChildren {
  const entries = items.map((item) => <li>{blocks(item.tokens, depth)}</li>);
  return ordered ? <ol start={Number(start)}>{entries}</ol> : <ul>{entries}</ul>;
}

function table({ header, rows }: Tokens.Table, depth: number): ComponentChildren {
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            {header.map((cell) => (
              <th>{inlines(cell, depth)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td>{inlines(cell, depth)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The text inside of a token; one without parts is its own text. */
function inlines(token: { tokens?: Token[]; text: string }, depth: number): ComponentChildren {
  if (depth > MAX_DEPTH || !token.tokens) return token.text;
  return token.tokens.map((part) => inline(part, depth + 1));
}

function inline(token: Token, depth: number): ComponentChildren {
  switch (token.type) {
    case "strong":
      return <strong>{inlines(token as Tokens.Strong, depth)}</strong>;
    case "em":
      return <em>{inlines(token as Tokens.Em, depth)}</em>;
    case "del":
      return <s>{inlines(token as Tokens.Del, depth)}</s>;
    case "codespan":
      return <code>{(token as Tokens.Codespan).text}</code>;
    case "br":
      return <br />;
    case "link":
      return link(token as Tokens.Link, depth);
    case "text":
    case "escape":
      return inlines(token as Tokens.Text, depth);
    default:
      return token.raw; // HTML and images among them
  }
}

/** Shows where a link leads, beside words that may say something else. */
function link(token: Tokens.Link, depth: number): ComponentChildren {
  const address = webAddress(token.href);
  if (!address) return token.raw;
  const words = inlines(token, depth);
  const shown = token.text === token.href ? null : <span class="hint"> ({new URL(address).host || address})</span>;
  return (
    <>
      <a href={address} target="_blank" rel="noopener noreferrer nofollow">
        {words}
      </a>
      {shown}
    </>
  );
}

function webAddress(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const { protocol, href: address } = new URL(href);
  return ["https:", "http:", "mailto:"].includes(protocol) ? address : undefined;
}

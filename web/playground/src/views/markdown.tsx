/**
 * An answer's Markdown as elements of the page.
 *
 * The parser only gives tokens, and each becomes an element of ours with text in it: HTML in an answer stays text, images
 * are never loaded, and only web and mail addresses become links. Citations become buttons: each stands in the parsed
 * text as a place that no answer can write, since what cannot be seen has been escaped in it before.
 */
import type { Token, Tokens } from "marked";
import type { ComponentChildren } from "preact";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { sanitize } from "../../../src/sanitize.js";
import type { CitationMark } from "../data/citations.js";
import { markdownLexer } from "../data/markdown_lexer.js";
import { goToCall } from "./go_to.js";

// Longer answers are shown as they are: nobody reads so much laid out, and parsing would hold the page up.
const MAX_CHARS = 20_000;
// Deeper nesting is shown as text.
const MAX_DEPTH = 12;

export function Markdown({ text, marks = [] }: { text: string; marks?: readonly CitationMark[] }) {
  const Lexer = markdownLexer.value;
  if (text.length > MAX_CHARS || !Lexer) return <p class="plain">{sanitize(text)}</p>;
  return (
    <Cited.Provider value={{ marks, asText: false }}>
      {blocks(new Lexer({ gfm: true }).lex(withPlaces(text, marks)), 0)}
    </Cited.Provider>
  );
}

/** A part of an answer, such as a sentence, without blocks of its own. */
export function Phrase({ text }: { text: string }) {
  const shown = sanitize(text);
  const tokens = markdownLexer.value?.lexInline(shown, { gfm: true });
  return <bdi>{tokens?.map((token) => inline(token, 0)) ?? shown}</bdi>;
}

const PLACE = "\u0001";
const PLACES = new RegExp(`${PLACE}(\\d+)${PLACE}`, "g");

/** The marks of the answer on show; `asText`: where a button may not stand, such as in a link. */
const Cited = createContext<{ marks: readonly CitationMark[]; asText: boolean }>({ marks: [], asText: false });

/** The text with a place for each mark, the rest of it sanitized. */
function withPlaces(text: string, marks: readonly CitationMark[]): string {
  const points = [...text];
  const ends = [0, ...marks.map(({ at }) => at[1])];
  const parts = ends.map((begin, index) => sanitize(points.slice(begin, marks[index]?.at[0]).join("")));
  return parts.map((part, index) => (index < marks.length ? `${part}${PLACE}${index}${PLACE}` : part)).join("");
}

/** Text with its marks as buttons. */
function Text({ text }: { text: string }) {
  const { marks, asText } = useContext(Cited);
  // Every second part is the number of a mark.
  const parts = text.split(PLACES).map((part, index) => (index % 2 === 0 ? part : marks[Number(part)]!));
  return (
    <>
      {parts.map((part) =>
        typeof part === "string" ? part : asText ? writtenMark(part) : <MarkButtons mark={part} />,
      )}
    </>
  );
}

const writtenMark = ({ calls }: CitationMark): string => `[${calls.map(({ number }) => number).join(", ")}]`;

function MarkButtons({ mark }: { mark: CitationMark }) {
  return (
    <span class="cites">
      {mark.calls.map(({ call_id, tool, number }) => (
        <button
          type="button"
          class="cite"
          key={call_id}
          title={tool}
          aria-label={`Result ${number}, of ${sanitize(tool)}`}
          onClick={() => goToCall(call_id)}
        >
          {number}
        </button>
      ))}
    </span>
  );
}

/** Text whose marks stay as they were written: code, and what a link says. */
function Verbatim({ children }: { children: ComponentChildren }) {
  const { marks } = useContext(Cited);
  return <Cited.Provider value={{ marks, asText: true }}>{children}</Cited.Provider>;
}

function blocks(tokens: readonly Token[], depth: number): ComponentChildren {
  return depth > MAX_DEPTH ? (
    <Text text={tokens.map(({ raw }) => raw).join("")} />
  ) : (
    tokens.map((token) => block(token, depth + 1))
  );
}

/** Whether a block holds nothing but its mark: an answer such as "42." is no empty list. */
function isBareMark(token: Token): boolean {
  if (token.type === "list") return (token as Tokens.List).items.every(({ text }) => text.trim() === "");
  return (token.type === "heading" || token.type === "blockquote") && (token as Tokens.Heading).text.trim() === "";
}

function block(token: Token, depth: number): ComponentChildren {
  if (isBareMark(token))
    return (
      <p>
        <Text text={token.raw} />
      </p>
    );
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
          <Verbatim>
            <Text text={(token as Tokens.Code).text} />
          </Verbatim>
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
  if (depth > MAX_DEPTH || !token.tokens) return <Text text={token.text} />;
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
      return (
        <Verbatim>
          <code>
            <Text text={(token as Tokens.Codespan).text} />
          </code>
        </Verbatim>
      );
    case "br":
      return <br />;
    case "link":
      return link(token as Tokens.Link, depth);
    case "text":
    case "escape":
      return inlines(token as Tokens.Text, depth);
    default:
      return <Text text={token.raw} />; // HTML and images among them
  }
}

/** Shows where a link leads, beside words that may say something else. */
function link(token: Tokens.Link, depth: number): ComponentChildren {
  const address = webAddress(token.href);
  if (!address) return <Text text={token.raw} />;
  const words = <Verbatim>{inlines(token, depth)}</Verbatim>;
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

/** Gives a web or mail address; none for one that a mark stands in, since a mark is no part of it. */
function webAddress(href: string): string | undefined {
  if (!URL.canParse(href) || href.includes(PLACE) || href.includes(encodeURI(PLACE))) return undefined;
  const { protocol, href: address } = new URL(href);
  return ["https:", "http:", "mailto:"].includes(protocol) ? address : undefined;
}

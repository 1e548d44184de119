// Made from hosts/purestep_hosts/tools/limits.py, which says why each is what it is, and from
// hosts/purestep_tools by tools/types/tool_data.py; do not edit.
export const MAX_RESULT_BYTES = 1000000;
export const MAX_RESULT_DEPTH = 56;
export const TOOL_TIME_LIMIT_MS = 10000;
export const MAX_URL_CHARS = 2000;
export const MAX_REDIRECTS = 5;
export const MAX_PAGE_BYTES = 327680;
export const PAGE_CUT_NOTICE = "\n[cut: the page has more than 327680 bytes; this is the text of the first ones]";
export const FETCH_TIME_LIMIT_MS = 30000;
export const REDIRECT_STATUSES: readonly number[] = [301, 302, 303, 307, 308];
export const TEXT_TYPE_STARTS: readonly string[] = ["text/", "application/json", "application/xml", "application/xhtml+xml"];
export const TEXT_TYPE_ENDS: readonly string[] = ["+json", "+xml"];
export const HTML_TYPES: readonly string[] = ["text/html", "application/xhtml+xml"];
export const ACCEPTED_TYPES = "text/html, text/*, application/json";
export const MAX_NOTE_CHARS = 2000;
export const MAX_NOTE_QUERY_CHARS = 200;
export const MAX_NOTES_FOUND = 20;
export const UNSEEN: readonly string[] = ["head", "iframe", "noscript", "object", "script", "select", "style", "svg", "template"];
export const BLOCKS: readonly string[] = ["address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figcaption", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "table", "td", "th", "title", "tr", "ul"];

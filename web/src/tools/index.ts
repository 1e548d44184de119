/** The tools that a page has; each is a factory, so that the page decides what a tool may access. */
export { addNumbers, calculator, echo } from "./arithmetic.js";
export { fetchUrl, type FetchUrlOptions } from "./fetch_url.js";
export { sessionNotes, type NotesOptions } from "./notes.js";
export { readDom, type ReadDomOptions } from "./read_dom.js";

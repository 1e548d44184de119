/** The shapes that all models in the page share; each adapter is an entry of its own, so that only it is loaded. */
export type { LoadableModel } from "./in_page.js";
export type { ModelProgress, OnProgress } from "./progress.js";

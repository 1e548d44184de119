import type { PageOfOneFile } from "../scripts/page_of_one_file.mjs";

/** Makes the page for phones; worker: the name of the script beside it that keeps it for a time without a network. */
export function approvePage(options?: { worker?: string }): Promise<PageOfOneFile>;

/** Gives the text of that script. */
export function approveWorker(): string;

import type { PageOfOneFile } from "../scripts/page_of_one_file.mjs";

/** Makes the page for phones. */
export function approvePage(): Promise<PageOfOneFile>;

import type { PageOfOneFile } from "../scripts/page_of_one_file.mjs";

/** Makes the page that checks logs; playground: it stands beside that, and links to it. */
export function verifyPage(options?: { playground?: boolean }): Promise<PageOfOneFile>;

/** The page, and the hashes of its script and its style as a policy names them. */
export interface VerifyPage {
  html: string;
  hashes: { script: string; style: string };
}

/** Makes the page that checks logs; playground: it stands beside that, and links to it. */
export function verifyPage(options?: { playground?: boolean }): Promise<VerifyPage>;

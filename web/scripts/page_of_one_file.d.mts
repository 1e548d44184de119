/** A page, and the hashes of its script and its style as a policy names them. */
export interface PageOfOneFile {
  html: string;
  hashes: { script: string; style: string };
}

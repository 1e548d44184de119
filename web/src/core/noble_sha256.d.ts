/** SHA-256 of `@noble/hashes`, which the build puts beside the loader: pages without a bundler find no package. */
export function sha256(bytes: Uint8Array): Uint8Array;

// The shape of dist/core/bundle_manifest.js, which `node web/bundle/build.mjs` writes beside the compiled loader.
export type Tier = "snapshot" | "zip";

/** What must come of a file. */
export interface SentFile {
  readonly sha256: string;
  readonly bytes: number;
}

/** What a file of the bundle must be; `brotli` is its size compressed at quality 11, or null where that was not measured. */
export interface BundleFile extends SentFile {
  /** Its compressed copy, for hosts that compress nothing, if it has one. */
  readonly packed?: SentFile;
  readonly brotli: number | null;
  readonly tiers: readonly Tier[];
}

export interface BundleManifest {
  readonly versions: Readonly<Record<string, string>>;
  /** What `core_info` gives in this bundle: the first answer asked of a core that was started. */
  readonly coreInfo: string;
  /** SHA-256 of the source text of the function that each script exports. */
  readonly scripts: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, BundleFile>>;
}

export const MANIFEST: BundleManifest;

/** The place of each file of the first form beside the package; a bundler sees each address as one of its assets. */
export const URLS: Readonly<Record<string, () => URL>>;

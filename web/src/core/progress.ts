/** The progress of loading the bundle, which never decreases. */

export interface LoadProgress {
  part: string;
  loadedBytes: number;
  totalBytes: number;
}

/** Whoever is told draws it: more than this many times is work that nobody sees. */
const MOST_TIMES = 50;

/** Adds up the bytes read of all files. A fallback raises the total; progress is reported again once it increases. */
export class BundleProgress {
  private loaded = 0;
  private total = 0;
  private shown = 0;

  constructor(private tell: ((progress: LoadProgress) => void) | undefined) {}

  /** Adds bytes that will be read. */
  expect(bytes: number): void {
    this.total = this.loaded + bytes;
  }

  /** Tells nothing from here on: what is read after the core has answered is no part of loading it. */
  end(): void {
    this.tell = undefined;
  }

  /** Adds bytes that were read. */
  add(part: string, bytes: number): void {
    this.loaded = Math.min(this.loaded + bytes, this.total); // a file read again past a cache counts once
    const share = this.loaded / this.total;
    if (this.shown > 0 && share < this.shown + 1 / MOST_TIMES && share < 1) return;
    this.shown = share;
    this.tell?.({ part, loadedBytes: this.loaded, totalBytes: this.total });
  }
}

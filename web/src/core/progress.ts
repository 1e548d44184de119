/** The progress of loading the bundle, which never decreases. */

export interface LoadProgress {
  part: string;
  loadedBytes: number;
  totalBytes: number;
}

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
    if (share < this.shown) return;
    this.shown = share;
    this.tell?.({ part, loadedBytes: this.loaded, totalBytes: this.total });
  }
}

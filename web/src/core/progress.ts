/** How far a load has come, for a bar that never runs backwards. */

export interface LoadProgress {
  part: string;
  loadedBytes: number;
  totalBytes: number;
}

/** Adds up what was read of all files; a fallback raises the total, and is silent until the bar would move on. */
export class Progress {
  private loaded = 0;
  private total = 0;
  private shown = 0;

  constructor(private readonly tell: ((progress: LoadProgress) => void) | undefined) {}

  /** Says that this many bytes more are to be read. */
  expect(bytes: number): void {
    this.total = this.loaded + bytes;
  }

  /** Says that bytes of a file have come. */
  add(part: string, bytes: number): void {
    this.loaded = Math.min(this.loaded + bytes, this.total); // a file read again past a cache counts once
    const share = this.loaded / this.total;
    if (share < this.shown) return;
    this.shown = share;
    this.tell?.({ part, loadedBytes: this.loaded, totalBytes: this.total });
  }
}

/** How fast models have written on this device, as it was measured here. */
import { signal } from "@preact/signals";
import type { SourceId } from "./source.js";

export interface MeasuredSpeed {
  /** The model that was measured; another one of the same kind may be slower. */
  readonly model: string;
  readonly tokensPerSecond: number;
}

/** The latest measure of each kind of model; kept between visits. */
export const speeds = signal<Partial<Record<SourceId, MeasuredSpeed>>>({});

/** Keeps a measure; read without following it, since an effect that measures would else begin again by its own note. */
export function noteSpeed(id: SourceId, measured: MeasuredSpeed): void {
  speeds.value = { ...speeds.peek(), [id]: measured };
}

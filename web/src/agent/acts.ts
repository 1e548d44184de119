/** What may have been changed, beside the ending of an exchange. */
import type { Act } from "../generated/wire.js";

export interface ToldActs {
  /** The calls that may have changed something, in order: empty where nothing was, absent where no tool may act. */
  readonly acts?: readonly Act[];
  /** How many later ones there were than are kept. */
  readonly acts_left_out?: number;
}

/** Returns what an ending tells of them. */
export function actsOf({ acts, acts_left_out }: ToldActs): ToldActs {
  return { ...(acts && { acts }), ...(acts_left_out && { acts_left_out }) };
}

/** What a kind of model takes on this device, in words. */
import type { Source } from "../models/source.js";
import { speeds } from "../models/speed.js";
import { bytes } from "./amounts.js";

/** Gives size, memory and measured speed, as far as each is known. */
export function needsWords(source: Source): string {
  const { downloadBytes, memoryBytes } = source.needs?.() ?? {};
  return [
    downloadBytes !== undefined && (downloadBytes > 0 ? `${bytes(downloadBytes)} to download` : "nothing to download"),
    memoryBytes !== undefined && `${bytes(memoryBytes)} of memory or more`,
    speedWords(source),
  ]
    .filter(Boolean)
    .join(" · ");
}

function speedWords({ id }: Source): string {
  const measured = speeds.value[id];
  if (!measured) return "";
  const pace = measured.tokensPerSecond;
  return `${pace < 10 ? pace.toFixed(1) : Math.round(pace)} tokens a second here (${measured.model})`;
}

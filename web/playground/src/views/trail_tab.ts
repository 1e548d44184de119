/** Which part of the trail is shown. */
import { signal } from "@preact/signals";

export type TrailTab = "timeline" | "log" | "compare";

export const trailTab = signal<TrailTab>("timeline");

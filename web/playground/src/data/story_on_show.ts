/** The story that the run on show is of, where it has the definition of one. */
import { computed } from "@preact/signals";
import { presetOf } from "../presets.js";
import { session } from "./run.js";

export const storyOnShow = computed(() => {
  const now = session.value;
  return now && presetOf(now.edited ?? now.definition ?? "")?.story;
});

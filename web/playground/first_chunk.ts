/** One chunk of all that the page needs before anything else is loaded, instead of one for each set of sharers. */
import type { Rolldown } from "vite";

type Context = { getModuleInfo(id: string): Rolldown.ModuleInfo | null };

/** Names the chunk of a module that the page's own script imports, without an `import()` on the way. */
export function firstChunk(id: string, context: Context): string | null {
  const info = context.getModuleInfo(id);
  return info && isFirst(info, context, new Set()) ? "first" : null;
}

/** Whether a module is an entry, or one is above it by static imports alone. */
function isFirst(info: Rolldown.ModuleInfo, context: Context, seen: Set<string>): boolean {
  if (info.isEntry) return true;
  return info.importers.some((id) => {
    if (seen.has(id)) return false;
    seen.add(id);
    const above = context.getModuleInfo(id);
    return above !== null && isFirst(above, context, seen);
  });
}

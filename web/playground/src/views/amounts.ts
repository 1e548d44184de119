/** Amounts as people read them. */

export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  if (count < 1_000_000) return `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)} kB`;
  return `${(count / 1_000_000).toFixed(count < 100_000_000 ? 1 : 0)} MB`;
}

export function milliseconds(count: number): string {
  if (count < 1) return "under 1 ms";
  return count < 1000 ? `${Math.round(count)} ms` : `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)} s`;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

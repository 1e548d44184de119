/** Tools that people write in this page: their code, what it is allowed, and the tools that it makes. */
import { computed, signal } from "@preact/signals";
import type { Tool } from "../../../src/agent/ports.js";
import { accepted } from "../../../src/errors.js";
import { writeExactly } from "../../../src/exact_numbers.js";
import { coreReady } from "../core/load_core.js";
import { CodeRefused, SandboxedTools } from "../own_tools/sandboxed_tools.js";
import { wordsOf } from "./notices.js";

export interface OwnCode {
  readonly id: number;
  readonly source: string;
  /** The hosts that it may ask, as they were typed. */
  readonly hosts: string;
  /** Whether its user wants it to run: nothing else starts it. */
  readonly isOn: boolean;
}

export type CodeStatus =
  | { readonly kind: "off" }
  | { readonly kind: "starting" }
  | { readonly kind: "ready"; readonly tools: readonly Tool[] }
  | { readonly kind: "refused"; readonly words: string; readonly line: number | undefined };

export const EXAMPLE = `tool({
  name: "days_until",
  description: "How many days it is until a date.",
  parameters: z.object({ date: z.iso.date().describe("for example 2027-01-01") }),
  annotations: { readOnlyHint: true },
  execute: ({ date }) => Math.ceil((new Date(date) - Date.now()) / 86_400_000),
});
`;

/** What code prints is kept so long, for whoever writes it. */
const MAX_PRINTED = 50;

export const ownCodes = signal<readonly OwnCode[]>([]);
export const codeStatuses = signal<ReadonlyMap<number, CodeStatus>>(new Map());
export const printedLines = signal<ReadonlyMap<number, readonly string[]>>(new Map());
const sandboxes = new Map<number, SandboxedTools>();

export const codeTools = computed<readonly Tool[]>(() =>
  ownCodes.value.flatMap(({ id }) => {
    const status = statusOf(id);
    return status.kind === "ready" ? status.tools : [];
  }),
);

export function statusOf(id: number): CodeStatus {
  return codeStatuses.value.get(id) ?? { kind: "off" };
}

export function addCode(source = EXAMPLE): number {
  const id = Math.max(0, ...ownCodes.value.map((code) => code.id)) + 1;
  ownCodes.value = [...ownCodes.value, { id, source, hosts: "", isOn: false }];
  return id;
}

export function removeCode(id: number): void {
  turnOff(id);
  ownCodes.value = ownCodes.value.filter((code) => code.id !== id);
}

/** Changes a code, which is off from then on: what runs is what was read. */
export function changeCode(id: number, changed: Partial<Pick<OwnCode, "source" | "hosts">>): void {
  turnOff(id);
  replace(id, changed);
}

export function turnOff(id: number): void {
  sandboxes.get(id)?.close();
  sandboxes.delete(id);
  replace(id, { isOn: false });
  setStatus(id, { kind: "off" });
}

/** Starts a code; what is wrong with it is its status. */
export async function turnOn(id: number): Promise<void> {
  turnOff(id);
  const code = ownCodes.value.find((each) => each.id === id);
  if (!code) return;
  replace(id, { isOn: true });
  setStatus(id, { kind: "starting" });
  const sandbox = new SandboxedTools(code.source, hostsOf(code.hosts), (lines) => print(id, lines));
  sandboxes.set(id, sandbox);
  try {
    const tools = await sandbox.tools();
    await checkSpecs(id, tools);
    if (sandboxes.get(id) === sandbox) setStatus(id, { kind: "ready", tools });
  } catch (error) {
    if (sandboxes.get(id) !== sandbox) return; // changed meanwhile
    sandbox.close();
    setStatus(id, {
      kind: "refused",
      words: wordsOf(error),
      line: error instanceof CodeRefused ? error.line : undefined,
    });
  }
}

/** Starts what its user had on when the page was left. */
export function startOwnCode(): void {
  for (const { id, isOn } of ownCodes.peek()) if (isOn) void turnOn(id);
}

/** Gives the tools of the codes that are on, in sandboxes of their own: what one run keeps in memory no other finds. */
export async function codeToolsAnew(): Promise<{ readonly tools: readonly Tool[]; readonly close: () => void }> {
  await codeSettled();
  const sandboxes = ownCodes.value
    .filter(({ id }) => statusOf(id).kind === "ready")
    .map(({ id, source, hosts }) => new SandboxedTools(source, hostsOf(hosts), (lines) => print(id, lines)));
  const close = (): void => sandboxes.forEach((each) => each.close());
  try {
    return { tools: (await Promise.all(sandboxes.map((each) => each.tools()))).flat(), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Settles once no code is starting any more. */
export async function codeSettled(): Promise<void> {
  await new Promise<void>((resolve) => {
    const ended = codeStatuses.subscribe((statuses) => {
      if ([...statuses.values()].some(({ kind }) => kind === "starting")) return;
      resolve();
      queueMicrotask(() => ended());
    });
  });
}

/** Gives the hosts of what was typed: names with or without a port, or whole addresses, with anything between them. */
export function hostsOf(typed: string): string[] {
  const words = typed.split(/[\s,;]+/).filter(Boolean);
  const addresses = words.map((word) => (word.includes("://") ? word : `https://${word}`));
  return [...new Set(addresses.filter((each) => URL.canParse(each)).map((each) => new URL(each).host))];
}

/** Throws for what the core does not take as a tool, and for a name that another code's tool has. */
async function checkSpecs(id: number, tools: readonly Tool[]): Promise<void> {
  const taken = new Set(
    ownCodes.value.flatMap((code) => {
      const status = code.id === id ? undefined : statusOf(code.id);
      return status?.kind === "ready" ? status.tools.map(({ spec }) => spec.name) : [];
    }),
  );
  const twice = tools.find(({ spec }) => taken.has(spec.name));
  if (twice) throw new CodeRefused(`there is another tool named ${twice.spec.name} already`);
  const core = await coreReady();
  accepted(await core.load_agent(writeExactly({ tools: tools.map(({ spec }) => spec) })));
}

function replace(id: number, changed: Partial<OwnCode>): void {
  ownCodes.value = ownCodes.value.map((code) => (code.id === id ? { ...code, ...changed } : code));
}

function setStatus(id: number, status: CodeStatus): void {
  codeStatuses.value = new Map([...codeStatuses.value, [id, status]]);
}

function print(id: number, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const before = printedLines.value.get(id) ?? [];
  printedLines.value = new Map([...printedLines.value, [id, [...before, ...lines].slice(-MAX_PRINTED)]]);
}

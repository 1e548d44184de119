/** The test of the loaded model: begun, stopped, and how it stands. */
import { computed, effect, signal } from "@preact/signals";
import type { ProbeStanding } from "../../../src/agent/probe.js";
import { probeBegun, probeModel } from "../../../src/agent/probe.js";
import { coreReady } from "../core/load_core.js";
import { chosen, modelReady, modelStatus } from "../models/choice.js";
import type { SourceId } from "../models/source.js";
import { announce, notify, wordsOf } from "./notices.js";

export interface ModelTest {
  readonly source: SourceId;
  /** The model's name; empty while it is being loaded. */
  readonly model: string;
  readonly kind: "loading" | "running" | "ended" | "stopped" | "failed";
  readonly standing?: ProbeStanding;
}

export const modelTest = signal<ModelTest | undefined>();

/** Whether the model is busy with a test. */
export const testing = computed(() => modelTest.value?.kind === "loading" || modelTest.value?.kind === "running");

/** How large each kind of test is, once the core has said it. */
export const testSizes = signal<{ readonly quick: ProbeStanding; readonly whole: ProbeStanding } | undefined>();

let ending: AbortController | undefined;

export async function findTestSizes(): Promise<void> {
  if (testSizes.value) return;
  try {
    const core = await coreReady();
    const [quick, whole] = [await probeBegun(core, "", { quick: true }), await probeBegun(core, "")];
    testSizes.value = { quick, whole };
  } catch {
    // That the core did not load stands at the top of the page; the dialog goes without the sizes.
  }
}

/** Tests the chosen model, loaded first if it is not. */
export async function startTest(quick: boolean): Promise<void> {
  if (testing.value) return;
  const own = (ending = new AbortController());
  const put = (test: Omit<ModelTest, "source">): void => {
    if (ending === own) modelTest.value = { source, ...test };
  };
  const source = chosen.value;
  put({ model: "", kind: "loading" });
  try {
    const [core, model] = [await coreReady(), await modelReady()];
    for await (const standing of probeModel(core, model, { quick }, own.signal)) {
      put({ model: model.name, kind: standing.next ? "running" : "ended", standing });
    }
    if (own.signal.aborted) put({ ...modelTest.value!, kind: "stopped" });
    else announce("The test of the model has ended.");
  } catch (error) {
    const isStopped = own.signal.aborted;
    put({ ...(modelTest.value ?? { model: "" }), kind: isStopped ? "stopped" : "failed" });
    // What did not load is told where the model is.
    if (!isStopped && modelStatus.value.kind === "ready") notify(`The test ended early. ${wordsOf(error)}`, "failed");
  }
}

export function stopTest(): void {
  ending?.abort();
  if (testing.value) modelTest.value = { ...modelTest.value!, kind: "stopped" };
}

/** A test ends with its model. */
export function watchTestedModel(): void {
  effect(() => {
    if (modelStatus.value.kind === "none" && modelTest.peek()?.kind === "running") stopTest();
  });
}

/** A kind of model that the page offers. */
import type { Model } from "../../../src/agent/ports.js";

/** Reports the progress of a load: a share from 0 to 1, and the current stage. */
export type TellProgress = (share: number, doing: string) => void;

export interface Source {
  readonly id: SourceId;
  readonly title: string;
  /** One line under the title: what it costs and what stays where. */
  readonly summary: string;
  /** Whether its models may read images and PDF files; text files go to every model. */
  readonly readsFiles?: boolean;
  /** What it takes to have it here, as far as that is known before it is loaded. */
  needs?(): Needs;
  /** Says why it cannot be used in this browser, and what to do; empty where it can. */
  trouble(): Promise<string>;
  load(tell: TellProgress, signal: AbortSignal): Promise<Model>;
  /** Gives back the memory of a model that this source loaded. */
  unload?(): Promise<void>;
}

/** What a model takes: bytes to fetch once, none where nothing is, and bytes of memory at the least. */
export interface Needs {
  readonly downloadBytes?: number;
  readonly memoryBytes?: number;
}

export type SourceId = "wllama" | "gguf" | "webllm" | "http" | "browser" | "scripted";

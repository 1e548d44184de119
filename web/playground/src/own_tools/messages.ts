/** What the page and a sandbox tell each other. */
import type { ErrorKind } from "../../../src/tools/tool.js";

export type ToSandbox =
  | { readonly kind: "load"; readonly source: string; readonly hosts: readonly string[] }
  | {
      readonly kind: "call";
      readonly id: number;
      readonly name: string;
      readonly params: string;
      readonly key: string;
    };

export type FromSandbox =
  /** tools: their specs, as JSON that the code has written. */
  | { readonly kind: "loaded"; readonly tools: string; readonly printed: readonly string[] }
  | { readonly kind: "refused"; readonly words: string; readonly line: number | undefined }
  | Outcome;

export interface Outcome {
  readonly kind: "outcome";
  readonly id: number;
  readonly isOk: boolean;
  /** JSON of the output, "" for none; or what went wrong, in words. */
  readonly text: string;
  readonly errorKind: ErrorKind;
  readonly printed: readonly string[];
}

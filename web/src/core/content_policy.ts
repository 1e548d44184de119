/**
 * What a page's Content-Security-Policy refuses while the core is loaded.
 *
 * A refused file or compilation fails like one that is missing or damaged; only the browser's event says why.
 */
import { PurestepError } from "../errors.js";

interface Refusal {
  readonly effectiveDirective: string;
  readonly blockedURI: string;
}

/** Collects the refusals of some addresses, and of compiling WebAssembly, from its making until `end`. */
export class PolicyWatch {
  readonly #refusals: Refusal[] = [];
  readonly #listener = (event: Event): void => void this.#refusals.push(event as SecurityPolicyViolationEvent);

  constructor(private readonly addresses: () => string[]) {
    globalThis.addEventListener?.("securitypolicyviolation", this.#listener);
  }

  end(): void {
    globalThis.removeEventListener?.("securitypolicyviolation", this.#listener);
  }

  /** Gives the error `blocked_by_csp` with what the policy has to allow, if a refusal explains a failure; else the same. */
  async explained(error: unknown): Promise<unknown> {
    // The event comes in a task after the one that refuses.
    await new Promise((resolve) => setTimeout(resolve, 0));
    const needs = new Set(this.#refusals.filter((each) => this.#isOurs(each)).map(needed));
    if (needs.size === 0) return error;
    const allowed = [...needs].join(" and ");
    const message = `expected a page whose Content-Security-Policy lets the core load; allow ${allowed}`;
    return new PurestepError("blocked_by_csp", `${message}. ${error instanceof Error ? error.message : String(error)}`);
  }

  /** An address of another origin is reported by its origin alone. */
  #isOurs({ blockedURI }: Refusal): boolean {
    if (blockedURI === WASM) return true;
    return blockedURI !== "" && this.addresses().some((address) => address.startsWith(blockedURI));
  }
}

const WASM = "wasm-eval";

function needed({ effectiveDirective, blockedURI }: Refusal): string {
  return blockedURI === WASM
    ? "'wasm-unsafe-eval' in script-src"
    : `${URL.canParse(blockedURI) ? new URL(blockedURI).origin : blockedURI} in ${effectiveDirective}`;
}

/** A dialect of JavaScript by the address of its module. */
import type { DialectFunctions } from "../core/dialects.js";
import { PurestepError } from "../errors.js";

/** Gives the default export of the module at an address. */
export async function dialectAt(address: string): Promise<DialectFunctions> {
  const module = (await import(/* @vite-ignore */ /* webpackIgnore: true */ address)) as { default?: DialectFunctions };
  if (typeof module.default === "object") return module.default;
  throw new PurestepError("invalid_input", `expected ${address} to have a dialect as its default export`, "/dialects");
}

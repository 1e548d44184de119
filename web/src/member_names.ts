/** Objects of named members, as options are: types find a wrong name in TypeScript alone. */
import { PurestepError } from "./errors.js";

/** Throws PurestepError with the code `invalid_input` for a member that there is not; says which one was meant, and then `advice`. */
export function checkNames(given: object, known: readonly string[], what: string, advice = ""): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || known.includes(name)) continue;
    const near = known.find((each) => plain(each) === plain(name));
    const hint = near ? `did you mean ${near}?` : `expected ${known.join(", ")}`;
    throw new PurestepError("invalid_input", `${what} have no member ${name}; ${hint}${advice}`, `/${name}`);
  }
}

/** Gives the names of a type's members; the compiler demands each of them. */
export function namesOf<Type extends object>(members: Record<keyof Type, true>): readonly string[] {
  return Object.keys(members);
}

/** As names differ between libraries: baseURL, base_url and baseUrl are alike. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll("_", "");
}

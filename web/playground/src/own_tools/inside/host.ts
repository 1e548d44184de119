/** What the sandbox lets its code ask of the page: texts and numbers only, in both directions. */
export interface Host {
  settle(call: number, isOk: boolean, text: string, kind: string): void;
  print(line: string): void;
  wait(id: number, ms: number): void;
  ask(id: number, request: string): void;
  /** Answers at once, in JSON. */
  tell(what: "url" | "intl" | "random", question: string): string;
}

const given = globalThis as unknown as { host: Host };

export const host: Host = given.host;
Reflect.deleteProperty(globalThis, "host");

// As they are before a tool's code can change them.
export const { parse, stringify } = JSON;

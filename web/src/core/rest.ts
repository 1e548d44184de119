/**
 * The rest of the interpreter: functions that no conformance vector needs, and data that only they read.
 *
 * The main module holds a short body for each of these functions, which calls it through the table `halves`; until the
 * rest is here, the last entry of that table is called before, which loads it at once (web/bundle/split.mjs).
 */

export class RestOfModule {
  private enter: ((module: WebAssembly.Module) => void) | undefined;

  /** Takes the rest itself, or what loads it synchronously should one of its functions be called before `arrived`. */
  constructor(private readonly source: WebAssembly.Module | (() => WebAssembly.Module)) {}

  /** Connects the rest with the instance of the main module; the imports of both are the same. */
  connect(first: WebAssembly.Instance, imports: WebAssembly.Imports): void {
    const { halves, rest_is_here: here } = first.exports as {
      halves: WebAssembly.Table;
      rest_is_here: WebAssembly.Global<"i32">;
    };
    this.enter = (module) => {
      if (here.value) return;
      new WebAssembly.Instance(module, { ...imports, first: first.exports });
      here.value = 1;
    };
    const { source } = this;
    if (typeof source === "function")
      halves.set(
        halves.length - 1,
        callable(() => this.arrived(source())),
      );
  }

  /** Enters the rest if it was given. */
  started(): void {
    if (typeof this.source !== "function") this.arrived(this.source);
  }

  /** Enters the rest, once. */
  arrived(module: WebAssembly.Module): void {
    this.enter?.(module);
  }
}

// A module that exports the function that it imports, since a table takes functions of WebAssembly alone.
// prettier-ignore
const PASSES_ON = Uint8Array.of(
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 2, 7, 1, 1, 0x65, 1, 0x66, 0, 0, 7, 5, 1, 1, 0x66, 0, 0,
);

function callable(work: () => void): unknown {
  return new WebAssembly.Instance(new WebAssembly.Module(PASSES_ON), { e: { f: work } }).exports.f;
}

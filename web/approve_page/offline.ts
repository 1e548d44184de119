/** Opens the page without a network from its second visit on, where it stands beside its worker. */

interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): string;
  };
}

/** Starts the worker that keeps the page; a file that was saved needs none. */
export function keepForOffline(): void {
  const { worker } = document.documentElement.dataset;
  if (worker === undefined || !("serviceWorker" in navigator)) return;
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  // The policy takes the one name that the build has written into the page.
  const policy = factory?.createPolicy("default", { createScriptURL: () => worker });
  const script = policy?.createScriptURL(worker) ?? worker;
  navigator.serviceWorker.register(script, { scope: "./approve.html" }).catch(() => undefined);
}

/** Keeps the files of the page in the browser, so that it opens without a network the next time. */
import { effect } from "@preact/signals";
import { coreIsReady } from "../core/load_core.js";

/** Once the core runs, since fetching ahead must not hold it up. */
export function keepPage(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const end = effect(() => {
    if (!coreIsReady.value) return;
    const address = new URL("service_worker.js", document.baseURI).href;
    // Where the browser keeps nothing, the page works as it did: from the network.
    navigator.serviceWorker.register(address).catch(() => undefined);
    setTimeout(() => end());
  });
}

/** Opens the page for phones without a network, once it was open with one. It comes from the network while there is one. */
const CACHE = "purestep-approve";
const PAGE = new URL("approve.html", self.registration.scope).href;

self.addEventListener("install", (event) => event.waitUntil(keep().then(() => self.skipWaiting())));
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.split(/[?#]/, 1)[0] === PAGE) event.respondWith(page());
});

async function keep() {
  await (await caches.open(CACHE)).add(new Request(PAGE, { cache: "no-cache" }));
}

async function page() {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(PAGE, { cache: "no-cache" });
    if (response.ok) await cache.put(PAGE, response.clone());
    return response;
  } catch (error) {
    const found = await cache.match(PAGE);
    if (found) return found;
    throw error;
  }
}

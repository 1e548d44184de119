/**
 * Opens the playground without a network, once it was open with one.
 *
 * The build writes constants before this text: BUILD names it; FIRST and LATER hold the digests of files by their paths, of
 * those that are fetched ahead, and of those that only a chosen model needs, kept when they are first fetched; COPIES holds
 * the compressed copies of some of the first, one of which is kept in place of its file where the host compresses nothing.
 * The page itself comes from the network while there is one, so a new build is taken at the next load; the files of a
 * build have hashed names and never change.
 */
const PREFIX = `purestep-playground ${self.registration.scope} `;
const OWN = PREFIX + BUILD;
const FIRST_FILES = byAddress(FIRST);
const LATER_FILES = byAddress(LATER);

function byAddress(files) {
  return new Map(Object.entries(files).map(([path, digest]) => [addressOf(path), digest]));
}

function addressOf(path) {
  return new URL(path, self.registration.scope).href;
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const { method, mode, url, cache } = event.request;
  const [address] = url.split("#");
  if (method !== "GET") return;
  if (mode === "navigate") event.respondWith(page(event.request));
  // Who asks past the caches has found a file that is not what it should be.
  else if (isOwn(address) && cache !== "reload" && cache !== "no-store") event.respondWith(file(event, address));
});

/** Whether a file is of this build, or by its name of another one. */
function isOwn(address) {
  return FIRST_FILES.has(address) || (address.startsWith(addressOf("assets/")) && !address.includes("?"));
}

/** All or nothing: a build of which a file is missing or not what it should be is not kept. */
async function install() {
  const wanted = new Map(FIRST_FILES);
  const chosen = Object.entries(COPIES).map(async ([path, [digest, length, whole, wholeLength]]) => {
    if (!(await isBare(addressOf(whole), wholeLength)) || !(await isBare(addressOf(path), length))) return;
    wanted.delete(addressOf(whole));
    wanted.set(addressOf(path), digest);
  });
  await Promise.all(chosen);
  const requests = [...wanted].map(([address, integrity]) => new Request(address, { integrity }));
  await (await caches.open(OWN)).addAll(requests);
}

/** Whether the host sends a file as it is; read no further than that shows. */
async function isBare(address, length) {
  const request = new AbortController();
  const { headers } = await fetch(address, { signal: request.signal });
  request.abort();
  return !headers.has("content-encoding") && headers.get("content-length") === String(length);
}

/** Called once no page of the build before is open: none loses a file that it may still ask for. */
async function activate() {
  const names = await keptBuilds();
  const own = await caches.open(OWN);
  for (const name of names.slice(0, names.indexOf(OWN))) {
    const old = await caches.open(name);
    for (const request of await old.keys())
      if (LATER_FILES.has(request.url)) await own.put(request, await old.match(request));
    await caches.delete(name);
  }
  await self.clients.claim();
}

/** The names of the caches of this page's builds, the oldest first. */
async function keptBuilds() {
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX));
}

/** What is kept under an address, from the newest build that has it. */
async function kept(address) {
  for (const name of (await keptBuilds()).reverse()) {
    const found = await (await caches.open(name)).match(address);
    if (found) return found;
  }
  return undefined;
}

async function page(request) {
  try {
    // A cache on the way may hold a page whose files are gone.
    return await fetch(request, { cache: "no-cache" });
  } catch (error) {
    const found = await kept(request.url.split(/[?#]/, 1)[0].replace(/index\.html$/, ""));
    if (found) return found;
    throw error;
  }
}

async function file(event, address) {
  const found = await kept(address);
  if (found) return found;
  const integrity = LATER_FILES.get(address);
  if (integrity === undefined) return fetch(event.request);
  const response = await fetch(event.request, { integrity });
  if (response.ok) event.waitUntil(keep(address, response.clone()));
  return response;
}

async function keep(address, response) {
  await (await caches.open(OWN)).put(address, response);
}

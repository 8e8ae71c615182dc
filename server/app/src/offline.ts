// The service worker: keeps the files of the page, and nothing else, so that it opens without
// the server. A file of the server is taken where the server answers.

const cacheName = "einvoice-page";
const worker = self as unknown as {
  addEventListener(type: string, listener: (e: any) => void): void; skipWaiting(): Promise<void>; clients: { claim(): Promise<void> };
  location: Location;
};

worker.addEventListener("install", () => void worker.skipWaiting());
worker.addEventListener("activate", (e) => e.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (e) => {
  const url = new URL(e.request.url);
  if (url.origin !== worker.location.origin || e.request.method !== "GET" || !(url.pathname === "/app" || url.pathname.startsWith("/app/"))) return;
  e.respondWith(answer(e.request));
});

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await cache.put(request, fresh.clone());
    return fresh;
  } catch (error) {
    const kept = await cache.match(request);
    if (kept) return kept;
    throw error;
  }
}

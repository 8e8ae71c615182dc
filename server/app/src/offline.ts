// The service worker: keeps the files of the page, and nothing else, so that it opens without
// the server. A file of the server is taken where the server answers.

const cacheName = "einvoice-page";
const worker = self as unknown as {
  addEventListener(type: string, listener: (e: any) => void): void; skipWaiting(): Promise<void>; clients: { claim(): Promise<void> };
  location: Location;
};

// The program for browsers is tens of megabytes: the page says when it has it, and only then is it
// kept, so that the first verdict does not wait for the copy.
declare const parts: string[]; // of the page's script; build.mjs says which there are
const files = ["/app", ...parts.map((part) => "/app/" + part), "/app/app.css", "/app/icon.svg", "/app/engine-worker.js", "/app/wasm_exec.js", "/app/sample.xml"];

const program = "/app/einvoice.wasm";

worker.addEventListener("install", (e) => e.waitUntil((async () => {
  const cache = await caches.open(cacheName);
  await Promise.all(files.map((file) => keep(cache, file).catch(() => undefined))); // what was not built is not there
  await worker.skipWaiting();
})()));
/** Keeps a file whole: a body of tens of megabytes is not kept while it arrives. */
async function keep(cache: Cache, file: string): Promise<void> {
  const fresh = await fetch(file);
  if (!fresh.ok) return;
  const headers = { "Content-Type": fresh.headers.get("Content-Type") ?? "", "Content-Security-Policy": fresh.headers.get("Content-Security-Policy") ?? "", ETag: fresh.headers.get("ETag") ?? "", ...(fresh.headers.has("Own-Rules") ? { "Own-Rules": fresh.headers.get("Own-Rules")! } : {}) };
  await cache.put(file, new Response(await fresh.arrayBuffer(), { headers }));
}

worker.addEventListener("message", (e) => e.waitUntil((async () => {
  const cache = await caches.open(cacheName);
  if (!(await cache.match(program))) await keep(cache, program).catch(() => undefined);
  e.source?.postMessage("kept");
})()));
worker.addEventListener("activate", (e) => e.waitUntil((async () => {
  const cache = await caches.open(cacheName);
  for (const kept of await cache.keys()) { // parts of an earlier page
    const path = new URL(kept.url).pathname;
    if (path !== program && !files.includes(path)) await cache.delete(kept);
  }
  await worker.clients.claim();
})()));
worker.addEventListener("fetch", (e) => {
  const url = new URL(e.request.url);
  if (url.origin !== worker.location.origin || !["GET", "HEAD"].includes(e.request.method) || !(url.pathname === "/app" || url.pathname.startsWith("/app/"))) return;
  e.respondWith(answer(e.request));
});

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  try {
    const fresh = await fetch(request);
    if (fresh.ok && request.method === "GET") {
      const kept = await cache.match(request);
      if (kept?.headers.get("ETag") !== fresh.headers.get("ETag")) void keep(cache, request.url).catch(() => undefined); // a full disk keeps nothing
    }
    return fresh;
  } catch (error) {
    const kept = await cache.match(request, { ignoreMethod: true, ignoreSearch: true });
    if (kept) return request.method === "HEAD" ? new Response(null, { headers: kept.headers }) : kept;
    throw error;
  }
}

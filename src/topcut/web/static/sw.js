// Keeps the last pages of the hall readable without a connection; such a page says how old it is.
// It never keeps the desk, a player's own page or the stream.

const PAGES = "pages 2", FILES = "files 1";
const MISSING = "/missing"; // under which the page is kept that says that another is not
const KEPT = { [PAGES]: 40, [FILES]: 60 };

self.addEventListener("install", event => event.waitUntil(self.skipWaiting()));
self.addEventListener("activate", event => event.waitUntil(begin()));
self.addEventListener("message", event => {
  if (Array.isArray(event.data?.keep)) event.waitUntil(keepAll(event.data.keep));
  if (typeof event.data?.missing === "string") event.waitUntil(keepMissing(event.data.missing));
});
self.addEventListener("fetch", event => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (isFile(url)) event.respondWith(file(event.request));
  else if (isPage(url)) event.respondWith(page(event.request, url));
  else if (url.pathname.startsWith("/language/")) event.respondWith(switchLanguage(event.request));
});

const isFile = url => url.pathname.startsWith("/static/");
const isPage = url => /^\/e\/[^/]+(\/(pairings|standings|bracket|draws|changes|screen|player\/[^/]+(\/now)?))?$/.test(url.pathname);

async function begin() {
  for (const name of await caches.keys()) if (name !== PAGES && name !== FILES) await caches.delete(name);
  await self.clients.claim();
}

async function keepAll(addresses) {
  for (const address of addresses) {
    const url = new URL(address, location.origin);
    if (url.origin !== location.origin || (!isFile(url) && !isPage(url))) continue;
    const name = isFile(url) ? FILES : PAGES;
    const shelf = await caches.open(name);
    if (await shelf.match(url.href, { ignoreVary: true })) continue;
    try {
      const answer = await fetch(url.href);
      if (answer.ok) await put(name, url.href, answer);
    } catch { /* then another time */ }
  }
}

async function keepMissing(text) {
  const headers = { "content-type": "text/html; charset=utf-8" };
  await put(PAGES, new URL(MISSING, location.origin).href, new Response(text, { status: 200, headers }));
}

// Drops all pages once the reader has switched the language: they are in the old one.
async function switchLanguage(request) {
  const answer = await fetch(request);
  await caches.delete(PAGES);
  return answer;
}

async function file(request) {
  const shelf = await caches.open(FILES);
  const kept = await shelf.match(request, { ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await put(FILES, request.url, answer.clone());
  return answer;
}

async function page(request, url) {
  url.hash = "";
  try {
    const answer = await fetch(request);
    if (answer.ok && !url.searchParams.has("q")) await put(PAGES, url.href, answer.clone());
    return answer;
  } catch (problem) {
    // A page that updates itself must learn that there is no connection; only a page that is opened gets the old one.
    if (request.headers.get("x-live")) throw problem;
    const shelf = await caches.open(PAGES);
    const kept = await shelf.match(url.href, { ignoreVary: true }) || (url.searchParams.has("q") && await shelf.match(url.origin + url.pathname, { ignoreVary: true }));
    if (kept) return request.mode === "navigate" ? asOld(kept) : kept;
    const missing = request.mode === "navigate" && await shelf.match(MISSING, { ignoreVary: true });
    if (missing) return new Response(missing.body, { status: 503, headers: missing.headers });
    throw problem;
  }
}

// Shows the banner of the page from the start.
async function asOld(kept) {
  const text = await kept.text();
  const read = name => new RegExp(`data-${name}="([^"]*)"`).exec(text)?.[1] ?? "";
  const when = new Date(kept.headers.get("date") || read("made"));
  const says = read("offline").replace("{time}", when.toLocaleTimeString([], { hour: "numeric", minute: "2-digit" }));
  const banner = /<p id="stale"([^>]*) hidden><\/p>/;
  const headers = new Headers(kept.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(text.replace(banner, `<p id="stale"$1 data-shown>${says}</p>`), { headers });
}

async function put(name, address, answer) {
  const shelf = await caches.open(name);
  await shelf.delete(address, { ignoreVary: true });
  await shelf.put(address, answer);
  const keys = await shelf.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - KEPT[name]))) await shelf.delete(key);
}

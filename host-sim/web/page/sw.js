// Keeps the page's own files, so that it opens without a connection. VERSION is filled in when the page is written:
// other files, other version.
const CACHE = "dojo-VERSION";
const FILES = [
  "./", "style.css", "dojo.mjs", "worker.mjs", "dojo.wasm", "dojo.bank",
  "dojo.webmanifest", "icon.svg", "icon.png",
];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith("dojo-") && name !== CACHE);
  const forget = caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name))));
  event.waitUntil(forget.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((kept) => kept ?? fetch(event.request)));
});

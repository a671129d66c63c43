// Keeps the page and the program on this computer, so that they work without a connection. What it keeps is exactly
// what was built: each file is compared with its SHA-256.
const FILES = @FILES@;
const ABOUT = `umpire ${registration.scope} `; // another page of this host may keep something, too

const digest = async (data) => {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};
const name = digest(new TextEncoder().encode(JSON.stringify(FILES))).then((found) => ABOUT + found);

const fetched = async (file) => {
  for (const cache of ["default", "reload"]) {
    const answer = await fetch(file, { cache });
    const data = await answer.arrayBuffer();
    if (answer.ok && (await digest(data)) === FILES[file]) {
      // made anew: what a host answered after a redirection no browser shows as a page
      return new Response(data, { headers: { "Content-Type": answer.headers.get("Content-Type") ?? "application/octet-stream" } });
    }
  }
  throw new Error(`${file} is not the file that was built`);
};

oninstall = (event) => event.waitUntil((async () => {
  const kept = await caches.open(await name);
  for (const file of Object.keys(FILES)) await kept.put(file, await fetched(file));
})());

onactivate = (event) => event.waitUntil((async () => {
  const now = await name;
  const old = (await caches.keys()).filter((one) => one.startsWith(ABOUT) && one !== now);
  await Promise.all(old.map((one) => caches.delete(one)));
  await clients.claim();
})());

onfetch = (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  url.search = "";
  url.hash = "";
  if (url.href === registration.scope) url.pathname += "index.html";
  event.respondWith((async () => {
    const kept = await caches.open(await name);
    return (await kept.match(url.href)) || fetch(event.request);
  })());
};

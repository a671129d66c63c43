// How the page talks to the studio: every request carries the session's secret as a header.

const KEPT = "umpire-session";
const CHANNEL = "umpire-studio";
const LONGEST = 60_000; // milliseconds: the studio answers a question for the state earlier, if it is there
const tab = [...crypto.getRandomValues(new Uint8Array(12))].map((n) => n.toString(16).padStart(2, "0")).join("");
let secret = sessionStorage.getItem(KEPT) ?? "";
const channel = new BroadcastChannel(CHANNEL);
const heard = new Set();
const lines = new Set();

/** What /api/state said last; null before it has. */
export let state = null;

/** An answer that is not a success: `status` (0: no answer at all), and what the studio said. */
export class Refused extends Error {
  constructor(message, status, body) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

// A second tab of the same studio is given the secret by one that has it: nothing is kept on disk.
channel.onmessage = ({ data }) => {
  if (data?.asks === "session" && secret) channel.postMessage({ session: secret });
};

/** The secret that another tab gives; "" if none does soon. If one does later, the page is loaded anew with it. */
function fromAnotherTab() {
  return new Promise((resolve) => {
    let waited = false;
    channel.addEventListener("message", ({ data }) => {
      if (secret || typeof data?.session !== "string") return;
      secret = data.session;
      sessionStorage.setItem(KEPT, secret);
      if (waited) location.reload();
      resolve(secret);
    });
    setTimeout(() => {
      waited = true;
      resolve(secret);
    }, 700);
    channel.postMessage({ asks: "session" });
  });
}

/** Gets the session's secret: for the launch token in the address, else as kept, else from another tab. */
export async function open() {
  const token = /^#launch=([\w-]+)$/.exec(location.hash)?.[1];
  if (token) {
    history.replaceState(null, "", location.pathname);
    const answer = await fetch("/api/open", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token }),
    });
    if (answer.ok) secret = (await answer.json()).session;
  }
  if (!secret) secret = await fromAnotherTab();
  if (!secret) {
    throw new Refused(
      "This page is not connected to a studio. Use the link that “umpire studio” shows; each link opens it once.", 401);
  }
  sessionStorage.setItem(KEPT, secret);
}

async function ask(path, options = {}) {
  const headers = { "X-Umpire-Session": secret, "X-Umpire-Tab": tab, ...options.headers };
  let answer;
  try {
    answer = await fetch(path, { ...options, headers, cache: "no-store" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("The studio does not answer.", 0);
  }
  if (answer.ok) return answer;
  const body = await answer.json().catch(() => ({}));
  throw new Refused(body.error ?? `the studio answered ${answer.status}`, answer.status, body);
}

/** The JSON at `path`. */
export async function get(path, signal) {
  return (await ask(path, { signal })).json();
}

/** Sends `body` as JSON to `path`; what comes back. */
export async function post(path, body = {}) {
  const headers = { "Content-Type": "application/json" };
  return (await ask(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

/** Sends bytes to `path`; what comes back. */
export async function send(path, bytes) {
  const headers = { "Content-Type": "application/octet-stream" };
  return (await ask(path, { method: "POST", headers, body: bytes })).json();
}

/** The picture at `path` as an address for an `img`; give it back with `URL.revokeObjectURL`. */
export async function picture(path, signal) {
  return URL.createObjectURL(await (await ask(path, { signal })).blob());
}

/** Calls `fn(state)` now, if there is one, and with every state that comes; returns how to stop it. */
export function onState(fn) {
  heard.add(fn);
  if (state) fn(state);
  return () => heard.delete(fn);
}

/** Calls `fn(why)` when the connection is lost (why: a text), and `fn("")` when it is there again. */
export function onLine(fn) {
  lines.add(fn);
}

let waiting = null;
let after = "";

/** Asks for the state now, whatever it is. */
export function refresh() {
  after = "";
  waiting?.abort();
}

let leaving = false;

/** Asks the studio to show something else, at `path`, and loads the page anew. */
export async function leaveFor(path) {
  leaving = true;
  waiting?.abort();
  try {
    await post(path);
    location.replace("/");
  } catch (error) {
    leaving = false;
    follow();
    throw error;
  }
}

/** Tells one who listens the state; an error of his own is not a lost connection, and keeps it from nobody else. */
function told(fn) {
  try {
    fn(state);
  } catch (error) {
    reportError(error);
  }
}

/** Follows the state for as long as the page is open. */
export async function follow() {
  let lost = false;
  let pause = 500;
  while (!leaving) {
    try {
      waiting = new AbortController();
      const signal = AbortSignal.any([waiting.signal, AbortSignal.timeout(LONGEST)]);
      state = await get(`/api/state${after}`, signal);
      after = `?after=${state.revision}`;
      if (lost) {
        lost = false;
        lines.forEach((fn) => fn(""));
      }
      pause = 500;
      heard.forEach(told);
    } catch (error) {
      if (error.name === "AbortError") continue;
      if (error.body?.place) { // another game, or none, is open by now
        location.replace("/");
        return;
      }
      lost = true;
      lines.forEach((fn) => fn(error.status === 401 ? "ended" : "lost"));
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, 5000);
      after = "";
    }
  }
}

addEventListener("pagehide", () => {
  if (!secret) return;
  const headers = { "Content-Type": "application/json", "X-Umpire-Session": secret, "X-Umpire-Tab": tab };
  fetch("/api/leave", { method: "POST", headers, body: "{}", keepalive: true }).catch(() => {});
});
// A page that comes back out of the browser's memory says so by asking anew.
addEventListener("pageshow", (event) => event.persisted && refresh());
